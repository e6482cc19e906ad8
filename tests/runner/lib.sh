# SPDX-License-Identifier: GPL-2.0-only
# Counting of tests, for every script that tests: to be sourced, busybox sh, too.
#
# T is a folder of the test's own. Where a test fails, $T/out and $T/err are shown.
#
# shellcheck shell=sh

# TMPDIR may be closed to other users, and too long for the path of a socket; script(1) and tmux
# start SHELL.
umask 022
unset TMPDIR COLUMNS LINES
export SHELL=/bin/sh
passed=0 failed=0 skipped=0

pass()
{
	passed=$((passed + 1))
}

# fail WHY: the test called $name
fail()
{
	failed=$((failed + 1))
	echo "not ok $name: $*"
	for shown in out err .said; do
		test ! -s "$T/$shown" || sed 's/^/  | /' "$T/$shown"
	done
}

# skip WHY: the test called $name
skip()
{
	skipped=$((skipped + 1))
	echo "skip $name: $*"
}

# ok NAME COMMAND...: the command succeeds. What it says is shown if it does not; of
# one that does, the lines that begin with #.
ok()
{
	name=$1
	shift
	if "$@" >"$T/.said" 2>&1; then
		pass
		echo "ok $name"
		sed -n '/^#/p' "$T/.said"
	else
		fail "$(printf '%.200s' "$*")"	# some are given hundreds of files
	fi
	rm -f "$T/.said"
}

# exits STATUS COMMAND...: the test called $name; what the command says is in $T/out and
# $T/err
exits()
{
	want=$1 got=0
	shift
	"$@" >"$T/out" 2>"$T/err" </dev/null || got=$?
	pass_or "exit $got, not $want" test "$got" -eq "$want"
}

# run STATUS COMMAND...: likewise, a test called by the command's words
run()
{
	want=$1
	shift
	name=$*
	exits "$want" "$@"
}

# is NAME WANTED FOUND [FILE]: these are the same; FILE has more of what was found
is()
{
	name=$1
	test "$2" != "$3" || { pass; return; }
	printf '%s\n' "$2" >"$T/wanted"
	printf '%s\n' "$3" | diff "$T/wanted" - | head -n 20 |
		sed -n 's/^</wanted:/p; s/^>/found: /p' >"$T/.said"
	test ! -s "${4:-}" || cat "$4" >>"$T/.said"
	fail "not what is wanted"
	rm -f "$T/.said"
}

# no COMMAND...: it fails
no()
{
	! "$@"
}

# is_empty COMMAND...: it says nothing
is_empty()
{
	! "$@" 2>&1 | grep .
}

# prints REGEX COMMAND...: it succeeds, with such a line; fails REGEX COMMAND...: it fails
prints()
{
	regex=$1
	shift
	"$@" >"$T/said" || { cat "$T/said"; return 1; }
	cat "$T/said"
	grep -Eq -- "$regex" "$T/said"
}

fails()
{
	regex=$1
	shift
	! "$@" >"$T/said" 2>&1 || return 1
	cat "$T/said"
	grep -Eq -- "$regex" "$T/said"
}

# within SECONDS COMMAND...: it succeeds in that time
within()
{
	tries=$(($1 * 10))
	shift
	until "$@"; do
		tries=$((tries - 1))
		test $tries -gt 0 || return 1
		sleep 0.1
	done
}

# pass_or WHY COMMAND...: the test called $name: the command succeeds
pass_or()
{
	or_why=$1
	shift
	if "$@" >/dev/null 2>&1; then pass; else fail "$or_why"; fi
}

# says FILE REGEX...: out or err has a line of each kind; lacks FILE REGEX...: of none
says()
{
	says_in=$1
	shift
	for says_what; do
		pass_or "$says_in lacks '$says_what'" grep -Eq -- "$says_what" "$T/$says_in"
	done
}

lacks()
{
	says_in=$1
	shift
	for says_what; do
		pass_or "$says_in has '$says_what'" no grep -Eq -- "$says_what" "$T/$says_in"
	done
}

# silent FILE
silent()
{
	pass_or "$1 is not empty" test ! -s "$T/$1"
}

# add PASSED FAILED SKIPPED: tests that something else has counted
add()
{
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# add_tap COMMAND...: a program that prints "ok" or "not ok" for each of its tests,
# as those with cmocka do. One that ends otherwise has failed, too.
add_tap()
{
	got=0
	CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$T/tap" 2>&1 || got=$?
	grep -v '^ok \|^1[.][.]\|^# ok - ' "$T/tap" || :	# none, mostly
	grep '# SKIP' "$T/tap" >"$T/skip" || :	# none, mostly
	grep -v '# SKIP' "$T/tap" >"$T/ran" || :
	bad=$(grep -c '^not ok' "$T/ran" || :)
	if test "$got" -ne 0 && test "$bad" -eq 0; then
		bad=1
		echo "not ok $*: ended with $got"
	fi
	add "$(grep -c '^ok' "$T/ran" || :)" "$bad" "$(wc -l <"$T/skip")"
}

# add_script COMMAND...: a script that ends with done_testing; one that does not get
# there, or tests nothing, has failed
add_script()
{
	got=0
	log=$(mktemp)	# not in $T, which many scripts share with their caller
	"$@" >"$log" 2>&1 || got=$?
	cat "$log"
	# shellcheck disable=SC2046 # three numbers
	set -- $(grep -E '^[0-9]+ passed, ' "$log" | tail -n 1 | tr -cd '0-9 ') 0 0 0
	rm -f "$log"
	if test "$2" -eq 0 && { test "$got" -ne 0 || test $(($1 + $3)) -eq 0; }; then
		set -- "$1" 1 "$3"
	fi
	add "$1" "$2" "$3"
}

# need_user_namespaces: ends here, with one sentence, where nobody may make one
need_user_namespaces()
{
	! unshare --user --map-root-user true 2>/dev/null || return 0
	echo "${0%/*}: this takes user namespaces, which cannot be made here: they are not" \
		"allowed in a chroot, nor where /proc/sys/user/max_user_namespaces is 0" >&2
	exit 1
}

# done_testing: to be the last
done_testing()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	test "$failed" -eq 0 && test $((passed + skipped)) -gt 0
}
