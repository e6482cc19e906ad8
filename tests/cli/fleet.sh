#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu fleet: answers of doctor, from files and streams, and what it says of them.
set -eu
. tests/cli/lib.sh

# answer NODE: doctor's answer for the made-up host, into a file of that name
answer()
{
	file /proc/sys/kernel/hostname "$1"
	"$MPU" doctor -j >"$T/$1" || test $? -eq 3
}

new_host
file /proc/sys/kernel/osrelease 6.1.0-18-amd64
file /proc/sys/kernel/ftrace_enabled 1
file /proc/kallsyms "0000000000000000 T register_kprobe"
file /sys/module/nvidia/version 580.142
file /sys/module/nvidia/taint OE
file /sys/module/mpu/version 1.2.3
file /sys/kernel/mpu/driver nvidia
file /sys/kernel/mpu/hook direct
file /sys/kernel/mpu/arguments driver
for node in a b c; do answer $node; done
file /proc/sys/kernel/osrelease 5.10.0-30-amd64
answer d
run 0 fleet report "$T/a" "$T/b" "$T/c" "$T/d"
silent err
says out '^ +4  nodes$'
says out '^ +4  module$'
says out '^ +4  580.142$'
says out '^ +4  open$'
says out '^ +3  6.1.0-18-amd64$'
says out "^ +4  $(cat VERSION)\$"
says out '^ +4  note     headers-absent +missing for 6.1.0-18-amd64'
says out '^ +d: kernel 5.10.0-30-amd64$'
name="most are not named"
if grep -q 'a: ' "$T/out"; then fail "a is"; else pass; fi

# One of them has a problem, all in one stream.
file /proc/sys/kernel/osrelease 6.1.0-18-amd64
file /sys/kernel/mpu/hook off
answer c
for node in a b c d; do cat "$T/$node"; done >"$T/stream"
run 3 fleet report "$T/stream"
says out '^ +1  problem  mpu-off +up \(engine module\), but not'
run 0 fleet report --only node=a "$T/stream"
says out '^ +1  nodes$'
run 3 fleet report -o engine=module -o finding=mpu-off "$T/stream" -j
json nodes
says values '^1$'
json finding verdict
is "the worst is first" problem "$(head -n 1 "$T/values")"
json finding finding
is "that is" mpu-off "$(head -n 1 "$T/values")"
json kernel kernel
is "kernels of those that are chosen" 6.1.0-18-amd64,5.10.0-30-amd64 \
	"$("$MPU" fleet report -j "$T/stream" | "$JSON" kernel kernel | paste -s -d ,)"
run 0 fleet nodes --unlike "$T/stream"
is "what is unlike most" d "$(cat "$T/out")"
run 0 fleet nodes --kinds "$T/stream"
is "a node of each kind" 'a d' "$(paste -s -d ' ' "$T/out")"
run 2 fleet nodes --kinds --unlike "$T/stream"
one_sentence "one of them"
run 0 fleet nodes -j -o finding=mpu-off "$T/stream"
json nodes node
says values '^c$'
json nodes findings
says values '^mpu-off$'

# Standard input, and the newer answer of a node.
name="mpu fleet nodes -"
"$MPU" fleet nodes - <"$T/stream" >"$T/out" 2>"$T/err"
is "$name" 'a b c d' "$(paste -s -d ' ' "$T/out")"
sed 's/"time": "20/"time": "19/; s/580[.]142/390.157/' "$T/a" >"$T/old"
run 0 fleet report "$T/old" "$T/a"
says out '^ +1  nodes; 1 documents'
name="an older answer"
if grep -q 390 "$T/out"; then fail "counts"; else pass; fi

# What cannot be read takes nothing else with it.
head -n 20 "$T/b" >"$T/cut"
echo "ssh: connect to host b port 22: Connection refused" >"$T/foreign"
: >"$T/empty"
MPU_ROOT='' "$MPU" help -j doctor >"$T/other"
run 1 fleet report "$T/a" "$T/cut" "$T/foreign" "$T/empty" "$T/other" "$T/nothing" "$T" "$T/c"
says out '^ +2  nodes$'
is "a sentence for each" 6 "$(wc -l <"$T/err")"
says err "^mpu fleet: .*/cut: line [0-9]+: unexpected end of data"
says err "^mpu fleet: .*/foreign: line 1: unexpected character"
says err "^mpu fleet: .*/empty: it is empty"
says err "^mpu fleet: .*/other: it is none of mpu doctor's: 'node' is missing"
says err "^mpu fleet: .*/nothing: No such file or directory"
says err "^mpu fleet: $T: Is a directory"
run 1 fleet report -j "$T/a" "$T/cut"
silent err
json refused
says values '/cut: line'
run 1 fleet nodes "$T/a" "$T/empty"
is "the others" a "$(cat "$T/out")"

run 2 fleet report
one_sentence "no FILE"
run 2 fleet report --only colour=red "$T/a"
one_sentence "colour=red.*engine, driver"
run 2 fleet
says err "no command given"

done_testing
