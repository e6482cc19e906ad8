# SPDX-License-Identifier: GPL-2.0-only
# Whether the documentation names make targets that work.

.PHONY: check-docs
check-docs: $(O)/mpu $(O)/tests/fuzz/core_fuzz
	$(Q)O=$(O) tests/docs/run
