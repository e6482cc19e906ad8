# SPDX-License-Identifier: GPL-2.0-only
# The GPU-container chain: vectors, unit tests, fuzzers, and what tests of it run.

CONTAINER_TEST := $(O)/tests/container
CONTAINER_TEST_CFLAGS := $(CLI_CFLAGS) $(CLI_SANITIZE)
CONTAINER_TEST_LIBS = $(CLI_LIBS) $(shell pkg-config --libs cmocka)
CONTAINER_CC := $(firstword $(CLI_TEST_CC))

# All of the chain's rooms under sanitizers, once for each compiler, and once for
# libFuzzer: what a test calls is linked from there. Of the engines, the filter that
# the wrapper adds.
CONTAINER_ROOMS_SRC := $(wildcard lib/*.c nvidia/*.c) $(CONTAINER_SRC) engines/notify/filter.c

# container_rooms FOLDER,COMPILER,FLAGS
define container_rooms
$(CONTAINER_TEST)/$(1)/%.o: %.c VERSION
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(2) $$(CONTAINER_TEST_CFLAGS) $(3) -MMD -MP -c -o $$@ $$<

$(CONTAINER_TEST)/$(1)/rooms.a: $(CONTAINER_ROOMS_SRC:%.c=$(CONTAINER_TEST)/$(1)/%.o)
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^

-include $(CONTAINER_ROOMS_SRC:%.c=$(CONTAINER_TEST)/$(1)/%.d)
endef

$(foreach cc,$(CLI_TEST_CC),$(eval $(call container_rooms,$(cc),$(cc))))
$(eval $(call container_rooms,fuzz,clang,-fsanitize=fuzzer-no-link))

# container_programs COMPILER: unit tests, NAME_test.c; and fuzzers, fuzz_NAME.c, on
# as many random inputs as are made in seconds.
define container_programs
$(CONTAINER_UNIT:%=$(CONTAINER_TEST)/%.$(1)): $(CONTAINER_TEST)/%.$(1): \
		tests/container/%.c $(wildcard tests/container/*.h) $(CONTAINER_TEST)/$(1)/rooms.a
	$$(call say,CC,$$@)
	$$(Q)$(1) $$(CONTAINER_TEST_CFLAGS) -o $$@ $$(filter %.c %.a,$$^) $$(CONTAINER_TEST_LIBS)

$(CONTAINER_FUZZ:fuzz_%=$(CONTAINER_TEST)/random_%.$(1)): $(CONTAINER_TEST)/random_%.$(1): \
		tests/container/fuzz_%.c tests/container/random.c $(CONTAINER_TEST)/$(1)/rooms.a
	$$(call say,CC,$$@)
	$$(Q)$(1) $$(CONTAINER_TEST_CFLAGS) -DRUNS=20000 -o $$@ $$^ $$(CONTAINER_TEST_LIBS)
endef

container_sources = $(patsubst tests/container/%.c,%,$(wildcard tests/container/$(1).c))
CONTAINER_UNIT := $(call container_sources,*_test)
CONTAINER_FUZZ := $(call container_sources,fuzz_*)
$(foreach cc,$(CLI_TEST_CC),$(eval $(call container_programs,$(cc))))

# Those that make libraries without code.
$(foreach cc,$(CLI_TEST_CC),$(addprefix $(CONTAINER_TEST)/,files_test.$(cc) layout_test.$(cc) \
		random_elfnote.$(cc))) $(CONTAINER_TEST)/fuzz_elfnote: tests/container/stub.c

# Those that make folders like the root of a system.
$(foreach cc,$(CLI_TEST_CC),$(addprefix $(CONTAINER_TEST)/,files_test.$(cc) layout_test.$(cc) \
		ldconf_test.$(cc))): tests/container/tree.c

# Its open() stands in for the driver's.
$(CLI_TEST_CC:%=$(CONTAINER_TEST)/devices_test.%): private CONTAINER_TEST_LIBS += -Wl,--wrap=open

# Its ioctl() stands in for RM's.
$(CLI_TEST_CC:%=$(CONTAINER_TEST)/uuids_test.%): private CONTAINER_TEST_LIBS += -Wl,--wrap=ioctl

# Its fnmatch() stands in for one that an image has taken over.
$(CLI_TEST_CC:%=$(CONTAINER_TEST)/ldconf_test.%): private CONTAINER_TEST_LIBS += -Wl,--wrap=fnmatch

# Called by the scripts.
CONTAINER_PROGRAMS := $(addprefix $(CONTAINER_TEST)/,list opaque)
$(CONTAINER_PROGRAMS): $(CONTAINER_TEST)/%: tests/container/%.c $(CONTAINER_TEST)/$(CONTAINER_CC)/rooms.a
	$(call say,CC,$@)
	$(Q)$(CONTAINER_CC) $(CONTAINER_TEST_CFLAGS) -o $@ $^ $(CLI_LIBS)

$(abspath $(CONTAINER_TEST)/vectors): $(CONTAINER_TEST)/vectors
$(CONTAINER_TEST)/vectors: tests/container/vectors.c $(wildcard tests/container/suites_*.c) \
		tests/container/vectors.h $(CONTAINER_TEST)/$(CONTAINER_CC)/rooms.a
	$(call say,CC,$@)
	$(Q)$(CONTAINER_CC) $(CONTAINER_TEST_CFLAGS) -o $@ $(filter %.c %.a,$^) $(CLI_LIBS)

CONTAINER_TESTS := $(foreach cc,$(CLI_TEST_CC),$(CONTAINER_UNIT:%=$(CONTAINER_TEST)/%.$(cc)) \
	$(CONTAINER_FUZZ:fuzz_%=$(CONTAINER_TEST)/random_%.$(cc)))

.PHONY: check-container fuzz-container
check-container: $(O)/mpu $(CONTAINER_TESTS) $(CONTAINER_PROGRAMS) $(CONTAINER_TEST)/vectors
	$(Q)tests/container/run $(abspath $(CONTAINER_TEST)) $(abspath $(CONTAINER_TESTS))

$(CONTAINER_FUZZ:%=$(CONTAINER_TEST)/%): $(CONTAINER_TEST)/%: tests/container/%.c $(CONTAINER_TEST)/fuzz/rooms.a
	$(call say,CLANG,$@)
	$(Q)clang $(CLI_CFLAGS) $(CLI_SANITIZE) -fsanitize=fuzzer -o $@ $^ $(CLI_LIBS)

# Each for FUZZ_SECONDS.
fuzz-container: $(CONTAINER_FUZZ:%=$(CONTAINER_TEST)/%)
	$(Q)tests/container/fuzz $(FUZZ_SECONDS) $^
