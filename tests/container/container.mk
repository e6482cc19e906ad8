# SPDX-License-Identifier: GPL-2.0-only
# The GPU-container chain: vectors, unit tests, fuzzers, and what tests of it run.

CONTAINER_TEST := $(O)/tests/container
CONTAINER_TEST_CFLAGS := $(CLI_CFLAGS) $(CLI_SANITIZE)
CONTAINER_TEST_LIBS = $(CLI_LIBS) $(shell pkg-config --libs cmocka)

# All of the chain's rooms under sanitizers, once for each compiler: what a test
# calls is linked from there. Of the engines, the filter that the wrapper adds.
CONTAINER_ROOMS_SRC := $(wildcard lib/*.c nvidia/*.c) $(CONTAINER_SRC) engines/notify/filter.c

define container_rooms
$(CONTAINER_TEST)/$(1)/%.o: %.c VERSION
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(1) $$(CONTAINER_TEST_CFLAGS) -MMD -MP -c -o $$@ $$<

$(CONTAINER_TEST)/$(1)/rooms.a: $(CONTAINER_ROOMS_SRC:%.c=$(CONTAINER_TEST)/$(1)/%.o)
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^

-include $(CONTAINER_ROOMS_SRC:%.c=$(CONTAINER_TEST)/$(1)/%.d)
endef

$(foreach cc,$(CLI_TEST_CC),$(eval $(call container_rooms,$(cc))))

# Unit tests: tests/container/NAME_test.c, by each compiler.
CONTAINER_UNIT := $(patsubst tests/container/%.c,%,$(wildcard tests/container/*_test.c))
CONTAINER_UNIT_TESTS := $(foreach cc,$(CLI_TEST_CC),$(CONTAINER_UNIT:%=$(CONTAINER_TEST)/%.$(cc)))

define container_unit
$(CONTAINER_UNIT:%=$(CONTAINER_TEST)/%.$(1)): $(CONTAINER_TEST)/%.$(1): \
		tests/container/%.c $(CONTAINER_TEST)/$(1)/rooms.a
	$$(call say,CC,$$@)
	$$(Q)$(1) $$(CONTAINER_TEST_CFLAGS) -o $$@ $$^ $$(CONTAINER_TEST_LIBS)
endef

$(foreach cc,$(CLI_TEST_CC),$(eval $(call container_unit,$(cc))))

CONTAINER_VECTORS_SRC := tests/container/vectors.c $(wildcard tests/container/suites_*.c)
$(abspath $(CONTAINER_TEST)/vectors): $(CONTAINER_TEST)/vectors
$(CONTAINER_TEST)/vectors: $(CONTAINER_VECTORS_SRC) tests/container/vectors.h \
		$(CONTAINER_TEST)/$(firstword $(CLI_TEST_CC))/rooms.a
	$(call say,CC,$@)
	$(Q)$(firstword $(CLI_TEST_CC)) $(CONTAINER_TEST_CFLAGS) -o $@ $(filter %.c %.a,$^) $(CLI_LIBS)

.PHONY: check-container
check-container: $(CONTAINER_UNIT_TESTS) $(CONTAINER_TEST)/vectors
	$(Q)tests/container/run $(CONTAINER_TEST) $(CONTAINER_UNIT_TESTS)
