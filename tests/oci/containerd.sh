#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# containerd, by its shim's option BinaryName: what a runtime class sets.
set -eu
. tests/oci/lib.sh

for command in containerd ctr runc; do
	command -v $command >/dev/null || skip_all "there is no $command here"
done
make_rootfs
make_runtime "$(command -v runc)"
start_agent

cat >"$T/config.toml" <<END
version = 2
root = "$T/root"
state = "$T/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$T/containerd.sock"
END
containerd --config "$T/config.toml" >"$T/containerd.log" 2>&1 9>&- &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || :' EXIT

engine()
{
	timeout 120 ctr --address "$T/containerd.sock" "$@"
}

wait_for_daemon containerd engine version

# start ID OPTION... -- WORD...: ctr run
start()
{
	id=$1 options=
	shift
	while test "$1" != --; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # a list
	engine run --rootfs --runtime io.containerd.runc.v2 $options \
		"$T/rootfs" "$id" "$@"
}

box()
{
	start mpu --rm --runc-binary "$T/runtime" --seccomp -- "$@"
}

open_box()
{
	start mpu --rm --runc-binary "$T/runtime" -- "$@"
}

start plain --rm -- /bin/probe exit 0 >"$T/out" 2>&1 ||
	skip_all "containerd runs nothing here: $(tail -n 1 "$T/out")"
way "containerd, its default profile" box
way "containerd, no profile" open_box
name="containerd: exec"
exits 0 start mpu --runc-binary "$T/runtime" --seccomp --detach -- \
	/bin/probe sleep
# shellcheck disable=SC2086 # a list
exits 0 engine tasks exec --exec-id one mpu /bin/probe $requests
reached
exits 0 engine tasks rm -f mpu
exits 0 engine containers rm mpu
refused containerd box

stop_agent
done_testing
