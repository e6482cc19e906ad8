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
	rm -f "$T/rm" "$T/hold"
	mkfifo "$T/hold"
	start "$T/one" --mem 300
	start "$T/two" --gpu 1 --graphics --mem 64
	exec 3>"$T/hold"
	one=$(ready "$T/one") two=$(ready "$T/two")

	name="mpu ps --raw -j on $NVSIM_VERSION"
	simulated "$MPU" ps --raw -j >"$T/out" 2>"$T/err" || fail "exit $?"
	json driver
	says values "^$NVSIM_VERSION\$"
	json gpus processes pid
	printf '%s\n' "$one" "$two" >"$T/want"
	same "$T/values" "$T/want" "PIDs on $NVSIM_VERSION"
	json gpus processes type
	printf '%s\n' C G >"$T/want"
	same "$T/values" "$T/want" "types on $NVSIM_VERSION"
	json gpus processes memory
	printf '%s\n' $((300 << 20)) $((64 << 20)) >"$T/want"
	same "$T/values" "$T/want" "memory on $NVSIM_VERSION"
	simulated "$MPU" ps --raw >"$T/out" 2>"$T/err" || fail "exit $?"
	says out "^ +$one +C +300 MiB +nvsim-load"

	# How the GPUs are: what each generation says of it.
	simulated "$MPU" ps --gpus -j >"$T/out" 2>"$T/err" || fail "exit $?"
	case $NVSIM_VERSION in
	3* | 4*) set -- null null null null null null ;;
	5[0-3]*) set -- 0 30 null null null 1 ;;
	*) set -- 0 30 70.250 700.000 1980000000 1 ;;
	esac
	for member in performance_state temperature_celsius power_watts power_limit_watts sm_clock_hertz \
		ecc_enabled; do
		json gpus state $member
		printf '%s\n' "$1" "$1" >"$T/want"
		same "$T/values" "$T/want" "$member on $NVSIM_VERSION"
		shift
	done
	json gpus state pcie_generation
	says values '^4$'

	exec 3>&-
	wait
	name="mpu ps --raw, nothing runs, on $NVSIM_VERSION"
	simulated "$MPU" ps --raw >"$T/out" 2>"$T/err" || fail "exit $?"
	test "$(grep -c 'no GPU processes' "$T/out")" -eq 2 || fail "not idle"

	# The preloaded model knows one number a process: it is local.
	name="mpu doctor on $NVSIM_VERSION"
	simulated "$MPU" doctor -j >"$T/out" 2>"$T/err" || :
	json measured input
	says values '^local$'
	json controls control
	cp "$T/values" "$T/doctor"
	simulated "$MPU" controls -j >"$T/out" 2>"$T/err" || fail "exit $?"
	json name
	sort -u "$T/values" >"$T/want"
	same "$T/doctor" "$T/want" "controls of doctor on $NVSIM_VERSION"

	name="mpu node test on $NVSIM_VERSION"
	exits 3 simulated "$MPU" node test	# no engine hides the processes of others
	says err 'does not tell this container its own processes'
done

done_testing
