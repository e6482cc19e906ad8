# SPDX-License-Identifier: GPL-2.0-only
# The integration tests of runc's source, for tests/oci/suites: with images made of
# Debian's packages, in place of those that the suite would download.
#
# shellcheck shell=sh

# busybox_image TAR: a busybox of every name, as an image; tests make proc and sys
busybox_image()
{
	root=$T/busybox
	for folder in bin dev etc home root tmp usr/bin usr/sbin var; do
		mkdir -p "$root/$folder"
	done
	tar -xOf "$runtimes/debian.tar" ./usr/bin/busybox >"$root/bin/busybox"
	chmod 755 "$root/bin/busybox"
	"$root/bin/busybox" --list | while read -r applet; do
		test "$applet" = busybox || ln "$root/bin/busybox" "$root/bin/$applet"
	done
	chmod 1777 "$root/tmp"
	printf '%s\n' root:x:0:0:root:/root:/bin/sh \
		daemon:x:1:1:daemon:/usr/sbin:/bin/false \
		nobody:x:65534:65534:nobody:/home:/bin/false >"$root/etc/passwd"
	printf '%s\n' root:x:0: daemon:x:1: users:x:100: nogroup:x:65534: >"$root/etc/group"
	tar -C "$root" -cf "$1" .
}

# suite_open: $tree is the suite, ready to be run
suite_open()
{
	tree=$T/runc
	mkdir -p "$tree" "$T/bats"
	cp -r "$runtimes/runc/source/tests" "$runtimes/runc/source/go.mod" "$tree"
	busybox_image "$T/busybox.tar"
	cat >"$tree/tests/integration/get-images.sh" <<-END
	#!/bin/sh
	echo "BUSYBOX_IMAGE=$T/busybox.tar DEBIAN_IMAGE=$runtimes/debian.tar"
	END
	mkdir -p "$tree/contrib/cmd/recvtty"
	cp "$B/recvtty" "$tree/contrib/cmd/recvtty"
}

# suite_files: each holds tests. Left out are those that take CRIU, sshfs, or an agent of
# runc's that is written in Go.
suite_files()
{
	(cd "$tree/tests/integration" && ls ./*.bats) | sed 's,^[.]/,,' |
		grep -v '^checkpoint\|^mounts_sshfs\|^seccomp-notify'
}

# suite_run FILE [TESTS]: with $runtime, those of a list or all; says how each test ended,
# as TAP. (The limit that bats has for one test would keep those that "wait" from ending.)
suite_run()
{
	export ONLY=.
	test $# -eq 1 || ONLY="^($(sed 's/[][\\.*^$()+?{}|]/\\&/g' "$2" | paste -sd '|'))\$"
	cd "$tree/tests/integration"
	export RUNC="$runtime" TMPDIR="$T/bats"
	# shellcheck disable=SC2016 # the inner shell's
	at_terminal 'bats --tap --filter "$ONLY"'" $1"
}

# One whose tests pass if a container does.
suite_sample=start_hello.bats
