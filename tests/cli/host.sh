#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# status, up, down, ps --raw, controls and doctor on made-up hosts (MPU_ROOT).
set -eu
. tests/cli/lib.sh

# A host without driver and without MPU.
new_host
run 1 ps --raw
one_sentence "no NVIDIA driver here"
run 1 ps --raw -j
json error
silent err
run 3 status
says out "not up"
run 3 status -j
json engine
run 0 down
says out "already down"
run 0 down -j
json already
run 1 up
one_sentence "MPU_ROOT"

# A node that is none of the driver's.
new_host
mkdir -p "$MPU_ROOT/dev"
: >"$MPU_ROOT/dev/nvidiactl"
run 1 ps --raw
one_sentence "no client"
run 1 ps --raw -j
json error

# The controls: as many as the table has rows, each with its size.
run 0 controls -j
json size
sed -n 's/.*\.cmd = .*\.size = \([0-9]*\),.*/\1/p' core/controls.h >"$T/rows"
same "$T/values" "$T/rows" "sizes of the controls"
run 0 controls
says out "2080018d +3812 +out"

# MPU is up.
new_host
file /sys/module/mpu/version 1.2.3
file /sys/module/nvidia/version 580.159.04
file /sys/kernel/mpu/driver nvidia
file /sys/kernel/mpu/hook direct
file /sys/kernel/mpu/arguments driver
file /sys/kernel/mpu/calls 3
file /sys/kernel/mpu/controls/GET_PIDS/translated 7
file /sys/kernel/mpu/controls/GET_PIDS/hidden 0
file /sys/kernel/mpu/controls/OTHER/translated 0
run 0 status
says out "^engine: +module 1.2.3" "^driver: +nvidia 580.159.04" "^calls: +3 "
says out "GET_PIDS: translated 7$"
name="status without -a"
pass_or "shows zeros" no grep -q OTHER "$T/out"
run 0 status -a
says out "OTHER: translated 0$"
run 0 status -j
values controls GET_PIDS translated -- 7
run 0 status -aj
values controls GET_PIDS hidden -- 0
run 0 up
says out "already up: engine module, attached to nvidia 580.159.04"
run 1 up -e notify
one_sentence "engine module is up: stop it with 'sudo mpu down', then start engine notify"
run 1 down
one_sentence "MPU_ROOT"
file /sys/kernel/mpu/driver none
run 0 status
says out "waiting"
run 0 up -j
values driver -- null

# It is up, and not in front of the driver: 'up' is to start it anew.
file /sys/kernel/mpu/driver nvidia
file /sys/kernel/mpu/hook off
run 1 up
one_sentence "MPU_ROOT"

# verdict ABOUT VERDICT: what doctor finds about something
verdict()
{
	run "${3:-3}" doctor -j
	json findings about
	nl -s ' ' "$T/values" >"$T/about"
	"$JSON" findings verdict <"$T/out" | nl -s ' ' >"$T/verdicts"
	"$JSON" findings "do" <"$T/out" >"$T/do"
	name="doctor: $1"
	n=$(awk -v about="$1" '$2 == about { print $1 }' "$T/about")
	pass_or "is not $2" grep -Eq "^ *${n:-none} $2\$" "$T/verdicts"
	# Each finding ends with what to do.
	pass_or "nothing to do" no grep -Eq '^(null)?$' "$T/do"
}

# found REGEX
found()
{
	says out "\"found\": \".*$1"
}

# has ID: doctor has found this
has()
{
	json findings id
	says values "^$1\$"
}

verdict mpu problem
found "nothing is translated"
has mpu-off
file /sys/kernel/mpu/controls/OTHER/impossible 2
run 3 doctor -j
has mpu-copies
found "copies in another way .*: OTHER,"
values engine -- module
values driver -- 580.159.04
values node -- null

new_host
file /proc/sys/kernel/osrelease 6.1.0-18-amd64
file /proc/sys/kernel/hostname node7
verdict driver problem
has driver-absent
has engine-notify-unusable
values node -- node7
values kernel -- 6.1.0-18-amd64
values mpu -- "$(cat VERSION)"
values driver -- null
values flavour -- null
values engine -- null
json time
says values '^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$'
verdict engine-auto problem
# A kernel without modules has no findings on the needs of engine module.
for about in ftrace kprobes headers dkms; do
	is "doctor: $about without modules" "" "$(grep " $about\$" "$T/about" || :)"
done
file /proc/modules ""
for about in ftrace kprobes headers dkms; do
	verdict $about note
done

new_host
release=6.1.0-18-amd64
file /proc/sys/kernel/osrelease $release
file /proc/sys/kernel/hostname node7
file /proc/sys/kernel/ftrace_enabled 1
file /proc/kallsyms "0000000000000000 T register_kprobe"
file /proc/modules ""
file /proc/driver/nvidia/version "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04"
file /sys/module/nvidia/version 580.159.04
file /sys/kernel/security/lockdown "none [integrity] confidentiality"
file /sys/module/module/parameters/sig_enforce Y
file /lib/modules/$release/build/Makefile ""
file /lib/modules/$release/modules.dep "updates/dkms/mpu.ko.xz:"
file /var/lib/dkms/mpu/1.2.3/$release/x86_64/module/mpu.ko ""
verdict driver ok 0
found "580.159.04, open"
values flavour -- open
verdict lockdown note 0
found "integrity"
verdict signatures note 0
for about in kprobes ftrace headers dkms engine-module secure-boot; do
	verdict $about ok 0
done
# Findings that are ok are for those who ask; the last line says what is next.
run 0 doctor
is "doctor: what is right" "" "$(grep '^ok\|nothing to do' "$T/out" || :)"
is "doctor: the last line" "0 problems, 5 notes; next: sudo mpu up" "$(tail -n 1 "$T/out")"
run 0 doctor -v
says out "^ok +dkms: mpu 1.2.3 is built for $release"

# A driver from after the table.
verdict table ok 0
file /sys/module/nvidia/version 620.20.01
verdict table note 0
found "driver branch 620 is newer"

# A driver that shares what its processes do, unless it was told not to.
file /sys/module/nvidia/version 595.45.04
verdict page note 0
found "memory that containers read"
file /proc/driver/nvidia/params 'EnableMSI: 1
RegistryDwords: "RmMsg=1;RMDebugRusdPolling=2"
RegistryDwordsPerDevice: ""'
verdict page note 0
says out 'options nvidia NVreg_RegistryDwords=.*RMDebugRusdPolling=1'
file /proc/driver/nvidia/params 'EnableMSI: 1
RegistryDwords: "RmMsg=1;RMDebugRusdPolling=0x1"
RegistryDwordsPerDevice: "RMDebugRusdPolling=2"'
verdict page ok 0
file /sys/module/nvidia/version 580.159.04
verdict page ok 0

# The flavour is the loaded module's, whatever its version.
rm -r "$MPU_ROOT/proc/driver"
file /sys/module/nvidia/taint POE
verdict driver ok 0
found "proprietary"
file /sys/module/nvidia/taint OE
verdict driver ok 0
found "open flavour"
rm "$MPU_ROOT/sys/module/nvidia/taint"
verdict driver note 0
found "not known"
file /proc/sys/kernel/ftrace_enabled 0
verdict ftrace note
file /proc/kallsyms "0000000000000000 T something_else"
verdict kprobes note
run 3 doctor
says out '^1 problem, [0-9]+ notes; next: see what each of them lacks'
file /sys/firmware/efi/x ""
verdict secure-boot note
mkdir -p "$MPU_ROOT/sys/firmware/efi/efivars"
printf '\006\000\000\000\001' \
	>"$MPU_ROOT/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
verdict secure-boot note
found "on"
rm -r "$MPU_ROOT/var/lib/dkms/mpu/1.2.3/$release"
verdict dkms note
found "not built"
# Docker's file names a runtime that is not there.
file /etc/docker/daemon.json '{ "runtimes": { "mpu": { "path": "/no/mpu-runtime" } } }'
verdict docker note
has docker-runtime-absent
file /etc/docker/daemon.json '{ "runtimes": { "mpu": {
	"runtimeType": "io.containerd.runc.v2", "options": { "BinaryName": "/no/mpu-runtime" } } } }'
verdict docker note
has docker-runtime-absent
has dkms-unbuilt
# dockerd looks for the hook when it starts, in its PATH.
hook=/opt/bin/nvidia-container-runtime-hook
file /run/docker.pid $$
mkdir -p "$MPU_ROOT/proc/$$"
printf 'HOME=/\0PATH=/usr/sbin:/opt/bin\0' >"$MPU_ROOT/proc/$$/environ"
for part in stat status cgroup; do
	cat "/proc/$$/$part" >"$MPU_ROOT/proc/$$/$part"
done
run 3 doctor
says out '^note +docker: .*could not select device driver "" with capabilities: \[\[gpu\]\]; .* is not in dockerd.s PATH'
has_not_gpus()
{
	run 3 doctor
	is "doctor: docker's GPUs, $1" "" "$(grep 'could not select' "$T/out" || :)"
}
grep btime /proc/stat >"$MPU_ROOT/proc/stat"
file $hook ''
run 3 doctor
says out 'nvidia-container-runtime-hook is newer than dockerd'
awk '{ $22 += 2 * 3600 * 100; print }' "/proc/$$/stat" >"$MPU_ROOT/proc/$$/stat"
has_not_gpus "where it is"
rm "$MPU_ROOT/run/docker.pid" "$MPU_ROOT$hook"
has_not_gpus "where docker does not run"
# Not an mpu.ko, though its name ends so.
file /lib/modules/$release/modules.dep "kernel/drivers/inv-mpu.ko:"
verdict engine-auto problem
# Another's module has our name, and no engine is to start beside it.
file /sys/module/mpu/initstate live
run 3 doctor
says out 'sudo rmmod mpu: a module of that name is loaded that is not of this MPU'

done_testing
