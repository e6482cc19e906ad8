# SPDX-License-Identifier: GPL-2.0-only
# A container's attempts to get past an engine: for check-systemd and check-gpu.

$(O)/tests/tricks/tricks: tests/tricks/tricks.c tests/tricks/storm.c \
		nvidia/rm.c nvidia/rm_process.c $(wildcard tests/tricks/*.h core/*.h lib/*.h nvidia/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ \
		$(filter %.c,$^)
