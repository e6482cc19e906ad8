# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of fetch
#
# Kernels that Debian has no package of, compiled from its source package, with nothing
# in them but what NAME.config says. Part of tests/vm/fetch.

# What a kernel is compiled by, and modules for it, besides $build_tools.
compilers="bc bison clang flex gcc kmod libc6-dev libelf-dev lld llvm pahole perl
	python3-minimal zlib1g-dev"

# compile_make DIR ARGUMENT...: make, in the source below DIR/root
compile_make()
{
	dir=$1
	shift
	# shellcheck disable=SC2016,SC2046 # by the inner shell; arguments
	root=$dir/root unshare --mount sh -euc '
		mount --rbind /dev "$root/dev"
		mount --rbind /proc "$root/proc"
		mount -t tmpfs tmpfs "$root/tmp"
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C \
			make -s -C /usr/src/linux "$@"
	' make -j"$(nproc)" $(vm_compiler "$dir/config") "$@" >>"$dir/log" 2>&1 && return
	tail -n 20 "$dir/log" >&2
	apt_die "make $* fails: $dir/log"
}

# compile_source PACKAGE DIR: into DIR/root/usr/src/linux
compile_source()
{
	mkdir -p "$2/debs" "$2/root/usr/src/linux"
	apt_download "$1" "$(cat "$2/version")" "$2/debs"
	dpkg-deb --fsys-tarfile "$2"/debs/*.deb | tar -xO --wildcards "*/$1.tar.xz" |
		tar -xJ -C "$2/root/usr/src/linux" --strip-components 1
	rm -r "$2/debs"
}

# compile_config NAME DIR: what is asked for must be there when dependencies are
# resolved, or the kernel would not be what its name says.
compile_config()
{
	cp "$here/$1.config" "$2/config"
	cp "$here/$1.config" "$2/root/usr/src/linux/all.config"
	compile_make "$2" KCONFIG_ALLCONFIG=all.config allnoconfig
	cp "$2/root/usr/src/linux/.config" "$2/config"
	lacks=$(grep -v '^#' "$here/$1.config" | grep -vxFf "$2/config") || return 0
	apt_die "$1 cannot be compiled: its configuration lacks $lacks"
}

# compile NAME PACKAGE DIR: what is kept of a kernel, into that folder; sets release
compile()
{
	# shellcheck disable=SC2086 # a list of suites
	APT_ARCH='' apt_open main $suites
	apt_version "$2" '.*' >"$3/version" || apt_die "no $2 in $suites"
	echo "$1: $2 and its compilers"
	# shellcheck disable=SC2086 # a list of packages
	unpack "$3/root" $compilers $build_tools
	populate "$3/root"
	compile_source "$2" "$3"
	compile_config "$1" "$3"
	echo "$1: is compiled, which takes ten minutes on two cores"
	compile_make "$3" Image modules_prepare
	tree=$3/root/usr/src/linux
	release=$(cat "$tree/include/config/kernel.release")
	mv "$tree/arch/arm64/boot/Image" "$3/vmlinux"
	# Modules are told which symbols the kernel has, and of vmlinux its types.
	mv "$tree/vmlinux.symvers" "$tree/Module.symvers"
	chroot "$3/root" llvm-objcopy --only-section=.BTF /usr/src/linux/vmlinux \
		/usr/src/linux/.vmlinux
	mv "$tree/.vmlinux" "$tree/vmlinux"
	find "$tree" -type d \( -name scripts -o -name tools \) -prune -o \
		-type f -name '*.[coSa]' -exec rm {} +
	mkdir -p "$3/root/lib/modules/$release"
	ln -s /usr/src/linux "$3/root/lib/modules/$release/build"
}
