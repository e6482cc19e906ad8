# SPDX-License-Identifier: GPL-2.0-only
# Checks what is generated from the table, and where core/ compiles.
.PHONY: check-abi check-core-builds
check-abi:
	$(Q)O=$(O) tests/abi/run

check-core-builds:
	$(Q)O=$(O) tests/abi/builds
