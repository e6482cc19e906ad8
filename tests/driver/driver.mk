# SPDX-License-Identifier: GPL-2.0-only
# NVIDIA's own drivers, in machines without a GPU.

# For the kernel build folder KDIR, into O: fakepci.ko and fakegsp.ko.
BOARD_TREE := $(O)/board

.PHONY: board
board:
	$(Q)test -e $(KDIR)/Makefile || { echo "board: no kernel headers at $(KDIR): name a kernel build folder with KDIR=DIR" >&2; exit 1; }
	$(Q)mkdir -p $(BOARD_TREE)/core $(BOARD_TREE)/sim $(BOARD_TREE)/board
	$(Q)cp -u core/*.h $(BOARD_TREE)/core/
	$(Q)cp -u sim/*.h $(BOARD_TREE)/sim/
	$(Q)cp -u sim/*.c tests/driver/board/* $(BOARD_TREE)/board/
	$(call say,KBUILD,$(O)/fakepci.ko and fakegsp.ko)
	$(Q)$(MAKE) -C $(KDIR) M=$(abspath $(BOARD_TREE)/board) \
		$(if $(V),V=1) modules
	$(Q)cp $(BOARD_TREE)/board/fakepci.ko $(BOARD_TREE)/board/fakegsp.ko $(O)/

# DRIVERS: cells of tests/driver/run, or all, as in check-all; without, a few.
.PHONY: check-driver
check-driver: vm-fetch $(O)/mpu $(O)/tests/conformance
	$(Q)O=$(O) tests/driver/run $(or $(DRIVERS),$(if $(ALL),all))
