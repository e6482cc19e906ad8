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

# Runs other tools. cppcheck and sparse have nothing to say; each warning of the
# compiler's analyser has been wrong so far (arrays that realloc() moves, json-c).
LINT ?= $(CLI_SRC)
.PHONY: lint
lint: $(BPF_SKEL)
	$(Q)for tool in cppcheck sparse; do command -v $$tool >/dev/null || \
		{ echo "lint: no $$tool: install $$tool" >&2; exit 1; }; done
	$(Q)cppcheck -q --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
		-I. -D_GNU_SOURCE -D__$(shell uname -m)__ --suppress=missingInclude $(LINT)
	$(Q)for file in $(LINT); do sparse $(CLI_CFLAGS) $$file || exit 1; done
	$(Q)for file in $(LINT); do \
		$(CC) $(CLI_CFLAGS) -Wno-error -fanalyzer -S -o /dev/null $$file || exit 1; done
