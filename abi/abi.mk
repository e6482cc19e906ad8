# SPDX-License-Identifier: GPL-2.0-only
# The table: what is generated from it, and whether it is true.
#
#	make generate			after every edit of abi/*.tsv
#	make abi-check OGKM=DIR		against a clone of open-gpu-kernel-modules

ABI_TABLES := abi/controls.tsv abi/exempt.tsv
FIGURES := cli/view/figures.c cli/view/top/list.c
ABI_REGIMES := abi/controls.tsv abi/pid_space.tsv abi/regimes.tsv
AWK ?= awk

.PHONY: generate abi-check

# All of it or nothing: one of these files beside an older one would shift PID spaces.
GENERATED := core/controls.h docs/controls.md core/regimes.h docs/figures.md

generate:
	$(Q)trap 'rm -f $(GENERATED:%=%.new)' EXIT; set -e; \
		$(AWK) -f abi/gen.awk -v out=header $(ABI_TABLES) >core/controls.h.new; \
		$(AWK) -f abi/gen.awk -v out=docs $(ABI_TABLES) >docs/controls.md.new; \
		$(AWK) -f abi/regimes.awk $(ABI_REGIMES) >core/regimes.h.new; \
		$(AWK) -f cli/view/figures.awk $(FIGURES) >docs/figures.md.new; \
		for file in $(GENERATED); do mv $$file.new $$file; done

abi-check:
	$(Q)test -n "$(OGKM)" || { echo "abi-check: say where the clone of open-gpu-kernel-modules is: make abi-check OGKM=DIR" >&2; exit 2; }
	$(Q)O=$(O) tests/abi/broken "$(OGKM)"
	$(Q)abi/check "$(OGKM)"
