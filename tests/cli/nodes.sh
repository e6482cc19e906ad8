#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu container nodes, and what mpu doctor says of nodes. As root, for mknod.
set -eu
. tests/cli/lib.sh

root=$T/nodes
rm -rf "$root"
tests/container/fake-root "$root" --mig 1 --no-libraries

# What is right but for the links, which nobody makes for the driver.
run 3 container --root "$root" nodes --check
says out "^$root/dev/char/195:0: does not lead to $root/dev/nvidia0: "
is 'a line for each node' 13 "$(wc -l <"$T/out")"
silent err
run 0 container --root "$root" nodes
silent out
silent err
run 0 container --root "$root" nodes --check
silent out

# Nodes that are missing.
rm "$root/dev/nvidia1" "$root/dev/nvidia-caps/nvidia-cap66"
run 3 container --root "$root" nodes --check
is 'a line for each of them' "$root/dev/nvidia-caps/nvidia-cap66
$root/dev/nvidia1" "$(sed 's/: .*//' "$T/out" | sort)"
run 0 container --root "$root" nodes
run 0 container --root "$root" nodes --check
is 'made' '195:1 241:66' "$(stat -c '%Hr:%Lr' "$root/dev/nvidia1" \
	"$root/dev/nvidia-caps/nvidia-cap66" | tr '\n' ' ' | sed 's/ $//')"

# What cannot be made good is an error.
rm "$root/dev/nvidia1"
mkdir "$root/dev/nvidia1"
run 1 container --root "$root" nodes
one_sentence "$root/dev/nvidia1: something else than the node 195:1 is there"
rmdir "$root/dev/nvidia1"

# doctor says it; a driver that is not loaded it has said already.
MPU_ROOT=$root
export MPU_ROOT
"$MPU" doctor >"$T/out" 2>"$T/err" || :	# there may be problems beside it
says out "^note +nodes: 1 device nodes .*, as $root/dev/nvidia1: "
unset MPU_ROOT
run 0 container --root "$root" nodes
MPU_ROOT=$root
export MPU_ROOT
"$MPU" doctor >"$T/out" 2>"$T/err" || :	# there may be problems beside it
says out '^ok +nodes: all device nodes of 2 GPUs are there'
unset MPU_ROOT
rm "$root/proc/devices"
: >"$root/proc/devices"
run 1 container --root "$root" nodes
one_sentence 'driver not loaded'
MPU_ROOT=$root
export MPU_ROOT
"$MPU" doctor >"$T/out" 2>"$T/err" || :	# there may be problems beside it
is 'no finding without a driver' '' "$(grep 'nodes:' "$T/out" || :)"	# none

done_testing
