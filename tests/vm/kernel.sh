# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of fetch
#
# Makes of Debian's packages what it takes to boot machines: kernels with headers and
# compilers, QEMU, busybox, libraries. Part of tests/runner/fetch.

# shellcheck source=tests/vm/compile.sh
. tests/vm/compile.sh

# The suite whose QEMU is used: bookworm's 7.2 crashes on kernel text patching
# under multi-threaded TCG (an empty kprobe on a busy function gives RIP 0).
qemu_suite=trixie

# Programs that a kernel build calls besides what the headers depend on.
build_tools="binutils coreutils dash diffutils findutils grep gzip make mawk
	sed xz-utils zstd"

# extract FOLDER: unpacks all packages in $work, without documentation and the kernel's
# modules. Not "dpkg-deb -x": that replaces a merged /bin by the package's own.
extract()
{
	for deb in "$work"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$1" \
			--keep-directory-symlink --no-same-owner \
			--exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
			--exclude='./usr/share/locale/*' --exclude='./dev/*' \
			--exclude='*.ko' --exclude='*.ko.xz'
		rm "$deb"
	done
}

# make_root FOLDER PACKAGE...: unpacks these, all they depend on, and what is in $work
# already, as a root
make_root()
{
	root=$1
	shift
	download "$@"
	for dir in bin sbin lib lib64; do
		mkdir -p "$root/usr/$dir"
		test -e "$root/$dir" || ln -s "usr/$dir" "$root/$dir"
	done
	extract "$root"
}

# download_alone PACKAGE...: downloads these, without what they depend on, into $work
download_alone()
{
	(cd "$work" && apt_do apt-get -qq download "$@") ||
		apt_die "cannot download $*: see above"
}

# image: takes the kernel and its configuration, which from 7.x on are in packages of
# their own
image()
{
	packages=
	for part in image binary base; do
		apt_do apt-cache show "linux-$part-$release" >/dev/null 2>&1 &&
			packages="$packages linux-$part-$release"
	done
	# shellcheck disable=SC2086 # a list of packages
	download_alone $packages
	mkdir "$work/image"
	extract "$work/image"
	find "$work/image" -name 'vmlinuz*' -type f -exec mv {} "$work/vmlinuz" \;
	find "$work/image" -name 'config*' -type f -exec mv {} "$new/config" \;
	holds "$work/vmlinuz" "$new/config"
	bootable "$work/vmlinuz" "$new/vmlinux"
}

# word FILE OFFSET SIZE: prints an unsigned little-endian number
word()
{
	od -A n -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

# bootable IMAGE OUT: makes what QEMU starts, without the kernel's own decompressor
bootable()
{
	case $vm_arch in
	amd64) vmlinux "$1" "$2" ;;
	*) gzip -dc "$1" >"$2" 2>/dev/null || cp "$1" "$2" ;;
	esac
}

# vmlinux BZIMAGE OUT: unpacks the kernel: QEMU starts it with a PVH note at its entry, no
# firmware, no decompressor. Offsets: Documentation/arch/x86/boot.rst.
vmlinux()
{
	start=$(((1 + $(word "$1" 497 1)) * 512 + $(word "$1" 584 4)))
	size=$(word "$1" 588 4)
	case $(od -A n -t x1 -j "$start" -N 4 "$1" | tr -d ' ') in
	fd377a58) unpacker="xz -dc" ;;
	28b52ffd) unpacker="zstd -dcq" ;;
	1f8b*) unpacker="gzip -dc" ;;
	*) apt_die "$1: payload is neither xz, zstd nor gzip" ;;
	esac
	# Kbuild appends the unpacked size: four bytes that are no payload.
	tail -c "+$((start + 1))" "$1" | head -c "$((size - 4))" |
		$unpacker >"$2" ||
		apt_die "cannot unpack the payload of $1"
}

# releases PATTERN: prints the kernel releases of the opened suites with image and headers
releases()
{
	apt_do apt-cache pkgnames linux-image- | sed 's/^linux-image-//' |
		grep -E "^($1)\$" | sort -V -r |
		while read -r release; do
			apt_do apt-cache show "linux-headers-$release" \
				"linux-image-$release" >/dev/null 2>&1 &&
				echo "$release"
		done
}

# needed ERE: prints which packages the headers need, of those names
needed()
{
	apt_do apt-cache depends -i "linux-headers-$release" |
		sed -nE "s/^ *Depends: ($1)\$/\1/p"
}

# headers: takes them, and what modules are compiled by: this machine's programs, which
# write for another architecture by cross compilers
headers()
{
	if test "$vm_arch" = "$vm_host"; then
		# shellcheck disable=SC2086 # a list of packages
		make_root "$new/root" "linux-headers-$release" $build_tools
		return
	fi
	# shellcheck disable=SC2046 # a list of packages
	download_alone "linux-headers-$release" $(needed 'linux-headers-.*')
	kbuild=$(needed 'linux-kbuild-.*')
	# shellcheck disable=SC2086 # a list of suites
	APT_ARCH='' apt_open main $suites
	# shellcheck disable=SC2086 # a list of packages
	make_root "$new/root" "$kbuild" gcc-aarch64-linux-gnu $build_tools
}

# populate: sets up what the packages' scripts would
populate()
{
	for dir in proc dev tmp src out; do
		mkdir -p "$new/root/$dir"
	done
	test -e "$new/root/bin/sh" || ln -s dash "$new/root/bin/sh"
	test -e "$new/root/bin/awk" || ln -s mawk "$new/root/bin/awk"
}

# packaged NAME: takes Debian's image and headers; sets release, unless an optional kernel
# is not to be had
packaged()
{
	# shellcheck disable=SC2086 # a list of suites
	APT_ARCH=$vm_arch apt_open main $suites
	release=$(releases "$pattern" | head -n 1)
	if test -z "$release"; then
		sentence="$1: no kernel $pattern with headers in $suites"
		test "$kind" = optional || apt_die "$sentence"
		echo "$sentence: skipped"
		return
	fi
	version=$(apt_version "linux-image-$release" '.*')
	image
	headers
	populate
}

# kernel NAME: makes what vm.sh says of a kernel that vm_programs was told of
kernel()
{
	IFS='	' read -r suites pattern kind <<-END
	$(vm_row "$1")
	END
	mkdir "$new/root"
	case $kind in
	compiled) compile "$1" "$pattern" ;;
	*) packaged "$1" ;;
	esac
	echo "$release" >"$new/release"
}

# programs SUITE ARCH PACKAGE...: makes a root of these and all they depend on; the version
# is the first one's
programs()
{
	APT_ARCH=$2 apt_open main "$1"
	shift 2
	version=$(apt_version "$1" '.*')
	make_root "$new" "$@"
}

# busybox: takes it, and makes what every initramfs begins with: busybox under all its
# names, which this machine's own tells
busybox()
{
	programs "$qemu_suite" "$vm_arch" busybox-static
	native=$new
	test "$vm_arch" = "$vm_host" || native=$vm_cache/busybox
	mkdir "$work/base"
	(
		cd "$work/base"
		mkdir -p bin dev etc proc root run sbin sys tmp usr/bin usr/sbin
		cp "$new/usr/bin/busybox" bin
		for applet in $("$native/usr/bin/busybox" --list); do
			test "$applet" = busybox || ln -s busybox "bin/$applet"
		done
		ln -s ../../bin/env usr/bin/env
		echo root:x:0:0:root:/root:/bin/sh >etc/passwd
		echo root:x:0: >etc/group
		find . | cpio --quiet -o -H newc -R 0:0 >"$new/base.cpio"
	)
}

# libraries SUITE [PACKAGE]: keeps what mpu and its tests are linked with
libraries()
{
	suite_of_libraries=$1
	# shellcheck disable=SC2046 # a list of packages
	set -- $(grep -e '^lib.*-dev$' deploy/debian-packages | grep -v '^libclang-') ${2:-}
	for package; do	# those of an older tree may lack some
		grep -qsxF -e "$package" "$vm_libraries/packages" || rm -f "$vm_libraries/version"
	done
	keep "$vm_libraries" programs "$suite_of_libraries" "$vm_arch" "$@"
	test -e "$vm_libraries/packages" || printf '%s\n' "$@" >"$vm_libraries/packages"
}

# machine: keeps QEMU and busybox, for the kernel that vm_programs was told of, and libraries,
# which are of this machine's suite, as its compiler
machine()
{
	qemu=qemu-system-x86
	test "$vm_arch" = amd64 || qemu=qemu-system-arm
	keep "$vm_qemu" programs "$qemu_suite" '' "$qemu"
	keep "$vm_busybox" busybox
	test -z "$vm_libraries" || libraries "$(vm_suite)"
}

fetch_vm()
{
	vm_need cpio dpkg-deb flock tar xz zstd
	# shellcheck disable=SC2046 # lists
	case $* in
	'') set -- $(vm_names) ;;
	all) set -- $(awk '!/^#/ { print $1 }' "$vm_table") ;;
	esac
	for name; do
		case $name in */*) ;; *) vm_row "$name" >/dev/null ;; esac
	done
	open_cache "$vm_cache"
	vm_programs this
	machine
	for name; do
		case $name in */*) continue ;; esac	# somebody's own
		vm_programs "$name"
		test "$vm_arch" = "$vm_host" || machine
		keep "$vm_cache/$name" kernel "$name"
	done
}
