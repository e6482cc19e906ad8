#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Wrong usage of each command: one sentence, exit 2, in JSON too. And help says what
# the table says.
set -eu
. tests/cli/lib.sh

unset MPU_ROOT

"$MPU" help -j >"$T/table"
commands=$(commands_of false "$T/table")

run 2
one_sentence "'mpu help'"
run 2 no-such-command
one_sentence "no-such-command"
run 2 help no-such-command
one_sentence "no-such-command"
run 2 --no-such-option
one_sentence "no-such-option"
run 2 up --engine
one_sentence "needs a value"
run 2 up --engine ''
one_sentence "empty"
run 2 up --module ''
one_sentence "empty"
# Neither a part of a name nor two names are taken for a name.
for engine in bpff modul module2 '|' 'auto|module' 'module|notify'; do
	run 2 up --engine "$engine"
	one_sentence "is none of auto"
done
run 2 up --engine notify --module FILE
one_sentence "not for engine notify"

for command in $commands; do
	run 2 "$command" --no-such-option
	one_sentence "no-such-option"
	run 2 "$command" -x
	one_sentence "-x"
	run 2 "$command" -j --no-such-option
	json error
	silent err
	case $command in
	run | runtime) ;;
	*)
		run 2 "$command" one two
		one_sentence "'two'"
		;;
	esac
	test "$command" = status || {
		run 2 "$command" --all
		one_sentence "--all"
	}
	test "$command" = up || {
		run 2 "$command" --module x
		one_sentence "--module"
	}
	run 0 "$command" -V
	says out "^mpu [0-9]"

	# The help of one command: its options, no others.
	run 0 help "$command"
	says out "^usage: mpu $command"
	awk '$1 ~ /^-.,$/ { print $2 }' "$T/out" >"$T/shown"
	"$MPU" help -j "$command" | "$JSON" options name |
		sed 's/^/--/' >"$T/options"
	same "$T/shown" "$T/options" "help $command"
	cp "$T/out" "$T/first"
	test "$command" = help || {
		run 0 "$command" --help
		same "$T/out" "$T/first" "$command --help"
	}
done

# What follows run is the command's, whatever it looks like.
run 2 run
one_sentence "no command"
run 2 runtime
one_sentence "no command"
run 0 run --help
says out "^usage: mpu run"
run 127 run /no/such/command --help
says err "^mpu run: cannot run /no/such/command"

run 0 help
awk '/^commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }' \
	"$T/out" >"$T/shown"
"$JSON" commands name <"$T/table" >"$T/commands"
same "$T/shown" "$T/commands" "mpu help"
# Sentences about options stand below each other, also beside long ones.
awk '/^options:/ { on = 1; next } !NF { on = 0 }
	on && !/^  -., --[^ ]*( [^ ]+)?$/ && substr($0, 31, 2) !~ /^ [^ ]/' \
	"$T/out" >"$T/shown"
: >"$T/none"
same "$T/shown" "$T/none" "mpu help: the column of options"
run 0 -h
run 0 --version
run 0 -j version
json version
same "$T/values" VERSION "version"

# An answer that cannot be written, to a full disk, is an error, whatever it was.
for words in help "doctor -j" "help -j" status "help no-such-command -j"; do
	name="mpu $words >/dev/full"
	got=0
	# shellcheck disable=SC2086 # words
	MPU_ROOT=$T/no-host "$MPU" $words >/dev/full 2>"$T/err" || got=$?
	test "$got" -eq 1 || fail "exit $got"
	says err 'cannot write the answer to standard output'
done

# Options before the first word of the command to run are those of mpu, those
# behind it are its own, as are those behind --.
for words in "status -- -j" "run /no/such/command -j" \
	"run -- /no/such/command --json" "runtime -- --json"; do
	name="mpu $words"
	# shellcheck disable=SC2086 # words
	MPU_ROOT='' "$MPU" $words >"$T/out" 2>"$T/err" || :
	if grep -q '^{' "$T/out"; then fail "answers in JSON"; else pass; fi
done
run 2 run -j
json error
run 2 --no-such-option -j run
json error
run 2 up --no-such-option -j
json error
run 2 run -j --no-such-option /no/such/command
json error

# mpu works without standard descriptors.
name="descriptors 0 to 2 closed"
got=0
"$MPU" no-such-command <&- >&- 2>&- || got=$?
if test "$got" -eq 2; then pass; else fail "exit $got"; fi

# With MPU_ROOT, which names the files of another system, nothing is started.
for words in "run true" "runtime state x" agent; do
	name="MPU_ROOT=... mpu $words"
	got=0
	# shellcheck disable=SC2086 # words
	MPU_ROOT=$T/no-host timeout 20 "$MPU" $words >"$T/out" 2>"$T/err" || got=$?
	test "$got" -eq 1 || fail "exit $got"
	one_sentence "MPU_ROOT is set"
done

done_testing
