# SPDX-License-Identifier: GPL-2.0-only
# mpu-runtime: the merge of configurations against libseccomp, and real
# containers by every runtime and engine that is here.

OCI_OUT := $(O)/tests/oci
OCI_CC := $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))
OCI_CFLAGS := -std=c17 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I. -DMPU_VERSION='"$(VERSION)"'
OCI_LIBS = $(shell pkg-config --$(1) json-c libseccomp cmocka)
OCI_HEADERS := $(wildcard tests/oci/*.h engines/notify/*.h container/*.h container/*/*.h \
	lib/*.h core/*.h)
OCI_EDIT_SRC := $(CONTAINER_ROOMS_SRC)
OCI_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

$(OCI_OUT)/oci_test.%: tests/oci/oci_test.c tests/oci/filter.c $(OCI_EDIT_SRC) \
		$(OCI_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* $(OCI_CFLAGS) $(OCI_SANITIZE) $(call OCI_LIBS,cflags) \
		-o $@ $(filter %.c,$^) $(call OCI_LIBS,libs) $(CLI_LIBS)

# The fuzzer's configurations, as many as are made in seconds.
OCI_FUZZ_SRC := tests/oci/oci_fuzz.c tests/oci/same.c tests/oci/filter.c \
	$(OCI_EDIT_SRC)
$(OCI_OUT)/oci_random.%: $(OCI_FUZZ_SRC) $(OCI_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* $(OCI_CFLAGS) -DRUNS=2000 $(OCI_SANITIZE) \
		$(call OCI_LIBS,cflags) -o $@ $(filter %.c,$^) \
		$(call OCI_LIBS,libs) $(CLI_LIBS)

$(OCI_OUT)/compare: tests/oci/compare.c tests/oci/filter.c $(OCI_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) $(call OCI_LIBS,cflags) -o $@ $(filter %.c,$^) \
		$(call OCI_LIBS,libs) $(CLI_LIBS)

$(OCI_OUT)/listener $(OCI_OUT)/recvtty: tests/oci/listen_at.h

# Alone in its container, or in a machine that has no libjson-c.
$(addprefix $(OCI_OUT)/,probe look first_hook): OCI_CFLAGS += -static
$(addprefix $(OCI_OUT)/,probe listener look load): $(OCI_OUT)/%: tests/oci/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) -o $@ $<

$(OCI_OUT)/first_hook: tests/oci/first_hook.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) $(call OCI_LIBS,cflags) -o $@ $< $$(pkg-config --libs json-c)

$(OCI_OUT)/recvtty: tests/oci/recvtty.c lib/fds.c lib/fds.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(OCI_CFLAGS) -o $@ $(filter %.c,$^)

$(OCI_OUT)/forbid: $(NOTIFY_TEST)/forbid
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(OCI_OUT)/mpu $(OCI_OUT)/json: $(OCI_OUT)/%: $(CLI_TEST)/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(OCI_OUT)/oci_fuzz: $(OCI_FUZZ_SRC) $(OCI_HEADERS)
	@mkdir -p $(@D)
	$(call say,CLANG,$@)
	$(Q)clang $(OCI_CFLAGS) -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all $(call OCI_LIBS,cflags) \
		-o $@ $(filter %.c,$^) $(call OCI_LIBS,libs) $(CLI_LIBS)

.PHONY: check-oci check-suites fuzz-oci
check-oci: $(OCI_CC:%=$(OCI_OUT)/oci_test.%) $(OCI_CC:%=$(OCI_OUT)/oci_random.%) \
		$(addprefix $(OCI_OUT)/,compare probe listener look load first_hook forbid mpu json)
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
