# SPDX-License-Identifier: GPL-2.0-only
# mpu, the command.

CLI_SRC := $(wildcard cli/*.c cli/*/*.c cli/*/*/*.c container/*.c container/*/*.c engines/*.c \
	engines/module/*.c engines/notify/*.c host/*.c nvidia/*.c lib/*.c) $(BPF_SRC)
# Libraries, by the names that pkg-config has for them.
CLI_PACKAGES := json-c libelf yaml-0.1 ncursesw sqlite3 zlib

# One file that runs on a machine with nothing else, and that no variable of an image has
# its loader load anything into: hooks get such variables. STATIC= makes a dynamic one.
STATIC ?= yes

# libmicrohttpd does TLS by GnuTLS, which Debian has no complete static library of. We
# leave TLS out: in the static program its functions are these, which nothing calls. SQLite
# would load extensions by dlopen(3), of which a static program has none either.
HTTP_OBJ := $(if $(STATIC),$(O)/cli/gnutls.o)

CLI_OBJ := $(CLI_SRC:%.c=$(O)/%.o) $(HTTP_OBJ)
CLI_CFLAGS := -std=c17 -O2 -g -Wall -Wextra $(WERROR) -D_GNU_SOURCE -I. \
	-DMPU_VERSION='"$(VERSION)"' $(BPF_CFLAGS) \
	$(shell pkg-config --cflags $(CLI_PACKAGES) 2>/dev/null)
CLI_LIBS := $(shell pkg-config $(if $(STATIC),--static) --libs $(CLI_PACKAGES) 2>/dev/null) $(BPF_LIBS) -lmicrohttpd
STATIC_LDFLAGS := -static-pie $(STRIP) -Wl,--wrap=dlopen
CLI_LDFLAGS := $(if $(STATIC),$(STATIC_LDFLAGS)) -Wl,--gc-sections

.PHONY: mpu FORCE
all: mpu
mpu: $(O)/mpu

# The libraries of mpu, which change with STATIC and with what is installed.
CLI_PARTS := $(CLI_LDFLAGS) $(CLI_LIBS)
$(O)/cli/parts: FORCE
	@mkdir -p $(@D)
	@echo '$(CLI_PARTS)' | cmp -s - $@ || echo '$(CLI_PARTS)' >$@

$(O)/mpu: $(CLI_OBJ) $(O)/cli/parts
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(CLI_LDFLAGS) -o $@ $(CLI_OBJ) $(CLI_LIBS)

$(O)/engines/engine.o: $(O)/cli/parts
$(CLI_SRC:%.c=$(O)/%.o): $(O)/%.o: %.c VERSION
	$(Q)pkg-config --exists $(CLI_PACKAGES) libmicrohttpd 2>/dev/null || { deploy/deps -n build; echo "mpu: pkg-config does not find all of $(CLI_PACKAGES) libmicrohttpd" >&2; exit 1; }
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -ffunction-sections -fdata-sections $(CPPFLAGS) $(CFLAGS) \
		-MMD -MP -c -o $@ $<

-include $(CLI_OBJ:.o=.d)

$(O)/cli/gnutls.c: cli/cli.mk
	@mkdir -p $(@D)
	$(Q)nm --quiet --undefined-only "$$($(CC) -print-file-name=libmicrohttpd.a)" >$@.names
	$(Q)awk '/ U gnutls_/ { if (!seen[$$2]++) print "int " $$2 "(void) { return 0; }" }' \
		$@.names >$@
	$(Q)echo 'void *__wrap_dlopen(const char *a, int b) { (void)a, (void)b; return 0; }' >>$@

$(O)/cli/gnutls.o: $(O)/cli/gnutls.c
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) $(CFLAGS) -c -o $@ $<

