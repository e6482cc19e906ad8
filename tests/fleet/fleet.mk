# SPDX-License-Identifier: GPL-2.0-only
# A rollout to many simulated nodes (after cli/cli.mk).

.PHONY: check-fleet
check-fleet: $(O)/mpu $(CLI_TEST)/json
	$(Q)tests/fleet/run $(abspath $(O)/mpu) $(abspath $(CLI_TEST)/json) \
		$(abspath $(O)/tests/fleet) $(if $(ALL),1000,200)
