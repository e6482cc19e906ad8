# SPDX-License-Identifier: GPL-2.0-only
# The GPU-container chain: vectors, random input, fuzzers, and what tests of it run.
#
#	make check-container CONTAINER=cdi	one script, tests/container/cdi.sh

CONTAINER_TEST := $(O)/tests/container
CONTAINER_FUZZ := $(patsubst tests/container/fuzz_%.c,%,$(wildcard tests/container/fuzz_*.c))
CONTAINER_RANDOM := $(foreach cc,$(TEST_CC),$(CONTAINER_FUZZ:%=$(CONTAINER_TEST)/random_%.$(cc)))

# Each fuzzer by each compiler, too, on as many random inputs as are made in seconds.
define container_random
$(CONTAINER_FUZZ:%=$(CONTAINER_TEST)/random_%.$(1)): $(CONTAINER_TEST)/random_%.$(1): \
		$(addprefix $(O)/$(1)-asan/,tests/container/fuzz_%.o tests/container/random.o product.a)
	$$(call test_link,$(1))
endef
$(foreach cc,$(TEST_CC),$(eval $(call container_random,$(cc))))

$(CONTAINER_FUZZ:%=$(CONTAINER_TEST)/fuzz_%): $(CONTAINER_TEST)/%: \
		$(addprefix $(O)/clang-fuzz/,tests/container/%.o product.a)
	$(call test_link,clang -fsanitize=fuzzer)

# Called by the scripts.
CONTAINER_PROGRAMS := $(addprefix $(CONTAINER_TEST)/,opaque vectors bundles)
$(CONTAINER_TEST)/vectors: $(patsubst %.c,$(TESTED)/%.o,$(wildcard tests/container/suites_*.c))
$(abspath $(CONTAINER_TEST)/vectors): $(CONTAINER_TEST)/vectors
$(CONTAINER_PROGRAMS): $(CONTAINER_TEST)/%: $(TESTED)/tests/container/%.o $(TESTED)/product.a
	$(call test_link,$(firstword $(TEST_CC)))

# Edits from a command line: by container/rootfs, and by an injector that trusts the
# image. Static, as mpu is where it works in containers: what LD_PRELOAD names is
# not for it, but for what it runs. The other one is a hook, too.
$(CONTAINER_TEST)/inject: tests/container/naive.c tests/container/naive.h
$(addprefix $(CONTAINER_TEST)/,accept inject): $(CONTAINER_TEST)/%: \
		tests/container/%.c $(O)/product.a
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -static -o $@ $(filter %.c,$^) $(filter %.a,$^) \
		$(shell pkg-config --static --libs $(CLI_PACKAGES))

$(CONTAINER_TEST)/forbid: $(O)/tests/notify/forbid
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(addprefix $(CONTAINER_TEST)/,race box): $(CONTAINER_TEST)/%: tests/container/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -o $@ $<

CONTAINER_TESTS := $(if $(CONTAINER),$(CONTAINER),$(abspath $(CONTAINER_RANDOM)) vectors bundles \
	$(filter-out lib,$(patsubst tests/container/%.sh,%,$(wildcard tests/container/*.sh))))

.PHONY: check-container fuzz-container
check-container: $(O)/mpu $(O)/tests/cli/json $(if $(CONTAINER),,$(CONTAINER_RANDOM)) $(CONTAINER_PROGRAMS) \
		$(addprefix $(CONTAINER_TEST)/,accept inject race box forbid) \
		$(TEST_CC:%=$(O)/tests/unit/container/image/layout_test.%)
	$(Q)tests/container/run $(abspath $(CONTAINER_TEST)) $(CONTAINER_TESTS)

# Each for FUZZ_SECONDS.
fuzz-container: $(CONTAINER_FUZZ:%=$(CONTAINER_TEST)/fuzz_%)
	$(Q)tests/container/fuzz $(FUZZ_SECONDS) $^
