# SPDX-License-Identifier: GPL-2.0-only
# The machines that tests boot: see tests/vm/{build,run}.

.PHONY: vm-selftest check-arm64

# Runs matrices, which build what they take.
check-arm64:
	$(Q)mkdir -p $(O)/smi
	$(Q)O=$(O) tests/vm/arm64

vm-selftest: vm-fetch
	$(Q)tests/vm/selftest
