#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The host switches off what engine bpf stands on, before it starts or after:
# then it is not up, or says that it is off.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

ftrace=/proc/sys/kernel/ftrace_enabled
kprobes=/sys/kernel/debug/kprobes/enabled

# before FILE REGEX: with 0 in that file
before()
{
	echo 0 >"$1"
	name="$1 is 0, then up"
	do_mpu 1 up --engine bpf
	says err "$2"
	check_remains
	name="$1 is 0, then up by itself"
	do_mpu 0 up
	check_status engine notify
	says err "^mpu: not engine bpf: .*$2"
	do_mpu 0 down
	echo 1 >"$1"
}

# check_truth: status says what a container is told
check_truth()
{
	if told_right; then
		do_mpu 0 status
		says out '^measured: '
	else
		do_mpu 3 status
		says out '^off: '
		got=0
		timeout 120 mpu up >"$T/out" 2>"$T/err" || got=$?
		if test $got -ne 0; then pass; else fail "up is content"; fi
	fi
}

# after FILE: 0 is written there while it is up. EBUSY is an answer, too.
after()
{
	name="up, then $1 is 0"
	do_mpu 0 up --engine bpf
	check_truth
	if echo 0 >"$1"; then
		told_right && told=right || told=wrong
		echo "off.sh: $name: answers are $told"
		check_truth
		echo 1 >"$1"
	else
		echo "off.sh: $name: refused"
	fi 2>"$T/err"
	name="up, then $1 is 1 again"
	check_answer
	check_truth
	do_mpu 0 down
}

insmod /nvsim.ko flavour=proprietary version=550.163.01
open_container
load_all
before $ftrace 'kernel\.ftrace_enabled is 0'
before $kprobes 'kprobes are switched off'

# Kprobes are off and nothing here says so: mpu up finds out by asking the driver.
echo 0 >$kprobes
umount /sys/kernel/debug
name="kprobes are off, and debugfs is not there"
do_mpu 1 up --engine bpf
says err 'are not translated'
mount -t debugfs debugfs /sys/kernel/debug
echo 1 >$kprobes

after $ftrace
after $kprobes
done_testing
