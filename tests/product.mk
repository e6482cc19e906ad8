# SPDX-License-Identifier: GPL-2.0-only
# The product's objects as archives. A test is its own source and one archive, of which it
# takes what it calls. O/product.a holds the objects that mpu ships with. Three others are
# compiled under sanitizers, once for all levels: O/gcc-asan, O/clang-asan and, for
# libFuzzer, O/clang-fuzz. They hold the simulated RM and what unit tests share, too.

TEST_CC := $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))
# Variables that a function has not set are a pattern, never zero by chance: each run shows it.
SANITIZE := -O1 -ftrivial-auto-var-init=pattern -fsanitize=address,undefined -fno-sanitize-recover=all
TEST_CFLAGS = $(CLI_CFLAGS) $(SANITIZE)
TEST_LIBS = $(CLI_LIBS) $(shell pkg-config --libs cmocka)
UNIT_SRC := $(sort $(shell find tests/unit -name '*.c'))
PRODUCT_SRC := $(filter-out cli/main.c,$(CLI_SRC))
ARCHIVE_SRC := $(PRODUCT_SRC) $(wildcard sim/*.c) $(filter-out %_test.c,$(UNIT_SRC))

$(O)/product.a: $(PRODUCT_SRC:%.c=$(O)/%.o) $(HTTP_OBJ)

# archive FOLDER,COMPILER,FLAGS: O/FOLDER/product.a, and any other object there
define archive
$(O)/$(1)/%.o: %.c VERSION
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(2) $$(TEST_CFLAGS) $(3) -MMD -MP -c -o $$@ $$<

$(O)/$(1)/product.a: $(ARCHIVE_SRC:%.c=$(O)/$(1)/%.o)
$(O)/$(1)/sim/%.o $(O)/$(1)/tests/%.o: private TEST_CFLAGS += -Wno-unused-parameter
$(BPF_SRC:%.c=$(O)/$(1)/%.o): $(BPF_SKEL)
$(O)/$(1)/engines/engine.o: $(O)/cli/parts
ARCHIVES += $(O)/$(1)/product.a
endef

$(foreach cc,$(TEST_CC),$(eval $(call archive,$(cc)-asan,$(cc))))
$(eval $(call archive,clang-fuzz,clang,-fsanitize=fuzzer-no-link))
-include $(shell find $(ARCHIVES:%/product.a=%) -name '*.d' 2>/dev/null)

# Made anew when a source comes or goes, too.
$(O)/product.a $(ARCHIVES): $(O)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)ar qcs --thin $@ $(filter %.o,$^)

$(O)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(ARCHIVE_SRC)' | cmp -s - $@ || echo '$(ARCHIVE_SRC)' >$@

# Programs that scripts call are of one compiler alone.
TESTED := $(O)/$(firstword $(TEST_CC))-asan

# test_link COMPILER: objects and an archive become a program
define test_link
@mkdir -p $(@D)
$(call say,LINK,$@)
$(Q)$(1) $(SANITIZE) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(TEST_LIBS)
endef
