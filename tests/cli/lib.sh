# SPDX-License-Identifier: GPL-2.0-only
# Shared by tests/cli/*.sh. MPU is the command under test, JSON the checker
# made from json.c, T a folder of our own.
#
# shellcheck shell=sh

# shellcheck source=tests/runner/lib.sh
. tests/runner/lib.sh

# run STATUS ARG...: as run of tests/runner/lib.sh, of mpu
run()
{
	want=$1
	shift
	name="mpu $*"
	exits "$want" "$MPU" "$@"
}

# own_run: go on as root with a /run of our own, where nothing of the machine's is touched
own_run()
{
	if test -z "${OWN_RUN:-}"; then
		OWN_RUN=1 exec unshare --user --map-root-user --mount "$0"
	fi
	mount -t tmpfs tmpfs /run
	unset MPU_ROOT
}

# one_sentence REGEX: err is one line of that kind, out is empty
one_sentence()
{
	silent out
	pass_or "not one line on stderr" test "$(wc -l <"$T/err")" -eq 1
	says err "^mpu.*: .*$1"
}

# json [PATH...]: out is JSON; leaves the values at PATH in $T/values
json()
{
	if "$JSON" "$@" <"$T/out" >"$T/values" 2>>"$T/err"; then
		pass
	else
		fail "not JSON"
	fi
}

# values PATH... -- WORD...: what out has at a path, in that order
values()
{
	values_at=
	while test "$1" != --; do
		values_at="$values_at $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	json $values_at
	: >"$T/want"
	test $# -eq 0 || printf '%s\n' "$@" >"$T/want"
	pass_or "$values_at: $(tr '\n' ' ' <"$T/values"), not $*" cmp -s "$T/values" "$T/want"
}

# walk [WORD...]: the words of each command below this one, groups before their own
walk()
{
	"$MPU" help -j "$@" | "$JSON" commands name >"$T/walk$#"
	while read -r below; do
		echo "$*${1:+ }$below"
		walk "$@" "$below"
	done <"$T/walk$#"
}

# options WORD...: "LETTER|NAME|VALUE|SENTENCE" of each option of a command
options()
{
	"$MPU" help -j "$@" >"$T/command"
	for column in letter name value what; do
		"$JSON" options $column <"$T/command" >"$T/$column"
	done
	paste -d '|' "$T/letter" "$T/name" "$T/value" "$T/what"
}

# has_page COMMAND: it has a section in a manual page other than mpu(8)
has_page()
{
	grep -q "^\.Ss mpu $1\b" man/mpu-*.8
}

# same A B WHAT: two files hold the same lines, in any order
same()
{
	is "$3" "$(sort "$2")" "$(sort "$1")"
}

# file PATH TEXT: write a file of a made-up host
file()
{
	mkdir -p "$MPU_ROOT$(dirname "$1")"
	printf '%s\n' "$2" >"$MPU_ROOT$1"
}

# new_host: MPU_ROOT is an empty host
new_host()
{
	rm -rf "$T/host"
	mkdir -p "$T/host"
	MPU_ROOT=$T/host
	export MPU_ROOT
}
