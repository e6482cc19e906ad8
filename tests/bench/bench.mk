# SPDX-License-Identifier: GPL-2.0-only
# Benchmarks: instruction counts, never part of the tests.

BENCH_KERNEL ?= 6.12

# latency takes the time, for engine notify on a GPU: tests/gpu/cost.
$(O)/bench/bench-calls: tests/bench/calls.c sim/interface.h
$(O)/bench/latency: tests/bench/latency.c
$(O)/bench/bench-calls $(O)/bench/latency: $(O)/product.a
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $(filter %.c,$^) $(filter %.a,$^)

.PHONY: bench check-bench
bench: deps $(O)/bench/bench-calls
	$(Q)tests/runner/fetch vm $(BENCH_KERNEL)
	$(Q)O=$(O) tests/vm/modules $(BENCH_KERNEL)
	$(Q)case $(BENCH_KERNEL) in *-arm64*) O=$(O) tests/vm/programs arm64 bench/bench-calls ;; esac
	$(Q)O=$(O) tests/bench/run -k $(BENCH_KERNEL)

# Checks that the benchmarks work, as docs/performance.md gives them.
check-bench:
	$(Q)O=$(O) tests/bench/check

# Measures what GPUs add to the start of a container, by mpu: time and memory. BESIDE:
# other binaries of mpu, to compare it with.
$(O)/bench/spend: tests/bench/spend.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $<

.PHONY: bench-chain
bench-chain: $(O)/mpu $(O)/bench/spend $(addprefix $(O)/tests/oci/,look load first_hook)
	$(Q)O=$(abspath $(O)) MPU="$(abspath $<) $(BESIDE)" tests/bench/chain $(TIMES)

# Measures what it takes to say who uses the GPUs, of 10,000 processes on 16 of them:
# time, CPU time and memory. WHO: arguments, as in the head of who.c.
$(O)/bench/who: tests/bench/who.c tests/bench/groups.c tests/bench/groups.h $(O)/product.a
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -Wl,--wrap=open,--wrap=ioctl \
		-o $@ $(filter %.c,$^) $(filter %.a,$^) $(CLI_LIBS)

.PHONY: bench-who
bench-who: $(O)/bench/who
	$(Q)$(O)/bench/who $(WHO)
