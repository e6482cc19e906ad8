# SPDX-License-Identifier: GPL-2.0-only
# Engine notify under systemd, in a machine with Debian 12 and its kernel.

.PHONY: check-systemd
check-systemd: $(O)/mpu $(addprefix $(O)/tests/oci/,look probe load first_hook) \
		$(O)/sim/nvsim-load $(O)/tests/tricks/tricks vm-fetch smi-fetch
	$(Q)O=$(O) tests/systemd/run
