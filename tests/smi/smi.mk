# SPDX-License-Identifier: GPL-2.0-only
# The real nvidia-smi, generation by generation (tests/smi/generations).

SMI_OUT := $(O)/smi

# The model as a preloaded library, and a load that it can be preloaded into.
SHIM_SRC = sim/shim.c $(addprefix sim/, accounting.c board.c card.c escape.c \
	model.c procs.c rmapi.c samples.c sessions.c testing.c version.c)

$(SMI_OUT)/nvsim-shim.so: $(SHIM_SRC) $(wildcard sim/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -Wno-unused-parameter -fPIC \
		-fvisibility=hidden -shared -pthread -Wl,-z,defs \
		-o $@ $(SHIM_SRC) -ldl

$(SMI_OUT)/nvsim-load: $(SIM_LOAD) lib/rm.h $(wildcard core/*.h) sim/model.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -pthread -o $@ $(SIM_LOAD)

.PHONY: smi-fetch check-smi-shim check-smi

# Downloads Debian's non-free packages into the cache, once.
smi-fetch:
	$(Q)tests/smi/fetch

check-smi-shim: smi-fetch $(SMI_OUT)/nvsim-shim.so $(SMI_OUT)/nvsim-load
	$(Q)O=$(O) tests/smi/shim-check
