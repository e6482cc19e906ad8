#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# More threads inside the driver at once than there are CPUs: no call may be missed, no
# answer untranslated.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

threads=${1:-300}
insmod /nvsim.ko flavour=proprietary version=550.163.01
open_container
load_all
# wrong ANSWERS: the second number that crowd prints
wrong()
{
	echo "$1" | cut -d ' ' -f 2
}

name="no engine"
got=$(inside crowd 20)
pass_or "hardly anything is wrong without MPU: $got" test "$(wrong "$got")" -gt 20
name="$threads threads"
do_mpu 0 up --engine bpf
got=$(inside crowd "$threads")
echo "crowd.sh: $name: answers, wrong ones, refused: $got"
if test "$(wrong "$got")" = 0; then pass; else fail "$got"; fi
check_status missed 0
check_status calls 0
check_down
done_testing
