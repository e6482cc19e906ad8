# SPDX-License-Identifier: GPL-2.0-only
# Engine bpf when things go wrong around it, in machines.

BPF_TEST := $(O)/tests/bpf

# Static: they run in machines.
$(BPF_TEST)/crowd $(BPF_TEST)/random: nvidia/rm.c nvidia/rm_process.c lib/xalloc.c
BPF_GUEST := $(addprefix $(BPF_TEST)/,busy crowd exempt objects random)
$(BPF_GUEST): \
$(BPF_TEST)/%: tests/bpf/%.c $(wildcard core/*.h lib/*.h nvidia/*.h) \
		engines/bpf/programs/state.h sim/interface.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ $(filter %.c,$^)

.PHONY: check-bpf
check-bpf: vm-fetch $(O)/mpu $(O)/sim/nvsim-load $(BPF_GUEST)
	$(Q)O=$(O) tests/bpf/run $(KERNELS)

# The engine's PIDs against /proc, on the kernel that runs here: it only reads.
$(BPF_TEST)/walk.bpf.o: tests/bpf/walk.bpf.c tests/bpf/walk.h \
		$(wildcard engines/bpf/programs/*.bpf.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,BPF,$@)
	$(Q)$(BPF_CLANG) $(BPF_OBJ_CFLAGS) -c -o $@ $<

$(BPF_TEST)/walk.skel.h: $(BPF_TEST)/walk.bpf.o
	$(Q)$(BPFTOOL) gen object $(BPF_TEST)/walk.linked.o $<
	$(Q)$(BPFTOOL) gen skeleton $(BPF_TEST)/walk.linked.o name walk_bpf >$@

$(BPF_TEST)/walk: tests/bpf/walk.c lib/libelf.c $(BPF_TEST)/walk.skel.h
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -I$(BPF_TEST) -static -pthread -o $@ $(filter %.c,$^) \
		$(shell pkg-config --static --libs libbpf)

.PHONY: check-pids
check-pids: $(BPF_TEST)/walk
	$(Q)$(BPF_TEST)/walk
