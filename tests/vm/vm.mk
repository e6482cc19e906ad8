# SPDX-License-Identifier: GPL-2.0-only
# The machines that tests boot: see tests/vm/{fetch,build,run}.

.PHONY: vm-fetch vm-selftest

vm-fetch:
	$(Q)tests/vm/fetch

vm-selftest: vm-fetch
	$(Q)tests/vm/selftest
