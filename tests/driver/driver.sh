# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Gives tests/runner/fetch and tests/driver/{build,run} what they share: the rows of
# drivers.tsv, and where things are kept. Sourced after setting "suite" to this folder.
#
#	$driver_cache/DRIVER/package.deb, version	of Debian's; for arm64 in
#							DRIVER-arm64
#	$driver_cache/DRIVER/RELEASE/nvidia.ko		built for that kernel
#	$driver_cache/kernels/RELEASE/*.ko		of the kernel, that it needs
#
# shellcheck disable=SC2034 # variables are for those who source this

driver_cache=${MPU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mpu}/driver
driver_table=${suite:?}/drivers.tsv

# driver_names: the drivers of the table, one per line.
driver_names()
{
	sed -n 's/^\([^#	]*\)	.*/\1/p' "$driver_table"
}

# driver_row NAME: sets a variable for each column.
driver_row()
{
	row=$(grep "^$1	" "$driver_table") || {
		echo "${0##*/}: no driver $1 in tests/driver/drivers.tsv;" \
			"there are: $(driver_names | tr '\n' ' ')" >&2
		exit 1
	}
	IFS='	' read -r driver_name driver_package driver_suites \
		driver_version driver_kernels driver_regime driver_warns \
		driver_board <<-END
	$row
	END
}

# driver_open DRIVER KERNEL: sets these, and driver_dir, where that driver is kept for
# the kernel's architecture
driver_open()
{
	driver_row "$1"
	vm_programs "$2"
	driver_dir=$driver_cache/$1
	test "$vm_arch" = amd64 || driver_dir=$driver_dir-$vm_arch
}
