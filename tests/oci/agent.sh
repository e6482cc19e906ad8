#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# With the real agent, and what happens when it is gone, at the place where it is by default.
set -eu
. tests/oci/lib.sh

command -v runc >/dev/null || skip_all "there is no runc here"
make_rootfs
ln -s "$B/mpu" "$T/mpu-runtime"
mkdir -p /run/mpu
mount -t tmpfs tmpfs /run/mpu
"$B/mpu" agent >"$T/agent.log" 2>&1 &
agent=$!
trap 'kill $agent 2>/dev/null; wait $agent || :; umount /run/mpu
	rmdir --ignore-fail-on-non-empty /run/mpu' EXIT
wait_for_agent /run/mpu/agent.sock

# runtime ARG...: mpu-runtime in front of $real
runtime()
{
	MPU_RUNTIME=$real timeout 60 "$T/mpu-runtime" --root "$T/state" "$@"
}

# known: the agent names the container, and has seen so many calls
known()
{
	exits 0 "$B/mpu" status -j
	says out "\"name\": *\"$1\"" "\"calls\": *$2"
}

seen=0
for real in runc crun; do
	command -v $real >/dev/null || continue
	name="$real: a container under the agent"
	config '' /bin/look sleep
	exits 0 runtime create --bundle "$T/bundle" mpu-one
	exits 0 runtime start mpu-one
	# For calls on other descriptors than the driver's, the agent lets the kernel
	# answer.
	exits 0 runtime exec mpu-one /bin/look ioctl=0x20002a ioctl=0xc020462a ioctl=0x1000d3 ioctl=0x2b
	test "$(grep -c ' errno 25$' "$T/out")" -eq 4 || fail "not all were answered"
	known mpu-one $((seen + 3))
	exits 0 "$B/mpu" why mpu-one
	says out '^translated: yes, by notify: the agent supervises it$'

	# A process executed in it that stays is no other container.
	name="$real: an exec that stays"
	exits 0 runtime exec --detach mpu-one /bin/look sleep
	exits 0 "$B/mpu" status -j
	test "$(grep -c '"name": ' "$T/out")" -eq 1 || fail "it counts as another container"
	exits 0 "$B/mpu" metrics --textfile -
	says out '^mpu_agent_containers 1$'

	# The kernel allows a process one listener.
	name="$real: mpu-runtime beside a listener"
	exits 1 env MPU_RUNTIME=$real "$B/forbid" listener "$T/mpu-runtime" --root "$T/state" create \
		--bundle "$T/bundle" mpu-two
	says err '^mpu-runtime: this is inside of a container that has a seccomp listener'
	test "$(wc -l <"$T/err")" -eq 1 || fail "not one line on stderr"

	# A supervised container is neither checkpointed nor restored.
	name="$real: checkpoint of a container under the agent"
	exits 1 runtime checkpoint --image-path "$T/image" mpu-one
	says err '^mpu-runtime: cannot checkpoint mpu-one: it is supervised'
	exits 1 runtime restore --image-path "$T/image" --bundle "$T/bundle" mpu-two
	says err '^mpu-runtime: cannot restore mpu-two: it is supervised'

	# Without the agent, calls of containers that run are still translated; exec
	# fails, as mpu down says.
	name="$real: the agent is stopped, and a container lives"
	exits 1 "$B/mpu" down
	says err '^mpu down: 1 container depends on engine notify: .*: mpu-one; end them first'
	exits 0 "$B/mpu" status
	exits 0 "$B/mpu" down --yes
	wait $agent || :
	got=0
	runtime exec mpu-one /bin/look ioctl=0x20002a >"$T/out" 2>"$T/err" || got=$?
	test "$got" -ne 0 || fail "exec went through: the documents say otherwise"
	"$B/mpu" agent >"$T/agent2.log" 2>&1 &
	agent=$!
	wait_for_agent /run/mpu/agent.sock
	name="$real: and started again"
	exits 0 runtime exec mpu-one /bin/look ioctl=0x20002a ioctl=0x2b
	test "$(grep -c ' errno 25$' "$T/out")" -eq 2 || fail "not all were answered"
	# The new agent has taken over the container and the counters.
	seen=$((seen + 4))
	known mpu-one $seen
	exits 0 runtime delete --force mpu-one
done
name="the agent's log"
cp "$T/agent.log" "$T/out"
silent out

done_testing
