# SPDX-License-Identifier: GPL-2.0-only
# What tests of container/rootfs run: see attacks.sh and rootfs.sh.

ROOTFS_PROGRAMS := $(addprefix $(CONTAINER_TEST)/,inject race box without)
check-container: $(ROOTFS_PROGRAMS)

# Edits from a command line: by container/rootfs, and by an injector that trusts the
# image. Static, as mpu is where it works in containers: what LD_PRELOAD names is
# not for it, but for what it runs.
$(CONTAINER_TEST)/inject: tests/container/inject.c tests/container/naive.c \
		$(CONTAINER_ROOMS_SRC:%.c=$(O)/%.o) $(wildcard tests/container/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -static -o $@ $(filter %.c %.o,$^) \
		$(shell pkg-config --static --libs $(CLI_PACKAGES))

$(addprefix $(CONTAINER_TEST)/,race box without): $(CONTAINER_TEST)/%: tests/container/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -o $@ $<
