# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of engine bpf's user space (after unit.mk: this adds to its list), where it
# can be built.

ifeq ($(BPF_LACKS),)
BPF_TESTS := $(UNIT_CC:%=$(O)/tests/unit/pins_test.%)

$(BPF_TESTS): $(O)/tests/unit/pins_test.%: tests/unit/pins_test.c engines/bpf/pins.c \
		lib/clock.c lib/wait.c \
		$(wildcard engines/bpf/*.h engines/bpf/programs/*.h nvidia/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* -std=c17 -g -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I. $(SANITIZE) \
		-o $@ $(filter %.c,$^) $$(pkg-config --cflags --libs cmocka libbpf)

UNIT_TESTS += $(BPF_TESTS)
check-unit: $(BPF_TESTS)
endif
