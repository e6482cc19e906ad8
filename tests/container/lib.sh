# SPDX-License-Identifier: GPL-2.0-only
# Shared by tests/container/*.sh, which are called as root with the folder that container.mk
# built: B is that folder, mpu the program, T a folder of the test's own. And a container that
# exists, for tests of what is carried out in one: R is its root, and it is box.c's.
#
# shellcheck shell=sh

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/runner/lib.sh
. tests/runner/lib.sh
test "$(id -u)" -eq 0 || { echo "${0##*/}: making device nodes and mounts takes root" >&2; exit 1; }
B=$(realpath "$1")
# shellcheck disable=SC2034 # of some scripts
triplet=${triplet:-$(gcc -print-multiarch)}
T=$(mktemp -d /tmp/mpu-container.XXXXXX)
chmod 0711 "$T"	# for users of a user namespace
# A copy: a hook's program is root's alone, and the tree may be a user's.
mkdir "$T/copy"
cp "$B/../../mpu" "$T/copy"
# shellcheck disable=SC2034 # of some scripts
mpu=$T/copy/mpu json=$B/../cli/json
trap leave EXIT

# named NAME...: mpu has these names in T, too
named()
{
	for link; do ln -s "$mpu" "$T/$link"; done
}

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

# leave: passed or failed; what a test has left mounted goes with its box
leave()
{
	test -z "$box" || kill -9 "$box" || :	# it may have ended
	rm -rf "$T"
}
