# SPDX-License-Identifier: GPL-2.0-only
# Tests of engine notify that need no GPU: what may happen to monitor and worker. The
# conformance suite has ENGINE=notify.

NOTIFY_TEST := $(O)/tests/notify

# Static: they run in machines, too.
$(addprefix $(NOTIFY_TEST)/,faults clients starts): tests/notify/harness.c tests/notify/harness.h
$(addprefix $(NOTIFY_TEST)/,faults clients starts caller forbid): \
$(NOTIFY_TEST)/%: tests/notify/%.c $(O)/product.a
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ $(filter %.c,$^) $(filter %.a,$^)

# MPU: instead, one that is installed.
MPU ?= $(O)/mpu
.PHONY: check-notify
check-notify: $(MPU) $(addprefix $(NOTIFY_TEST)/,faults clients caller forbid)
	$(Q)tests/notify/run $(MPU) $(NOTIFY_TEST)
