# SPDX-License-Identifier: GPL-2.0-only
# A client of containerd's CRI at $T/containerd.sock, or $cri_socket: protocol buffers and
# gRPC, as much as it takes.
#
# shellcheck shell=sh

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

# call METHOD: $T/request there, what comes back to $T/answer
call()
{
	size=$(wc -c <"$T/request")
	{
		printf '\0\0\0'
		byte $((size / 256))
		byte $((size % 256))
		cat "$T/request"
	} >"$T/framed"
	curl --silent --show-error --max-time 3600 --http2-prior-knowledge \
		--unix-socket "${cri_socket:-$T/containerd.sock}" --dump-header "$T/head" \
		-H 'Content-Type: application/grpc' -H 'TE: trailers' \
		--data-binary "@$T/framed" --output "$T/answer" \
		"http://localhost/runtime.v1.RuntimeService/$1" &&
		tr -d '\r' <"$T/head" >"$T/err" &&
		grep -q '^grpc-status: 0$' "$T/err"
}

# pod_request CLASS [NAME [PID-MODE]]: RunPodSandbox of a pod, which is $T/pod. It has the
# host's network, as with hostNetwork: that takes no network plugin. PID-MODE is of
# NamespaceMode: 0 the pod's, 1 each container's, 2 the node's. $cri_uid: its UID,
# $cri_parent: the control group that it is in, $cri_logs: the folder of its logs,
pod_request()
{
	{ string 1 "${2:-pod}"; string 2 "${cri_uid:-uid-pod}"; string 3 default; } >"$T/metadata"
	{ integer 1 2; integer 2 "${3:-0}"; } >"$T/options"	# NamespaceOption
	{
		message 1 "$T/options"
	} >"$T/security"			# LinuxSandboxSecurityContext
	{
		test -z "${cri_parent:-}" || string 1 "$cri_parent"
		message 2 "$T/security"
	} >"$T/linux"				# LinuxPodSandboxConfig
	{
		message 1 "$T/metadata"
		string 3 "${cri_logs:-$T/logs}"
		message 8 "$T/linux"
	} >"$T/pod"
	{ message 1 "$T/pod"; string 2 "$1"; } >"$T/request"
}

# create_container WORD...: in $pod, which $T/pod is, of $T/metadata, $T/spec and
# $T/linux; $T/more has what other fields it is to have
create_container()
{
	{
		message 1 "$T/metadata"
		message 2 "$T/spec"
		for word; do string 3 "$word"; done
		cat "$T/more"
		string 11 log
		message 15 "$T/linux"
	} >"$T/container"
	{
		string 1 "$pod"
		message 2 "$T/container"
		message 3 "$T/pod"
	} >"$T/request"
	call CreateContainer
}

# import_image FOLDER NAME CHANGE: containerd has it, made by podman; CHANGE is a line of a
# Containerfile
import_image()
(
	called=$2 change=$3
	tar -C "$1" -c . >"$T/tar" || exit 1
	set -- podman --root "$T/podman" --runroot "$T/podman.run" \
		--tmpdir "$T/podman.tmp" --storage-driver vfs
	"$@" import --change "$change" "$T/tar" "$called" && rm "$T/tar" &&
		"$@" save --format docker-archive -o "$T/tar" "$called" &&
		ctr --address "${cri_socket:-$T/containerd.sock}" --namespace k8s.io \
			image import --no-unpack "$T/tar"
)

# answered_id: of the pod or the container that $T/answer is about
answered_id()
{
	grep -aoE '[0-9a-f]{64}' "$T/answer" | head -n 1
}

# has_ended NAME: the container $T/request names, which is called so: behind its name the
# field 3, its state, is 2: CONTAINER_EXITED
has_ended()
{
	call ContainerStatus && { printf %s "$1"; integer 3 2; } >"$T/ended" &&
		hex "$T/answer" | grep -q "$(hex "$T/ended")"
}

hex()
{
	od -An -v -tx1 "$1" | tr -d ' \n'
}
