# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of core/, under the address and undefined behaviour sanitizers,
# built by every compiler that is here.

O ?= build
UNIT_CC ?= $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))
UNIT_CFLAGS = -std=c17 -g -O1 -Wall -Wextra -Werror -I. \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	$(shell pkg-config --cflags cmocka)
UNIT_LIBS = $(shell pkg-config --libs cmocka)

$(O)/tests/unit/core_test.%: tests/unit/core_test.c $(wildcard core/*.h)
	@mkdir -p $(@D)
	$* $(UNIT_CFLAGS) -o $@ $< $(UNIT_LIBS)

.PHONY: check-unit check-mutants
check-unit: $(UNIT_CC:%=$(O)/tests/unit/core_test.%)
	@for t in $^; do echo "$$t"; CMOCKA_MESSAGE_OUTPUT=stdout $(abspath $(O))/tests/unit/$${t##*/} || exit 1; done

# That the unit tests can fail: each of these edits of core.h must break them.
check-mutants:
	tests/unit/mutants "$(O)"
