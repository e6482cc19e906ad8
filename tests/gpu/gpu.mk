# SPDX-License-Identifier: GPL-2.0-only
# Tests on a real GPU; no part of `make check`.

GPU_TESTS := $(O)/tests/gpu/cuda-load $(O)/tests/gpu/gpu-ask $(O)/tests/gpu/gpu-page $(O)/tests/bpf/walk \
	$(O)/tests/evasion/evasion $(O)/tests/oci/look \
	$(O)/bench/latency $(O)/smi/figures $(O)/tests/cli/json

$(O)/tests/gpu/cuda-load: tests/gpu/cuda-load.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -o $@ $< -ldl

$(O)/tests/gpu/gpu-ask: tests/gpu/ask.c nvidia/rm.c nvidia/rm_process.c lib/xalloc.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -o $@ $^

$(O)/tests/gpu/gpu-page: tests/gpu/page.c nvidia/rm.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE -static -o $@ $^

.PHONY: check-gpu check-gpu-chain check-gpu-programs check-gpu-usage check-gpu-state gpu-tests
gpu-tests: $(O)/mpu $(GPU_TESTS)

# ENGINE=notify, oci, module, bpf or none.
check-gpu: gpu-tests
	$(Q)test -e /proc/driver/nvidia/version || { echo "check-gpu: no NVIDIA driver is loaded here" >&2; exit 1; }
	$(Q)O=$(O) tests/gpu/check $(ENGINE)

# GPUs for containers, by RUNTIME, runc or crun.
check-gpu-chain: gpu-tests
	$(Q)test -e /proc/driver/nvidia/version || { echo "check-gpu-chain: no NVIDIA driver is loaded here" >&2; exit 1; }
	$(Q)O=$(O) tests/gpu/chain $(RUNTIME)

# PyTorch, Triton and others in containers, by RUNTIME.
check-gpu-programs: $(O)/mpu
	$(Q)test -e /proc/driver/nvidia/version || { echo "check-gpu-programs: no NVIDIA driver is loaded here" >&2; exit 1; }
	$(Q)O=$(O) tests/gpu/programs $(RUNTIME)

# Checks mpu ps for the host's GPU processes, against libnvidia-ml.
check-gpu-usage: gpu-tests
	$(Q)test -e /proc/driver/nvidia/version || { echo "check-gpu-usage: no NVIDIA driver is loaded here" >&2; exit 1; }
	$(Q)O=$(O) tests/gpu/usage

# How mpu ps --gpus says that GPUs are, against nvidia-smi.
check-gpu-state: gpu-tests
	$(Q)test -e /proc/driver/nvidia/version || { echo "check-gpu-state: no NVIDIA driver is loaded here" >&2; exit 1; }
	$(Q)O=$(O) tests/gpu/state
