# SPDX-License-Identifier: GPL-2.0-only
# Engine bpf: one object for all kernels, inside mpu as a skeleton. Where
# something to make it with is missing, mpu is made without.

BPF_CLANG ?= clang
# Debian keeps it where only root's PATH leads.
BPFTOOL ?= $(shell PATH=$$PATH:/usr/sbin:/sbin command -v bpftool)

BPF_LACKS := $(strip \
	$(if $(shell command -v $(BPF_CLANG)),,clang) \
	$(if $(BPFTOOL),,bpftool) \
	$(if $(shell pkg-config --exists libbpf libelf zlib 2>/dev/null && echo yes),,libbpf-dev))

BPF_SKEL := $(O)/engines/bpf/mpu.skel.h

ifeq ($(BPF_LACKS),)
BPF_SRC := $(wildcard engines/bpf/*.c)
BPF_CFLAGS := -DMPU_HAVE_BPF -I$(O)/engines/bpf $(shell pkg-config --cflags libbpf libelf zlib)
BPF_LIBS := $(shell pkg-config $(if $(STATIC),--static) --libs libbpf libelf zlib)
# Objects that need the skeleton, before a .d file says so.
$(BPF_SRC:%.c=$(O)/%.o): $(BPF_SKEL)
check-core-builds: bpf
endif

# Says how <bpf/bpf_tracing.h> reads registers. (There may be no compiler yet.)
BPF_ARCH := $(patsubst aarch64,arm64,$(patsubst x86_64,x86,$(firstword \
	$(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))))

# -mcpu=v3: what every kernel since 5.10 takes. <asm/types.h> is where the
# machine's own compiler looks for it; "-target bpf" does not. BTF names the sources:
# not by where they happen to be.
BPF_OBJ_CFLAGS = -target bpf -mcpu=v3 -O2 -g -std=gnu11 -Wall -Wextra $(WERROR) \
	-D__TARGET_ARCH_$(BPF_ARCH) -fdebug-prefix-map=$(CURDIR)=. -I. $(shell pkg-config --cflags libbpf) \
	-idirafter $(shell $(CC) -print-sysroot)/usr/include/$(shell $(CC) -print-multiarch)

$(O)/engines/bpf/programs/mpu.bpf.o: engines/bpf/programs/mpu.bpf.c engines/bpf/bpf.mk
	@mkdir -p $(@D)
	$(call say,BPF,$@)
	$(Q)$(BPF_CLANG) $(BPF_OBJ_CFLAGS) -MMD -MP -c -o $@ $<

-include $(O)/engines/bpf/programs/mpu.bpf.d

# "gen object" leaves BTF and drops DWARF.
$(BPF_SKEL): $(O)/engines/bpf/programs/mpu.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen object $(O)/engines/bpf/programs/mpu.linked.o $<
	$(Q)$(BPFTOOL) gen skeleton $(O)/engines/bpf/programs/mpu.linked.o name mpu_bpf >$@

.PHONY: bpf
bpf: $(BPF_SKEL)
