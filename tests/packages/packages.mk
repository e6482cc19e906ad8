# SPDX-License-Identifier: GPL-2.0-only
# Packages: how they are made, and what becomes of a machine that has them.

.PHONY: check-packages
check-packages: $(O)/sim/nvsim-load vm-fetch
	$(Q)deploy/deps tests/packages/debian-packages
	$(Q)O=$(O) tests/packages/run
