# SPDX-License-Identifier: GPL-2.0-only
# The tests of crun's source, for tests/oci/suites.
#
# shellcheck shell=sh

# suite_open: $tree is the suite, ready to be run
suite_open()
{
	tree=$T/crun
	mkdir -p "$tree"
	cp -r "$runtimes/crun/source/tests" "$tree"
	# Macros that its configure would set on this machine, as far as the program in its
	# containers asks.
	printf "#define %s 1\n" HAVE_ERROR_H HAVE_SECCOMP >"$tree/config.h"
	"${CC:-gcc}" -static -w -I"$tree" -o "$tree/tests/init" "$tree/tests/init.c" \
		-lseccomp
}

# suite_files: each holds tests. Left out are those that take CRIU, or libmount of Python,
# which Debian 12 does not have.
suite_files()
{
	(cd "$tree/tests" && ls ./test_*.py) | sed 's,^[.]/,,' |
		grep -v '^test_checkpoint_restore\|^test_mounts'
}

# tidy: what the tests leave behind where there is cgroup v1: empty groups, and in one a
# container that is frozen
tidy()
{
	rmdir /sys/fs/cgroup/*/test-tmp* 2>/dev/null || :	# there may be none
	frozen=/sys/fs/cgroup/freezer/frozen
	test -d "$frozen" || return 0
	echo THAWED >"$frozen/freezer.state"
	while read -r pid; do
		case $(tr '\0' ' ' <"/proc/$pid/cmdline") in
		'/init pause ') kill -9 "$pid" ;;
		esac
	done <"$frozen/cgroup.procs"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rmdir "$frozen" 2>/dev/null && return
		sleep 1
	done
}

# suite_run FILE [TESTS]: with $runtime, those of a list or all; says how each test ended,
# as TAP. exec_write_pid_file passes by chance: where a PID has five digits.
suite_run()
{
	test $# -eq 1 || export RUN_TESTS="$(cat "$2")"
	cd "$tree"
	export OCI_RUNTIME="$runtime"
	at_terminal "/usr/bin/python3 tests/$1" | grep -v ' exec_write_pid_file$'
	tidy
}

# One whose tests pass if a container does.
suite_sample=test_capabilities.py
