# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Gives the scripts that run in the machines of tests/bpf/run what they share: a driver,
# a container with a GPU process, and questions. To be sourced; busybox sh.
#
# shellcheck disable=SC2154,SC2034 # variables of tests/runner/lib.sh and for its users

# shellcheck source=tests/runner/lib.sh
. /lib.sh

T=/tmp/test
mkdir -p "$T"
: >"$T/out"
: >"$T/err"
hold=$T/hold
mkfifo $hold
mknod -m 666 /dev/nvidiactl c 195 255
mknod -m 666 /dev/nvidia0 c 195 0

# now: in hundredths of a second
now()
{
	sed 's/ .*//; s/\.//' /proc/uptime
}

# within HUNDREDTHS COMMAND...: does it succeed in that time, which only what hangs
# takes? Leaves in $took when it did.
within()
{
	begun=$(now) limit=$1
	shift
	until "$@" >"$T/out" 2>"$T/err"; do
		test $(($(now) - begun)) -lt "$limit" || return 1
		usleep 10000
	done
	took=$(($(now) - begun))
}

# --- the container ---

# open_container: a PID namespace, and its /proc
open_container()
{
	unshare --pid --mount --fork --mount-proc sleep 100000 &
	until test -n "$(cat "/proc/$!/task/$!/children")"; do
		usleep 10000
	done
	box=$(tr -d ' ' <"/proc/$!/task/$!/children")
	until nsenter -t "$box" -p -m test -d /proc/1; do
		usleep 10000
	done
}

# inside COMMAND...
inside()
{
	nsenter -t "$box" -p -m "$@"
}

# load NAME COMMAND...: start a GPU process by that command; $ready is the number
# it has for itself
load()
{
	said=$T/ready.$1
	shift
	: >"$said"
	"$@" >"$said" 2>&1 <>$hold &
	until grep -q '^ready' "$said"; do
		if ! kill -0 $!; then
			echo "load: $(cat "$said")"
			return 1
		fi
		usleep 10000
	done
	ready=$(sed -n 's/^ready //p' "$said")
}

# load_all: one GPU process outside, one inside; $right is then what the
# container has to be told. (The shift makes numbers differ all the same.)
load_all()
{
	load outside nvsim-load --mem 700
	outside=$ready
	load inside inside nvsim-load --mem 300
	right="$ready:300"
}

# unload_all: and wait until they are gone
unload_all()
{
	kill "$outside"
	inside kill "${right%:*}"
	while pidof nvsim-load >/dev/null; do
		usleep 5000
	done
}

# listed: "PID:MIB" of each process in what mpu ps --raw prints
listed()
{
	awk '$4 == "MiB" { printf "%s%s:%s", gap, $1, $3; gap = " " }'
}

# answer: what the container is told, whole in $T/.said
answer()
{
	inside mpu ps --raw >"$T/.said" 2>&1
	listed <"$T/.said"
}

# told_right: is it?
told_right()
{
	answer >"$T/answer"
	test "$(cat "$T/answer")" = "$right" && rm -f "$T/.said"
}

# told_nothing: was it refused, by RM as the caller sees it?
told_nothing()
{
	test -z "$(cat "$T/answer")" && grep -q 'the driver refused' "$T/.said"
}

# check_refused: the driver that is there is not known yet
check_refused()
{
	if told_right || ! told_nothing; then
		fail "the container is told '$(cat "$T/.said" "$T/answer")'"
	else
		pass
	fi
}

# check_answer
check_answer()
{
	if told_right; then
		pass
	else
		fail "the container is told '$(cat "$T/answer")', not '$right'"
	fi
}

# --- MPU ---

# do_mpu STATUS ARGUMENT...: a wrong exit status fails
do_mpu()
{
	want=$1 got=0
	shift
	timeout 120 mpu "$@" >"$T/out" 2>"$T/err" || got=$?
	pass_or "mpu $* ended with $got, not $want" test "$got" -eq "$want"
}

# status WORD: that member of mpu status --json, a number or a sentence
status()
{
	mpu status --quick --json | sed -n "s/^ *\"$1\": *//p" |
		sed 's/,$//; s/^"//; s/"$//'
}

# check_status WORD VALUE
check_status()
{
	got=$(status "$1")
	pass_or "status has $1 '$got', not '$2'" test "$got" = "$2"
}

# remains: what there is of engine bpf
remains()
{
	test ! -e /sys/fs/bpf/mpu || ls -d /sys/fs/bpf/mpu /sys/fs/bpf/mpu/*
	grep -s ':mpu/' /sys/kernel/tracing/kprobe_events
	test ! -e /run/mpu-bpf.lock || echo /run/mpu-bpf.lock
	for one in $(pidof mpu); do
		echo "process $one"
	done
	count=$(/objects)
	test "$count" = "$objects" ||
		echo "BPF programs and maps: $count, not $objects"
}

nothing_remains()
{
	test -z "$(remains)"
}

# check_remains: nothing is left; the kernel frees programs in its own time
check_remains()
{
	if within 6000 nothing_remains; then
		pass
	else
		fail "remains: $(remains | tr '\n' ';')"
	fi
}

# check_down: mpu down leaves nothing
check_down()
{
	do_mpu 0 down
	check_remains
}

# can_pin: can links of probes be pinned? Since Linux 5.15
can_pin()
{
	case $(uname -r) in
	5.1[0-4].*) return 1 ;;
	esac
}

objects=$(/objects)
