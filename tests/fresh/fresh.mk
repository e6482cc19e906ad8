# SPDX-License-Identifier: GPL-2.0-only
# Fresh Debian installations, for `make check-all`: an hour.

.PHONY: check-fresh
check-fresh: vm-fetch smi-fetch
	$(Q)O=$(O) tests/fresh/run
