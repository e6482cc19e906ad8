# SPDX-License-Identifier: GPL-2.0-only
# Installing and uninstalling (deploy/), and packages: how they are made, and what becomes
# of a machine that has them.

.PHONY: check-packaging check-packages
check-packaging: $(O)/mpu
	$(Q)O=$(O) tests/packages/install

check-packages: $(O)/sim/nvsim-load vm-fetch
	$(Q)deploy/deps tests/packages/debian-packages
	$(Q)O=$(O) tests/packages/run
