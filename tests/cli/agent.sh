#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# up, down, status and doctor with engine notify: under a manager that only says
# how it was called, without one, and with an agent that hangs.
set -eu
. tests/cli/lib.sh

own_run
socket=/run/mpu/agent.sock

# listens_at: PID of the agent
listens_at()
{
	"$MPU" status -j | "$JSON" pid
}

# has_ended PID
has_ended()
{
	pass_or "$1 lives" within 300 no kill -0 "$1"
}

# mpu up -j prints its own answer only, not what systemctl prints.
mkdir -p "$T/bin" /run/systemd/system
cat >"$T/bin/systemctl" <<'END'
#!/bin/sh
echo "$*" >>"$T/systemctl.log"
echo "# /etc/systemd/system/mpu-agent.socket"
echo "a warning" >&2
case " $* " in
*' start '*)
	"$MPU" agent >/dev/null 2>&1 &
	until test -S /run/mpu/agent.sock; do sleep 0.1; done
	echo $! >"$T/pid"
	;;
*' stop '*) kill "$(cat "$T/pid")"; rm -f /run/mpu/agent.sock ;;
esac
END
chmod +x "$T/bin/systemctl"
path=$PATH
PATH=$T/bin:$PATH
run 0 up -j -e notify
values engine -- notify
run 0 down -j
values already -- false
values living -- 0
has_ended "$(cat "$T/pid")"
run 0 up -e notify
name="mpu up: nothing but its answer"
echo "up: engine notify, for containers that mpu-runtime starts" >"$T/want"
pass_or "says more" cmp -s "$T/want" "$T/out"
run 0 down
name="mpu down: nothing but its answer"
pass_or "says more" test "$(cat "$T/out")" = down
says systemctl.log '^start mpu-agent.socket mpu-agent.service$'
PATH=$path
rm -r /run/systemd
has_ended "$(cat "$T/pid")"

# Without a manager the agent inherits nothing from the process that started it, and
# mpu up says what keeps it from starting.
mkdir -p /run/mpu
name="up -e notify, with a descriptor"
"$MPU" up -e notify 9>"$T/lock" >"$T/out" 2>"$T/err" || fail "did not start"
agent=$(listens_at)
ls -l "/proc/$agent/fd" >"$T/out"
pass_or "the agent has it" no grep -q "$T/lock" "$T/out"
readlink "/proc/$agent/cwd" >"$T/out"
says out '^/$'
run 0 down
has_ended "$agent"
mount -t tmpfs -o ro tmpfs /run/mpu
run 1 up -e notify
one_sentence "agent did not start: .*Read-only file system"
umount /run/mpu

# Two at once: what the other has done is done.
name="up -e notify, three times at once"
for log in 1 2 3; do
	"$MPU" up -e notify >"$T/up.$log" 2>&1 &
done
wait
is "who says that it is up" 3 "$(cat "$T"/up.[123] | grep -c '^up: \|^already up: ')"
run 0 down
listens='import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1] + "~")
s.listen()
os.rename(sys.argv[1] + "~", sys.argv[1])'
python3 -c "$listens"'
s.accept()[0].close()
c = s.accept()[0]
os.unlink(sys.argv[1])
s.close()' $socket &
within 300 test -S $socket || fail "no agent that ends"
run 0 down
says out '^down$'

# Another mpu up may start the next agent before this one is seen to end: that one stays.
sleep 1000 &
python3 -c "$listens"'
while True:
	c = s.accept()[0]
	if c.recv(99):
		c.send(b"{\"pid\": %d}" % int(sys.argv[2]))' $socket $! &
agent=$!
within 300 test -S $socket || fail "no agent that answers"
name="mpu down beside mpu up"
exits 0 timeout 300 "$MPU" down
kill $agent
wait || :
rm $socket

# mpu status names the agent, and tells one that hangs from one that answers root only.
run 0 up -e notify
agent=$(listens_at)
run 0 status
says out "^agent: +PID $agent" '^controls:  nothing translated yet$'
run 0 status -a
says out 'GPU_GET_PIDS: translated 0, seen 0, hidden 0, odd_size 0, ' '^  unknown: translated 0, '
run 0 status -aj
values controls unknown impossible -- 0
run 0 status -j
json controls unknown
silent values
name="status for a user who may not ask"
chmod 000 $socket
# An mpu.ko that is loaded and not up is no version of the agent's.
mount -t tmpfs tmpfs /sys/module 2>"$T/err" || fail "no made-up /sys/module"
mkdir -p /sys/module/mpu
echo 1.2.3 >/sys/module/mpu/version
setpriv --bounding-set=-all --inh-caps=-all "$MPU" status \
	>"$T/out" 2>"$T/err" || fail "exit $?"
says out 'up; it answers root only' '^engine: +notify *$'
umount /sys/module
chmod 600 $socket
# Another engine is up as well.
name="status of two engines"
if mount -t tmpfs tmpfs /sys/kernel 2>"$T/err"; then
	mkdir /sys/kernel/mpu
	echo none >/sys/kernel/mpu/driver
	run 0 status
	says out '^also up: +engine notify'
	run 0 status -j
	json also
	says values '^notify$'
	run 0 metrics --textfile -
	says out '^mpu_engine_up[{]engine="module"[}] 1$' '^mpu_agent_worker_up 1$'
	umount /sys/kernel
else
	fail "no made-up /sys/kernel"
fi
# A worker that hangs may hold up the calls of every container: status fails.
worker=$("$MPU" status -j | "$JSON" worker)
kill -STOP "$worker"
run 1 status
one_sentence "worker \\(PID $worker\\) does not answer"
run 1 status -j
json error
run 3 doctor
says out "^problem +mpu: up .*worker \\(PID $worker\\) does not answer"
kill -CONT "$worker"
run 0 status
kill -STOP "$agent"
run 1 status
one_sentence "the agent \\(PID $agent\\) does not answer"
run 1 status -j
json error
run 3 doctor
says out "^problem +mpu: up .*the agent \\(PID $agent\\) does not answer"
run 1 down
one_sentence "the agent \\(PID $agent\\) does not answer"
kill -CONT "$agent"

# A killed agent leaves the file of its socket behind: MPU is not up for that.
kill -KILL "$agent"
has_ended "$agent"
run 3 status
says out '^not up'
name="the file"
pass_or "is gone: nothing was tested" test -S $socket

# The next takes over from an agent that has ended, not from one that serves somebody still.
run 0 up -e notify
agent=$(listens_at)
mkfifo "$T/speaks"
python3 -c 'import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
s.send(b"{"); open(sys.argv[2]).read()' $socket "$T/speaks" &
exec 9>"$T/speaks"
kill "$agent"
within 60 no test -S $socket || fail "it listens"
"$MPU" up -e notify >"$T/out" 2>&1 9>&- &
within 2 grep -q "^up: " "$T/out" || :
exec 9>&-
has_ended "$agent"
wait
name="the next"
says out '^up: '
pass_or "has lost its note" test -e $socket.worker
run 0 down

# A container that uses a GPU, and that docker's own runtime has started.
# shellcheck source=tests/cli/simulated.sh
. tests/cli/simulated.sh
NVSIM_VERSION=550.163.01
export NVSIM_VERSION
id=$(printf 'd%063d' 1)
mount -t tmpfs tmpfs /var/lib
mkdir -p "/var/lib/docker/containers/$id"
echo '{"Name":"/web"}' >"/var/lib/docker/containers/$id/config.v2.json"
rm -f "$T/rm" "$T/hold"
mkfifo "$T/hold"
start "$T/one" --mem 300
exec 3>"$T/hold"
one=$(ready "$T/one")
echo "0::/system.slice/docker-$id.scope" >"$T/cgroup"
sed '/^NS\(tg\|p\)id:/s/$/\t7/' "/proc/$one/status" >"$T/status"
mount -t tmpfs tmpfs /sys/fs/cgroup
mkdir -p "/sys/fs/cgroup/system.slice/docker-$id.scope"
mount --bind "$T/cgroup" "/proc/$one/cgroup"
mount --bind "$T/status" "/proc/$one/status"
run 0 up -e notify
todo='sudo mpu configure docker --default, then make the containers anew'
simulates 0 up
says err "^mpu: not supervised, though they use a GPU: web -> $todo"
simulates 0 up -j
values unsupervised -- web
simulates 0 status
says out "^untranslated: web, which use a GPU" "-> $todo"
simulates 0 status -j
values unsupervised -- web
simulates 3 doctor
says out '^problem +containers: not supervised, though they use a GPU: web$'
says out "^1 problem.*; next: $todo"
simulates 3 why web
says out '^container:  web, docker$' "^process:    PID $one, in PID namespace [0-9]+ PID 7$"
says out '^translated: no: the agent does not supervise it'
says out "^  GPU 0: PID $one, its own 7, 300 MiB$" "^next:       $todo"
simulates 3 why -j "$one"
values processes memory -- 314572800
values translated -- false
simulates 1 why nobody
one_sentence "no process has PID nobody, and no container or pod that runs this name or id"
exec 3>&-
wait
simulates 0 status
is "mpu status, and no container" "" "$(grep untranslated "$T/out" || :)"
simulates 0 down

done_testing
