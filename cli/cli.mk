# SPDX-License-Identifier: GPL-2.0-only
# mpu, the command, and its tests.

# What gives a GPU to a container; of it, what edits config.json and is mpu-runtime.
CONTAINER_SRC := $(wildcard container/*.c container/*/*.c)
OCI_SRC := $(filter container/oci/%,$(CONTAINER_SRC))

CLI_SRC := $(wildcard cli/*.c cli/*/*.c cli/*/*/*.c engines/*.c engines/module/*.c engines/notify/*.c \
	host/*.c nvidia/*.c lib/*.c) $(CONTAINER_SRC) $(BPF_SRC)
CLI_HEADERS := $(wildcard cli/*.h cli/*/*.h cli/*/*/*.h engines/*.h engines/*/*.h container/*.h container/*/*.h \
	host/*.h nvidia/*.h lib/*.h core/*.h)
# Libraries, by the names that pkg-config has for them.
CLI_PACKAGES := json-c libelf yaml-0.1 ncursesw

CLI_OBJ := $(CLI_SRC:%.c=$(O)/%.o)
CLI_CFLAGS := -std=c17 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I. \
	-DMPU_VERSION='"$(VERSION)"' $(BPF_CFLAGS) \
	$(shell pkg-config --cflags $(CLI_PACKAGES) 2>/dev/null)
CLI_LIBS := $(shell pkg-config $(if $(STATIC),--static) --libs $(CLI_PACKAGES) 2>/dev/null) $(BPF_LIBS)
# STATIC=1: one file that runs on a machine with nothing else.
CLI_LDFLAGS := $(if $(STATIC),-static -s) -Wl,--gc-sections

.PHONY: mpu check-cli FORCE
all: mpu
mpu: $(O)/mpu

# What mpu is made of, which changes with STATIC and with what is installed.
CLI_PARTS := $(CLI_LDFLAGS) $(CLI_LIBS)
$(O)/cli/parts: FORCE
	@mkdir -p $(@D)
	@echo '$(CLI_PARTS)' | cmp -s - $@ || echo '$(CLI_PARTS)' >$@

$(O)/mpu: $(CLI_OBJ) $(O)/cli/parts
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(CLI_LDFLAGS) -o $@ $(CLI_OBJ) $(CLI_LIBS)

$(O)/engines/engine.o: $(O)/cli/parts
$(CLI_SRC:%.c=$(O)/%.o): $(O)/%.o: %.c VERSION
	$(Q)pkg-config --exists $(CLI_PACKAGES) || { echo "mpu: json-c, libelf, libyaml or ncurses is missing: install libjson-c-dev, libelf-dev, libyaml-dev and libncurses-dev" >&2; exit 1; }
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -ffunction-sections -fdata-sections $(CPPFLAGS) $(CFLAGS) \
		-MMD -MP -c -o $@ $<

-include $(CLI_OBJ:.o=.d)

# The same sources under sanitizers, by each compiler that is here.
CLI_TEST := $(O)/tests/cli
CLI_TEST_CC := $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))
CLI_SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all

$(CLI_TEST)/mpu: $(CLI_SRC) $(CLI_HEADERS) \
		$(if $(BPF_SRC),$(BPF_SKEL) engines/bpf/programs/state.h) VERSION
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) $(CLI_SANITIZE) -o $@ $(CLI_SRC) $(CLI_LIBS)

$(CLI_TEST)/json: tests/cli/json.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CLI_CFLAGS) -o $@ $< $(CLI_LIBS)

$(CLI_TEST)/rm_test.%: tests/cli/rm_test.c nvidia/rm.c nvidia/rm_process.c \
		nvidia/processes.c $(wildcard nvidia/*.h core/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* $(CLI_CFLAGS) $(CLI_SANITIZE) $(shell pkg-config --cflags cmocka) \
		-o $@ $(filter %.c,$^) $(shell pkg-config --libs cmocka)

$(CLI_TEST)/tool_test.%: tests/cli/tool_test.c cli/tool.c lib/words.c cli/exit.h cli/tool.h lib/words.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$* $(CLI_CFLAGS) $(CLI_SANITIZE) $(shell pkg-config --cflags cmocka) \
		-o $@ $(filter %.c,$^) $(shell pkg-config --libs cmocka)

check-cli: $(O)/mpu $(CLI_TEST)/mpu $(CLI_TEST)/json $(CLI_TEST_CC:%=$(CLI_TEST)/rm_test.%) \
		$(CLI_TEST_CC:%=$(CLI_TEST)/tool_test.%)
	$(Q)tests/cli/run $(abspath $(CLI_TEST))
