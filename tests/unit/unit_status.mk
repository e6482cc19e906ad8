# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of an engine's status (after unit.mk: this adds to its list).

STATUS_TESTS := $(UNIT_CC:%=$(O)/tests/unit/status_test.%)

$(STATUS_TESTS): $(O)/tests/unit/status_test.%: tests/unit/status_test.c \
		engines/status.c lib/json.c $(wildcard engines/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I. $(SANITIZE) \
		-o $@ $(filter %.c,$^) $$(pkg-config --cflags --libs cmocka json-c)

UNIT_TESTS += $(STATUS_TESTS)
check-unit: $(STATUS_TESTS)
