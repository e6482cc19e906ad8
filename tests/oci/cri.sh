#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A Kubernetes runtime class: containerd's CRI, asked as a kubelet asks it.
set -eu
. tests/oci/lib.sh
. tests/oci/cri_lib.sh

for command in containerd ctr runc podman curl; do
	command -v $command >/dev/null || skip_all "there is no $command here"
done
make_rootfs
make_runtime "$(command -v runc)"
start_agent

# --- containerd ---

mkdir "$T/conf.d"
cat >"$T/config.toml" <<END
version = 2
imports = ["$T/conf.d/*.toml"]
root = "$T/root"
state = "$T/state"
[grpc]
  address = "$T/containerd.sock"
END
# As NVIDIA's toolkit writes it: all else of the plugin, and a runtime that is not here.
cat >"$T/conf.d/99-nvidia.toml" <<END
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/probe:latest"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.mpu]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.mpu.options]
      BinaryName = "/usr/bin/nvidia-container-runtime"
END
name="mpu configure containerd"
configured --config "$T/config.toml" --name mpu --runtime "$T/runtime" containerd
containerd --config "$T/config.toml" >"$T/containerd.log" 2>&1 9>&- &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || :' EXIT

: >"$T/request"
wait_for_daemon containerd call Version

# A program that sleeps if it is not told otherwise.
name="image"
exits 0 import_image "$T/rootfs" localhost/probe:latest 'CMD ["/bin/look","sleep"]'

# --- a pod ---

pod_request mpu
name="a pod of class mpu"
exits 0 call RunPodSandbox
pod=$(answered_id)

# box WORD...: a container in it; its output to $T/out
box()
{
	rm -rf "$T/logs"
	string 1 probe >"$T/metadata"
	string 1 localhost/probe:latest >"$T/spec"
	integer 1 0 >"$T/profile"	# SecurityProfile: RuntimeDefault
	message 3 "$T/options" >"$T/security"
	message 15 "$T/profile" >>"$T/security"
	message 2 "$T/security" >"$T/linux"
	: >"$T/more"
	create_container "$@" || return 1
	string 1 "$(answered_id)" >"$T/request"
	started=0
	call StartContainer || started=1
	cp "$T/err" "$T/started"
	until test $started -ne 0 || has_ended probe; do
		sleep 0.2
	done
	call RemoveContainer
	cp "$T/started" "$T/err"
	sed 's/^[^ ]* stdout F //' "$T/logs/log" >"$T/out"
	return $started
}

name="a container of class mpu"
before=$(states)
# shellcheck disable=SC2086 # a list
exits 0 box /bin/look $requests
reached
test "$(states)" -eq $((before + 1)) || fail "no listener was sent"
name="the rest of its profile"
unaffected
grep -q '"ioctl",' "$T/before" || fail "it does not list ioctl"
refused "class mpu" box

name="the pod"
string 1 "$pod" >"$T/request"
exits 0 call StopPodSandbox
exits 0 call RemovePodSandbox

stop_agent
done_testing
