# SPDX-License-Identifier: GPL-2.0-only
# Habits of this tree, and the pictures of the documents.
.PHONY: check-style picture
check-style:
	$(Q)O=$(O) tests/style/run

picture:
	$(Q)command -v dot >/dev/null || { echo "picture: no dot: install graphviz" >&2; exit 1; }
	$(Q)O=$(O) tests/style/run picture >docs/layers.dot.new
	$(Q)mv docs/layers.dot.new docs/layers.dot
	$(call say,DOT,docs/layers.svg docs/place.svg docs/place.zh.svg docs/chain.svg)
	$(Q)dot -Tsvg -o docs/layers.svg docs/layers.dot
	$(Q)dot -Tsvg -o docs/place.svg docs/place.dot
	$(Q)sed -f docs/place.zh.sed docs/place.dot | dot -Tsvg -o docs/place.zh.svg
	$(Q)dot -Tsvg -o docs/chain.svg docs/chain.dot

# Runs other tools, for people who read what they say. cppcheck fails, but for kinds that
# misread "?:", memory that a function takes over, and buffers that a system call fills.
# Warnings of sparse (characters and types of C11, macros of other headers) and of the
# compiler's analyser (arrays that realloc() moves, json-c) have been wrong so far.
LINT_FILES ?= $(CLI_SRC)
MISREAD = memleak resourceLeak ctuuninitvar selfAssignment unknownMacro
.PHONY: lint
lint: $(BPF_SKEL)
	$(Q)for tool in cppcheck sparse; do command -v $$tool >/dev/null || \
		{ echo "lint: no $$tool: install $$tool" >&2; exit 1; }; done
	$(Q)cppcheck -q --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
		-I. -D_GNU_SOURCE -D__$(shell uname -m)__ \
		$(MISREAD:%=--suppress=%) --suppress=missingInclude $(LINT_FILES)
	$(Q)for file in $(LINT_FILES); do sparse $(CLI_CFLAGS) $$file || exit 1; done
	$(Q)for file in $(LINT_FILES); do \
		$(CC) $(CLI_CFLAGS) -Wno-error -fanalyzer -S -o /dev/null $$file || exit 1; done
