#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# How the kernel preempts itself. Where it may preempt a call of bpf(2) it runs no program
# for who comes next on that CPU: then engine bpf is refused, or says that it is off.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

model=/sys/kernel/debug/sched/preempt
version=/proc/sys/kernel/version

# refused REGEX: by its name, and not taken by itself
refused()
{
	do_mpu 1 up --engine bpf
	says err "$1"
	do_mpu 0 up
	check_status engine notify
	says err "^mpu: not engine bpf: .*$1"
	do_mpu 0 down
}

# pretend FILE TEXT: until it is unmounted
pretend()
{
	echo "$2" >"$T/pretended"
	mount --bind "$T/pretended" "$1"
}

insmod /nvsim.ko flavour=proprietary version=550.163.01
open_container
load_all

if grep -q '(lazy)' $model; then
	name="lazy"
	refused 'preemptible .preempt=lazy'
	done_testing
	exit
fi

name="full while it is up"
do_mpu 0 up --engine bpf
do_mpu 0 status
before=$(sed 's/.*(//; s/).*//' $model)
echo full >$model
do_mpu 3 status
says out '^off: .*preemptible'
do_mpu 1 up
says err 'but off: .*preemptible'

# The container, and who works with bpf(2), on one CPU; nobody has said how it preempts.
name="full, and nobody knows"
pretend $model 'none (voluntary) full'
taskset 1 busy 4096 &
busy=$!
got=$(inside taskset 1 crowd 2000 once)
echo "preempt.sh: beside updates of a map: asked, wrong, refused: $got," \
	"programs skipped: $(status missed)"
inside taskset 1 crowd 9999 once >"$T/crowd" &
do_mpu 3 status
says out '^off: .*see .missed' '^missed: '
do_mpu 0 metrics --textfile "$T/metrics"
says metrics '^mpu_engine_up[{]engine="bpf"[}] 0$'
do_mpu 3 doctor
says out 'engine bpf., but off: .*see .missed'
kill $busy
inside killall crowd
wait $busy
umount $model
check_down

name="full"
refused 'preemptible .preempt=full'
name="full, and debugfs is not mounted"
umount /sys/kernel/debug
refused 'preemptible .preempt=full'
mount -t debugfs debugfs /sys/kernel/debug
echo "$before" >$model

name="PREEMPT_RT"
pretend $version '#1 SMP PREEMPT_RT'
refused 'preemptible .PREEMPT_RT'
umount $version

name="built for one model, which preempts"
pretend $version '#1 SMP PREEMPT'
refused 'preemptible .CONFIG_PREEMPT'
umount $version

name="none or voluntary"
pretend $model 'none (voluntary) full'
do_mpu 0 up
check_status engine bpf
check_answer
check_down
umount $model
done_testing
