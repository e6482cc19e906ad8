# SPDX-License-Identifier: GPL-2.0-only
# mpu metrics, the dashboard and the queries of docs/fleet.md before a real Prometheus.

.PHONY: check-metrics
check-metrics: $(O)/mpu $(O)/smi/mpu $(O)/tests/cli/json $(O)/smi/nvsim-shim.so $(O)/sim/nvsim-load-dynamic
	$(Q)tests/runner/fetch metrics
	$(Q)O=$(abspath $(O)) unshare --mount --net tests/metrics/run

# Its page for people, in a browser: 170 MB of packages.
.PHONY: check-page
check-page: $(O)/smi/mpu $(O)/tests/cli/json $(O)/smi/nvsim-shim.so $(O)/sim/nvsim-load-dynamic
	$(Q)tests/runner/fetch browser
	$(Q)O=$(abspath $(O)) unshare --mount --net --pid --fork --kill-child --mount-proc tests/metrics/page
