#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# One container has more threads inside the driver than returns are probed. Until
# they are gone another container may be told nothing; it is never told others'
# numbers, and afterwards all is as before.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

threads=${1:-4300}
many=${2:-8400}

# asks BOX TIMES RIGHT: a program there, by a thread for each time. Wrong answers
# must be those that were refused; RIGHT: there may be none of them either.
asks()
{
	got=$(nsenter -t "$1" -p -m crowd "$2" once)
	# shellcheck disable=SC2086 # three numbers
	set -- $got "$@"
	echo "flood.sh: $name: asked, wrong, refused: $got"
	if test "$2" -eq "$3" && test "$1" -eq "$5"; then
		pass
	else
		fail "of $1 answers $2 were wrong, $3 refused"
	fi
	test "$6" != right || if test "$2" -eq 0; then
		pass
	else
		fail "$2 of $1 answers were refused"
	fi
}

insmod /nvsim.ko flavour=proprietary version=550.163.01
open_container
flood=$box
open_container
load_all
do_mpu 0 up --engine bpf
name="before"
check_answer
asks "$box" 20 right

mkfifo "$T/keep"
nsenter -t "$flood" -p -m crowd "$threads" hold <"$T/keep" >"$T/held" &
crowd=$!
exec 9>"$T/keep"
until grep -q held "$T/held"; do
	kill -0 $crowd || exit 1
	usleep 100000
done
name="$threads threads of another container in the driver"
asks "$box" 20 any
name="$name, which asks $many times"
asks "$flood" "$many" any
exec 9>&-
wait $crowd
name="afterwards"
check_answer
asks "$box" 20 right
check_status calls 0
check_status missed 0
check_down
done_testing
