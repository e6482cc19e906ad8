# SPDX-License-Identifier: GPL-2.0-only
# Installing and uninstalling: deploy/.
.PHONY: check-packaging
check-packaging: $(O)/mpu
	$(Q)O="$(O)" tests/packaging/run
