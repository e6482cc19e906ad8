#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Images that attack, by plain runc and crun and the mpu that `make install` lays: in every
# mode of the wrapper.
set -eu
. tests/oci/gpu_lib.sh
. tests/oci/attack_lib.sh

# installed: at its own place, which this mount namespace alone sees
installed()
{
	mkdir "$T/over"
	mount -t tmpfs tmpfs "$T/over"
	for folder in usr/local etc; do
		mkdir -p "$T/over/$folder/upper" "$T/over/$folder/work"
		mount -t overlay overlay -o \
			"lowerdir=/$folder,upperdir=$T/over/$folder/upper,workdir=$T/over/$folder/work" \
			"/$folder"
	done
	O=$(realpath "$B/../..") MODULE=no deploy/install >"$T/out"
	deploy/nvidia-names >"$T/out"
	mkdir -p /etc/nvidia-container-runtime
}

# operator MODE
operator()
{
	cat >/etc/nvidia-container-runtime/config.toml <<-END
	[nvidia-container-cli]
	root = "$T/machine"
	load-kmods = false
	[nvidia-container-runtime]
	mode = "$1"
	runtimes = ["$T/real"]
	END
}

attack_start()
{
	more=$attack_env
	gpu_bundle "$image" "s|\"hostname\"|$hook&|" /bin/look sleep
	$racing timeout 300 nvidia-container-runtime --root "$T/state" run --detach \
		--bundle "$T/bundle" --pid-file "$T/pid" "attack-$$" || return $?
	pid=$(cat "$T/pid")
}

attack_stop()
{
	nvidia-container-runtime --root "$T/state" delete --force "attack-$$"
}

# swaps WAY: a folder of the image and a link to the host change places all the time
swaps()
{
	attack_image swaps
	ln -s "$H/folder" "$image$libraries.link"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		racing="$B/race - $T/bundle/rootfs/usr/lib $triplet $triplet.link"
		attacks "$1: the folder of libraries changes places with a link"
		racing=
	done
}

# hooked PROGRAM: the container has this one as a hook, without variables of its own, as an
# engine takes it from a CDI document; the hook then has those of the image
hooked()
{
	hook="\"hooks\":{\"createContainer\":[{\"path\":\"$1\",\"args\":[\"nvidia-cdi-hook\","
	hook="$hook\"update-ldcache\",\"--folder\",\"$libraries\"]}]},"
}

# hooks WAY: ours is not taken in; a dynamic program is, so the attack works
hooks()
{
	hooked /usr/local/bin/nvidia-cdi-hook
	attack_variables "$1, a hook without variables"
	hooked /bin/true
	attack_env=LD_PRELOAD=/proc/self/cwd/evil.so
	attack_start >"$T/out" 2>"$T/err" </dev/null
	attack_stop
	hook='' attack_env=''
	# crun gives a hook none of the container's variables.
	case $1 in
	runc*) ok "$1, a hook that is a dynamic program is taken in" test -e "$H/owned" ;;
	esac
	attack_fixture
}

make_machine
debian_image
installed
attack_fixture
attack_library "$H"
racing='' hook=''
for engine in runc crun; do
	real=$(command -v $engine) || { name=$engine; skip "it is not here"; continue; }
	make_real "$real"
	for mode in auto legacy cdi; do
		operator $mode
		devices=1
		if test $mode = cdi; then
			nvidia-ctk cdi generate --output=/etc/cdi/nvidia.json 2>"$T/err"
			devices=nvidia.com/gpu=1
		fi
		attack_all "$engine, mode $mode"
		# In the other modes it is the runtime that makes what is mounted on:
		# runc before 1.1.14 follows the link (CVE-2024-45310).
		test $mode != legacy || swaps "$engine, mode $mode"
	done
	hooks "$engine, mode cdi"
done
done_testing
