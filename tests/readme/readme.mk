# SPDX-License-Identifier: GPL-2.0-only
# Whether what the READMEs and the documents say to type works: the demo, every make
# target, and both commands in fresh Debian installations, which takes an hour.

.PHONY: check-demo check-docs check-fresh
check-demo:
	$(Q)O=$(O) tests/readme/demo

check-docs: $(O)/mpu $(O)/tests/fuzz/core_fuzz
	$(Q)O=$(O) tests/readme/targets

check-fresh: vm-fetch smi-fetch
	$(Q)O=$(O) tests/readme/fresh
