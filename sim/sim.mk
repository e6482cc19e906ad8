# SPDX-License-Identifier: GPL-2.0-only
# The simulated RM: nvsim-load for user space, and the kernel modules, which
# the kernel's own build makes from sim/Kbuild.

SIM_LOAD = $(wildcard sim/load/*.c) nvidia/rm.c nvidia/rm_process.c lib/xalloc.c

# Static: it runs in containers and initramfs that hold nothing else. The shim
# can be preloaded into the dynamic one only.
$(O)/sim/nvsim-load: SIM_LINK := -static
$(O)/sim/nvsim-load $(O)/sim/nvsim-load-dynamic: $(SIM_LOAD) nvidia/nvidia.h \
		$(wildcard core/*.h sim/load/*.h) sim/interface.h
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -D_GNU_SOURCE $(SIM_LINK) -pthread -o $@ $(SIM_LOAD)

.PHONY: sim
sim: $(O)/sim/nvsim-load $(O)/sim/nvsim-load-dynamic

# For the kernel build folder KDIR, into O: nvsim.ko; nvsim-old.ko with the
# entry functions of 535; and nvsim-oldest.ko, which is the same without a
# symbol for the functions that came with 535.113.01 and 570.86.15.
NVSIM_TREE := $(O)/nvsim
NVSIM_OBJCOPY := $(if $(LLVM),llvm-,$(CROSS_COMPILE))objcopy
NVSIM_NEW_SYMBOLS := os_get_pid_info os_put_pid_info os_find_ns_pid os_is_init_ns

.PHONY: nvsim
nvsim:
	$(Q)test -e $(KDIR)/Makefile || { echo "nvsim: no kernel headers at $(KDIR): name a kernel build folder with KDIR=DIR" >&2; exit 1; }
	$(Q)mkdir -p $(NVSIM_TREE)/abi $(NVSIM_TREE)/core $(NVSIM_TREE)/sim/hosts
	$(Q)cp -u abi/*.h $(NVSIM_TREE)/abi/
	$(Q)cp -u core/*.h $(NVSIM_TREE)/core/
	$(Q)cp -u sim/Kbuild sim/*.c sim/*.h $(NVSIM_TREE)/sim/
	$(Q)cp -ru sim/hosts/kernel $(NVSIM_TREE)/sim/hosts/
	$(call say,KBUILD,$(O)/nvsim.ko)
	$(Q)$(MAKE) -C $(KDIR) M=$(abspath $(NVSIM_TREE)/sim) \
		$(if $(V),V=1) modules
	$(Q)cp $(NVSIM_TREE)/sim/nvsim.ko $(NVSIM_TREE)/sim/nvsim-old.ko \
		$(NVSIM_TREE)/sim/nvsim-stranger.ko $(O)/
	$(Q)test ! -e $(NVSIM_TREE)/sim/nvsim-patch.ko || cp $(NVSIM_TREE)/sim/nvsim-patch.ko $(O)/
	$(Q)$(NVSIM_OBJCOPY) $(foreach s,$(NVSIM_NEW_SYMBOLS),--redefine-sym $s=nvsim_$s) \
		$(O)/nvsim-old.ko $(O)/nvsim-oldest.ko
