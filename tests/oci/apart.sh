# SPDX-License-Identifier: GPL-2.0-only
# Where containers of tests are started: to be sourced from the top folder by a script
# with its own arguments, the first of which is the folder that oci.mk built. B is that
# folder, T a new one, which is removed in the end with all that runs or is mounted in it.
# The script begins anew in a mount namespace of its own.
#
# shellcheck shell=sh

B=$1
shift
export B

if test "$(id -u)" -ne 0; then
	echo "oci: starting containers takes root here" >&2
	exit 1
fi
if test -z "${OCI_INSIDE:-}"; then
	OCI_INSIDE=1 exec unshare --mount --propagation private \
		"tests/oci/${0##*/}" "$B" "$@"
fi
# crun and podman refuse hosts that have cgroup v2 beside v1, with controllers.
umount /sys/fs/cgroup/unified 2>/dev/null || :

# Sockets have short names.
T=$(mktemp -d /tmp/mpu-oci.XXXXXX)
export T
# shellcheck disable=SC2317 # called by trap
clean()
{
	# Processes that a failed script has left: nobody else has $T in a command line.
	for pid in $(pgrep -f "$T/"); do
		kill "$pid" || :
	done
	grep -o " $T/[^ ]*" /proc/self/mounts | sort -r | while read -r mount; do
		umount -l "$mount" || :
	done
	rm -rf "$T"
}
trap clean EXIT

# Runtimes give a container's user what they have as standard input: not the host's
# /dev/null.
mkdir "$T/dev"
mount -t tmpfs tmpfs "$T/dev"
mknod -m 666 "$T/dev/null" c 1 3
mount --bind "$T/dev/null" /dev/null
