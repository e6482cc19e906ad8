# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of host/ (after unit.mk: this adds to its list).

HOST_TESTS := $(foreach test,cgroup owner proc usage,$(UNIT_CC:%=$(O)/tests/unit/$(test)_test.%))
HOST_TEST_DEPS := $(filter-out host/metrics.c,$(wildcard host/*.c)) nvidia/rm.c nvidia/rm_process.c \
	nvidia/processes.c nvidia/driver.c lib/host.c lib/proc.c lib/why.c lib/words.c \
	lib/document.c lib/fds.c lib/regular.c lib/text_file.c lib/toml.c lib/toml_scalar.c lib/json.c

define host_test_rule
$(filter %.$(1),$(HOST_TESTS)): $(O)/tests/unit/%_test.$(1): tests/unit/%_test.c \
		$(HOST_TEST_DEPS) $(wildcard host/*.h nvidia/*.h lib/*.h core/*.h)
	$$(Q)mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(1) -std=c17 -g -O1 -D_GNU_SOURCE -Wall -Wextra -Werror -I. \
		$(SANITIZE) -o $$@ $$(filter %.c,$$^) $$(HOST_TEST_LIBS) \
		$$$$(pkg-config --cflags --libs cmocka json-c)
endef
$(foreach cc,$(UNIT_CC),$(eval $(call host_test_rule,$(cc))))

# Those on a host made of files.
$(foreach cc,$(UNIT_CC),$(addprefix $(O)/tests/unit/,owner_test.$(cc) proc_test.$(cc))): \
	tests/unit/host_world.c tests/unit/host_world.h

# It says how many CPUs there are, and whether there may be more threads.
$(UNIT_CC:%=$(O)/tests/unit/proc_test.%): private HOST_TEST_LIBS = -Wl,--wrap=sysconf,--wrap=pthread_create

# It counts what is read.
$(UNIT_CC:%=$(O)/tests/unit/owner_test.%): private HOST_TEST_LIBS = -Wl,--wrap=text_file_read,--wrap=opendir

UNIT_TESTS += $(HOST_TESTS)
check-unit: $(HOST_TESTS)
