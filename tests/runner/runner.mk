# SPDX-License-Identifier: GPL-2.0-only
# The tests' own: whether the few cells of `make check` are enough.

.PHONY: check-plan
check-plan: vm-fetch
	$(Q)O=$(O) tests/runner/check-plan
