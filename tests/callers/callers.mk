# SPDX-License-Identifier: GPL-2.0-only
# Programs that call nvidia-container-cli themselves, as Debian sid has them.

.PHONY: check-callers
check-callers: $(O)/mpu $(addprefix $(O)/tests/oci/,look load)
	$(Q)O=$(O) tests/callers/run
