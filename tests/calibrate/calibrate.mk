# SPDX-License-Identifier: GPL-2.0-only
# Calibration on the simulated drivers, in a machine of tests/vm.

CALIBRATE_TEST_SRC := tests/calibrate/calibrate_test.c \
	$(addprefix nvidia/,calibrate.c driver.c infer.c processes.c rm.c rm_process.c) \
	lib/fds.c lib/host.c

$(O)/tests/calibrate_test: $(CALIBRATE_TEST_SRC) $(wildcard nvidia/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ \
		$(CALIBRATE_TEST_SRC)

.PHONY: check-calibrate
check-calibrate: $(O)/mpu $(O)/sim/nvsim-load $(O)/tests/calibrate_test \
		$(O)/tests/cli/json vm-fetch
	$(Q)O=$(O) tests/calibrate/run
