# SPDX-License-Identifier: GPL-2.0-only
# A release (deploy/release): how it is made, and what is installed from it.

.PHONY: check-release
check-release:
	$(Q)deploy/deps ./deploy/release/debian-packages
	$(Q)O=$(O) tests/release/run
