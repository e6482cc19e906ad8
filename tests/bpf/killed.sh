#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# mpu up, its daemon, or both are killed at many moments: then calls
# are translated or nothing is up, mpu up works again, and mpu down leaves
# nothing.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

kills=${1:-10}

# is_gone PID: "" is, too
is_gone()
{
	test -z "$1" || ! test -e "/proc/$1"
}

# one_kill VICTIM MICROSECONDS
one_kill()
{
	mpu up --engine bpf >"$T/out" 2>"$T/err" &
	up=$!
	usleep "$2"
	daemon=$(cat /proc/$up/task/$up/children 2>/dev/null ||
		pidof mpu | tr ' ' '\n' | sort -n | head -n 1)
	# shellcheck disable=SC2086 # one or none
	case $1 in
	up) kill -9 $up ;;
	daemon) test -z "$daemon" || kill -9 $daemon ;;
	both) kill -9 $up $daemon ;;
	esac 2>/dev/null
	wait $up 2>/dev/null
	# A process that is dying holds its programs for a moment yet.
	test "$1" = up || within 6000 is_gone "$daemon" ||
		echo "killed.sh: $daemon does not die"
	name="$1 killed after $2 us, then"
	if mpu status >"$T/out" 2>"$T/err"; then
		lived=$((lived + 1))
		check_answer
	fi
	name="$1 killed after $2 us, up again"
	do_mpu 0 up --engine bpf
	check_answer
	name="$1 killed after $2 us, down"
	check_down
}

insmod /nvsim.ko flavour=proprietary version=550.163.01
open_container
load_all
name="mpu up"
begun=$(now)
do_mpu 0 up --engine bpf
# A little longer, to see what is killed when it has just come up.
length=$((($(now) - begun) * 12500))
check_answer
check_down
if test "$failed" -gt 0; then
	done_testing
	exit 1
fi
for victim in up daemon both; do
	lived=0
	for i in $(seq "$kills"); do
		one_kill $victim $((length * i / kills))
	done
	echo "killed.sh: $victim killed $kills times within $length us:" \
		"up afterwards $lived times"
done
done_testing
