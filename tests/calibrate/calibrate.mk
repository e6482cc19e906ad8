# SPDX-License-Identifier: GPL-2.0-only
# Calibration on the simulated drivers, in a machine of tests/vm.

$(O)/tests/calibrate/measure: tests/calibrate/measure.c $(O)/product.a
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ $^

.PHONY: check-calibrate
check-calibrate: $(O)/mpu $(O)/sim/nvsim-load $(O)/tests/calibrate/measure \
		$(O)/tests/cli/json vm-fetch
	$(Q)O=$(O) tests/calibrate/run
