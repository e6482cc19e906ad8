# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Paths and functions that tests/runner/fetch and tests/vm/{build,run,selftest} share.
# Sourced after setting "here" to this folder.
#
#	$vm_cache/qemu, busybox		of the machine that boots; where that is for arm64
#					and ours is not, qemu-arm64 and busybox-arm64
#	$vm_cache/libraries-ARCH.SUITE	what programs for it are linked with, of the suite
#					that their compiler is of: this machine's for
#					arm64, a kernel's where tests/vm/build makes them
#	$vm_cache/KERNEL/vmlinux	what is booted; of arm64 its Image
#	$vm_cache/KERNEL/root		a small Debian root of the kernel's suite with
#					its compiler and headers, to build modules in
#	$vm_cache/KERNEL/{release,config,version}
#
# A kernel of somebody's own is a folder, named with a slash:
#	DIR/vmlinuz and DIR/build	as a distribution has them: /boot/vmlinuz-RELEASE and
#					/lib/modules/RELEASE/build, or links to these
#	DIR				or what a kernel was built in, where its modules go, too
# This machine compiles modules for it.

vm_cache=${MPU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mpu}/vm
vm_table=${here:?}/kernels.tsv
vm_host=$(dpkg --print-architecture)	# of this machine

# vm_die SENTENCE...
vm_die()
{
	echo "${0##*/}: $*" >&2
	exit "${vm_status:-1}"
}

# vm_need PROGRAM...: of the machine itself.
vm_need()
{
	for program; do
		command -v "$program" >/dev/null ||
			vm_die "$program is missing: install the packages" \
				"listed in deploy/debian-packages"
	done
}

# vm_names: the kernels of the table that need not be named, one per line.
vm_names()
{
	awk -F '\t' '!/^#/ && $4 ~ /required|optional/ { print $1 }' "$vm_table"
}

# vm_suite: of Debian, that this machine is
vm_suite()
{
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# vm_programs NAME: sets vm_arch, the architecture of a kernel as Debian calls it, and
# vm_qemu, vm_busybox and vm_libraries, folders of the cache.
# shellcheck disable=SC2034 # for those who source this
vm_programs()
{
	vm_arch=$vm_host vm_libraries='' vm_foreign=''
	case $1 in */*) ;; *-arm64*) vm_arch=arm64 ;; esac
	test "$vm_arch" = "$vm_host" || vm_foreign=-$vm_arch
	vm_qemu=$vm_cache/qemu$vm_foreign vm_busybox=$vm_cache/busybox$vm_foreign
	test "$vm_arch" != arm64 || vm_libraries=$vm_cache/libraries-arm64.$(vm_suite)
}

# vm_row NAME: its suites, pattern and kind, separated by tabs.
vm_row()
{
	awk -F '\t' -v OFS='\t' -v name="$1" -v host="$vm_host" \
		'$1 == name { sub("ARCH", host, $3); print $2, $3, $4; found = 1 }
		END { exit !found }' "$vm_table" ||
		vm_die "no kernel $1 in tests/vm/kernels.tsv; there are:" \
			"$(vm_names | tr '\n' ' ')"
}

# vm_linked NAME: sets vm_from, the suite that a kernel's compiler is of, and vm_libraries,
# that programs which it makes are linked with
# shellcheck disable=SC2034 # for those who source this
vm_linked()
{
	vm_from=$(vm_row "$1" | sed 's/[ 	].*//')
	vm_libraries=$vm_cache/libraries-$vm_arch.$vm_from
}

# vm_open_own DIR: sets what vm_open sets, of a kernel of somebody's own
vm_open_own()
{
	vm_dir=$(cd "$1" && pwd) || vm_die "no folder $1"
	vm_build=$vm_dir/build
	test -e "$vm_build/Makefile" || vm_build=$vm_dir
	vm_config=$vm_build/.config
	vm_release=$(cat "$vm_build/include/config/kernel.release") ||
		vm_die "$1 has no headers: build/ must lead to a kernel's, or DIR be what one was built in"
	for vm_image in "$vm_dir/vmlinuz" "$vm_build/arch/x86/boot/bzImage" \
		"$vm_build/arch/arm64/boot/Image" ''; do
		test ! -e "$vm_image" || return 0
	done
	vm_die "$1 has no kernel: vmlinuz, arch/x86/boot/bzImage or arch/arm64/boot/Image"
}

# vm_open NAME: sets vm_dir, vm_image, vm_build (where a module's build looks for the
# kernel), vm_config and vm_release of a kernel that was fetched, or of somebody's own, and
# what vm_programs sets.
# shellcheck disable=SC2034 # for those who source this
vm_open()
{
	vm_programs "$1"
	case $1 in */*)
		vm_open_own "$1"
		return
		;;
	esac
	vm_row "$1" >/dev/null
	vm_dir=$vm_cache/$1
	test -s "$vm_dir/release" ||
		vm_die "kernel $1 is not there yet: tests/runner/fetch vm $1"
	vm_release=$(cat "$vm_dir/release")
	vm_image=$vm_dir/vmlinux vm_build=/lib/modules/$vm_release/build
	vm_config=$vm_dir/config
}

# vm_takes_bpf NAME: does engine bpf run there? Not where the kernel preempts itself
vm_takes_bpf()
(
	vm_open "$1"
	! grep -qE '^CONFIG_PREEMPT(_RT|_LAZY)?=y' "$vm_config"
)

# vm_compiler CONFIG: what a kernel's own make is told of its compiler, which that of
# its modules has to be, too. On arm64 Debian's own compiler has this name as well.
vm_compiler()
{
	test "$vm_arch" != amd64 || return 0
	echo ARCH=arm64
	if grep -q '^CONFIG_CC_IS_CLANG=y' "$1"; then
		echo LLVM=1
	else
		echo CROSS_COMPILE=aarch64-linux-gnu-
	fi
}

# vm_kernels [NAME...]: sets "kernels" to these, or to those that were fetched,
# oldest first, and "one" to the stable one of Debian, if it is among them.
# shellcheck disable=SC2034 # for those who source this
vm_kernels()
{
	kernels=$*
	test $# -gt 0 || kernels=$(for name in $(vm_names); do
		test ! -s "$vm_cache/$name/release" || printf '%s ' "$name"
	done)
	kernels=${kernels% }
	test -n "$kernels" || vm_die "no kernel is there: tests/runner/fetch vm"
	one=${kernels%% *}
	for name in $kernels; do
		case $name in 6.12 | 6.12-arm64) one=$name ;; esac
	done
}
