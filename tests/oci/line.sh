#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The command line, in front of a runtime that only says how it was called.
set -eu
. tests/oci/lib.sh

ln -s "$B/mpu" "$T/mpu-runtime"
cat >"$T/real" <<'END'
#!/bin/sh
case $1 in
features) cat "$FEATURES"; exit ;;
--version) cat "$VERSION"; exit "${STATUS:-0}" ;;
esac
test $# -eq 0 || printf '<%s>\n' "$@"
exit "${STATUS:-0}"
END
chmod +x "$T/real"
start_agent
export MPU_RUNTIME="$T/real" MPU_AGENT="$T/agent.sock" FEATURES=/dev/null VERSION=/dev/null
runtime=$T/mpu-runtime
mkdir "$T/bundle"
config='{"n":1.0,"linux":{}}'

# bundle [TEXT]: a new one
bundle()
{
	printf %s "${1-$config}" >"$T/bundle/config.json"
}

# edited, untouched: is it?
edited()
{
	pass_or "config.json was not edited" grep -q listenerPath "$T/bundle/config.json"
	bundle
}

untouched()
{
	pass_or "config.json was edited" test "$(cat "$T/bundle/config.json")" = "$config"
	bundle
}

# called WORD...: the runtime behind was called so
called()
{
	test $# -eq 0 || printf '<%s>\n' "$@" >"$T/want"
	pass_or "called otherwise" cmp -s "$T/want" "$T/out"
}

# through WORD...: the words arrive, and the exit status comes back
through()
{
	name="$*"
	STATUS=5 exits 5 "$runtime" "$@"
	called "$@"
	silent err
}

bundle
for line in 'state x' 'delete --force x' 'start x' 'exec x create' \
	'checkpoint --image-path /nowhere x' 'restore --image-path i -b /nowhere x' \
	'--root create delete x' 'kill x run' 'restore -b /nowhere x' \
	'-v' '--debug -h' 'spec --bundle /nowhere' \
	'--log create --root run list' '--bundle create' 'create --help' \
	'--debug --version create -b /nowhere x' '--new state x'; do
	# shellcheck disable=SC2086 # words
	through $line
	untouched
done
through exec x '' 'a b' '*' "$(printf 'new\nline')"

b=$T/bundle
for line in "create --bundle $b x" "run -b $b x" "create --bundle=$b x" \
	"create -b=$b x" "create -bundle $b x" "create -b$b x" \
	"create x --bundle $b" "run --detach --pid-file -b --bundle $b x" \
	"run --bundle /nowhere --bundle $b x" \
	"--root create --log-format json --log $T/l create --bundle $b x" \
	"--systemd-cgroup --debug=true run --preserve-fds 3 -b $b x" \
	"--unknown=run create --no-pivot --bundle $b x" \
	"create --config $b/config.json x" "-- create -b $b -- x" \
	"--bundle $b create x" "-b $b/ create x" "--new create -b $b x" \
	"--new /nowhere create --bundle=$b x" "create --new -b $b x" \
	"--help=false --version=0 create -h=false -b $b x"; do
	# shellcheck disable=SC2086 # words
	through $line
	edited
done
cd "$b"
through create x
edited
mv config.json other.json
through create -f other.json x
mv other.json config.json
edited
cd "$OLDPWD"

name="mpu runtime -- ..."
STATUS=5 exits 5 "$B/mpu" runtime -- --root r create --bundle "$b" x
called --root r create --bundle "$b" x
edited

# refused REGEX WORD...: one line, also in the log, and nothing is called
refused_line()
{
	regex=$1
	shift
	name="$*"
	rm -f "$T/log"
	exits 1 "$runtime" --log "$T/log" "$@"
	silent out
	says err "^mpu-runtime: .*$regex"
	test "$(wc -l <"$T/err")" -eq 1 || fail "not one line on stderr"
	says log "^time=\"[-0-9T:]*Z\" level=error msg=\"mpu-runtime: "
}

bundle '{"linux":'
refused_line 'line 1' create -b "$b" x
bundle '{}'
refused_line 'not a Linux container' create -b "$b" x
bundle '{"linux":{},"x":[{"n":1,"n":1}]}'
refused_line 'config.json: line 1: x\[0\].n is there twice' create -b "$b" x
rm "$b/config.json"
refused_line 'cannot read .*/config.json: No such' run -b "$b" x
bundle
refused_line '--bundle needs a value' create x --bundle
# crun takes such words for --bundle.
refused_line '--bundl is not known here' create --bundl "$b" x
refused_line '--bun=/nowhere is not known here.* as --bun=VALUE' run --bun=/nowhere x
refused_line '-db is not known here' run -db "$b" x
MPU_AGENT=agent.sock refused_line 'MPU_AGENT says' create -b "$b" x
MPU_AGENT=$T/real refused_line 'no agent listens' create -b "$b" x
MPU_RUNTIME=$T/none refused_line 'not a program' create -b "$b" x
MPU_RUNTIME=none refused_line 'not in PATH' create -b "$b" x
MPU_RUNTIME=$runtime refused_line 'mpu itself' create -b "$b" x
# Runtimes of config.toml.
for runtimes in "$T/none" "$runtime"; do
	echo "nvidia-container-runtime.runtimes = [\"$runtimes\"]" >"$T/config.toml"
	MPU_RUNTIME='' NVIDIA_CTK_CONFIG_FILE_PATH=$T/config.toml refused_line \
		"there is no $runtimes that .* not a program, or mpu itself" create -b "$b" x
done
# The file of a socket at which nobody listens any more.
: | "$B/listener" "$T/dead.sock" >/dev/null
name="a socket that nobody has"
pass_or "is gone: nothing was tested" test -S "$T/dead.sock"
MPU_AGENT=$T/dead.sock refused_line 'no agent listens' create -b "$b" x
chmod 000 "$T/agent.sock"
name="a user who may not"
exits 1 setpriv --bounding-set=-all --inh-caps=-all "$runtime" create -b "$b" x
says err '^mpu-runtime: this user may not connect to the agent'
chmod 600 "$T/agent.sock"
untouched
bundle '{"linux":{"Seccomp":{"defaultAction":"SCMP_ACT_ALLOW"}}}'
refused_line 'in another case' create -b "$b" x
bundle
name="no runtime at all"
exits 1 env PATH="$T" MPU_RUNTIME= "$runtime" state x
says err '^mpu-runtime: there is no runc and no crun'
untouched
# Neither replaced nor written in its place.
chattr +i "$b" "$b/config.json" 2>/dev/null && {
	refused_line 'cannot write' create -b "$b" x
	chattr -i "$b" "$b/config.json"
	untouched
}

name="a log that nobody reads"
mkfifo "$T/pipe"
exits 1 timeout 60 "$runtime" --log "$T/pipe" run -b /nowhere x
says err '^mpu-runtime: cannot read /nowhere/config.json'

name="an error in JSON"
exits 1 "$runtime" --log "$T/log.json" --log-format json run -b '/no"where' x
for key in level msg time; do
	"$B/json" "$key" <"$T/log.json" 2>>"$T/err" || fail "no $key"
done >"$T/out"
says out '^error$' 'mpu-runtime: cannot read /no"where/config.json: No such file'

name="a loop"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$runtime" >"$T/runc"
chmod +x "$T/runc"
MPU_RUNTIME='' PATH=$T:$PATH exits 1 timeout 120 "$runtime" state x
says err 'calls mpu-runtime again'

# The loop is noticed also where each runtime starts the next as a child.
name="a loop of processes"
cat >"$T/runc" <<END
#!/bin/sh
echo >>"$T/count"
test "\$(wc -l <"$T/count")" -le 20 || exit 9
"$runtime" "\$@"
END
MPU_RUNTIME='' PATH=$T:$PATH exits 1 timeout 120 "$runtime" state x
says err 'calls mpu-runtime again'
test "$(wc -l <"$T/count")" -le 8 || fail "$(wc -l <"$T/count") processes"

# A user who wants GPUs alone says so; NVIDIA's names promise no more.
name="no agent"
MPU_AGENT=none exits 0 "$runtime" create -b "$b" x
called create -b "$b" x
untouched
ln -s "$B/mpu" "$T/nvidia-container-runtime"
MPU_AGENT='' exits 0 "$T/nvidia-container-runtime" create -b "$b" x
called create -b "$b" x
untouched
exits 0 "$T/nvidia-container-runtime" create -b "$b" x
edited

# Where an engine is up that sees every container, no agent is needed.
name="engine module is up"
mount -t tmpfs tmpfs /sys/kernel
mkdir /sys/kernel/mpu
: >/sys/kernel/mpu/driver
MPU_AGENT=$T/none.sock exits 0 "$runtime" create -b "$b" x
called create -b "$b" x
untouched
exits 0 "$runtime" create -b "$b" x
edited
umount /sys/kernel

# A supervised container is neither checkpointed nor restored.
cat >"$T/stateful" <<END
#!/bin/sh
case " \$* " in
' features ') ;;
*' state x ') echo '{"id":"x","bundle":"$b"}' ;;
*) printf '<%s>\\n' "\$@" ;;
esac
END
chmod +x "$T/stateful"
export MPU_RUNTIME="$T/stateful"
bundle
name="checkpoint of what is not supervised"
exits 0 "$runtime" --root r checkpoint x
called --root r checkpoint x
exits 0 "$runtime" restore --image-path i --bundle "$b" x
called restore --image-path i --bundle "$b" x
exits 0 "$runtime" create -b "$b" x
refused_line 'cannot checkpoint x: it is supervised' --root r checkpoint --image-path i x
refused_line 'cannot restore x: it is supervised' restore -d --image-path i --bundle "$b" x
edited
export MPU_RUNTIME="$T/real"

# The file may hold comments, empty lines and spaces.
name="/etc/mpu/runtime"
cp -a /etc "$T/etc"
mkdir -p "$T/etc/mpu"
echo "$T/real" >"$T/etc/mpu/runtime"
mount --bind "$T/etc" /etc
MPU_RUNTIME='' exits 0 "$runtime" state x
called state x
printf '\n# the real one\n \t\r\n  %s \t\r\nrunc\n' "$T/real" >"$T/etc/mpu/runtime"
MPU_RUNTIME='' exits 0 "$runtime" state x
called state x
printf '# none\n\n' >"$T/etc/mpu/runtime"
MPU_RUNTIME='' PATH=$T/b:$PATH
mkdir "$T/b"
cp "$T/real" "$T/b/runc"
exits 0 "$runtime" state x
called state x
umount /etc
export MPU_RUNTIME="$T/real"
name="names in messages"
MPU_RUNTIME='no such' refused_line "says 'no such', which is not in PATH" state x

name="PATH, past ourselves"
mkdir "$T/a"
ln -s "$B/mpu" "$T/a/runc"
MPU_RUNTIME='' PATH=$T/a:relative:$T/b:$PATH exits 0 "$runtime" state x
called state x

# flag YES|NO WHAT: is it set, if the runtime answers with $FEATURES or $VERSION?
flag()
{
	name="the flag, $2"
	bundle
	exits 0 "$runtime" create -b "$b" x
	set=no
	! tr -d ' \t\n' <"$b/config.json" |
		grep -q 'flags":\["SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"\]' ||
		set=yes
	test $set = "$1" || fail "set: $set"
}

export FEATURES="$T/features" VERSION="$T/version"
known=no
# Linux 5.19
test "$(printf '%s\n' 5.19 "$(uname -r)" | sort -V | head -n 1)" != 5.19 ||
	known=yes
: >"$FEATURES"
: >"$VERSION"
flag no "a runtime that says nothing"
echo 'crun version 1.8.1' >"$VERSION"
flag $known "crun"
echo 'crun version 1.6' >"$VERSION"
flag no "an old crun"
echo 'runc version 1.1.5+ds1' >"$VERSION"
flag no "an old runc"
flags='["SECCOMP_FILTER_FLAG_TSYNC","SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"]'
echo '{"linux":{"seccomp":{"supportedFlags":'"$flags"'}}}' >"$FEATURES"
flag $known "a new runc"
echo '{"linux":{"seccomp":{"knownFlags":'"$flags"'}}}' >"$FEATURES"
flag no "a new runc with an old libseccomp"
echo '{"linux":{"seccomp":{}},"annotations":{"run.oci.crun.version":"1.21"}}' \
	>"$FEATURES"
flag $known "a crun with features"
# A sandbox that ignores what it does not know.
echo '{"linux":{"seccomp":{"actions":["SCMP_ACT_ALLOW","SCMP_ACT_ERRNO"]}}}' \
	>"$FEATURES"
bundle
refused_line 'cannot notify of calls' create -b "$b" x
untouched
echo '{"linux":{"seccomp":{"actions":["SCMP_ACT_ALLOW","SCMP_ACT_NOTIFY"]}}}' \
	>"$FEATURES"
flag no "a runtime that can notify"

# Whoever looks for a runtime's processes finds them by its name.
cat >"$T/script" <<'END'
#!/bin/sh
echo "$0 $(cat /proc/$$/comm) $*"
END
chmod +x "$T/script"
name="a script as runtime"
MPU_RUNTIME=$T/script exits 0 "$runtime" list
is "$name: its path, its name, its words" "$T/script script list" "$(cat "$T/out")"
name="a runtime is executed by its path"
if command -v strace >/dev/null; then
	MPU_RUNTIME=$(command -v true) exits 0 strace -o "$T/calls" -e trace=execve,execveat \
		"$runtime" list
	sed -n 2p "$T/calls" >"$T/out"
	says out '^execve\("/[^"]*/true", .* = 0$'
else
	skip "there is no strace here"
fi

stop_agent
done_testing
