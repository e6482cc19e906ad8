#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A node of a cluster, as far as containerd and systemd go; run by tests/systemd/machine.
# The pod of deploy/kubernetes/mpu.yaml, asked of containerd's CRI as a kubelet does, has
# the node's systemd start an engine. Beside it are pods with a GPU, in which the real
# nvidia-smi is to see their own process. The pod is exchanged, killed, and ends. The pod
# of the metrics (deploy/kubernetes/all/mpu.yaml) is asked for figures of the pods.
#
# Unlike in a cluster the pods have the host's network: there is no network plugin.
set -eu

T=$(mktemp -d)
. tests/runner/lib.sh
. tests/oci/cri_lib.sh
manifest=deploy/kubernetes/mpu.yaml
cri_socket=/run/containerd/containerd.sock
metrics_manifest=deploy/kubernetes/all/mpu.yaml
mpu=/opt/mpu/bin/mpu
metrics=http://127.0.0.1:9836

# manifest_says LINE...: $T/manifest does
manifest_says()
{
	for line; do
		ok "the manifest says '$line'" grep -Fxq -- "$line" "$T/manifest"
	done
}

# The lines that node_pod and metrics_pod have been written after.
manifest_is_this()
{
	sed 's/^ *//' "$manifest" >"$T/manifest"
	manifest_says 'hostPID: true' '- node' '- --engine=auto' 'runAsUser: 0' \
		'drop: [ALL]' 'add: [SYS_CHROOT]' 'allowPrivilegeEscalation: false' \
		'readOnlyRootFilesystem: true' 'type: RuntimeDefault' \
		'command: [/opt/mpu/bin/mpu, node, check]' 'memory: 64Mi' \
		'mountPath: /host' 'mountPropagation: HostToContainer' 'path: /'
	sed -n '/^  name: mpu-metrics$/,/^---$/s/^ *//p' "$metrics_manifest" >"$T/manifest"
	manifest_says '- metrics' '- --from=/run/mpu-metrics/socket' '- "--listen=[::]:9836"' \
		'runAsUser: 65534' 'drop: [ALL]' 'allowPrivilegeEscalation: false' \
		'readOnlyRootFilesystem: true' 'path: /healthz' 'path: /livez' 'memory: 64Mi' \
		'mountPath: /run/mpu-metrics' 'readOnly: true' 'path: /run/mpu-metrics'
	ok "it has no right" no grep -q 'hostPID\|privileged\|add:' "$T/manifest"
	ok "the node's pod has it served" grep -Fq -- '- --metrics=1000' "$metrics_manifest"
}

# The machine, before there is anything of MPU.
machine()
{
	insmod nvsim-old.ko flavour=proprietary version=535.274.02
	mknod -m 666 /dev/nvidiactl c 195 255
	mknod -m 666 /dev/nvidia0 c 195 0
	mkfifo "$T/forever"
	exec 4<>"$T/forever"
	./nvsim-load --mem 700 <&4 >"$T/host" 2>&1 &
	host=$!
	mkdir -p /etc/containerd
	cat >/etc/containerd/config.toml <<-END
	version = 2
	[plugins."io.containerd.grpc.v1.cri"]
	  sandbox_image = "localhost/debian:latest"
	  [plugins."io.containerd.grpc.v1.cri".containerd]
	    snapshotter = "native"
	  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
	    runtime_type = "io.containerd.runc.v2"
	    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
	      SystemdCgroup = true
	END
	containerd >"$T/containerd.log" 2>&1 &
	daemon=$!
	ok "containerd starts" waits ctr version
	ok "an image for pods themselves" import_image gpus/images/debian \
		localhost/debian:latest 'CMD ["/bin/look","sleep"]'
	ok "the image of MPU" import_image image localhost/mpu:latest \
		'ENTRYPOINT ["/opt/mpu/bin/mpu"]'
	ok "an image with nvidia-smi" import_image gpus/smi localhost/smi:latest \
		'CMD ["/bin/nvsim-load"]'
}

# start_pod NAME PID-MODE: $pod, with UID, folder and control group as
# kubelets have them
start_pod()
{
	cri_uid=$(cat /proc/sys/kernel/random/uuid)
	cri_logs=/var/log/pods/default_$1_$cri_uid
	cri_parent=kubepods-besteffort-pod$(echo "$cri_uid" | tr - _).slice
	mkdir -p "$cri_logs"
	pod_request '' "$1" "$2"
	call RunPodSandbox || return 1
	pod=$(answered_id)
}

# start_container POD NAME: that of $T/answer; $id; its log has the link of a kubelet
start_container()
{
	id=$(answered_id)
	string 1 "$id" >"$T/request"
	call StartContainer &&
		ln -s "$cri_logs/log" "/var/log/containers/$1_default_$2-$id.log"
}

# limited_container POD NAME: with $T/security, and as much memory as manifests allow
limited_container()
{
	integer 4 67108864 >"$T/resources"	# memory_limit_in_bytes
	{ message 1 "$T/resources"; message 2 "$T/security"; } >"$T/linux"
	create_container && start_container "$1" "$2"
}

# node_pod NAME: what the manifest says
node_pod()
{
	start_pod "$1" 2 || return 1		# PID namespace: NODE
	string 1 node >"$T/metadata"
	string 1 localhost/mpu:latest >"$T/spec"
	{ string 1 /host; string 2 /; integer 5 1; } >"$T/mount"	# HOST_TO_CONTAINER
	{
		string 4 node
		string 4 --engine=auto
		string 4 --metrics=1000
		message 7 "$T/mount"
	} >"$T/more"
	{ string 1 SYS_CHROOT; string 2 ALL; } >"$T/capabilities"
	: >"$T/zero"
	{
		message 1 "$T/capabilities"
		message 3 "$T/options"
		message 5 "$T/zero"	# run_as_user
		integer 7 1		# readonly_rootfs
		integer 11 1		# no_new_privs
		message 15 "$T/zero"	# seccomp: RuntimeDefault
	} >"$T/security"
	limited_container "$1" node
}

# metrics_pod: what the manifest says
metrics_pod()
{
	start_pod metrics 1 || return 1		# PID namespace: CONTAINER
	string 1 metrics >"$T/metadata"
	string 1 localhost/mpu:latest >"$T/spec"
	{ string 1 /run/mpu-metrics; string 2 /run/mpu-metrics; integer 3 1; } >"$T/mount"
	{
		string 4 metrics
		string 4 --from=/run/mpu-metrics/socket
		string 4 "--listen=[::]:9836"
		message 7 "$T/mount"
	} >"$T/more"
	string 2 ALL >"$T/capabilities"
	integer 1 65534 >"$T/user"
	{
		message 1 "$T/capabilities"
		message 3 "$T/options"
		message 5 "$T/user"	# run_as_user
		integer 7 1		# readonly_rootfs
		integer 11 1		# no_new_privs
		message 15 "$T/zero"	# seccomp: RuntimeDefault
	} >"$T/security"
	limited_container metrics metrics
}

# device PATH: field 8 of a container
device()
{
	{ string 1 "$1"; string 2 "$1"; string 3 rwm; } >"$T/device"
	message 8 "$T/device"
}

# gpu_pod NAME MIB: a pod as a device plugin has it get a GPU, which uses so much of it
gpu_pod()
{
	start_pod "$1" 1 || return 1		# PID namespace: CONTAINER
	string 1 load >"$T/metadata"
	string 1 localhost/smi:latest >"$T/spec"
	# Its stdin is open: the load goes on until that ends.
	{ device /dev/nvidiactl; device /dev/nvidia0; integer 12 1; } >"$T/more"
	message 3 "$T/options" >"$T/security"
	message 2 "$T/security" >"$T/linux"
	create_container /bin/nvsim-load --mem "$2" && start_container "$1" load
}

# execute ID WORD...: in that container; what it says, to stdout
execute()
{
	{
		string 1 "$1"
		shift
		for word; do string 2 "$word"; done
		integer 3 600
	} >"$T/request"
	call ExecSync || { cat "$T/head"; return 1; }
	tr -cd '\n -~' <"$T/answer"
	# exit_code, the last field, is there if it is not 0.
	! tail -c 2 "$T/answer" | od -An -v -tx1 | grep -q '^ 18 [0-7]'
}

is_ready()
{
	execute "$1" $mpu node check
}

# waits COMMAND...: for two minutes
waits()
{
	tries=0
	until "$@" >"$T/said" 2>&1; do
		tries=$((tries + 1))
		test $tries -lt 240 || { cat "$T/said" /var/log/pods/*/log "$T"/*.log; return 1; }
		sleep 0.5
	done
}

# sees NAME ID MIB: nvidia-smi shows the process of this container there, and no other
sees()
{
	execute "$2" /bin/nvidia-smi --query-compute-apps=pid,used_memory \
		--format=csv,noheader >"$T/seen" || :	# then it has said something else
	is "$1" "1, $3 MiB" "$(grep -o '[0-9]*, [0-9]* MiB' "$T/seen")" "$T/seen"
}

# measured: what a scrape says of pods and of the engine
measured()
{
	curl -sS "$metrics/metrics" >"$T/scrape"
	labels='pod="\(.*\)",namespace="\(.*\)",pod_uid="\(.*\)"'
	is "$1: memory of pods" "default one $uid_one 314572800
default two $uid_two 524288000" "$(sed -n \
		"s/^mpu_pod_gpu_memory_bytes{gpu=\"0\",.*,$labels} /\2 \1 \3 /p" \
		"$T/scrape" | sort)" "$T/scrape"
	is "$1: of containers" 2 "$(grep -c \
		'^mpu_container_gpu_memory_bytes{.*container="load",.*namespace="default"' "$T/scrape")" \
		"$T/scrape"
	is "$1: the engine" 'mpu_engine_up{engine="bpf"} 1' \
		"$(grep '^mpu_engine_up.* 1$' "$T/scrape")" "$T/scrape"
	is "$1: is told of no failure" 'mpu_engine_failed 0' \
		"$(grep '^mpu_engine_failed' "$T/scrape")" "$T/scrape"
	is "$1: it has translated" 1 "$(awk '/^mpu_engine_calls_total.*"translated"/ { n += $2 }
		END { print (n > 0) }' "$T/scrape")" "$T/scrape"
}

# The pod finds what mpu doctor finds on the node itself.
finds()
{
	curl -sSf "$metrics/metrics" |
		sed -n 's/^mpu_node_finding{id="\(.*\)",severity=.*/\1/p' >"$T/told"
	test -s "$T/told" || return 1
	$mpu doctor -j | sed -n 's/^ *"id": "\(.*\)",$/\1/p' | diff "$T/told" -
}

own()
{
	sees "$1: a pod sees its own process" "$one" 300
	sees "$1: so does the other" "$two" 500
}

# signal_node_pods SIGNAL: KILL as the kernel ends what lacks memory, HUP to look at once
signal_node_pods()
{
	for process in /proc/[0-9]*; do
		case $(tr '\0' ' ' <"$process/cmdline" 2>/dev/null) in
		"$mpu node "*) kill -s "$1" "${process#/proc/}" ;;
		esac
	done
}

# stop_pod POD CONTAINER: as a kubelet does
stop_pod()
{
	{ string 1 "$2"; integer 2 120; } >"$T/request"
	call StopContainer || return 1
	string 1 "$1" >"$T/request"
	call StopPodSandbox && call RemovePodSandbox
}

# forget_images: containerd's, and what it has unpacked of them
forget_images()
{
	images=$(ctr --namespace k8s.io images list --quiet) || return 1
	# shellcheck disable=SC2086 # a list of names
	ctr --namespace k8s.io images remove --sync $images
}

# ours: what of MPU is on the node; systemd 262 knows a unit whose file is gone until it
# reads all of them again
ours()
{
	find /opt /etc /run /usr/local -name '*mpu*' ! -path '/run/containerd/*' | sort
	systemctl list-units --plain --no-legend 'mpu*'
	systemctl list-unit-files --no-legend 'mpu*' || :	# 1: none
	ls /sys/fs/bpf
}

manifest_is_this
machine
# The folder of a pod's volume a kubelet makes, and leaves.
mkdir -p /var/log/containers /run/mpu-metrics
before=$(ours)
ok "a pod with a GPU" gpu_pod one 300
pod_one=$pod one=$id uid_one=$cri_uid
ok "and another, of the same GPU" gpu_pod two 500
pod_two=$pod two=$id uid_two=$cri_uid
ok "the pod of the manifest starts" node_pod first
first_pod=$pod first=$id
ok "it is ready" waits is_ready "$first"
ok "the engine is bpf, a service of the node's" sh -c \
	"$mpu status | grep -q '^engine: *bpf' && systemctl -q is-active mpu.service"
was=$(systemctl show -P InvocationID mpu.service)
rm /etc/systemd/system/mpu-agent.socket
signal_node_pods HUP
ok "it looks again" waits test -e /etc/systemd/system/mpu-agent.socket
ok "it is ready still" waits is_ready "$first"
is "and the service goes on" "$was" "$(systemctl show -P InvocationID mpu.service)"
own "set up"
ok "and no others, as mpu node test has it" $mpu node test
is "the node sees all" 3 "$($mpu ps -j | grep -c '"pid":')"
ok "the pod of the metrics starts" metrics_pod
pod_metrics=$pod id_metrics=$id
ok "it is ready" waits curl -sSf "$metrics/healthz"
ok "and lives" curl -sSf "$metrics/livez"
measured "set up"
ok "it finds what mpu doctor finds on the node" waits finds

ok "the next pod is there before the last one goes" node_pod second
second_pod=$pod second=$id
ok "it is ready, too" waits is_ready "$second"
ok "the last one goes" stop_pod "$first_pod" "$first"
ok "the engine is still there" systemctl -q is-active mpu.service
own "exchanged"
measured "exchanged"
ok "and the pod is ready" is_ready "$second"

signal_node_pods KILL
sleep 1
ok "a pod that is killed undoes nothing" systemctl -q is-active mpu.service
own "killed"
string 1 "$second_pod" >"$T/request"
call StopPodSandbox && call RemovePodSandbox
ok "the next one goes on with what is there" node_pod third
ok "it is ready" waits is_ready "$id"
measured "set up again"
ok "the pod of the metrics ends" stop_pod "$pod_metrics" "$id_metrics"
ok "when the last pod ends" stop_pod "$pod" "$id"
is "the node is as it was" "$before" "$(ours)"

ok "the pods with GPUs end" stop_pod "$pod_one" "$one"
ok "both" stop_pod "$pod_two" "$two"
ok "the images are removed" forget_images
is "nothing of MPU is left of them" '' \
	"$(find /var/lib/containerd -name 'mpu*')"
kill "$daemon"
wait "$daemon" || :	# killed
rm -r /etc/containerd
kill "$host"
wait "$host" || :	# killed
ok "nobody uses the driver any more" rmmod nvsim_old
rm -r /dev/nvidiactl /dev/nvidia0 /var/log/containers /var/log/pods
done_testing
