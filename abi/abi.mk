# SPDX-License-Identifier: GPL-2.0-only
# The table: what is generated from it, and whether it is true.
#
#	make generate			after every edit of abi/*.tsv
#	make abi-check OGKM=DIR		against a clone of open-gpu-kernel-modules

ABI_TABLES := abi/controls.tsv abi/exempt.tsv
ABI_REGIMES := abi/controls.tsv abi/pid_space.tsv abi/regimes.tsv
AWK ?= awk

.PHONY: generate abi-check

generate:
	$(Q)$(AWK) -f abi/gen.awk -v out=header $(ABI_TABLES) >core/controls.h.new
	$(Q)mv core/controls.h.new core/controls.h
	$(Q)$(AWK) -f abi/gen.awk -v out=docs $(ABI_TABLES) >docs/controls.md.new
	$(Q)mv docs/controls.md.new docs/controls.md
	$(Q)$(AWK) -f abi/regimes.awk $(ABI_REGIMES) >core/regimes.h.new
	$(Q)mv core/regimes.h.new core/regimes.h

abi-check:
	$(Q)test -n "$(OGKM)" || { echo "abi-check: say where the clone of open-gpu-kernel-modules is: make abi-check OGKM=DIR" >&2; exit 2; }
	$(Q)O=$(O) tests/abi/broken "$(OGKM)"
	$(Q)abi/check "$(OGKM)"
