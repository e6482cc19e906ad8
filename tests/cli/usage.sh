#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Wrong usage of each command: one sentence, exit 2, in JSON too. And help says what
# the table says.
#
# shellcheck disable=SC2086 # $words is words
set -eu
. tests/cli/lib.sh

unset MPU_ROOT
walk >"$T/walked"

run 2
one_sentence "no command given; see 'mpu --help'"
run 2 -j
json error
run 2 no-such-command
one_sentence "there is no command 'no-such-command'; see 'mpu --help'"
run 2 no-such-command -j
json error
run 2 -j no-such-command
json error
run 2 cdi no-such-command -j ps
json error
run 2 help no-such-command
one_sentence "no-such-command"
run 2 --no-such-option
one_sentence "no-such-option"
run 2 --no-such-option cdi list -j
json error
run 2 up --engine
one_sentence "--engine requires an argument \(auto.module.bpf.notify\); see 'mpu up --help'"
run 2 up --engine ''
one_sentence "--engine requires an argument"
run 2 up --module ''
one_sentence "--module requires an argument"
run 2 status --all=yes
one_sentence "--all doesn't allow an argument"
run 2 ps --po=x --p=1
one_sentence "ambiguous option '--p=1'"
# Neither a part of a name nor two names are taken for a name.
for engine in bpff modul module2 '|' 'auto|module' 'module|notify'; do
	run 2 up --engine "$engine"
	one_sentence "invalid value '.*' for --engine: use auto, module, bpf or notify"
done
run 2 up -e bpff -j
json error
says values "^invalid value 'bpff' for --engine: use auto, module, bpf or notify; see 'mpu up --help'$"
run 2 up --engine notify --module FILE
one_sentence "not for engine notify"
run 2 configure
one_sentence 'no docker.containerd.crio.podman.all given'
run 2 configure dockr
one_sentence "invalid value 'dockr': use docker, containerd, crio, podman or all"
run 2 configure all
one_sentence 'all is for --undo alone'
run 2 cdi generate --format toml
one_sentence "invalid value 'toml' for --format: use json or yaml; see 'mpu cdi generate --help'"
run 2 ps --raw --by user
one_sentence '--by is not for --raw'
run 2 metrics -j --textfile -
json error

# The name that was meant.
while read -r meant typed; do
	run 2 $typed
	one_sentence "\\(did you mean '$meant'\\?\\); see '"
done <<'END'
status stauts
status stat
doctor dcotor
ps pss
doctor help docter
list cdi lst
root cdi transform rot
--container ps --contaner
--namespace ps --namespaces=0
--version --versoin
--load-kmods container --lod-kmods info
END
for typed in quux zzz 'help quux' 'ps --quux' 'cdi quux'; do
	run 2 $typed
	one_sentence quux\|zzz
	name="mpu $typed: nothing near"
	pass_or "it suggests" no grep -q 'did you mean' "$T/err"
done

while read -r words; do
	run 2 $words --no-such-option
	one_sentence "unrecognized option '--no-such-option'; see 'mpu $words --help'"
	run 2 $words -x
	one_sentence "invalid option -- 'x'; see 'mpu $words --help'"
	# In JSON, wherever that is asked for.
	for before in $words "-j $words"; do
		case $before in
		-j*) run 2 $before --no-such-option ;;
		*) run 2 $words --no-such-option -j ;;
		esac
		json error
		silent err
	done
	case $("$MPU" help -j $words | "$JSON" argument)/$("$MPU" help -j $words | "$JSON" commands name) in
	null/)
		run 2 $words two
		one_sentence "'two' is one word too many; see 'mpu $words --help'"
		;;
	esac
	run 0 $words -V
	says out "^mpu [0-9]"
	run 0 -V $words -j
	json version
	same "$T/values" VERSION "version"

	# The help of one command: its options, no others, in 80 columns.
	run 0 help $words
	says out "^usage: mpu $words \\[OPTION\\]\\.\\.\\."
	sed -n '/^options:/,$s/^  [- ][^ ]*,* *--\([^ =[]*\).*/\1/p' "$T/out" >"$T/shown"
	options $words | sed '/|null$/d; s/^[^|]*|//; s/|.*//' >"$T/options"
	same "$T/shown" "$T/options" "help $words"
	name="mpu help $words"
	pass_or "a line is longer than 80" no grep -q '.\{81\}' "$T/out"
	# Sentences stand below each other, also beside long names.
	sed -n '/^options:/,$p' "$T/out" | awk 'NR > 1 &&
		!/^  [- ][^ ]* *--[^ ]*( [^ ]+)?$/ && substr($0, 31, 2) !~ /^ [^ ]/' >"$T/shown"
	: >"$T/none"
	same "$T/shown" "$T/none" "mpu help $words: the column of options"
	cp "$T/out" "$T/first"
	run 0 $words --help
	same "$T/out" "$T/first" "$words --help"
	options $words | sed -n 's/^\([^|][^|]*\)|\([^|]*\)|.*/\1 \2/p' >>"$T/letters"
done <"$T/walked"

# One letter means one thing.
name="letters of options"
sort -u "$T/letters" >"$T/out"
if cut -d ' ' -f 1 "$T/out" | uniq -d | grep .; then fail "one stands for two"; else pass; fi
is "letters of --json, --help and --version" 'V h j ' "$(sed -n \
	's/^\(.\) \(json\|help\|version\)$/\1/p' "$T/out" | LC_ALL=C sort | tr '\n' ' ')"

# Words after run COMMAND are the command's, whatever they look like.
run 2 run
one_sentence "no COMMAND given; see 'mpu run --help'"
run 2 runtime
one_sentence "no ARGUMENT given"
run 0 run --help
says out "^usage: mpu run"
run 127 run /no/such/command --help
says err "^mpu run: cannot run /no/such/command"

run 0 help
awk '/^commands:/ { on = 1; next } !NF { on = 0 } on && /^  [^ ]/ { print $1 }' \
	"$T/out" >"$T/shown"
grep -v ' ' "$T/walked" >"$T/commands"
same "$T/shown" "$T/commands" "mpu help"
is "options in mpu help" '--help --json --version ' \
	"$(sed -n 's/^  -., \(--[^ ]*\) .*/\1/p' "$T/out" | sort | tr '\n' ' ')"
name="mpu help"
pass_or "a line is longer than 80" no grep -q '.\{81\}' "$T/out"
cp "$T/out" "$T/first"
run 0 --help
same "$T/out" "$T/first" "mpu --help"
run 0 -h
run 0 --version
run 0 -j version
json version
same "$T/values" VERSION "version"

# An answer that cannot be written, to a full disk, is an error, whatever it was.
for words in help "doctor -j" "help -j" status "help no-such-command -j"; do
	name="mpu $words >/dev/full"
	got=0
	MPU_ROOT=$T/no-host "$MPU" $words >/dev/full 2>"$T/err" || got=$?
	test "$got" -eq 1 || fail "exit $got"
	says err 'cannot write the answer to standard output'
done

# Options before the first word of the command to run are those of mpu, those
# behind it are its own, as are those behind --.
for words in "status -- -j" "run /no/such/command -j" \
	"run -- /no/such/command --json" "runtime -- --json"; do
	name="mpu $words"
	MPU_ROOT='' "$MPU" $words >"$T/out" 2>"$T/err" || :
	pass_or "answers in JSON" no grep -q '^{' "$T/out"
done
run 2 run -j
json error
run 2 run -j --no-such-option /no/such/command
json error

# mpu works without standard descriptors.
name="descriptors 0 to 2 closed"
got=0
"$MPU" no-such-command <&- >&- 2>&- || got=$?
pass_or "exit $got" test "$got" -eq 2

# With MPU_ROOT, which names the files of another system, nothing is started.
for words in "run true" "runtime state x" agent; do
	name="MPU_ROOT=... mpu $words"
	got=0
	MPU_ROOT=$T/no-host timeout 300 "$MPU" $words >"$T/out" 2>"$T/err" || got=$?
	test "$got" -eq 1 || fail "exit $got"
	one_sentence "MPU_ROOT is set"
done

done_testing
