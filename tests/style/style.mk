# SPDX-License-Identifier: GPL-2.0-only
# Habits of this tree, and the pictures of the documents.
.PHONY: check-style picture
check-style:
	$(Q)O=$(O) tests/style/run

picture:
	$(Q)command -v dot >/dev/null || { echo "picture: no dot: install graphviz" >&2; exit 1; }
	$(Q)O=$(O) tests/style/run picture >docs/layers.dot.new
	$(Q)mv docs/layers.dot.new docs/layers.dot
	$(call say,DOT,docs/layers.svg docs/place.svg docs/chain.svg)
	$(Q)dot -Tsvg -o docs/layers.svg docs/layers.dot
	$(Q)dot -Tsvg -o docs/place.svg docs/place.dot
	$(Q)dot -Tsvg -o docs/chain.svg docs/chain.dot
