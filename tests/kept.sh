# SPDX-License-Identifier: GPL-2.0-only
# What passed before need not run again: for `make check-all`, which takes hours
# and may be stopped. To be sourced from the top folder; O as in make.
#
# shellcheck shell=sh

# kept_key FOLDER: what an outcome depends on, as one word: the sources, the
# packages they are built with, and what was fetched. A level may read what we
# write about MPU, these machines do not.
kept_key()
{
	case $1 in
	conformance | smi/* | bpf | driver) prose='*.md' ;;
	*) prose= ;;
	esac
	{
		find . -name .git -prune -o -path ./build -prune -o \
			-path "./${O:-build}" -prune -o -type f \
			! -name "$prose" -print0 |
			LC_ALL=C sort -z | xargs -0 sha256sum
		# shellcheck disable=SC2046 # a list; some may not be there
		dpkg-query -W $(sed 's/#.*//' deploy/debian-packages) \
			2>/dev/null || true
		for one in "${MPU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mpu}"/*/*/version; do
			test ! -e "$one" || cat "$one"
		done
	} | sha256sum | cut -c 1-16
}

# kept_open FOLDER: sets kept_of, kept_now and kept, the place for its logs
kept_open()
{
	kept_of=$1
	kept_now=$(kept_key "$1")
	kept=${O:-build}/kept/$kept_now/$1
	mkdir -p "$kept"
}

# kept_find NAME COMMAND...: is there the log of this command, which passed?
kept_find()
{
	name=$1
	shift
	test "$(head -n 1 "$kept/$name" 2>/dev/null)" = "+ $*"
}

# kept_add NAME LOG: the log begins with "+ COMMAND"; it does not count if the
# tree was changed meanwhile
kept_add()
{
	test "$(kept_key "$kept_of")" = "$kept_now" || return 0
	cp "$2" "$kept/.$1.$$"
	mv "$kept/.$1.$$" "$kept/$1"
}
