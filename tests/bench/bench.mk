# SPDX-License-Identifier: GPL-2.0-only
# Benchmarks: instruction counts, never part of the tests.

BENCH_CALLS = tests/bench/calls.c nvidia/rm.c nvidia/rm_process.c
BENCH_KERNEL ?= 6.12

$(O)/bench/bench-calls: $(BENCH_CALLS) nvidia/rm.h sim/interface.h $(wildcard core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $(BENCH_CALLS)

# Time, for engine notify on a GPU: tests/gpu/cost.
$(O)/bench/latency: tests/bench/latency.c nvidia/rm.c nvidia/rm_process.c nvidia/rm.h $(wildcard core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $(filter %.c,$^)

.PHONY: bench check-bench
bench: deps $(O)/bench/bench-calls
	$(Q)tests/vm/fetch $(BENCH_KERNEL)
	$(Q)O=$(O) tests/vm/modules $(BENCH_KERNEL)
	$(Q)O=$(O) tests/bench/run -k $(BENCH_KERNEL)

# That it works, as docs/performance.md gives it.
check-bench:
	$(Q)O=$(O) tests/bench/check

# What GPUs add to the start of a container: time and memory.
$(O)/bench/spend: tests/bench/spend.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $<

.PHONY: bench-chain
bench-chain: $(O)/mpu $(O)/bench/spend $(addprefix $(O)/tests/oci/,probe look load first_hook)
	$(Q)O=$(abspath $(O)) tests/bench/chain $(TIMES)
