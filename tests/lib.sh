# SPDX-License-Identifier: GPL-2.0-only
# Counting and looking, for tests in shell. The program under test leaves its
# output in $T/out and $T/err, T being a folder of the test's own.
#
# shellcheck shell=sh

passed=0 failed=0 skipped=0

pass()
{
	passed=$((passed + 1))
}

# fail SENTENCE: the test named by $name did not hold
fail()
{
	failed=$((failed + 1))
	echo "FAILED: $name: $*"
	sed 's/^/	out: /' "$T/out"
	sed 's/^/	err: /' "$T/err"
}

# says FILE REGEX: a line of out or err
says()
{
	if grep -Eq -- "$2" "$T/$1"; then pass; else fail "$1 lacks '$2'"; fi
}

# silent FILE
silent()
{
	if test -s "$T/$1"; then fail "$1 is not empty"; else pass; fi
}

done_testing()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	test "$failed" -eq 0
}
