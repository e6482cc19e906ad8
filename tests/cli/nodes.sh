#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu container nodes, and what mpu doctor says of nodes. As root, for mknod.
set -eu
. tests/cli/lib.sh

root=$T/nodes
rm -rf "$root"
tests/container/fake-root "$root" --mig 1 --no-libraries

# All is right but for the links, which nobody makes for the driver.
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

# The same by the toolkit's names.
mpu=$MPU
ln -sf "$MPU" "$T/nvidia-ctk"
MPU=$T/nvidia-ctk
rm "$root/dev/nvidia1" "$root/dev/char/195:0"
run 0 system create-dev-char-symlinks --driver-root "$root" --dry-run
says out "^$root/dev/char/195:0: does not lead to $root/dev/nvidia0: "
is 'the link alone' 1 "$(wc -l <"$T/out")"
run 0 system create-dev-char-symlinks --driver-root="$root"
is 'it is made' ../nvidia0 "$(readlink "$root/dev/char/195:0")"
is 'the node is not' no "$(test ! -e "$root/dev/nvidia1" || echo yes; echo no)"
run 0 system create-device-nodes --root "$root"
is 'nor without being asked for' no "$(test ! -e "$root/dev/nvidia1" || echo yes; echo no)"
run 0 system create-device-nodes --driver-root "$root" --dev-root "$root" --control-devices
is 'then it is' 195:1 "$(stat -c %Hr:%Lr "$root/dev/nvidia1")"
rm "$root/dev/nvidia1" "$root/dev/char/195:1"
run 0 system create-dev-char-symlinks --driver-root "$root" --create-all
is 'all links' ../nvidia1 "$(readlink "$root/dev/char/195:1")"
is 'to nodes' 195:1 "$(stat -c %Hr:%Lr "$root/dev/nvidia1")"
run 1 system create-dev-char-symlinks --driver-root "$root" --dev-char-path /tmp
says err '^nvidia-ctk: .*links are made in /dev/char'
mkdir -p "$T/dev-root/dev"
run 0 system create-device-nodes --root "$root" --dev-root "$T/dev-root" --control-devices
is 'below another folder' 195:1 "$(stat -c %Hr:%Lr "$T/dev-root/dev/nvidia1")"
MPU=$mpu

# A node that cannot be repaired is an error.
rm "$root/dev/nvidia1"
mkdir "$root/dev/nvidia1"
run 1 container --root "$root" nodes
one_sentence "$root/dev/nvidia1: something else than the node 195:1 is there"
rmdir "$root/dev/nvidia1"

# doctor says it; a driver that is not loaded it has said already.
MPU_ROOT=$root
export MPU_ROOT
"$MPU" doctor -v >"$T/out" 2>"$T/err" || :	# there may be problems beside it
says out "^note +nodes: 1 device nodes .*, e[.]g[.] $root/dev/nvidia1: "
unset MPU_ROOT
run 0 container --root "$root" nodes
MPU_ROOT=$root
export MPU_ROOT
"$MPU" doctor -v >"$T/out" 2>"$T/err" || :	# there may be problems beside it
says out '^ok +nodes: all device nodes of 2 GPUs are there'
unset MPU_ROOT
rm "$root/proc/devices"
: >"$root/proc/devices"
run 1 container --root "$root" nodes
one_sentence 'driver not loaded'
MPU_ROOT=$root
export MPU_ROOT
"$MPU" doctor -v >"$T/out" 2>"$T/err" || :	# there may be problems beside it
is 'no finding without a driver' '' "$(grep 'nodes:' "$T/out" || :)"	# none

done_testing
