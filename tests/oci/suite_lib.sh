# SPDX-License-Identifier: GPL-2.0-only
# For tests/oci/suites: runs files of a runtime's own tests in several ways, and compares
# how each test ended. $suite is the runtime's name, $real its program.
#
# shellcheck shell=sh

# at_terminal LINE: of a shell, at a terminal of its own: some tests ask for one
at_terminal()
{
	SHELL=/bin/sh timeout 900 script -qec "$1" /dev/null | tr -d '\r'
}

# run_file FILE WAY TESTS [SOCKET [REAL]]: TESTS is a list of them, or empty: all.
# $T/WAY.tap is what they said, $T/WAY a line for each of them: ok, skip or fail, a tab,
# its name
run_file()
{
	runtime=$T/mpu-runtime socket=none
	case $2 in
	alone) runtime=$real ;;
	supervised) socket=$T/agent.sock ;;
	esac
	# How it ends is no matter: a test that does not say that it has passed has not.
	(
		export MPU_AGENT="${4:-$socket}" MPU_RUNTIME="${5:-$real}"
		suite_run "$1" ${3:+"$3"}
	) >"$T/$2.tap" 2>&1 </dev/null || :
	awk '/^(not )?ok [0-9]+ / {
		status = /^not/ ? "fail" : tolower($0) ~ /# ?skip/ ? "skip" : "ok"
		sub(/^(not )?ok [0-9]+ (- )?/, "")
		if (status == "skip")
			sub(/ *# ?(skip|SKIP).*/, "")
		print status "\t" $0
	}' "$T/$2.tap" >"$T/$2"
}

# said WAY TEST: what stands beside the line that the test ended with: bats prints it
# after that line, Python before
said()
{
	awk -v test="$2" '
	/^(not )?ok [0-9]+ / {
		if (found)
			exit
		found = substr($0, length($0) - length(test) + 1) == test
		if (found)
			printf "%s", before
		before = ""
		next
	}
	found { print }
	!found { before = before $0 "\n" }' "$T/$1.tap" | tail -n 40
}

# lost WAY: tests that have passed alone, and in that way not
lost()
{
	sed -n 's/^ok	//p' "$T/$1" | sort >"$T/passed.$1"
	sort "$T/passed" | comm -23 - "$T/passed.$1"
}

# run_way FILE WAY: up to three times, until what has passed alone has passed: some tests
# wait for two seconds and no longer, however busy the host is
run_way()
{
	run_file "$1" "$2" "$T/passed"
	for _ in 2 3; do
		lost "$2" >"$T/lost"
		test -s "$T/lost" || return 0
		sed "s/^/# $suite, $1, $2: has to be tried again: /" "$T/lost"
		mv "$T/$2" "$T/before"
		run_file "$1" "$2" "$T/lost"
		cat "$T/before" >>"$T/$2"
	done
}

# compare FILE WAY: what has passed alone passes in that way
compare()
{
	lost "$2" >"$T/lost"
	add "$(($(wc -l <"$T/passed") - $(wc -l <"$T/lost")))" 0 0
	while read -r test; do
		name="$suite, $1, $2: $test"
		said "$2" "$test" >"$T/out"
		fail "it passes with $suite alone"
	done <"$T/lost"
}

# none_passes FILE WAY SOCKET [REAL]: of its tests that pass alone
none_passes()
{
	sed -n "s/^ok	$1: //p" "$T/$suite.alone" >"$T/passed"
	run_file "$1" "$2" "$T/passed" "$3" ${4:+"$4"}
	sed "s/^/  /" "$T/$2.tap"
	grep -q '^fail	' "$T/$2" && no grep -q '^ok	' "$T/$2"
}

# count STATUS: tests that ended so with the runtime alone
count()
{
	grep -c "^$1	" "$T/$suite.alone" || :	# none is an answer
}

# run_suite: every file in every way
run_suite()
{
	suite_files >"$T/files"
	: >"$T/$suite.alone"
	ended=0
	while read -r file; do
		run_file "$file" alone ""
		awk -v file="$file" '{ sub(/\t/, "\t" file ": "); print }' "$T/alone" \
			>>"$T/$suite.alone"
		sed -n 's/^ok	//p' "$T/alone" >"$T/passed"
		before=$passed ways=
		test ! -s "$T/passed" || ways='wrapped supervised'
		for way in $ways; do
			run_way "$file" "$way"
			compare "$file" "$way"
		done
		ended=$((ended + 1)) compared=$(($(wc -l <"$T/passed") * 2))
		echo "[$ended/$(wc -l <"$T/files")] $suite, $file:" \
			"$((passed - before)) of $compared passed"
	done <"$T/files"
}

# sum_up: what was compared, and what was not
sum_up()
{
	all=$(wc -l <"$T/$suite.alone") good=$(count ok)
	echo "$suite $version: $all tests, $good of which pass with $suite alone and were"
	echo "compared; of the others $(count fail) fail, $(count skip) cannot be run here:"
	sed -n '/^ok	/!s/^/  /p' "$T/$suite.alone"
	ok "$suite: most tests pass with $suite alone" test "$good" -gt $((all / 2))
}
