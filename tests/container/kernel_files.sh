#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# An image whose links lead into the container's /proc and /sys, for what is mounted to
# hide files of the kernel: /proc/sys, or an AppArmor profile in attr/exec. As root.
#
#	kernel_files.sh FOLDER	FOLDER holds what rootfs.mk built
#
# shellcheck disable=SC2119 # start_box takes a user, or none
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
R=$T/root

# hides EDIT PATH TARGET [--naive]: what is mounted below the container's /proc and /sys
# by an edit, where PATH of the image is a link to TARGET
hides()
{
	rm -rf "$R"
	mkdir -p "$R/proc" "$R/sys" "$R/dev" "$R/etc" "$R/usr/bin" "$R/tmp"
	test -z "$3" || ln -s "$3" "$R$2"
	start_box
	in_box mount -t proc proc "$R/proc"
	in_box mount -t sysfs sysfs "$R/sys"
	in_box cat /proc/self/mountinfo >"$T/before"
	status=0
	# shellcheck disable=SC2086 # --naive, or nothing
	"$B/inject" ${4:-} --pid "$box" "$R" "$1" >"$T/said" 2>&1 || status=$?
	hidden=$(in_box cat /proc/self/mountinfo | awk -v root="$R/" \
		'FNR == NR { seen[$1]; next }
		 !($1 in seen) { print substr($5, length(root)) }' "$T/before" -)
	stop_box
}

mkdir "$T/folder"
: >"$T/file"
chmod 0644 "$T/file"
while read -r path source target; do
	what="$path, a link to $target"
	if test "$source" = file; then	# the naive one knows no folders
		hides "mount=$path=$T/file" "$path" "$target" --naive
		is "$what: the naive one is taken in" "/${target##*../}" "$hidden" "$T/said"
	fi
	hides "mount=$path=$T/$source" "$path" "$target"
	is "$what: nothing is hidden" '' "$hidden" "$T/said"
	is "$what: the container is refused" 1 "$status" "$T/said"
	ok "$what: it says why" grep -q "$path: the image has a link there" "$T/said"
done <<-'EOF'
	/usr/bin/nvidia-smi file ../../proc/sys/kernel/core_pattern
	/usr/bin/nvidia-smi file ../../proc/1/comm
	/tmp/nvidia-mps folder ../proc/sys
	/tmp/nvidia-mps folder ../sys/kernel
EOF

# A file that belongs there is hidden.
hides mask=/proc/uptime /proc/uptime ''
is "a file of /proc itself is hidden" "0 /proc/uptime" "$status $hidden" "$T/said"
done_testing
