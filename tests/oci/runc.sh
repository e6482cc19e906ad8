#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Plain runc, or the runtime named by RUNTIME, on a bundle.
set -eu
. tests/oci/lib.sh

real=$(command -v "${RUNTIME:-runc}") ||
	skip_all "there is no ${RUNTIME:-runc} here"
engine=${real##*/}
make_runtime "$real"
make_rootfs
start_agent

# box WORD...: run it
box()
{
	config "$profile" "$@"
	timeout 60 "$T/runtime" --root "$T/state" run --bundle "$T/bundle" "mpu-$$"
}

arch='"architectures":["SCMP_ARCH_X86_64","SCMP_ARCH_X86","SCMP_ARCH_X32"]'
profile=
way "$engine, no profile" box
profile='{"defaultAction":"SCMP_ACT_ALLOW",'$arch'}'
way "$engine, an open profile" box
profile='{"defaultAction":"SCMP_ACT_ALLOW",'$arch',"syscalls":[{"names":["ioctl"],"action":"SCMP_ACT_ERRNO","args":[{"index":1,"value":21522,"op":"SCMP_CMP_EQ"}]}]}'
way "$engine, TIOCSTI forbidden" box
name="$engine, TIOCSTI forbidden: it is"
exits 0 box /bin/look ioctl=0x5412
says out '^0x5412 errno 1$'

# A profile like docker's, with ioctl in a list of names.
names=$(sed -n '/"names"/,/"SCMP_ACT_ALLOW"/p' \
	/usr/share/containers/seccomp.json 2>/dev/null |
	grep -oE '^[[:space:]]*"[a-z0-9_]+"' | tr -d ' \t\n' |
	sed 's/""/","/g')
if test -n "$names"; then
	profile='{"defaultAction":"SCMP_ACT_ERRNO","defaultErrnoRet":38,'$arch',"syscalls":[{"names":['$names'],"action":"SCMP_ACT_ALLOW"}]}'
	way "$engine, a list that allows ioctl" box
fi

name="$engine: create, start, exec, delete"
config "$profile" /bin/look sleep
cp "$T/bundle/config.json" "$T/first"
exits 0 timeout 60 "$T/runtime" --root "$T/state" create --bundle "$T/bundle" \
	"mpu-$$"
exits 0 timeout 60 "$T/runtime" --root="$T/state" start "mpu-$$"
# shellcheck disable=SC2086 # a list
exits 0 timeout 60 "$T/runtime" --root "$T/state" exec "mpu-$$" \
	/bin/look $requests
reached
exits 0 timeout 60 "$T/runtime" --root "$T/state" delete --force "mpu-$$"

name="$engine: a bundle that was edited before is left alone"
inode=$(stat -c %i "$T/bundle/config.json")
exits 0 timeout 60 "$T/runtime" --root "$T/state" create --bundle "$T/bundle" \
	"mpu-$$"
timeout 60 "$T/runtime" --root "$T/state" delete --force "mpu-$$" \
	>"$T/out" 2>"$T/err"
test "$inode" -eq "$(stat -c %i "$T/bundle/config.json")" || fail "it was not"
cmp -s "$T/before" "$T/after" || fail "it changed"

refused "$engine" box

name="$engine: a listener of their own is left alone"
profile='{"defaultAction":"SCMP_ACT_ALLOW","listenerPath":"'$T'/./agent.sock"}'
exits 0 box /bin/look ioctl=0x20002a
says out '^0x20002a errno 25$'
says err '^mpu-runtime: .*listener of its own'
cmp -s "$T/before" "$T/after" || fail "it changed"

name="$engine: a profile that cannot be merged with starts nothing"
profile='{"defaultAction":"SCMP_ACT_ALLOW","syscalls":[{"names":["ioctl"],"action":"SCMP_ACT_ERRNO","args":[{"index":1,"value":5,"op":"SCMP_CMP_NE"}]}]}'
exits 1 box /bin/look ioctl=0x20002a
silent out
says err '^mpu-runtime: .*syscalls\[0\]'
test "$(wc -l <"$T/err")" -eq 1 || fail "not one line"

stop_agent
done_testing
