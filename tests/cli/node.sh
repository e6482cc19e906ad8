#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu node: where it is not in a pod of its image nothing is done, and it says why; a
# made-up node is as it was when it ends, also after a boot.
#
# shellcheck disable=SC2119,SC2120 # start_pod takes options, or none
set -eu
. tests/cli/lib.sh

own_run
mount -t tmpfs tmpfs /opt
run 1 node
says err 'there is no /opt/mpu here: this is for a pod of MPU.s image$'
silent out
run 2 node --engine fast
says err "invalid value .fast. for --engine: use auto, module, bpf or notify"
run 2 node --engine ''
says err "--engine requires an argument"
run 2 node --runtime docker
says err "invalid value .docker. for --runtime: use containerd or crio"
run 3 node check
says err 'the node is not set up yet'
run 3 node check -j
json error
silent err

# --- a node: this machine's programs, and folders of its own. Its systemd says that all
# is well, unless /run/mpu-fails is there.
N=$T/node
mkdir "$N"
mount --rbind / "$N"
for folder in etc opt run usr/local var/lib; do
	mount -t tmpfs tmpfs "$N/$folder"
done
mkdir -p "$N/run/systemd/system" "$N/etc/systemd/system" "$N/etc/containerd" \
	"$N/usr/local/sbin"
printf '%s\n' '#!/bin/sh' 'test "$*" != "start mpu.service" || test ! -e /run/mpu-fails' \
	>"$N/usr/local/sbin/systemctl"
printf '%s\n' '#!/bin/sh' >"$N/usr/local/sbin/runc"
chmod +x "$N/usr/local/sbin/systemctl" "$N/usr/local/sbin/runc"
echo 'version = 2' >"$N/etc/containerd/config.toml"

# What the pod's image has.
mkdir -p /opt/mpu/bin /opt/mpu/lib/systemd/system
cp "$MPU" /opt/mpu/bin/mpu
: >/opt/mpu/lib/systemd/system/mpu.service

# files: of the node's engines of containers, and what they say
files()
{
	find "$N/etc" -type f -exec grep -H '' {} +
}
files >"$T/before"

# start_pod SENTENCE [OPTION...]: until it says so
start_pod()
{
	sentence=$1
	shift
	options=$*
	: >"$T/err"
	"$MPU" node --host "$N" "$@" >"$T/out" 2>"$T/err" &
	pod=$!
	until grep -q "$sentence" "$T/err"; do
		kill -0 "$pod" || { name="mpu node $*"; fail "it has ended"; return 0; }
		sleep 0.1
	done
}

# end_pod: as Kubernetes ends it
end_pod()
{
	kill "$pod"
	name="mpu node $options"
	wait "$pod" || fail "exit $?"
	says err 'the node is as it was$'
	is_as_before
	is "mpu node $options: what is left" '' "$(find "$N/opt" "$N/var/lib" -mindepth 1)"
}

# reboot: the pod is killed, and undoes nothing; what is in /run is gone
reboot()
{
	kill -9 "$pod"
	wait "$pod" 2>"$T/null" || :	# 137
	rm -r "$N/run/mpu-node"
}

is_as_before()
{
	is "mpu node $options: the node's files" "$(cat "$T/before")" "$(files)"
}

for runtime in containerd crio; do
	start_pod 'the node is set up' --runtime "$runtime"
	is "mpu node $options: files that name the runtime" 1 \
		"$(grep -rl /run/mpu-node/mpu-runtime "$N/etc" | wc -l)"
	end_pod

	start_pod 'the node is set up' --runtime "$runtime"
	reboot
	start_pod 'the node is set up'
	is_as_before
	end_pod

	# One that is ended before it has set up anything.
	start_pod 'the node is set up' --runtime "$runtime"
	reboot
	: >"$N/run/mpu-fails"
	start_pod 'it is tried again' --runtime "$runtime"
	end_pod
	rm "$N/run/mpu-fails"
done
done_testing
