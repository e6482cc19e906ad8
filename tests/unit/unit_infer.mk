# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of calibration's inference (after unit.mk: this adds to its list).

INFER_TESTS := $(UNIT_CC:%=$(O)/tests/unit/infer_test.%)

$(INFER_TESTS): $(O)/tests/unit/infer_test.%: tests/unit/infer_test.c \
		nvidia/infer.c $(wildcard nvidia/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -Wall -Wextra -Werror -I. $(SANITIZE) -o $@ \
		$(filter %.c,$^) $$(pkg-config --cflags --libs cmocka)

UNIT_TESTS += $(INFER_TESTS)
check-unit: $(INFER_TESTS)
