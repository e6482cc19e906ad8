# SPDX-License-Identifier: GPL-2.0-only
# The machines that tests boot: see tests/vm/{fetch,build,run}.

.PHONY: vm-need vm-fetch vm-selftest

# What tests/vm uses of this machine itself; needs root, as all of this does.
vm-need:
	$(Q)apt-get -qq update
	$(Q)apt-get -qq -y install $$(grep -v '^#' tests/vm/need) >/dev/null

vm-fetch:
	$(Q)tests/vm/fetch

vm-selftest: vm-fetch
	$(Q)tests/vm/selftest
