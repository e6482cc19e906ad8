# SPDX-License-Identifier: GPL-2.0-only
# GPU processes of the simulated RM, preloaded, for tests/cli/*.sh that include this:
# NVSIM_VERSION names the driver. (Preloading forbids the sanitizers, and a static mpu: MPU
# becomes the objects of that which is shipped, with the libraries of this machine.)
#
# shellcheck shell=sh

out=$(dirname "$MPU")/../..
MPU=$out/smi/mpu

# simulated COMMAND...: run a command that finds the simulated driver
simulated="env LD_PRELOAD=$out/smi/nvsim-shim.so NVSIM_STATE=$T/rm NVSIM_GPUS=2"
simulated()
{
	$simulated "$@"
}

# simulates STATUS ARG...: as run, with it
simulates()
{
	want=$1
	shift
	name="mpu $*"
	exits "$want" simulated "$MPU" "$@"
}

# start LOG OPTION...: a GPU process that runs until its input ends. What another script
# left in the log is gone before it could be taken for what this one says.
start()
{
	log=$1
	shift
	: >"$log"
	simulated "$out/sim/nvsim-load-dynamic" "$@" <"$T/hold" >"$log" &
}

# ready LOG: wait for it; its PID
ready()
{
	within 300 grep -q '^ready ' "$1" || fail "$1: not ready in 300 s"
	sed -n 's/^ready //p' "$1"
}
