# SPDX-License-Identifier: GPL-2.0-only
# Fuzzing of core/ against the reference. FUZZ_SECONDS is the smoke's length;
# fuzz-long runs until it is stopped, or for FUZZ_LONG_SECONDS, and keeps its
# corpus in the output directory.

O ?= build
FUZZ_SECONDS ?= 60
FUZZ_LONG_SECONDS ?= 0
FUZZ_CFLAGS = -std=c17 -g -O2 -Wall -Wextra -Werror -I. \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZ_BIN = $(O)/tests/fuzz/core_fuzz

$(FUZZ_BIN): tests/fuzz/core_fuzz.c tests/fuzz/reference.c \
		$(wildcard tests/fuzz/*.h core/*.h)
	@mkdir -p $(@D)
	clang $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^)

.PHONY: check-fuzz fuzz-long
check-fuzz: $(FUZZ_BIN)
	$(FUZZ_BIN) -max_total_time=$(FUZZ_SECONDS) -max_len=4096 \
		-verbosity=0 -print_final_stats=1 -artifact_prefix=$(<D)/

fuzz-long: $(FUZZ_BIN)
	@mkdir -p $(O)/tests/fuzz/corpus
	$(FUZZ_BIN) -max_total_time=$(FUZZ_LONG_SECONDS) -max_len=4096 \
		-artifact_prefix=$(<D)/ $(O)/tests/fuzz/corpus
