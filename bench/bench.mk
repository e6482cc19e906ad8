# SPDX-License-Identifier: GPL-2.0-only
# Benchmarks: instruction counts, never part of the tests.

BENCH_CALLS = bench/calls.c lib/rm.c lib/rm_process.c
BENCH_KERNEL ?= 6.12

$(O)/bench/bench-calls: $(BENCH_CALLS) lib/rm.h sim/model.h $(wildcard core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $(BENCH_CALLS)

.PHONY: bench
bench: $(O)/bench/bench-calls
	$(Q)tests/vm/fetch qemu $(BENCH_KERNEL)
	$(Q)tests/vm/build $(BENCH_KERNEL) . $(O)/vm/$(BENCH_KERNEL) module nvsim
	$(Q)O=$(O) bench/run -k $(BENCH_KERNEL)
