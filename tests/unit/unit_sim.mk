# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of the simulated RM, in a world of tables (after unit.mk: this
# adds to its list).

SIM_TESTS := $(foreach cc,$(UNIT_CC),$(O)/tests/unit/sim_test.$(cc) \
	$(O)/tests/unit/sim_calls_test.$(cc))
SIM_TEST_DEPS := $(wildcard sim/*.c) tests/unit/sim_world.c

define sim_test_rule
$(O)/tests/unit/%.$(1): tests/unit/%.c $(SIM_TEST_DEPS) \
		$(wildcard sim/*.h core/*.h tests/unit/sim_world.h)
	$$(Q)mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(1) -std=c17 -g -O1 -Wall -Wextra -Wno-unused-parameter \
		-Werror -I. $(SANITIZE) -o $$@ \
		$$< $(SIM_TEST_DEPS) $$$$(pkg-config --cflags --libs cmocka)
endef
$(foreach cc,$(UNIT_CC),$(eval $(call sim_test_rule,$(cc))))

UNIT_TESTS += $(SIM_TESTS)
check-unit: $(SIM_TESTS)

.PHONY: check-sim
check-sim: $(SIM_TESTS)
	$(Q)tests/unit/run $(abspath $(SIM_TESTS))
