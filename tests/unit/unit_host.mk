# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of lib/host.c (after unit.mk: this adds to its list).

HOST_TESTS := $(UNIT_CC:%=$(O)/tests/unit/host_test.%)

$(HOST_TESTS): $(O)/tests/unit/host_test.%: tests/unit/host_test.c lib/host.c \
		lib/host.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -D_GNU_SOURCE -Wall -Wextra -Werror -I. \
		$(SANITIZE) -o $@ $(filter %.c,$^) \
		$$(pkg-config --cflags --libs cmocka)

UNIT_TESTS += $(HOST_TESTS)
check-unit: $(HOST_TESTS)
