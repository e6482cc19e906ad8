# SPDX-License-Identifier: GPL-2.0-only
# The conformance suite: a static program for the machines of tests/vm.

CONFORMANCE_SRC = $(wildcard tests/conformance/*.c) lib/rm.c lib/rm_process.c \
	engines/notify/filter.c lib/fds.c

$(O)/tests/conformance: $(CONFORMANCE_SRC) sim/model.h $(wildcard \
		tests/conformance/*.h core/*.h lib/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ \
		$(CONFORMANCE_SRC)

.PHONY: check-vm
check-vm: $(O)/mpu $(O)/tests/conformance vm-fetch
	$(Q)O=$(O) tests/conformance/matrix $(KERNELS)
