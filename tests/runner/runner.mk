# SPDX-License-Identifier: GPL-2.0-only
# The tests' own: what is fetched for them, and whether the few cells of `make check` are
# enough.

.PHONY: fetch vm-fetch smi-fetch check-plan
vm-fetch smi-fetch: %-fetch:
	$(Q)tests/runner/fetch $*

# Results are kept by the versions of what was fetched, too (tests/runner/results.sh): for
# `make check-all` everything is here before the first level.
fetch: smi-fetch
	$(Q)tests/runner/fetch vm all
	$(Q)APT_ARCH=arm64 tests/runner/fetch smi
	$(Q)deploy/deps tests/oci/debian-packages
	$(Q)for kind in driver metrics kubernetes oci; do tests/runner/fetch $$kind || exit; done

check-plan: vm-fetch
	$(Q)O=$(O) tests/runner/check-plan
