#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The driver goes and comes while MPU is up: it can be unloaded as soon as
# nobody uses it, the first answer of the next is translated, and another
# version is met with another calibration.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

longest=0

# check_rmmod MODULE: soon after its last user's end, for the daemon may
# be asking it. Without it there is nothing more to be seen.
check_rmmod()
{
	if within 6000 rmmod "$1"; then
		pass
		test "$took" -le "$longest" || longest=$took
	else
		fail "rmmod $1 is refused for long"
		done_testing
		exit 1
	fi
}

# is_measured: is known by measuring whose PIDs the driver uses
is_measured()
{
	mpu status --quick --json | grep -q '"measured": *true'
}

# check_measured: in the end. While the daemon measures it hears nothing.
check_measured()
{
	pass_or "the driver is not measured" within 6000 is_measured
}

# answered: told right. Counts answers that were refused, those that were wrong, and of
# them those with the host's numbers.
answered()
{
	told_right && return
	if told_nothing; then
		refused=$((refused + 1))
		return 1
	fi
	wrong=$((wrong + 1))
	case " $(cat "$T/answer")" in
	*" $outside:"* | *" $inside:"*)
		foreign=$((foreign + 1)) ;;
	esac
	return 1
}

# counted: from now on
counted()
{
	inside=$(pidof nvsim-load | tr ' ' '\n' | grep -vx "$outside")
	wrong=0 foreign=0 refused=0
}

# check_answered: soon; until then it is refused
check_answered()
{
	if within 6000 answered && test "$wrong" -eq 0; then
		pass
	else
		fail "the container was told wrong $wrong times, the host's" \
			"numbers $foreign times; in the end '$(cat "$T/answer")'"
	fi
}

# again TIMES: the same driver, unloaded at once, and after it was measured
again()
{
	for i in $(seq "$1"); do
		name="time $i"
		insmod /nvsim.ko flavour=proprietary version=550.163.01
		load_all
		counted
		check_answered
		check_status hook kprobe
		if test $((i % 2)) -eq 1; then
			check_measured
			check_answer
		fi
		unload_all
		check_rmmod nvsim
	done
}

# settled: the driver is met, and three answers in a row are right
settled()
{
	for i in 1 2 3; do
		answered || return 1
	done
	test "$(status driver_version)" = "$version"
}

# check_taint FILE FLAVOUR: says sysfs the flavour, as of a real driver? It is all there
# is when the driver has not started yet, or is about to go.
check_taint()
{
	case $(cat "$1"),$2 in
	*P*,proprietary) pass ;;
	*P*,open) fail "the taint of an open driver is '$(cat "$1")'" ;;
	*,open) pass ;;
	*) fail "the taint of a proprietary driver is '$(cat "$1")'" ;;
	esac
}

# meet MODULE FLAVOUR VERSION: load another driver. Of a module of the same name as the
# last the programs refuse what they cannot translate yet.
meet()
{
	name="$2 $3"
	version=$3
	insmod "/$1.ko" flavour="$2" version="$3"
	check_taint "/sys/module/$(echo "$1" | tr - _)/taint" "$2"
	load_all
	counted
	if within 6000 settled; then
		pass
		echo "reload.sh: $name: right after ${took}0 ms, refused" \
			"$refused and wrong $wrong times before, with the host's numbers" \
			"$foreign times"
	else
		fail "for long the container is told '$(cat "$T/answer")', not" \
			"'$right'; status has driver '$(status driver_version)'"
	fi
	if test "$1" != "$last" || test "$wrong" -eq 0; then
		pass
	else
		fail "the container was told wrong $wrong times, the host's" \
			"numbers $foreign times"
	fi
	last=$1
	check_measured
	unload_all
	check_rmmod "$(echo "$1" | tr - _)"
}

open_container
name="up before any driver"
do_mpu 0 up --engine bpf
says out 'waiting for the NVIDIA driver'
check_status driver null
last=''
meet nvsim proprietary 550.163.01
again "${1:-3}"
meet nvsim open 580.142
meet nvsim open 560.35.03
meet nvsim proprietary 550.163.01
meet nvsim open 565.77
meet nvsim-old proprietary 535.274.02
meet nvsim open 570.144
# The daemon looks for the driver's functions as long as this pipe is open: what
# has come since is translated by its version all the same.
mkfifo "$T/symbols"
mount --bind "$T/symbols" /proc/kallsyms
for version in 580.142 565.77; do
	name="open $version, while the kernel's symbols are read"
	insmod /nvsim.ko flavour=open version="$version"
	load_all
	counted
	check_answered
	unload_all
	check_rmmod nvsim
done
umount -l /proc/kallsyms
timeout 60 cp /dev/null "$T/symbols" || true
# Stopped, it misses events of modules: there are more than its socket can hold.
daemon=$(status daemon)
kill -STOP "$daemon"
name="another driver of that name while the daemon hears nothing"
insmod /nvsim.ko flavour=open version=580.142
load_all
check_refused
unload_all
check_rmmod nvsim
for i in $(seq 2000); do
	echo change >/sys/class/mem/null/uevent
done
insmod /nvsim-old.ko flavour=proprietary version=470.256.02
load_all
counted
name="news that were lost"
version=470.256.02
kill -CONT "$daemon"
if within 6000 settled; then
	pass
else
	fail "for 30 s the container is told '$(cat "$T/answer")'"
fi
unload_all
check_rmmod nvsim_old
echo "reload.sh: could be unloaded after ${longest}0 ms at most"
name="all answers"
check_status missed 0
check_down
done_testing
