# SPDX-License-Identifier: GPL-2.0-only
# A container that exists, for tests of what is carried out in one: to be sourced. B is
# where box (box.c) is, R the container's root, T a folder of the test's own.
#
# shellcheck shell=sh

box=

# start_box [USER]: a container; in a user namespace, whose root is that user
start_box()
{
	test $# -eq 0 || chown -R "$1:$1" "$R"
	rm -f "$T/ready"
	mkfifo "$T/ready"
	"$B/box" "$R" "$@" >"$T/ready" &
	box=$!
	read -r _ <"$T/ready"
}

stop_box()
{
	kill -9 "$box"
	wait "$box" 2>/dev/null || :	# 137
	box=
}

in_box()
{
	nsenter --target "$box" --mount "$@"
}

# leave_box: how a test ends, passed or failed; what it has left mounted goes with its box
leave_box()
{
	test -z "$box" || kill -9 "$box" || :	# it may have ended
	rm -rf "$T"
}
