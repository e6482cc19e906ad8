# SPDX-License-Identifier: GPL-2.0-only
# The demo, and what the READMEs show of it.
.PHONY: check-demo
check-demo:
	$(Q)O="$(O)" tests/demo/run
