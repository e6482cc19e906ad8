# SPDX-License-Identifier: GPL-2.0-only
# Engine bpf when things go wrong around it, in machines.

BPF_TEST := $(O)/tests/bpf

# Static: they run in machines.
$(BPF_TEST)/crowd: lib/rm.c lib/rm_process.c
$(BPF_TEST)/crowd $(BPF_TEST)/objects: \
$(BPF_TEST)/%: tests/bpf/%.c $(wildcard core/*.h lib/*.h) sim/model.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ $(filter %.c,$^)

.PHONY: check-bpf
check-bpf: vm-fetch $(O)/mpu $(O)/sim/nvsim-load $(BPF_TEST)/crowd $(BPF_TEST)/objects
	$(Q)O=$(O) tests/bpf/run $(KERNELS)
