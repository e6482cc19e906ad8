#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu node: where it is not in a pod of its image nothing is done, and it says why; a
# made-up node is repaired while it runs, and as it was when it ends, also after a boot
# and where others have changed the same files.
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
run 2 node --folder opt/mpu
says err "folder needs an absolute path"
run 2 node --config "/etc/a b"
says err "config needs an absolute path"
run 1 node test
says err 'no answer of the driver could be measured'
run 3 node check
says err 'the node is not set up yet'
run 3 node check -j
json error
silent err

# --- a node: this machine's programs, and folders of its own. Its systemd says what is in
# /run/state, and that all is well, unless /run/mpu-fails is there; it notes in /run/calls
# what it was asked. Unit k3s writes its file anew when it starts.
N=$T/node
mkdir "$N"
mount --rbind / "$N"
for folder in etc opt run usr/local var/lib; do
	mount -t tmpfs tmpfs "$N/$folder"
done
mkdir -p "$N/run/systemd/system" "$N/etc/systemd/system" "$N/etc/containerd/conf.d" \
	"$N/usr/local/sbin" "$N/usr/local/k3s"
cat >"$N/usr/local/sbin/systemctl" <<'END'
#!/bin/sh
echo "$*" >>/run/calls
while test -e /run/mpu-waits; do sleep 0.1; done
case $* in
*"ActiveState mpu.service") cat /run/state ;;
"restart k3s") echo 'version = 2' >/etc/containerd/k3s.toml ;;
esac
test "$*" != "start mpu.service" || test ! -e /run/mpu-fails
END
cat >"$N/usr/local/sbin/runc" <<'END'
#!/bin/sh
END
cat >"$N/usr/local/k3s/runc" <<'END'
#!/bin/sh
echo "$NVIDIA_CTK_CONFIG_FILE_PATH $*" >/run/said
END
chmod +x "$N/usr/local/sbin/systemctl" "$N/usr/local/sbin/runc" "$N/usr/local/k3s/runc"
echo active >"$N/run/state"
echo 'version = 2' >"$N/etc/containerd/config.toml"

# Contents of the pod's image.
mkdir -p /opt/mpu/bin /opt/mpu/lib/systemd/system
cp "$MPU" /opt/mpu/bin/mpu
for unit in mpu.service mpu-agent.service mpu-agent.socket mpu-metrics.service; do
	: >/opt/mpu/lib/systemd/system/$unit
done

# files: of the node's container engines, and what they say
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
	: >"$T/log"
	: >"$N/run/calls"
	"$MPU" node --host "$N" "$@" >"$T/log" 2>&1 &
	pod=$!
	until grep -q "$sentence" "$T/log"; do
		kill -0 "$pod" || { name="mpu node $*"; fail "it has ended"; return 0; }
		sleep 0.1
	done
}

# look STATUS [SENTENCE]: the pod does, as it does each minute; what the probe finds then
look()
{
	kill -HUP "$pod"
	run "$1" node check --host "$N"
	test -z "${2:-}" || says "$(test "$1" = 0 && echo out || echo err)" "$2"
}

# asked WORDS: how often systemctl was
asked()
{
	grep -cxe "$1" "$N/run/calls" || :	# 1: never
}

# stop_pod STATUS: as Kubernetes ends it
stop_pod()
{
	kill "$pod"
	got=0
	wait "$pod" || got=$?
	name="mpu node $options"
	is "$name: exit status" "$1" "$got"
}

# end_pod: likewise, and the node is as it was
end_pod()
{
	stop_pod 0
	says log 'the node is as it was$'
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

	# A pod that is ended before it has set up anything.
	start_pod 'the node is set up' --runtime "$runtime"
	reboot
	: >"$N/run/mpu-fails"
	start_pod 'it is tried again' --runtime "$runtime"
	end_pod
	rm "$N/run/mpu-fails"
done

# --- others write the same files
config=$N/etc/containerd/config.toml
set_up='the node is set up'
theirs()
{
	printf '%s\n' 'version = 2' "imports = [\"/etc/containerd/conf.d/*.toml\"]" >"$config"
	cat >"$N/etc/containerd/conf.d/99-nvidia.toml" <<-END
	version = 2
	[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
	  runtime_type = "io.containerd.runc.v2"
	[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.$1.options]
	  BinaryName = "/usr/bin/$1"
	END
}
own=$N/etc/containerd/conf.d/zz-mpu.toml
start_pod "$set_up" --runtime containerd
look 0 '^mpu.service: active'
theirs nvidia
look 0
is "what others wrote has ours beside it" 1 "$(grep -c mpu-node/mpu-runtime "$own")"
is "their file is read first" 1 "$(grep -c 'runtimes.nvidia.options' "$own")"
is "containerd reads it" 2 "$(asked 'restart containerd')"
look 0
is "it is read once" 2 "$(asked 'restart containerd')"
theirs mpu
mv "$N/etc/containerd/conf.d/99-nvidia.toml" "$N/etc/containerd/conf.d/zzz.toml"
look 3 'not in force: containerd reads .*/zzz.toml after it'
look 3 'says so already.* not in force'	# ours was made again at the first look
look 3 'not in force'
is "why is said once" 1 "$(grep -c 'says so already.* not in force' "$T/log")"
mv "$N/etc/containerd/conf.d/zzz.toml" "$N/etc/containerd/conf.d/99-nvidia.toml"
theirs nvidia
look 0
files | grep -v zz-mpu.toml >"$T/before"
end_pod

# The node is left as it is while mpu down is refused, unless the pod was told --yes.
living()
{
	mv "$N/opt/mpu/bin/mpu" "$N/opt/mpu/bin/real"
	cat >"$N/opt/mpu/bin/mpu" <<-'END'
	#!/bin/sh
	test "$*" != "down --dry-run" || { echo "1 container: web" >&2; exit 1; }
	exec "${0%mpu}real" "$@"
	END
	chmod +x "$N/opt/mpu/bin/mpu"
}
start_pod "$set_up" --runtime containerd
living
stop_pod 1
says log 'the node is left as it is: .*1 container: web$'
is "nothing is stopped" 0 "$(asked 'stop mpu.service mpu-metrics.service')"
is "the runtime stays" 1 "$(grep -c mpu-node/mpu-runtime "$own")"
start_pod "$set_up" --runtime containerd --yes
living
end_pod

# The node serves metrics for as long as a pod asks for that.
start_pod "$set_up" --metrics 70 --processes
is "they are served" '1 1' "$(asked '--quiet --no-reload enable mpu-metrics.service') $(
	asked 'restart mpu-metrics.service')"
is "as the pod says" 1 "$(grep -c \
	'^ExecStart=/opt/mpu/bin/mpu metrics --listen /run/mpu-metrics/socket --keep 0 --limit 70 --processes$' \
	"$N/etc/systemd/system/mpu-metrics.service.d/node.conf")"
look 0
is "and not started again" '1 1' "$(asked 'restart mpu-metrics.service') $(
	asked 'start mpu-metrics.service')"
reboot
start_pod "$set_up"
is "another pod wants none" 1 "$(asked 'stop mpu-metrics.service')"
end_pod
run 2 node --metrics many
says err "invalid value 'many' for --metrics"

# Each step of undoing is tried.
start_pod "$set_up" --runtime containerd --engine notify
find "$N/etc/systemd" -name node.conf -exec cat {} + >"$T/setting"
is "engine notify is named" 1 "$(grep -c -- '--engine notify$' "$T/setting")"
echo '[[[' >"$own"
stop_pod 1
says log 'cannot remove all of MPU from this node: .*zz-mpu.toml'
is "service and agent are stopped" '1 1' \
	"$(asked 'stop mpu.service mpu-metrics.service') $(asked 'stop mpu-agent.socket mpu-agent.service')"
is "nothing else is left" '' "$(find "$N/opt" "$N/etc/systemd/system" -mindepth 1)"
rm -r "$own" "$N/var/lib/mpu" "$N/run/mpu-node"

# A file that is written anew at each start is not written again and again.
echo 'version = 2' >"$N/etc/containerd/k3s.toml"
files >"$T/before"
start_pod 'writes /etc/containerd/k3s.toml anew' --runtime containerd \
	--config /etc/containerd/k3s.toml --unit k3s
look 3 'writes /etc/containerd/k3s.toml anew'
look 3 'writes /etc/containerd/k3s.toml anew'
is "the unit is restarted once" 1 "$(asked 'restart k3s')"
end_pod

# --- other folders and programs
mkdir -p "$N/etc/kubernetes/node-feature-discovery/features.d" "$N/opt/home"
label=$N/etc/kubernetes/node-feature-discovery/features.d/mpu
start_pod "$set_up" --runtime crio --folder /opt/home/mpu --programs /usr/local/k3s \
	--driver-root /run/nvidia/driver --oci-runtime /usr/local/k3s/runc
is "units with another folder" 2 \
	"$(find "$N/etc/systemd" -name node.conf -exec grep -l '^ExecStart=/opt/home/mpu/bin/mpu ' {} + |
		wc -l)"
ln "$MPU" "$N/opt/home/mpu/bin/mpu-runtime" 2>/dev/null ||
	cp "$MPU" "$N/opt/home/mpu/bin/mpu-runtime"
name="what the class calls"
exits 0 chroot "$N" /run/mpu-node/mpu-runtime --version
is "it calls the runtime behind" '/opt/home/mpu/config.toml --version' "$(cat "$N/run/said")"
is "with the driver's root" 'root = "/run/nvidia/driver"' \
	"$(grep '^root' "$N/opt/home/mpu/config.toml")"
is "the node's label" 'feature.node.kubernetes.io/mpu.ready=true' "$(cat "$label")"
echo failed >"$N/run/state"
look 3 '^mpu.service: failed'
is "of a node whose engine failed" '' "$(cat "$label" 2>/dev/null)"
echo active >"$N/run/state"
look 0
is "and of one that works again" 1 "$(grep -c mpu.ready "$label")"
kill "$pod"
wait "$pod" || fail "exit $?"
is_as_before
rm -r "$N/opt/home"

# --- two pods: the newest alone looks, once the other's look has ended
start_pod "$set_up"
first=$pod
: >"$T/second"
: >"$N/run/calls"
: >"$N/run/mpu-waits"
kill -HUP "$first"
until test -s "$N/run/calls"; do
	sleep 0.1
done
unshare --mount "$MPU" node --host "$N" 2>"$T/second" &
second=$!
name="mpu node, twice"
pass_or "they look at once" within 60 \
	grep -- "-> POSIX .*:$(stat -c %i "$N/run/mpu-node/lock") " /proc/locks
rm "$N/run/mpu-waits"
until grep -q "$set_up" "$T/second"; do
	sleep 0.1
done
unit=$N/opt/mpu/lib/systemd/system/mpu.service
echo other >"$unit"
look 0
is "the older pod repairs nothing" other "$(cat "$unit")"
kill -9 "$second"
wait "$second" 2>"$T/null" || :	# 137
look 0
is "it does when it is alone" '' "$(cat "$unit")"
pod=$first
end_pod

# --- nodes that cannot work
mount -o remount,ro "$N/opt"
start_pod 'name a folder'
look 3 'cannot make the folder /opt/mpu: Read-only file system; name a folder'
mount -o remount,rw "$N/opt"
look 0
end_pod
rmdir "$N/run/systemd/system"
start_pod 'there is no systemd on this node'
look 3 'there is no systemd on this node'
stop_pod 0
done_testing
