# SPDX-License-Identifier: GPL-2.0-only
# Keeps what passed, which need not run again: for `make check-all`, which takes
# hours and may be stopped. To be sourced from the top folder; O as in make.
#
# shellcheck shell=sh

# results_key FOLDER: what an outcome depends on, as one word: the sources, the
# packages they are built with, and what was fetched. A level may read what we
# write about MPU, these machines do not.
results_key()
{
	case $1 in
	conformance | smi/* | bpf | driver) prose='*.md' ;;
	*) prose= ;;
	esac
	{
		tests/runner/tree ! -name "$prose" | xargs sha256sum
		# shellcheck disable=SC2046 # a list; some may not be there
		dpkg-query -W $(sed 's/#.*//' deploy/debian-packages) \
			2>/dev/null || true
		for one in "${MPU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mpu}"/*/*/version; do
			test ! -e "$one" || cat "$one"
		done
	} | sha256sum | cut -c 1-16
}

# results_open FOLDER: sets results_of, results_now and results, the place for its logs
results_open()
{
	results_of=$1
	results_now=$(results_key "$1")
	results=${O:-build}/results/$results_now/$1
	mkdir -p "$results"
}

# results_find NAME COMMAND...: is there the log of this command, which passed?
results_find()
{
	name=$1
	shift
	test "$(head -n 1 "$results/$name" 2>/dev/null)" = "+ $*"
}

# results_add NAME LOG: the log begins with "+ COMMAND"; it does not count if the
# tree was changed meanwhile
results_add()
{
	test "$(results_key "$results_of")" = "$results_now" || return 0
	cp "$2" "$results/.$1.$$"
	mv "$results/.$1.$$" "$results/$1"
}
