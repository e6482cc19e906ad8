#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The daemon is killed while MPU is up.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

kill_daemon()
{
	pid=$(status daemon)
	test "$pid" = 0 || kill -9 "$pid"
	while test -e "/proc/$pid/exe"; do
		usleep 10000
	done
	usleep 100000
}

# exempted SECONDS ANSWER: what a process is told that was left alone that long ago; mpu ps
# would ask in a child
exempted()
{
	mkfifo "$T/go"
	# shellcheck disable=SC2016 # expanded there
	nsenter -t "$box" -p -m sh -c 'read -r go <"$1"; exec crowd 1 list' \
		sh "$T/go" >"$T/smi" &
	until one=$(cat "/proc/$!/task/$!/children") && test -n "$one"; do
		usleep 10000
	done
	/exempt "$one" "$1"
	echo >"$T/go"
	wait $!
	got=$(listed <"$T/smi")
	rm "$T/go"
	is "$name" "$2" "$got"
}

load_driver()
{
	insmod /nvsim.ko flavour=proprietary version=550.163.01
	load_all
}

# again: nobody can tell the programs that it is the same
again()
{
	unload_all
	within 6000 rmmod nvsim || fail "rmmod nvsim is refused for long"
	load_driver
	check_refused
	do_mpu 0 status -a
	says out 'CMD_GPU_GET_PIDS:.* impossible [1-9]'
}

open_container
load_driver
bare=$(answer)
name="daemon killed"
do_mpu 0 up --engine bpf
check_answer
kill_daemon
if can_pin; then
	do_mpu 0 status
	says out '^daemon: +gone'
	check_answer
	name="daemon killed while it measured"
	exempted 60 "$bare"
	name="and its measuring process's number is another's"
	exempted -1 "$right"
	name="daemon killed, then the driver is loaded again"
	again
else
	do_mpu 3 status
	says out '^not up'
	name="daemon killed, the driver's own answer"
	told_right || true	# what it was told is looked at next
	is "$name" "$bare" "$(cat "$T/answer")"
fi
name="up again"
do_mpu 0 up --engine bpf
check_answer
if pidof mpu >/dev/null; then pass; else fail "no daemon"; fi
kill_daemon
name="killed again, down"
check_down
done_testing
