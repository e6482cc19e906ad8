#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A Kubernetes runtime class: containerd's CRI, asked as a kubelet asks it.
set -eu
. tests/oci/lib.sh

for command in containerd ctr runc podman curl; do
	command -v $command >/dev/null || skip_all "there is no $command here"
done
make_rootfs
make_runtime "$(command -v runc)"
start_agent

# --- protocol buffers and gRPC, as much as it takes ---

# byte N
byte()
{
	# shellcheck disable=SC2059 # an escape
	printf "\\$(printf %o "$1")"
}

# number N: a varint
number()
{
	n=$1
	while test "$n" -ge 128; do
		byte $((n % 128 + 128))
		n=$((n / 128))
	done
	byte "$n"
}

# string FIELD TEXT, and message FIELD FILE
string()
{
	number $(($1 * 8 + 2))
	number "$(printf %s "$2" | wc -c)"
	printf %s "$2"
}

message()
{
	number $(($1 * 8 + 2))
	number "$(wc -c <"$2")"
	cat "$2"
}

# integer FIELD N
integer()
{
	number $(($1 * 8))
	number "$2"
}

# call METHOD: $T/request there, what comes back to $T/out
call()
{
	size=$(wc -c <"$T/request")
	{
		printf '\0\0\0'
		byte $((size / 256))
		byte $((size % 256))
		cat "$T/request"
	} >"$T/framed"
	curl --silent --show-error --max-time 60 --http2-prior-knowledge \
		--unix-socket "$T/containerd.sock" --dump-header "$T/head" \
		-H 'Content-Type: application/grpc' -H 'TE: trailers' \
		--data-binary "@$T/framed" --output "$T/out" \
		"http://localhost/runtime.v1.RuntimeService/$1" &&
		tr -d '\r' <"$T/head" >"$T/err" &&
		grep -q '^grpc-status: 0$' "$T/err"
}

# --- containerd ---

cat >"$T/config.toml" <<END
version = 2
root = "$T/root"
state = "$T/state"
[grpc]
  address = "$T/containerd.sock"
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
      BinaryName = "$T/runtime"
END
containerd --config "$T/config.toml" >"$T/containerd.log" 2>&1 9>&- &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || :' EXIT

engine()
{
	timeout 120 ctr --address "$T/containerd.sock" --namespace k8s.io "$@"
}

tries=0
: >"$T/request"
until call Version 2>"$T/err"; do
	tries=$((tries + 1))
	if test $tries -ge 240 || ! kill -0 $daemon 2>/dev/null; then
		skip_all "containerd has no CRI here: $(tail -n 1 "$T/containerd.log")"
	fi
	sleep 0.5
done

# image: the probe, that sleeps if it is not told otherwise
image()
{
	set -- podman --root "$T/podman" --runroot "$T/run" --tmpdir "$T/tmp" \
		--storage-driver vfs
	tar -C "$T/rootfs" -c . >"$T/probe.tar"
	"$@" import --change 'CMD ["/bin/probe","sleep"]' "$T/probe.tar" \
		localhost/probe:latest &&
		"$@" save --format docker-archive -o "$T/image.tar" \
			localhost/probe:latest &&
		engine image import --snapshotter native "$T/image.tar"
}

name="image"
run 0 image

# --- a pod ---

# The pod has the host's network, as with hostNetwork: that takes no network plugin.
{ string 1 pod; string 2 uid; string 3 default; } >"$T/metadata"
integer 1 2 >"$T/options"		# NamespaceOption.network = NODE
message 1 "$T/options" >"$T/security"	# LinuxSandboxSecurityContext
message 2 "$T/security" >"$T/linux"	# LinuxPodSandboxConfig
{
	message 1 "$T/metadata"
	string 3 "$T/logs"
	message 8 "$T/linux"
} >"$T/pod"
{ message 1 "$T/pod"; string 2 mpu; } >"$T/request"
name="a pod of class mpu"
run 0 call RunPodSandbox
pod=$(grep -aoE '[0-9a-f]{64}' "$T/out" | head -n 1)

# box /bin/probe REQUEST...: a container in it; its output to $T/out
box()
{
	rm -rf "$T/logs"
	string 1 probe >"$T/metadata"
	string 1 localhost/probe:latest >"$T/spec"
	integer 1 0 >"$T/profile"	# SecurityProfile: RuntimeDefault
	message 3 "$T/options" >"$T/security"
	message 15 "$T/profile" >>"$T/security"
	message 2 "$T/security" >"$T/linux"
	{
		message 1 "$T/metadata"
		message 2 "$T/spec"
		for word; do string 3 "$word"; done
		string 11 log
		message 15 "$T/linux"
	} >"$T/container"
	{
		string 1 "$pod"
		message 2 "$T/container"
		message 3 "$T/pod"
	} >"$T/request"
	call CreateContainer || return 1
	string 1 "$(grep -aoE '[0-9a-f]{64}' "$T/out" | head -n 1)" \
		>"$T/request"
	started=0
	call StartContainer || started=1
	tries=0
	until test "$(grep -c stdout "$T/logs/log")" -ge $(($# - 1)) ||
		test $started -ne 0 || test $tries -ge 1200; do
		tries=$((tries + 1))
		sleep 0.1
	done
	cp "$T/err" "$T/started"
	call RemoveContainer
	cp "$T/started" "$T/err"
	sed 's/^[^ ]* stdout F //' "$T/logs/log" >"$T/out"
	return $started
}

name="a container of class mpu"
before=$(states)
# shellcheck disable=SC2086 # a list
run 0 box /bin/probe $requests
reached
test "$(states)" -eq $((before + 1)) || fail "no listener was sent"
name="the rest of its profile"
unaffected
grep -q '"ioctl",' "$T/before" || fail "it does not list ioctl"
refused "class mpu" box

name="the pod"
string 1 "$pod" >"$T/request"
run 0 call StopPodSandbox
run 0 call RemovePodSandbox

stop_agent
done_testing
