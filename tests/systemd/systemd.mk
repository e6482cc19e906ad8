# SPDX-License-Identifier: GPL-2.0-only
# Engine notify under systemd, and GPUs by container engines, in machines with Debian 12
# and with what comes after it.

.PHONY: check-systemd check-engines
check-systemd check-engines: $(O)/mpu $(addprefix $(O)/tests/oci/,look load first_hook) \
		$(addprefix $(O)/tests/notify/,starts caller) $(O)/sim/nvsim-load $(O)/tests/evasion/evasion vm-fetch smi-fetch
check-systemd:
	$(Q)O=$(O) tests/systemd/run

check-engines:
	$(Q)O=$(O) tests/systemd/engines
