# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of core/, under the address and undefined behaviour sanitizers,
# built by every compiler that is here.

UNIT_CC := $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))
UNIT_TESTS := $(UNIT_CC:%=$(O)/tests/unit/core_test.%)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

$(UNIT_TESTS): $(O)/tests/unit/core_test.%: tests/unit/core_test.c \
		$(wildcard core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -Wall -Wextra -Werror -I. $(SANITIZE) -o $@ $< \
		$$(pkg-config --cflags --libs cmocka)

.PHONY: check-unit check-mutants
check-unit: $(UNIT_TESTS)
	$(Q)tests/unit/run $(abspath $(UNIT_TESTS))

# That the unit tests can fail: each of these edits of the rule must break them.
check-mutants:
	$(Q)tests/unit/mutants $(O)
