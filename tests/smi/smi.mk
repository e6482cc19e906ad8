# SPDX-License-Identifier: GPL-2.0-only
# The real nvidia-smi, generation by generation (tests/smi/generations).

SMI_OUT := $(O)/smi

# The simulated RM as a library that is preloaded into nvidia-smi and nvsim-load.
SHIM_SRC = sim/hosts/shim.c $(wildcard sim/*.c)

$(SMI_OUT)/nvsim-shim.so: $(SHIM_SRC) $(wildcard sim/*.h abi/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -Wno-unused-parameter -fPIC \
		-fvisibility=hidden -shared -pthread -Wl,-z,defs \
		-o $@ $(SHIM_SRC) -ldl

# Dynamic: it loads the library of the generation that it asks for.
$(SMI_OUT)/figures: tests/smi/figures.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -o $@ $< -ldl

.PHONY: check-smi-shim check-smi check-figures

check-smi-shim: smi-fetch $(SMI_OUT)/nvsim-shim.so $(O)/sim/nvsim-load-dynamic
	$(Q)O=$(O) tests/smi/shim-check

check-smi: smi-fetch vm-fetch $(O)/mpu $(O)/sim/nvsim-load
	$(Q)mkdir -p $(SMI_OUT)
	$(Q)O=$(O) tests/smi/matrix $(KERNELS)

check-figures: smi-fetch vm-fetch $(O)/mpu $(O)/sim/nvsim-load $(SMI_OUT)/figures
	$(Q)O=$(O) tests/smi/figures-matrix $(KERNELS)
