# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of lib/: LIB_test.c is about lib/LIB.c (after unit.mk: this adds to its
# list).

# proc_test is host/proc.c's.
LIB_NAMES := $(patsubst tests/unit/%_test.c,%,$(filter-out %/proc_test.c,$(wildcard tests/unit/*_test.c)))
LIB_NAMES := $(patsubst lib/%.c,%,$(wildcard $(LIB_NAMES:%=lib/%.c)))
LIB_TESTS := $(foreach lib,$(LIB_NAMES),\
	$(UNIT_CC:%=$(O)/tests/unit/$(lib)_test.%))

define lib_test_rule
$(filter %.$(1),$(LIB_TESTS)): $(O)/tests/unit/%_test.$(1): tests/unit/%_test.c \
		lib/%.c lib/clock.c lib/fds.c lib/regular.c lib/text_file.c lib/why.c $(wildcard lib/*.h)
	$$(Q)mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(1) -std=c17 -g -O1 -D_GNU_SOURCE -Wall -Wextra -Werror -I. \
		$(SANITIZE) -o $$@ $$(filter %.c,$$^) \
		$$$$(pkg-config --cflags --libs cmocka)
endef
$(foreach cc,$(UNIT_CC),$(eval $(call lib_test_rule,$(cc))))

# What a test takes beside its own source.
$(UNIT_CC:%=$(O)/tests/unit/http_test.%): $(patsubst %,lib/%.c,background listen signals)

UNIT_TESTS += $(LIB_TESTS)
check-unit: $(LIB_TESTS)
