#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Everything that the legacy chain does for four GPUs with compute and utility, and an
# image that requires a CUDA version: each mount, node and rule of the cgroup, one by
# one, as tests/oci/gpu_legacy.list has them. That list follows what
# nvidia-container-cli is documented to do, not what we happen to do.
set -eu
. tests/oci/gpu_lib.sh

real=$(command -v runc) || skip_all "there is no runc here"
tests/container/fake-root "$T/machine" --version $VERSION --gpus 4
make_gpu_runtime "$real"
settings legacy
# A path of NVIDIA's program, which is no more, as an older config.toml has it.
sed -i "s|^load-kmods.*|&\ndebug = \"$T/cli.log\"|; s|\"$T/names/|\"/nowhere/|" \
	"$T/config-gpu.toml"
debian_image
given 0,1,2,3 compute,utility

# config REQUIREMENT: a container that sleeps
config()
{
	more="NVIDIA_REQUIRE_CUDA=$1"
	gpu_bundle "$T/images/debian" '' /bin/look sleep
}

create()
{
	runtime create --bundle "$T/bundle" --pid-file "$T/pid" "legacy-$$"
}

delete()
{
	timeout 60 "$real" --root "$T/state" delete --force "legacy-$$"
}

# wanted KIND: the lines of that kind in the list
wanted()
{
	sed -n "s|^$1 ||p" tests/oci/gpu_legacy.list |
		sed "s|VERSION|$VERSION|g; s|LIBRARIES|$libraries|g" | LC_ALL=C sort
}

# compare KIND: with what $T/found has
compare()
{
	is "$name" "$(wanted "$1")" "$(LC_ALL=C sort "$T/found")"
}

name="a container of an image that requires cuda>=11.0"
config 'cuda>=11.0 brand=tesla,driver>=418,driver<419'
exits 0 create
exits 0 timeout 60 "$real" --root "$T/state" start "legacy-$$"

name="mounts"
exits 0 timeout 60 "$real" --root "$T/state" exec "legacy-$$" /bin/look mounts
# Leaves out those of every container, and what the machine made of files shows in /proc.
grep -vE '^(/|/proc|/dev|/proc/driver) ' "$T/out" |
	sed 's/,relatime//; s/relatime,//; s/,nodiratime//' >"$T/found"
compare mount

name="nodes"
exits 0 timeout 60 "$real" --root "$T/state" exec "legacy-$$" /bin/look nodes
cp "$T/out" "$T/found"
compare node

name="rules of the device cgroup"
folder=$(sed -n 's/^[0-9]*:devices://p' "/proc/$(cat "$T/pid")/cgroup")
if test -r "/sys/fs/cgroup/devices$folder/devices.list"; then
	# The driver's numbers alone: runc's own are others.
	grep -E '^c (195|238|241|242):' "/sys/fs/cgroup/devices$folder/devices.list" \
		>"$T/found" || :	# none: the comparison says so
	compare cgroup
else
	skip "its rules cannot be read here: they are in a program (cgroup v2)"
fi

# The log says what was done as it is done, and what this machine does not have.
name="the log: mounts"
sed -nE 's/^I[0-9]{4} [0-9:.]{15} [0-9]+\] mount +([^ ]+) .*/mount \1/p' "$T/cli.log" |
	sed "s/^mount //; s|^/lib/firmware|/usr&|" >"$T/found"
is "$name" "$(wanted mount | grep -vE '^/(proc|dev)/' | cut -d ' ' -f 1)" \
	"$(LC_ALL=C sort "$T/found")"
name="the log: rules of the device cgroup"
sed -n 's/^I.*\] cgroup //p' "$T/cli.log" >"$T/found"
compare cgroup
name="the log: what is missing"
says cli.log '^W[0-9 :.]*\] missing library libnvidia-nvvm70.so.4: not in ld.so.cache, /usr/lib'
name="links of libraries"
exits 0 timeout 60 "$real" --root "$T/state" exec "legacy-$$" /bin/look \
	"link=$libraries/libcuda.so" "link=$libraries/libcuda.so.1" \
	"link=$libraries/libnvidia-ml.so.1"
sed "s|^$libraries/||" "$T/out" >"$T/found"
compare link
name="the container ends"
exits 0 delete

name="a container of an image that requires what this machine does not have"
config 'cuda>=99.0'
exits 1 create
says err 'nvidia-container-cli: requirement error: unsatisfied condition: cuda>=99.0, please update your driver to a newer version, or use an earlier cuda container'
delete >"$T/out" 2>&1 || :	# runc has it deleted, mostly
done_testing
