#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Images that attack what gives them a GPU: one for each hole that the existing tools
# had. Each gets the better of an injector that trusts the image (naive.c), and is
# contained by ours. As root.
#
#	attacks.sh FOLDER	FOLDER holds what rootfs.mk built
#
# shellcheck disable=SC2317 # image() is called by once()
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
R=$T/bundle/rootfs H=$T/host
secret=the-secret-of-the-host

# A library for the attacker to have run by others.
gcc -shared -fPIC -o "$T/evil.so" -x c - <<-EOF
	#include <fcntl.h>
	#include <unistd.h>

	static void __attribute__((constructor)) run(void)
	{
		int fd = open("$H/owned", O_CREAT | O_WRONLY, 0644);

		if (fd >= 0)
			close(fd);
	}
EOF

# A root without anything, the driver's files, and what is not for a container.
make_fixture()
{
	rm -rf "$T/bundle" "$H"
	mkdir -p "$R/usr/lib/x" "$R/usr/local/cuda/compat" "$R/etc" "$R/dev" \
		"$H/driver" "$H/folder"
	echo library >"$H/driver/libcuda.so.1.0"
	echo "$secret" >"$H/secret"
	: >"$H/folder/file"
}

# look: what the host has, and what is mounted in the container's namespace outside
# of its root. A folder that something was written into is another.
look()
{
	find "$H" -printf '%y %m %U %p %l %s\n' | sort
	in_box cat /proc/self/mountinfo | awk -v root="$R" \
		'index($5, root "/") != 1 { print $5 }' | sort
}

# is_contained: nothing of the host has changed, and nothing of it can be read
is_contained()
{
	look | diff "$T/before" - >"$T/changed" || return 1
	! in_box grep -rqs "$secret" "$R"
}

# inject WORD...: once. Status and words of it do not matter: what it does, does.
inject()
{
	$before "$B/inject" --pid "$box" "$@" >>"$T/said" 2>&1 || status=$?
}

# attack [--naive]: $edits are carried out; cache is the loader's, by ldconfig or by a merge
attack()
{
	# shellcheck disable=SC2086 # words
	case $edits$* in
	cache) inject "$R" own=/etc/ld.so.cache=cache ;;
	cache*) inject "$@" --ldconfig /sbin/ldconfig --library /usr/lib/x "$R" ;;
	*) inject "$@" $options "$R" $edits ;;
	esac
}

# once [--naive]: the attack, on an image that is made for it; is it contained?
once()
{
	make_fixture
	image
	# shellcheck disable=SC2086 # a user, or none
	start_box $userns
	look >"$T/before"
	status=0
	: >"$T/said"
	attack "$@"
	contained=no
	! is_contained || contained=yes
	stop_box
}

# attacks NAME: naive is taken in, ours is not
attacks()
{
	title=$1${userns:+, in a user namespace}
	once --naive
	is "$title: the naive one is taken in" no "$contained" "$T/said"
	once
	is "$title: contained" yes "$contained" "$T/changed"
}

# races NAME FOLDER A B: the image exchanges A and B before any one system call in it
races()
{
	title="$1${userns:+, in a user namespace}" folder=$2 a=$3 b=$4
	for who in --naive ''; do
		call=0 taken=
		status=0
		while test "$status" -ne 100 && test -z "$taken"; do
			before="$B/race $call $folder $a $b"
			once $who
			test "$contained" = yes || taken=$call
			call=$((call + 1))
		done
		before=
		if test "$who"; then
			is "$title: the naive one is taken in" yes "${taken:+yes}" "$T/said"
		else
			is "$title: contained at each of $call calls" '' "$taken" "$T/changed"
			test "$call" -gt 10 || fail "not run to its end"
		fi
	done
}

before='' options=''

library=/usr/lib/x/libcuda.so.1.0
mount=mount=$library=$H/driver/libcuda.so.1.0
link=link=/usr/lib/x/libcuda.so=libcuda.so.1

# Each with and without a user namespace.
for userns in '' 100000; do
	# --- CVE-2024-0133, CVE-2024-0134, by every way that leads out of a root
	for target in "$H/folder" "../../../../../../../../../..$H/folder" \
		"/proc/self/root$H/folder" "/proc/self/cwd$H/folder"; do
		image()
		{
			rmdir "$R/usr/lib/x"
			ln -s "$target" "$R/usr/lib/x"
		}
		edits=$mount
		attacks "CVE-2024-0133: a folder that is a link to $target"
		edits=$link
		attacks "CVE-2024-0134: a link in a folder that is a link to $target"
	done

	image()
	{
		ln -s "$H/folder/new" "$R$library"
	}
	edits=$mount
	attacks "CVE-2024-0133: a file that is a link"

	# --- CVE-2024-0132: a library of the image is a link when it is mounted
	image()
	{
		: >"$R/usr/local/cuda/compat/libcuda.so.999.1"
		ln -s "$H/secret" "$R/usr/local/cuda/compat/other"
	}
	options="--library /usr/lib/x --compat /usr/local/cuda/compat" edits=$mount
	races "CVE-2024-0132" "$R/usr/local/cuda/compat" libcuda.so.999.1 other
	options=

	# --- CVE-2025-23359: a folder becomes a link after it was looked at
	image()
	{
		ln -s "$H/folder" "$R/usr/lib/y"
	}
	edits="mount=/usr/lib/x/file=$H/driver/libcuda.so.1.0"
	races "CVE-2025-23359" "$R/usr/lib" x y

	# --- CVE-2026-24260: the same, where links and texts are made
	edits="$link text=/usr/lib/x/00-compat.conf=/usr/local/cuda/compat"
	races "CVE-2026-24260" "$R/usr/lib" x y

	# --- the same, where a file of the container's own is replaced
	edits=own=/usr/lib/x/ld.so.cache=cache
	races "a file that is replaced" "$R/usr/lib" x y

	# --- CVE-2025-23266: the image's variables reach what is run as root
	image()
	{
		cp "$T/evil.so" "$R/evil.so"
	}
	edits=cache before="env LD_PRELOAD=$R/evil.so"
	attacks "CVE-2025-23266"
	before=
	is "$title: ours writes the cache" 0 "$status" "$T/said"

	# --- CVE-2025-23267: ldconfig writes where the image's links lead to
	image()
	{
		rmdir "${R:?}/etc"
		ln -s "$H/folder" "$R/etc"
	}
	attacks "CVE-2025-23267"
done

done_testing
