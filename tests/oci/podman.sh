#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# podman, in front of runc and of crun.
set -eu
. tests/oci/lib.sh

command -v podman >/dev/null || skip_all "there is no podman here"
make_rootfs
start_agent

cat >"$T/containers.conf" <<END
[engine.runtimes]
mpu = ["$T/runtime"]
END
export CONTAINERS_CONF="$T/containers.conf"

# engine ARG...: podman, nothing of it outside T
engine()
{
	timeout 120 podman --root "$T/root" --runroot "$T/run" \
		--tmpdir "$T/podman" --storage-driver vfs \
		--events-backend file --cgroup-manager cgroupfs "$@"
}

# start_by RUNTIME ARG...: with lower limits than podman's, which take
# CAP_SYS_RESOURCE
start_by()
{
	runtime=$1
	shift
	engine --runtime "$runtime" run --network none \
		--ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "$@"
}

start()
{
	start_by mpu "$@"
}

box()
{
	start --rm localhost/probe "$@"
}

open_box()
{
	start --rm --security-opt seccomp=unconfined localhost/probe "$@"
}

tar -C "$T/rootfs" -c . >"$T/probe.tar"
for real in runc crun; do
	command -v $real >/dev/null || continue
	make_runtime "$(command -v $real)"
	name="podman import"
	exits 0 engine import "$T/probe.tar" localhost/probe
	# A host where podman cannot run anything tells nothing about us.
	start_by $real --rm localhost/probe /bin/look exit=0 >"$T/out" 2>&1 ||
		skip_all "podman with $real runs nothing here: $(tail -n 1 "$T/out")"
	way "podman, $real, its default profile" box
	way "podman, $real, no profile" open_box
	name="podman, $real: exec"
	exits 0 start -d --name "mpu-$real" localhost/probe /bin/look sleep
	# shellcheck disable=SC2086 # a list
	exits 0 engine --runtime mpu exec "mpu-$real" /bin/look $requests
	reached
	exits 0 engine --runtime mpu rm -f -t 0 "mpu-$real"
	refused "podman, $real" box
done

stop_agent
done_testing
