#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# docker, with a daemon and containerd of its own.
set -eu
. tests/oci/lib.sh

for command in dockerd docker runc; do
	command -v $command >/dev/null || skip_all "there is no $command here"
done
make_rootfs
make_runtime "$(command -v runc)"
start_agent

cat >"$T/daemon.json" <<END
{
	"storage-driver": "vfs", "bridge": "none", "iptables": false,
	"data-root": "$T/data", "exec-root": "$T/exec",
	"pidfile": "$T/dockerd.pid", "hosts": [ "unix://$T/docker.sock" ]
}
END
dockerd --config-file "$T/daemon.json" >"$T/dockerd.log" 2>&1 9>&- &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || :' EXIT
export DOCKER_HOST="unix://$T/docker.sock"
wait_for_daemon dockerd docker version

# A daemon that is told to reload learns of runtimes.
name="mpu configure docker"
configured --config "$T/daemon.json" --name gpus --runtime "$T/mpu-runtime" docker
says err 'to have it read: systemctl reload docker'
configured --config "$T/daemon.json" --name mpu --runtime "$T/runtime" docker
kill -HUP $daemon
wait_for_daemon dockerd sh -c 'docker info -f "{{.Runtimes}}" | grep -q mpu:'
"$B/mpu" doctor -v >"$T/out" 2>&1 || :
says out "docker info: runtime gpus is $T/mpu-runtime$"

# start ARG...: docker run
start()
{
	timeout 120 docker run --network none "$@"
}

box()
{
	start --rm --runtime mpu probe "$@"
}

open_box()
{
	start --rm --runtime mpu --security-opt seccomp=unconfined probe "$@"
}

terminal_box()
{
	script -qec "docker run -t --rm --network none --runtime mpu probe $*" \
		/dev/null
}

tar -C "$T/rootfs" -c . >"$T/probe.tar"
name="docker import"
exits 0 docker import "$T/probe.tar" probe
start --rm probe /bin/look exit=0 >"$T/out" 2>&1 ||
	skip_all "docker runs nothing here: $(tail -n 1 "$T/out")"
way "docker, its default profile" box
name="docker's default profile: it lists ioctl among others"
grep -q '"ioctl",' "$T/before" || fail "it does not"
way "docker, no profile" open_box
way "docker, a terminal" terminal_box
name="docker: exec"
exits 0 start -d --name mpu --runtime mpu probe /bin/look sleep
# shellcheck disable=SC2086 # a list
exits 0 docker exec mpu /bin/look $requests
reached
exits 0 docker rm -f mpu
refused "docker" box
name="docker: other containers"
exits 0 start --rm probe /bin/look ioctl=0x20002a
says out '^0x20002a errno 25$'

stop_agent
done_testing
