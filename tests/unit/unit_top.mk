# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of mpu top: all of it but the terminal (after unit.mk and
# unit_host.mk: this adds to their lists).

TOP_SRC := tests/unit/top_world.c $(filter-out cli/view/top/terminal.c,$(wildcard cli/view/top/*.c)) \
	cli/view/gpu_usage_text.c cli/view/table.c $(HOST_TEST_DEPS)
TOP_TESTS := $(foreach test,top_test top_frame_test,$(UNIT_CC:%=$(O)/tests/unit/$(test).%))

$(TOP_TESTS): $(O)/tests/unit/%: $(TOP_SRC) $(wildcard tests/unit/top_*.[ch] cli/view/top/*.h \
		host/*.h nvidia/*.h lib/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(patsubst .%,%,$(suffix $@)) -std=c17 -g -O1 -Wall -Wextra -Werror \
		-D_GNU_SOURCE -I. $(SANITIZE) -o $@ tests/unit/$(basename $(@F)).c \
		$(TOP_SRC) $$(pkg-config --cflags --libs cmocka json-c)

UNIT_TESTS += $(TOP_TESTS)
check-unit: $(TOP_TESTS)

# What it costs: processor time, never part of the tests.
$(O)/bench/top: tests/bench/top.c lib/clock.c $(TOP_SRC)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -o $@ $^ $$(pkg-config --cflags --libs json-c)

.PHONY: bench-top
bench-top: $(O)/bench/top
	$(Q)$<
