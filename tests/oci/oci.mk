# SPDX-License-Identifier: GPL-2.0-only
# mpu-runtime: the merge of configurations against libseccomp, and real
# containers by every runtime and engine that is here.

OCI_OUT := $(O)/tests/oci
OCI_CFLAGS := -std=c17 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I.
OCI_FUZZ := tests/oci/oci_fuzz.c tests/oci/same.c
OCI_RANDOM := $(TEST_CC:%=$(OCI_OUT)/oci_random.%)

# The fuzzer's configurations, as many as are made in seconds.
$(OCI_RANDOM): $(OCI_OUT)/oci_random.%: $(OCI_FUZZ) tests/oci/same.h $(O)/%-asan/product.a
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* $(TEST_CFLAGS) -DRUNS=2000 -o $@ $(filter %.c,$^) $(filter %.a,$^) $(TEST_LIBS) -lseccomp

$(OCI_OUT)/oci_fuzz: $(addprefix $(O)/clang-fuzz/,$(OCI_FUZZ:.c=.o) product.a)
	$(call test_link,clang -fsanitize=fuzzer)

$(OCI_OUT)/compare $(OCI_OUT)/oci_fuzz: private TEST_LIBS += -lseccomp
$(OCI_OUT)/compare: $(TESTED)/tests/oci/compare.o $(TESTED)/product.a
	$(call test_link,$(firstword $(TEST_CC)))

$(OCI_OUT)/listener $(OCI_OUT)/recvtty: tests/oci/listen_at.h

# Alone in its container, or in a machine that has no libjson-c.
$(addprefix $(OCI_OUT)/,look first_hook): OCI_CFLAGS += -static
$(addprefix $(OCI_OUT)/,look load): $(OCI_OUT)/%: tests/oci/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) -o $@ $<

$(OCI_OUT)/first_hook: tests/oci/first_hook.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) -o $@ $< $$(pkg-config --cflags --libs json-c)

$(addprefix $(OCI_OUT)/,listener recvtty): $(OCI_OUT)/%: tests/oci/%.c $(O)/product.a
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) -o $@ $(filter %.c,$^) $(filter %.a,$^)

$(OCI_OUT)/forbid: $(NOTIFY_TEST)/forbid
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(OCI_OUT)/race: $(CONTAINER_TEST)/race
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(OCI_OUT)/mpu $(OCI_OUT)/json: $(OCI_OUT)/%: $(CLI_TEST)/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

.PHONY: check-oci check-suites fuzz-oci
check-oci: $(OCI_RANDOM) $(addprefix $(OCI_OUT)/,compare listener look load first_hook forbid race mpu json) \
		$(O)/mpu
	$(Q)tests/oci/run $(abspath $(OCI_OUT)) $(OCI)

# The runtimes' own tests: those of runc and crun, or SUITES.
check-suites: $(addprefix $(OCI_OUT)/,recvtty mpu)
	$(Q)deploy/deps tests/oci/debian-packages
	$(Q)tests/runner/fetch oci
	$(Q)tests/oci/suites $(abspath $(OCI_OUT)) $(SUITES)

fuzz-oci: $(OCI_OUT)/oci_fuzz
	$(Q)mkdir -p $(OCI_OUT)/corpus
	$(Q)$< -max_len=2048 -dict=tests/oci/oci.dict \
		-artifact_prefix=$(OCI_OUT)/ -verbosity=0 -print_final_stats=1 \
		-max_total_time=$(FUZZ_SECONDS) $(OCI_OUT)/corpus tests/oci/seeds
