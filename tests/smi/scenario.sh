# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# GPU processes of the simulated driver on the host and in containers, in a
# machine. To be sourced by a script that is also the first process of its
# containers: started as "SCRIPT container NAME", it calls inside.

work=/tmp/smi

# NVML takes and frees megabytes by turns, in threads; glibc would hand them back
# to the kernel each time, which makes pmon take 5 s instead of 0.4 here.
export MALLOC_TRIM_THRESHOLD_=1000000000

# open_scenario GPUS: device nodes, and what loads wait on.
open_scenario()
{
	mkdir -p $work
	mkfifo $work/hold
	mknod -m 666 /dev/nvidiactl c 195 255
	for gpu in $(seq 0 $(($1 - 1))); do
		mknod -m 666 "/dev/nvidia$gpu" c 195 "$gpu"
	done
}

# loads NAME: an nvsim-load with the options of each line of $work/NAME.loads;
# returns when RM knows them all. Sets $loads to their PIDs.
loads()
{
	loads='' number=0
	while read -r options; do
		number=$((number + 1))
		# shellcheck disable=SC2086 # words
		nvsim-load $options >"$work/ready.$1.$number" 2>&1 \
			<>$work/hold &
		loads="$loads $!"
	done <"$work/$1.loads"
	number=0
	for load in $loads; do
		number=$((number + 1))
		ready=$work/ready.$1.$number
		until read -r word _ <"$ready" && test "$word" = ready; do
			if ! kill -0 "$load"; then
				echo "scenario: nvsim-load: $(cat "$ready")"
				return 1
			fi
			usleep 20000
		done
	done
}

# inside NAME: the first process of a container. Starts its loads, then does what
# is written into its fifo, a command per line.
inside()
{
	loads "$1"
	exec 3<>"$work/$1" 4<>"$work/$1.done"
	echo >&4
	while read -r line <&3; do
		$line
		echo >&4
	done
}

# container NAME HOW: start one, return when its loads are there. HOW: unshare,
# or notify for one of "mpu run".
container()
{
	mkfifo "$work/$1" "$work/$1.done"
	case $2 in
	unshare)
		unshare --pid --mount --fork --mount-proc \
			sh "$0" container "$1" &
		;;
	notify) mpu run -- sh "$0" container "$1" & ;;
	esac
	head -n 1 "$work/$1.done"
}

# in_container NAME COMMAND...
in_container()
{
	name=$1
	shift
	echo "$*" >"$work/$name"
	head -n 1 "$work/$name.done"
}

# end_container NAME...
end_container()
{
	for name; do
		echo exit >"$work/$name"
	done
}

# start PHASE, stop PHASE: bpf is attached when it says that it is up.
start()
{
	case $1 in
	module) insmod /mpu.ko ;;
	bpf) mpu up --engine bpf >/tmp/up 2>&1 || cat /tmp/up ;;
	esac
}

stop()
{
	case $1 in
	module) rmmod mpu ;;
	bpf) mpu down >/tmp/down 2>&1 || cat /tmp/down ;;
	esac
}

# driver_down: when everybody is gone
driver_down()
{
	wait
	rm -f $work/ready.* $work/c[0-9]*
	rmmod "$(awk '/^nvsim/ { print $1 }' /proc/modules)"
}
