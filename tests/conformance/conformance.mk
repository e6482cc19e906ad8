# SPDX-License-Identifier: GPL-2.0-only
# The conformance suite: a static program for the machines of tests/vm.

CONFORMANCE32_SRC = tests/conformance/conformance32.c
CONFORMANCE_EVASIONS = tests/conformance/evasion.c
CONFORMANCE_SRC = $(filter-out $(CONFORMANCE32_SRC) $(CONFORMANCE_EVASIONS), \
		$(wildcard tests/conformance/*.c)) \
	nvidia/rm.c nvidia/rm_process.c engines/notify/filter.c lib/fds.c lib/xalloc.c

$(O)/tests/conformance: $(CONFORMANCE_SRC) sim/interface.h $(wildcard \
		tests/conformance/*.h core/*.h lib/*.h nvidia/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -Wno-unused-parameter -D_GNU_SOURCE -static -pthread -o $@ \
		$(CONFORMANCE_SRC)

# Its 32-bit part, for machines of arm64 alone: tests/vm/programs has this compiler.
CC_ARM ?= arm-linux-gnueabihf-gcc
$(O)/tests/conformance32: $(CONFORMANCE32_SRC) tests/conformance/conformance32.h core/env.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC_ARM) -std=gnu17 -O2 -Wall -Wextra -Werror -I. -ffreestanding -nostdlib \
		-static -Wl,-z,max-page-size=65536 -o $@ $<

# A container's attempts to get past an engine, for check-systemd and check-gpu.
$(O)/tests/evasion/evasion: $(CONFORMANCE_EVASIONS) tests/conformance/storm.c nvidia/rm.c \
		nvidia/rm_process.c lib/xalloc.c $(wildcard tests/conformance/*.h core/*.h lib/*.h nvidia/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ $(filter %.c,$^)

# KERNELS: their cells alone. CELL: one of them, as tests/conformance/run takes it.
.PHONY: check-vm check-kasan
check-vm: $(O)/mpu $(O)/tests/conformance
ifdef CELL
	$(Q)tests/runner/fetch vm $(firstword $(CELL))
	$(Q)O=$(O) tests/vm/modules $(firstword $(CELL))
	$(Q)O=$(O) tests/conformance/run $(CELL)
else
	$(Q)tests/runner/fetch vm
	$(Q)O=$(O) tests/conformance/matrix $(KERNELS)
endif

check-kasan: $(O)/mpu $(O)/tests/conformance
	$(Q)tests/runner/fetch vm 6.1-kasan 6.12-kasan
	$(Q)O=$(O) tests/conformance/matrix --module 6.1-kasan 6.12-kasan
