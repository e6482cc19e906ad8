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
	$(Q)tests/runner/fetch vm $(BENCH_KERNEL)
	$(Q)O=$(O) tests/vm/modules $(BENCH_KERNEL)
	$(Q)case $(BENCH_KERNEL) in *-arm64*) O=$(O) tests/vm/programs arm64 bench/bench-calls ;; esac
	$(Q)O=$(O) tests/bench/run -k $(BENCH_KERNEL)

# That it works, as docs/performance.md gives it.
check-bench:
	$(Q)O=$(O) tests/bench/check

# What GPUs add to the start of a container, by the static mpu: time and memory. BESIDE:
# other binaries of mpu, to compare it with.
$(O)/bench/spend: tests/bench/spend.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $<

.PHONY: bench-chain
bench-chain: $(O)/tests/static/mpu $(O)/bench/spend $(addprefix $(O)/tests/oci/,probe look load first_hook)
	$(Q)O=$(abspath $(O)) MPU="$(abspath $<) $(BESIDE)" tests/bench/chain $(TIMES)

# Who uses the GPUs, of 10,000 processes on 16 of them: time, CPU time and memory. WHO:
# what its head has.
BENCH_WHO = tests/bench/who.c tests/bench/groups.c cli/view/gpu_usage_json.c cli/view/gpu_usage_text.c cli/view/table.c \
	$(wildcard host/*.c) lib/exposition.c nvidia/rm.c nvidia/rm_process.c \
	nvidia/processes.c nvidia/driver.c lib/host.c lib/proc.c lib/why.c lib/words.c \
	lib/document.c lib/fds.c lib/regular.c lib/text_file.c lib/toml.c lib/toml_scalar.c lib/json.c

$(O)/bench/who: $(BENCH_WHO) $(wildcard tests/bench/*.h cli/*.h host/*.h nvidia/*.h lib/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE $$(pkg-config --cflags json-c) \
		-Wl,--wrap=open,--wrap=ioctl -o $@ $(filter %.c,$^) \
		$$(pkg-config --libs json-c)

.PHONY: bench-who
bench-who: $(O)/bench/who
	$(Q)$(O)/bench/who $(WHO)
