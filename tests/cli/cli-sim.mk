# SPDX-License-Identifier: GPL-2.0-only
# tests/cli/sim.sh runs mpu as it is shipped against the simulated RM.

check-cli: $(O)/smi/nvsim-shim.so $(O)/sim/nvsim-load-dynamic
