# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of lib/: LIB_test.c is about lib/LIB.c (after unit.mk: this adds to its
# list).

LIB_TESTS := $(foreach lib,beneath caps host process wait,\
	$(UNIT_CC:%=$(O)/tests/unit/$(lib)_test.%))

define lib_test_rule
$(filter %.$(1),$(LIB_TESTS)): $(O)/tests/unit/%_test.$(1): tests/unit/%_test.c \
		lib/%.c lib/clock.c lib/why.c $(wildcard lib/*.h)
	$$(Q)mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(1) -std=c17 -g -O1 -D_GNU_SOURCE -Wall -Wextra -Werror -I. \
		$(SANITIZE) -o $$@ $$(filter %.c,$$^) \
		$$$$(pkg-config --cflags --libs cmocka)
endef
$(foreach cc,$(UNIT_CC),$(eval $(call lib_test_rule,$(cc))))

UNIT_TESTS += $(LIB_TESTS)
check-unit: $(LIB_TESTS)
