# SPDX-License-Identifier: GPL-2.0-only
# Engine notify under systemd, in a machine with Debian 12 and its kernel.

$(O)/tests/systemd/tricks: tests/systemd/tricks.c nvidia/rm.c nvidia/rm_process.c \
		$(wildcard core/*.h lib/*.h nvidia/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ \
		$(filter %.c,$^)

.PHONY: check-systemd
check-systemd: $(CONFORMANCE_MPU) $(O)/sim/nvsim-load \
		$(O)/tests/systemd/tricks vm-fetch
	$(Q)O=$(O) tests/systemd/run
