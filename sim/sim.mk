# SPDX-License-Identifier: GPL-2.0-only
# The simulated RM: nvsim-load for user space, and the kernel modules, which
# the kernel's own build makes from sim/Kbuild.

SIM_LOAD = sim/nvsim-load.c lib/rm.c lib/rm_process.c

# Static: it runs in containers and initramfs that hold nothing else.
$(O)/sim/nvsim-load: $(SIM_LOAD) lib/rm.h $(wildcard core/*.h) sim/model.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -pthread -o $@ $(SIM_LOAD)

.PHONY: sim
sim: $(O)/sim/nvsim-load

# nvsim.ko and nvsim-old.ko for the kernel build folder KDIR, into O.
NVSIM_TREE := $(O)/nvsim

.PHONY: nvsim
nvsim:
	$(Q)test -e $(KDIR)/Makefile || { echo "nvsim: no kernel headers at $(KDIR): name a kernel build folder with KDIR=DIR" >&2; exit 1; }
	$(Q)mkdir -p $(NVSIM_TREE)/core $(NVSIM_TREE)/sim
	$(Q)cp -u core/*.h $(NVSIM_TREE)/core/
	$(Q)cp -u sim/Kbuild sim/*.c sim/*.h $(NVSIM_TREE)/sim/
	$(call say,KBUILD,$(O)/nvsim.ko $(O)/nvsim-old.ko)
	$(Q)$(MAKE) -C $(KDIR) M=$(abspath $(NVSIM_TREE)/sim) \
		$(if $(V),V=1) modules
	$(Q)cp $(NVSIM_TREE)/sim/nvsim.ko $(NVSIM_TREE)/sim/nvsim-old.ko $(O)/
