#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The resident process is killed while MPU is up, with each hook.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

kill_resident()
{
	pid=$(status resident)
	test "$pid" = 0 || kill -9 "$pid"
	while test -e "/proc/$pid/exe"; do
		usleep 10000
	done
	usleep 100000
}

# one_hook HOOK
one_hook()
{
	name="$1: resident killed"
	do_mpu 0 up --engine bpf --hook "$1"
	check_answer
	kill_resident
	if can_pin; then
		do_mpu 0 status
		says out '^resident: +gone'
		check_answer
	else
		do_mpu 3 status
		name="$1: resident killed, the driver's own answer"
		told_right || true	# what it was told is looked at next
		if test "$(cat "$T/answer")" = "$bare"; then
			pass
		else
			fail "'$(cat "$T/answer")', not '$bare'"
		fi
	fi
	name="$1: up again"
	do_mpu 0 up --engine bpf --hook "$1"
	check_answer
	if pidof mpu >/dev/null; then pass; else fail "no resident process"; fi
	kill_resident
	name="$1: killed again, down"
	check_down
}

driver=/nvsim.ko
test ! -e /btf/nvsim.ko || driver=/btf/nvsim.ko
insmod $driver flavour=proprietary version=550.163.01
open_container
load_all
bare=$(answer)
hooks="kprobe tracepoint"
test ! -e /sys/kernel/btf/nvsim || hooks="fentry $hooks"
for hook in $hooks; do
	one_hook "$hook"
done
done_testing
