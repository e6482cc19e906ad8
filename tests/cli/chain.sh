#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks what mpu doctor says of what gives GPUs to containers, on made-up hosts (MPU_ROOT).
set -eu
. tests/cli/lib.sh

# about WORD: the lines that doctor has about it
about()
{
	"$MPU" doctor -v >"$T/all" 2>"$T/err" || :	# its status is about the rest
	sed -n "/^[a-z]* *$1: /{p;n;p;}" "$T/all" >"$T/out"
	name="doctor about $1"
}

new_host
for word in docker containerd crio podman toolkit settings cdi userns selinux; do
	about $word
	silent out
done

# Engines: one that is not told of a runtime, one that is, one whose file is broken.
file /usr/bin/dockerd ''
file /etc/containerd/config.toml 'version = 2
[plugins."io.containerd.grpc.v1.cri".containerd]
default_runtime_name = "nvidia"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
BinaryName = "/usr/bin/nvidia-container-runtime"'
file /etc/crio/crio.conf.d/99-nvidia.conf 'crio ='
about docker
says out "^note .*daemon.json names no runtime that gives GPUs" "mpu configure docker"
about containerd
says out "^note .*runtime nvidia is /usr/bin/nvidia-container-runtime, for containers that name none, too, which is not there"
file /usr/bin/nvidia-container-runtime ''
about containerd
says out "^note .* would refuse a container: none of what it runs in its turn, runc, crun"
file /etc/docker/daemon.json '{"runtimes": {"nvidia": {"path": "/usr/bin/nvidia-container-runtime"}}}'
about docker
says out "^ok .*runtime nvidia is /usr/bin/nvidia-container-runtime"
file /usr/bin/runc ''
about containerd
says out "^ok .*runtime nvidia is /usr/bin/nvidia-container-runtime"
about crio
says out "^note .*99-nvidia.conf: line 1: "
about podman
silent out

# Another toolkit, which a link to mpu is not.
about toolkit
says out "^note .*another container toolkit is installed, too: /usr/bin/nvidia-container-runtime$"
file /usr/bin/mpu ''
ln -sf mpu "$MPU_ROOT/usr/bin/nvidia-container-runtime"
about toolkit
silent out

file /etc/nvidia-container-runtime/config.toml '[nvidia-container-cli]
ldconfig = "/sbin/ldconfig"'
about settings
says out "^note .*does not start with a '@'" "config migrate"
file /etc/nvidia-container-runtime/config.toml 'nosuch = 1'
about settings
says out "^note .*nosuch"
file /etc/nvidia-container-runtime/config.toml '[nvidia-container-runtime]
mode = "legacy"'
about settings
says out "^ok .*mode legacy"

# CDI documents, where there is a driver.
file /sys/module/nvidia/version 580.159.04
about cdi
silent out
file /etc/cdi/broken.json '{'
about cdi
says out "^note .*broken.json"

file /proc/sys/user/max_user_namespaces 0
about userns
says out "no rootless containers"
file /sys/fs/selinux/enforce 1
about selinux
says out "SELinux enforces"
file /sys/fs/selinux/enforce 0
about selinux
silent out

done_testing
