#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Random controls from a container, under engine bpf and under mpu.ko: none of the answers
# holds the PID of a stranger, which without MPU some do.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

count=${1:-3000}

# leaked COUNT: how many of so many do; says all that there is to say of them
leaked()
{
	begun=$(now)
	# shellcheck disable=SC2086 # two numbers
	inside random "$1" 7 $hidden >"$T/random"
	echo "random.sh: $name: made, answered, refused, leaked, callers killed:" \
		"$(tail -n 1 "$T/random"), in $((($(now) - begun) / 100)) s"
	grep leaked "$T/random" | head -n 10
	leaks=$(tail -n 1 "$T/random" | cut -d ' ' -f 4)
}

insmod /nvsim.ko flavour=proprietary version=550.163.01 accounting=1
echo 4194304 >/proc/sys/kernel/pid_max
echo 4000000 >/proc/sys/kernel/ns_last_pid
open_container
load_all
hidden=$(pidof nvsim-load)
name="no engine"
leaked 1000
if test "$leaks" -gt 0; then pass; else fail "$(cat "$T/random")"; fi
name="engine bpf"
do_mpu 0 up --engine bpf
leaked "$count"
if test "$leaks" = 0; then pass; else fail "$leaks"; fi
check_status missed 0
check_down
ok "mpu.ko is loaded" insmod /mpu.ko
name="mpu.ko"
leaked "$count"
if test "$leaks" = 0; then pass; else fail "$leaks"; fi
ok "mpu.ko is unloaded" rmmod mpu
done_testing
