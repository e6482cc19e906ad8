# SPDX-License-Identifier: GPL-2.0-only
# Tests of mpu as a command: under sanitizers, and as it is shipped against the simulated
# RM (tests/cli/sim.sh).
#
#	make check-cli CLI=ps		one script, tests/cli/ps.sh

CLI_TEST := $(O)/tests/cli

$(CLI_TEST)/mpu: $(TESTED)/cli/main.o $(TESTED)/product.a
	$(call test_link,$(firstword $(TEST_CC)))

$(CLI_TEST)/json: tests/cli/json.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CLI_CFLAGS) -o $@ $< $(CLI_LIBS)

# The same objects, so that the simulated driver can be preloaded.
$(O)/smi/mpu: $(CLI_SRC:%.c=$(O)/%.o)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) -Wl,--gc-sections -o $@ $^ $(CLI_LIBS)

.PHONY: check-cli check-build
# Tests for the build of a package: by this compiler alone, offline, as any user.
check-build:
	$(Q)$(MAKE) --no-print-directory TEST_CC="$(CC)" CLI="chain host sim tools usage" \
		check-unit check-cli

check-cli: $(O)/mpu $(CLI_TEST)/mpu $(CLI_TEST)/json $(O)/smi/mpu $(O)/smi/nvsim-shim.so \
		$(O)/sim/nvsim-load-dynamic
	$(Q)tests/cli/run $(abspath $(CLI_TEST)) $(CLI)
