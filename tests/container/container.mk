# SPDX-License-Identifier: GPL-2.0-only
# The GPU-container chain: unit tests, vectors.

CONTAINER_TEST := $(O)/tests/container
CONTAINER_TEST_CFLAGS := $(CLI_CFLAGS) $(CLI_SANITIZE)
CONTAINER_TESTS :=
CONTAINER_TEST_CC := $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))

# Nothing of the command, and of the engines none.
CONTAINER_ROOM_SRC := $(wildcard container/*.c container/cdi/*.c container/rootfs/*.c \
	container/setup/*.c nvidia/*.c lib/*.c)

$(abspath $(CONTAINER_TEST)/vectors): $(CONTAINER_TEST)/vectors
$(CONTAINER_TEST)/vectors: tests/container/vectors.c $(wildcard tests/container/suites_*.c) \
		$(CONTAINER_ROOM_SRC) $(wildcard tests/container/*.h container/*.h container/*/*.h nvidia/*.h lib/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CONTAINER_TEST_CFLAGS) -o $@ $(filter %.c,$^) $(CLI_LIBS)

# CDI without what makes documents of this machine's driver.
CDI_DOCUMENT_SRC := $(addprefix container/cdi/,name.c reader.c document.c render.c registry.c) \
	container/edits.c lib/document.c lib/document_yaml.c lib/why.c lib/words.c

# One line for each unit test: its name, and the sources of what it tests.
define container_test
CONTAINER_TESTS += $(CONTAINER_TEST_CC:%=$(CONTAINER_TEST)/$(1)_test.%)
$(CONTAINER_TEST_CC:%=$(CONTAINER_TEST)/$(1)_test.%): $(CONTAINER_TEST)/$(1)_test.%: \
		tests/container/$(1)_test.c $(2) $(wildcard lib/*.h container/*.h nvidia/*.h)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$* $$(CONTAINER_TEST_CFLAGS) $$(shell pkg-config --cflags cmocka) \
		-o $$@ $$(filter %.c,$$^) $$(CLI_LIBS) $$(shell pkg-config --libs cmocka)
endef

$(eval $(call container_test,toml,container/toml.c container/toml_scalar.c lib/why.c))
$(eval $(call container_test,cdi,$(CDI_DOCUMENT_SRC)))
$(eval $(call container_test,toml_edit,container/toml_edit.c container/toml.c container/toml_scalar.c lib/why.c lib/words.c))
$(eval $(call container_test,setup,$(wildcard container/setup/*.c container/toml*.c) \
	$(addprefix lib/,document.c host.c json.c text_file.c why.c words.c)))

.PHONY: check-container-unit
check-container-unit: $(CONTAINER_TESTS)
	$(Q)tests/unit/run $(abspath $(CONTAINER_TESTS))
