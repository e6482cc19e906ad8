# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of what becomes metrics (after unit.mk: this adds to its list).

METRICS_TESTS := $(UNIT_CC:%=$(O)/tests/unit/engine_metrics_test.%)
HOST_METRICS_TESTS := $(UNIT_CC:%=$(O)/tests/unit/host_metrics_test.%)

$(METRICS_TESTS): $(O)/tests/unit/engine_metrics_test.%: tests/unit/engine_metrics_test.c \
		engines/metrics.c engines/status.c lib/exposition.c lib/json.c \
		$(wildcard engines/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I. $(SANITIZE) \
		-o $@ $(filter %.c,$^) $$(pkg-config --cflags --libs cmocka json-c)

$(HOST_METRICS_TESTS): $(O)/tests/unit/host_metrics_test.%: tests/unit/host_metrics_test.c \
		host/metrics.c host/gpu_usage_sum.c nvidia/rm.c lib/exposition.c \
		$(wildcard host/*.h nvidia/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I. $(SANITIZE) \
		-o $@ $(filter %.c,$^) $$(pkg-config --cflags --libs cmocka)

UNIT_TESTS += $(METRICS_TESTS) $(HOST_METRICS_TESTS)
check-unit: $(METRICS_TESTS) $(HOST_METRICS_TESTS)
