#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# nvidia-container-cli configure as people run it by hand, without --pid, in
# namespaces of their own: all that such a container has of the driver. As root.
#
#	configure.sh FOLDER	FOLDER/../../mpu is tested
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
named nvidia-container-cli
version=580.159.04
tests/container/fake-root "$T/driver" --gpus 2 --version "$version"
R=$T/rootfs

make_rootfs()
{
	rm -rf "$R" "$T/found"
	mkdir -p "$R/etc" "$R/usr/bin" "$R/usr/lib/$triplet" "$R/dev" "$R/proc"
	touch "$R/etc/debian_version"
	ln -s usr/lib "$R/lib"
}

configure()	# OPTION
{
	make_rootfs
	timeout 60 unshare --mount --pid --fork --propagation private sh "$T/inside" "$1"
}

# As in a container that has the host's /proc: everything of the driver is in it.
cat >"$T/inside" <<-EOF
	set -eu
	mount -t tmpfs none "$R/proc"
	cp -a "$T/driver/proc/." "$R/proc"
	"$T/nvidia-container-cli" --root "$T/driver" --load-kmods configure \
		--ldconfig=@/sbin/ldconfig.real --no-cgroups "\$1" --device 0 "$R"
	cd "$R"
	find dev lib/ usr proc/driver/nvidia ! -type d | sort >"$T/found"
EOF
ok "configure, in namespaces of its own" configure --utility

cat >"$T/wanted" <<-EOF
	dev/nvidia0
	dev/nvidiactl
	lib/$triplet/libnvidia-cfg.so.1
	lib/$triplet/libnvidia-cfg.so.$version
	lib/$triplet/libnvidia-ml.so
	lib/$triplet/libnvidia-ml.so.1
	lib/$triplet/libnvidia-ml.so.$version
	lib/firmware/nvidia/$version/gsp_ga10x.bin
	lib/firmware/nvidia/$version/gsp_tu10x.bin
	proc/driver/nvidia/gpus/0000:01:00.0/information
	proc/driver/nvidia/gpus/0000:01:00.0/power
	proc/driver/nvidia/params
	proc/driver/nvidia/registry
	proc/driver/nvidia/version
	usr/bin/nvidia-debugdump
	usr/bin/nvidia-persistenced
	usr/bin/nvidia-smi
EOF
is "configure: all of it" '' "$(grep -vx -f "$T/found" "$T/wanted" || :)"
# Nothing else, but what utility has beside it.
is "configure: nothing else" '' "$(grep -vx -f "$T/wanted" "$T/found" |
	grep -v -e '^usr/lib/' -e '^lib/.*/libnvidia-nscq' -e '^usr/bin/nv-fabricmanager$' || :)"
is "configure: nothing seen outside" '' "$(find "$R/usr" "$R/dev" "$R/proc" -type f -size +0)"

name="configure: nodes of graphics, and links to them"
exits 0 configure --graphics
is "$name" '../card0 ../renderD128' "$(readlink "$R/dev/dri/by-path/pci-0000:01:00.0-card" \
	"$R/dev/dri/by-path/pci-0000:01:00.0-render" | xargs)"
is "$name: of GPU 0 alone" 'dev/dri/by-path/pci-0000:01:00.0-card
dev/dri/by-path/pci-0000:01:00.0-render
dev/dri/card0
dev/dri/renderD128' "$(grep ^dev/dri/ "$T/found")"

name="configure: a channel of IMEX that has no node yet"
rm "$T/driver/dev/nvidia-caps-imex-channels/channel0"
exits 0 configure --imex-channel=0
is "$name" '242:0 666' "$(stat -c '%Hr:%Lr %a' "$T/driver/dev/nvidia-caps-imex-channels/channel0")"

# A file that somebody else could write is not mounted, and no name leads to it; whether the
# container starts depends on whether it can do without.
libraries=$T/driver/usr/lib/$triplet
name="configure: a library that others can write"
chmod g+w "$libraries/libnvidia-nscq.so.$version"
exits 0 configure --utility
says err "warning: $libraries/libnvidia-nscq.so.$version can be written by others than root"
is "$name: is left out" '' "$(grep nscq "$T/found" || :)"
grep -v -e nscq -e nv-fabricmanager "$T/wanted" >"$T/others"
is "$name: all else" '' "$(grep -vx -f "$T/found" "$T/others" || :)"
name="configure: libnvidia-ml that others can write, for utility"
chmod g+w "$libraries/libnvidia-ml.so.$version"
exits 1 configure --utility
says err "mount error: $libraries/libnvidia-ml.so.$version can be written by others"

done_testing
