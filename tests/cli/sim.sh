#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu ps --raw and the probe of mpu doctor against the simulated RM of each driver
# generation.
set -eu
. tests/cli/lib.sh

# shellcheck source=tests/cli/simulated.sh
. tests/cli/simulated.sh

unset MPU_ROOT

for NVSIM_VERSION in 390.157 450.248.02 460.106.00 470.256.02 525.147.05 \
	535.274.02 550.163.01 565.57.01 580.65.06 595.45.04; do
	export NVSIM_VERSION
	echo "# $NVSIM_VERSION"
	rm -f "$T/rm" "$T/hold"
	mkfifo "$T/hold"
	start "$T/one" --mem 300
	start "$T/two" --gpu 1 --graphics --mem 64
	exec 3>"$T/hold"
	one=$(ready "$T/one") two=$(ready "$T/two")

	simulates 0 ps --raw -j
	values driver -- "$NVSIM_VERSION"
	values gpus processes pid -- "$one" "$two"
	values gpus processes type -- C G
	values gpus processes memory -- $((300 << 20)) $((64 << 20))
	simulates 0 ps --raw
	says out "^ +$one +C +300 MiB +nvsim-load"

	# How the GPUs are: what each generation says of it.
	simulates 0 ps --gpus -j
	case $NVSIM_VERSION in
	3* | 4*) set -- null null null null null null ;;
	5[0-3]*) set -- 0 30 null null null 1 ;;
	*) set -- 0 30 70.250 700.000 1980000000 1 ;;
	esac
	for member in performance_state temperature_celsius power_watts power_limit_watts sm_clock_hertz \
		ecc_enabled; do
		values gpus state $member -- "$1" "$1"
		shift
	done
	json gpus state pcie_generation
	says values '^4$'

	exec 3>&-
	wait
	simulates 0 ps --raw
	test "$(grep -c 'no GPU processes' "$T/out")" -eq 2 || fail "not idle"

	# The preloaded model knows one number a process: it is local.
	name="mpu doctor on $NVSIM_VERSION"
	simulated "$MPU" doctor -j >"$T/out" 2>"$T/err" || :
	values measured input -- local
	json controls control
	cp "$T/values" "$T/doctor"
	simulates 0 controls -j
	json name
	sort -u "$T/values" >"$T/want"
	same "$T/doctor" "$T/want" "controls of doctor on $NVSIM_VERSION"

	simulates 3 node test	# no engine hides the processes of others
	says err 'does not tell this container its own processes'
done

done_testing
