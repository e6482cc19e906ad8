# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of fetch
#
# Kernels that Debian has no package of, compiled from its source package, with nothing
# in them but what tests/vm/config says. Part of tests/runner/fetch.

# Packages that compile a kernel, and modules for it, besides $build_tools.
compilers="bc bison clang flex gcc kmod libc6-dev libelf-dev lld llvm pahole perl
	python3-minimal zlib1g-dev"

# compile_make ARGUMENT...: calls make in the source below $new/root
compile_make()
{
	# shellcheck disable=SC2016,SC2046 # by the inner shell; arguments
	root=$new/root unshare --mount sh -euc '
		mount --rbind /dev "$root/dev"
		mount --rbind /proc "$root/proc"
		mount -t tmpfs tmpfs "$root/tmp"
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C \
			make -s -C /usr/src/linux "$@"
	' make -j"$(nproc)" $(vm_compiler "$new/config") "$@" >>"$work/log" 2>&1 && return
	tail -n 20 "$work/log" >&2
	apt_die "make $* fails: $work/log"
}

# compile_source PACKAGE: unpacks it into root/usr/src/linux
compile_source()
{
	mkdir -p "$new/root/usr/src/linux"
	apt_download "$1" "$version" "$work"
	dpkg-deb --fsys-tarfile "$work"/*.deb | tar -xO --wildcards "*/$1.tar.xz" |
		tar -xJ -C "$new/root/usr/src/linux" --strip-components 1
}

# compile_config NAME: configures; what is asked for must be there when dependencies are
# resolved, or the kernel would not be what its name says
compile_config()
{
	of_version=$here/config/${1%%-*}
	test -e "$of_version" || of_version=/dev/null
	cat "$here/config/all" "$here/config/$vm_arch" "$here/config/${1#*-}" "$of_version" |
		tee "$new/root/usr/src/linux/all.config" >"$new/config"	# vm_compiler reads it
	compile_make KCONFIG_ALLCONFIG=all.config allnoconfig
	cp "$new/root/usr/src/linux/.config" "$new/config"
	lacks=$(grep -v '^#' "$new/root/usr/src/linux/all.config" |
		grep -vxFf "$new/config") || return 0
	apt_die "$1 cannot be compiled: its configuration lacks $lacks"
}

# compile NAME PACKAGE: makes what is kept of a kernel; sets release
compile()
{
	# shellcheck disable=SC2086 # a list of suites
	APT_ARCH='' apt_open main $suites
	version=$(apt_version "$2" '.*') || apt_die "no $2 in $suites"
	# shellcheck disable=SC2086 # a list of packages
	make_root "$new/root" $compilers $build_tools
	populate
	compile_source "$2"
	compile_config "$1"
	echo "$1: is compiled, which takes ten minutes on two cores"
	case $vm_arch in
	amd64) booted=x86/boot/bzImage ;;
	*) booted=$vm_arch/boot/Image ;;
	esac
	compile_make "${booted##*/}" modules_prepare
	tree=$new/root/usr/src/linux
	release=$(cat "$tree/include/config/kernel.release")
	mv "$tree/arch/$booted" "$new/vmlinux"
	# Modules are told which symbols the kernel has, and of vmlinux its types.
	mv "$tree/vmlinux.symvers" "$tree/Module.symvers"
	chroot "$new/root" llvm-objcopy --only-section=.BTF /usr/src/linux/vmlinux \
		/usr/src/linux/.vmlinux
	mv "$tree/.vmlinux" "$tree/vmlinux"
	find "$tree" -type d \( -name scripts -o -name tools \) -prune -o \
		-type f -name '*.[coSa]' -exec rm {} +
	mkdir -p "$new/root/lib/modules/$release"
	ln -s /usr/src/linux "$new/root/lib/modules/$release/build"
}
