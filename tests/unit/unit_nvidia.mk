# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of what is found out about the driver: nvidia/driver.c, and calibration's
# inference (after unit.mk: this adds to its list).

NVIDIA_TESTS := $(foreach test,driver infer,$(UNIT_CC:%=$(O)/tests/unit/$(test)_test.%))

define nvidia_test_rule
$(filter %.$(1),$(NVIDIA_TESTS)): $(O)/tests/unit/%_test.$(1): tests/unit/%_test.c \
		nvidia/%.c $(wildcard nvidia/*.h lib/*.h core/*.h)
	$$(Q)mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(1) -std=c17 -g -O1 -Wall -Wextra -Werror -I. $(SANITIZE) -o $$@ \
		$$(filter %.c,$$^) $$$$(pkg-config --cflags --libs cmocka)
endef
$(foreach cc,$(UNIT_CC),$(eval $(call nvidia_test_rule,$(cc))))

UNIT_TESTS += $(NVIDIA_TESTS)
check-unit: $(NVIDIA_TESTS)
