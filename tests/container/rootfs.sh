#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Edits carried out in a container that exists: what it has afterwards, what is
# refused, and that nothing is left where something failed. As root.
#
#	rootfs.sh FOLDER	FOLDER holds what rootfs.mk built
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
kernel=
R=$T/bundle/rootfs H=$T/host
folder=/usr/lib/$triplet
library=$folder/libcuda.so.1.0

# new_box [USER]: a container, whose root has little
new_box()
{
	rm -rf "$T/bundle" "$H"
	mkdir -p "$R/usr/lib" "$R/etc" "$R/proc" "$R/dev" "$H/proc/gpus/0000:01:00.0" \
		"$H/proc/gpus/0000:02:00.0"
	echo library >"$H/libcuda.so.1.0"
	mknod "$H/nvidia0" c 195 0
	printf 'RmLogonRC: 1\nModifyDeviceFiles: 1\n' >"$H/proc/params"
	echo 1.0 >"$H/proc/version"
	: >"$H/proc/suspend"
	for file in 0000:01:00.0/information 0000:01:00.0/unbindLock 0000:02:00.0/information; do
		echo "$file" >"$H/proc/gpus/$file"
	done
	start_box "$@"
	look >"$T/before"
}

# look: what there is in the root, and what is mounted
look()
{
	in_box find "$R" -printf '%y %m %U %P %l\n' | sort
	in_box cat /proc/self/mountinfo | awk '{ print $5 }' | sort
}

# run STATUS WORD...: inject
run()
{
	want=$1
	shift
	name="inject $*"
	# shellcheck disable=SC2086 # a command, or none
	exits "$want" timeout 60 $kernel "$B/inject" --harden --pid "$box" "$@"
}

# refused REGEX WORD...: it is, and why is said
refused()
{
	why=$1
	shift
	run 1 "$@"
	says err "$why"
}

# nothing_left: it is as it was
nothing_left()
{
	is "$name: nothing is left" '' "$(look | diff "$T/before" - || :)"
}

# flags PATH: of the mount there
flags()
{
	in_box cat /proc/self/mountinfo |
		awk -v at="$R$1" '$5 == at { sub(/,relatime/, "", $6); print $6 }'
}

for user in '' 100000; do
	# shellcheck disable=SC2086 # none or one
	new_box $user
	run 0 "$R" "mount=$library=$H/libcuda.so.1.0" "node=/dev/nvidia0=$H/nvidia0" \
		"link=$folder/libcuda.so.1=libcuda.so.1.0" \
		"text=/etc/nvidia/10-container.conf=profile" "mask=/usr/lib/hidden" \
		"mask=/proc/driver/nvidia/suspend" \
		"proc=/proc/driver/nvidia=$H/proc=gpus/0000:01:00.0/information,gpus/0000:01:00.0/power"
	silent err
	with="${user:-no} user namespace"
	is "$with: library" library "$(in_box cat "$R$folder/libcuda.so.1")"
	is "$with: library" ro,nosuid,nodev "$(flags "$library")"
	is "$with: node" 'c3 0' "$(in_box stat -c '%t %T' "$R/dev/nvidia0")"
	is "$with: node" ro,nosuid,noexec "$(flags /dev/nvidia0)"
	is "$with: text" profile "$(in_box cat "$R/etc/nvidia/10-container.conf")"
	is "$with: text" rw,nosuid,nodev,noexec "$(flags /etc/nvidia/10-container.conf)"
	is "$with: params" 'RmLogonRC: 1 ModifyDeviceFiles: 0 ' \
		"$(in_box cat "$R/proc/driver/nvidia/params" | tr '\n' ' ')"
	is "$with: what stays of /proc" './gpus/0000:01:00.0/information ./params ./version ' \
		"$(in_box sh -c "cd $R/proc/driver/nvidia && find . -type f | sort | tr '\n' ' '")"
	is "$with: file of /proc" ro,nosuid,nodev,noexec \
		"$(flags /proc/driver/nvidia/gpus/0000:01:00.0/information)"
	is "$with: owner of what was made" "${user:-0} ${user:-0}" \
		"$(stat -c %u "$R$folder" "$R$library" | tr '\n' ' ' | sed 's/ $//')"
	for file in "$library" /proc/driver/nvidia/params /etc/nvidia/10-container.conf \
		/proc/driver/nvidia/new; do
		ok "$with: $file cannot be written" \
			no in_box sh -c "echo >>$R$file" 2>/dev/null
	done
	# Twice: a runtime and a hook that both do it.
	run 0 "$R" "mount=$library=$H/libcuda.so.1.0" "node=/dev/nvidia0=$H/nvidia0" \
		"link=$folder/libcuda.so.1=libcuda.so.1.0"
	stop_box

	# A kernel without the driver: nothing can be made in its /proc.
	# shellcheck disable=SC2086 # none or one
	new_box $user
	in_box mount -t proc proc "$R/proc"
	refused '^inject: mount error: /proc/driver/none: the container.s /proc lacks it' \
		"$R" "proc=/proc/driver/none=$H/proc=gpus/0000:01:00.0/information"
	stop_box

	# All or nothing.
	# shellcheck disable=SC2086 # none or one
	new_box $user
	echo content >"$R/usr/lib/full"
	look >"$T/before"
	refused '^inject: mount error: /usr/lib/full: the image has a file there' \
		"$R" "mount=$library=$H/libcuda.so.1.0" "node=/dev/nvidia0=$H/nvidia0" \
		"text=/etc/nvidia/10-container.conf=profile" \
		"proc=/proc/driver/nvidia=$H/proc=gpus/0000:01:00.0/information" \
		"link=$folder/libcuda.so.1=libcuda.so.1.0" "link=/usr/lib/full=libcuda.so.1"
	nothing_left
	stop_box
done

new_box
# A mount that the container can do without.
run 0 "$R" "?mount=/run/socket=$H/missing" "mount=$library=$H/libcuda.so.1.0"
says err "^inject: warning: $H/missing: No such file"
is "the library is there" library "$(in_box cat "$R$library")"
stop_box

new_box
# A root that is read-only, with folders of its own in it, and a link where one is to go.
ln -s nvidia "$R/etc/nvidia"
in_box sh -c "mount --bind $R $R && mount -t tmpfs none $R/dev && mount -o remount,bind,ro $R"
run 0 "$R" "mount=$library=$H/libcuda.so.1.0" "node=/dev/nvidia0=$H/nvidia0" \
	"text=/etc/nvidia/10-container.conf=profile"
says err "^inject: warning: .*/etc/nvidia/10-container.conf: Too many levels of symbolic links"
is "the node is there" 195:0 "$(in_box stat -c %Hr:%Lr "$R/dev/nvidia0")"
stop_box

new_box
# Sources.
refused "^inject: mount error: $H/missing: No such file" "$R" "mount=$library=$H/missing"
ln -s libcuda.so.1.0 "$H/link"
refused 'is a link by now' "$R" "mount=$library=$H/link"
chmod g+w "$H/libcuda.so.1.0"
refused 'can be written by others than root' "$R" "mount=$library=$H/libcuda.so.1.0"
chmod g-w "$H/libcuda.so.1.0"
chown 1000 "$H/libcuda.so.1.0"
refused 'belongs to user 1000' "$R" "mount=$library=$H/libcuda.so.1.0"
chown 0 "$H/libcuda.so.1.0"
nothing_left

# Places.
mkdir "$R$library" 2>/dev/null || mkdir -p "$R$library"
mkfifo "$R/usr/lib/pipe"
ln -s nowhere "$R/usr/lib/dangling"
ln -s "$H/libcuda.so.1.0" "$R/usr/lib/away"
look >"$T/before"
refused 'has a folder there, where a file' "$R" "mount=$library=$H/libcuda.so.1.0"
refused 'has something there that is no file' "$R" "mount=/usr/lib/pipe=$H/libcuda.so.1.0"
for link in dangling away; do
	refused 'has a link there that leads nowhere' "$R" "mount=/usr/lib/$link=$H/libcuda.so.1.0"
	run 0 "$R" "text=/usr/lib/$link=profile"
	says err "^inject: warning: /usr/lib/$link: the image has a link there that leads nowhere"
done
nothing_left
: >"$R/usr/lib/leftover"
run 0 "$R" link=/usr/lib/leftover=libcuda.so.1
is "a leftover is replaced" libcuda.so.1 "$(readlink "$R/usr/lib/leftover")"

# Nodes that are there already.
refused '/dev/nvidia0: No such file' --no-devbind "$R" "node=/dev/nvidia0=$H/nvidia0"
in_box mknod "$R/dev/nvidia0" c 195 1
refused 'is not device 195:0' --no-devbind "$R" "node=/dev/nvidia0=$H/nvidia0"
in_box rm "$R/dev/nvidia0"
in_box mknod "$R/dev/nvidia0" c 195 0
run 0 --no-devbind "$R" "node=/dev/nvidia0=$H/nvidia0"
is "$name: not mounted" '' "$(flags /dev/nvidia0)"

# Arguments that name no container.
refused '^inject: container error: invalid rootfs directory: /: ' /
refused 'No such file' "$R/../rootfs/missing"
refused '^inject: container error: process 4194999, of the container: No such process' \
	--pid 4194999 "$R"
stop_box

# Kernels that lack something.
new_box
kernel="$B/forbid openat2"
refused 'this kernel has no openat2' "$R" "mount=$library=$H/libcuda.so.1.0"
kernel="$B/forbid mount_setattr"
refused 'use Linux 5.12 or newer, or --allow-legacy-kernel' "$R" "mount=$library=$H/libcuda.so.1.0"
nothing_left
run 0 --allow-old "$R" "mount=$library=$H/libcuda.so.1.0" "node=/dev/nvidia0=$H/nvidia0" \
	"proc=/proc/driver/nvidia=$H/proc=gpus/0000:01:00.0/information"
is "without mount_setattr: library" ro,nosuid,nodev "$(flags "$library")"
is "without mount_setattr: node" ro,nosuid,noexec "$(flags /dev/nvidia0)"
is "without mount_setattr: file of /proc" ro,nosuid,nodev,noexec \
	"$(flags /proc/driver/nvidia/gpus/0000:01:00.0/information)"
kernel=
stop_box

# Linux 5.6 to 5.8: neither is there.
for user in '' 100000; do
	# shellcheck disable=SC2086 # none or one
	new_box $user
	kernel="$B/forbid close_range $B/forbid mount_setattr"
	run 0 --allow-old "$R" "mount=$library=$H/libcuda.so.1.0"
	is "without close_range: library" library "$(in_box cat "$R$library")"
	kernel=
	stop_box
done
for program in "$B"/../unit/container/image/layout_test.*; do
	ok "without close_range: ${program##*/}" "$B/forbid" close_range "$program"
done

# A file of its own is written where it can be, and else mounted.
for user in '' 100000; do
	# shellcheck disable=SC2086 # none or one
	new_box $user
	run 0 "$R" own=/etc/ld.so.cache=mine
	is "a file of its own: written" "mine ${user:-0}" \
		"$(cat "$R/etc/ld.so.cache") $(stat -c %u "$R/etc/ld.so.cache")"
	run 0 "$R" own=/proc/version=mine
	is "a file of its own: mounted where it cannot be written" mine \
		"$(in_box cat "$R/proc/version")"
	stop_box
done

# The device cgroup of cgroup v1.
devices=$(awk '/ - cgroup .*[ ,]devices/ { print $5; exit }' /proc/self/mountinfo)
group=$devices/mpu-rootfs-$$
if test "$devices" && mkdir "$group" 2>/dev/null; then
	new_box
	echo "$box" >"$group/cgroup.procs"
	run 0 --cgroups "$R" "node=/dev/nvidia0=$H/nvidia0"
	is "cgroup v1: one that allows all is left alone" 'a *:* rwm' "$(cat "$group/devices.list")"
	echo a >"$group/devices.deny"
	echo 'c 1:3 rwm' >"$group/devices.allow"
	run 0 --cgroups "$R" "node=/dev/nvidia0=$H/nvidia0"
	is "cgroup v1" 'c 1:3 rwm c 195:0 rw ' "$(tr '\n' ' ' <"$group/devices.list")"
	stop_box
	rmdir "$group"
else
	name="cgroup v1"
	skip "no hierarchy of devices is mounted here"
fi

done_testing
