# SPDX-License-Identifier: GPL-2.0-only
# Fuzzing of core/ against the reference. FUZZ_SECONDS is how long check-fuzz takes;
# fuzz-long runs until it is stopped, or for FUZZ_LONG_SECONDS, and keeps its
# corpus in the output directory. And FUZZ_CONTROLS random controls of a container
# through engine notify.

FUZZ_SECONDS ?= $(if $(ALL),60,20)
FUZZ_LONG_SECONDS ?= 0
FUZZ_CONTROLS ?= $(if $(ALL),1000000,100000)
FUZZ_BIN = $(O)/tests/fuzz/core_fuzz
FUZZ_NOTIFY = $(O)/tests/fuzz/notify_fuzz
FUZZ_NOTIFY_SRC = tests/fuzz/notify_fuzz.c engines/notify/call.c \
	nvidia/infer.c tests/unit/sim/fixture.c $(wildcard sim/*.c)

$(FUZZ_BIN): tests/fuzz/core_fuzz.c tests/fuzz/reference.c \
		$(wildcard tests/fuzz/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CLANG,$@)
	$(Q)clang -std=c17 -g -O2 -Wall -Wextra -Werror -I. \
		-fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all -o $@ $(filter %.c,$^)

$(FUZZ_NOTIFY): $(FUZZ_NOTIFY_SRC) tests/unit/sim/fixture.h \
		$(wildcard engines/notify/*.h sim/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -Wno-unused-parameter -o $@ \
		$(FUZZ_NOTIFY_SRC) -lcmocka

.PHONY: check-fuzz fuzz-long
check-fuzz: $(FUZZ_BIN) $(FUZZ_NOTIFY)
	$(Q)$< -max_len=4096 -artifact_prefix=$(<D)/ -verbosity=0 \
		-print_final_stats=1 -max_total_time=$(FUZZ_SECONDS)
	$(Q)$(FUZZ_NOTIFY) $(FUZZ_CONTROLS)
	@echo "2 passed, 0 failed, 0 skipped"

fuzz-long: $(FUZZ_BIN)
	$(Q)mkdir -p $(<D)/corpus
	$(Q)$< -max_len=4096 -artifact_prefix=$(<D)/ \
		-max_total_time=$(FUZZ_LONG_SECONDS) $(<D)/corpus
