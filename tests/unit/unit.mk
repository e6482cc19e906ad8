# SPDX-License-Identifier: GPL-2.0-only
# Unit tests, under sanitizers, by every compiler that is here: FOLDER/NAME_test.c here is
# of FOLDER/NAME.c in the product. One of them:
#
#	make check-unit UNIT=lib/toml
#	make build/tests/unit/lib/toml_test.gcc && build/tests/unit/lib/toml_test.gcc

UNIT_TESTS := $(patsubst tests/unit/%_test.c,%,$(filter %_test.c,$(UNIT_SRC)))
UNIT_TESTS := $(if $(BPF_LACKS),$(filter-out engines/bpf/%,$(UNIT_TESTS)),$(UNIT_TESTS))
UNIT ?= $(UNIT_TESTS)

# unit NAME...: programs of these, by each compiler
unit = $(foreach cc,$(TEST_CC),$(1:%=$(O)/tests/unit/%_test.$(cc)))

define unit_rule
$(UNIT_TESTS:%=$(O)/tests/unit/%_test.$(1)): $(O)/%.$(1): $(O)/$(1)-asan/%.o $(O)/$(1)-asan/product.a
	$$(call test_link,$(1))
endef
$(foreach cc,$(TEST_CC),$(eval $(call unit_rule,$(cc))))

# Functions of libraries that these have in their place.
$(call unit,container/oci/apply): private TEST_LIBS += -Wl,--wrap=json_object_array_get_idx
$(call unit,lib/strv lib/xalloc): private TEST_LIBS += -Wl,--wrap=reallocarray
$(call unit,host/owner): private TEST_LIBS += -Wl,--wrap=text_file_read,--wrap=opendir
$(call unit,host/proc): private TEST_LIBS += -Wl,--wrap=sysconf,--wrap=pthread_create,--wrap=openat
$(call unit,engines/bpf/pins nvidia/devices): private TEST_LIBS += -Wl,--wrap=open
$(call unit,nvidia/uuids): private TEST_LIBS += -Wl,--wrap=ioctl
$(call unit,engines/bpf/features): private TEST_LIBS += -Wl,--wrap=host_exists,--wrap=kprobe_event_possible,--wrap=bpf_prog_load

# Its filters are libseccomp's, too.
$(call unit,engines/notify/seccomp): private TEST_LIBS += -lseccomp

.PHONY: check-unit check-mutants coverage
check-unit: $(call unit,$(UNIT))
	$(Q)tests/unit/run $(abspath $(call unit,$(UNIT)))

# The lines of the product that these tests run, by folder. Built by itself: sanitizers and
# optimisation would move lines.
coverage:
	$(Q)$(MAKE) --no-print-directory O=$(O)/coverage TEST_CC=gcc \
		SANITIZE='-O0 --coverage' UNIT='$(UNIT)' check-unit
	$(Q)find $(O)/coverage/gcc-asan -name '*.gcno' ! -name '*_test.gcno' | xargs gcov -n | \
		awk -f tests/unit/coverage.awk

# Checks that the unit tests can fail: each of some edits of the rule must break them. MUTANTS:
# instead, counts what BY notices of all small edits of these files.
check-mutants:
	$(Q)tests/unit/mutants $(O) $(MUTANTS)
