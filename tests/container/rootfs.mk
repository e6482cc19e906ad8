# SPDX-License-Identifier: GPL-2.0-only
# Tests of container/rootfs: edits carried out in a container's root.

# Edits from a command line: by container/rootfs, and by an injector that trusts the
# image. Static, as mpu is where it works in containers: what LD_PRELOAD names is
# not for it, but for what it runs.
ROOTFS_INJECT_SRC := tests/container/inject.c tests/container/naive.c $(CONTAINER_ROOM_SRC)
ROOTFS_INJECT_HEADERS := $(wildcard tests/container/*.h container/*.h container/*/*.h nvidia/*.h lib/*.h)

$(CONTAINER_TEST)/inject: $(ROOTFS_INJECT_SRC) $(ROOTFS_INJECT_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -static -o $@ $(filter %.c,$^) \
		$(shell pkg-config --static --libs $(CLI_PACKAGES))

$(CONTAINER_TEST)/race: tests/container/race.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -o $@ $<

$(CONTAINER_TEST)/box: tests/container/box.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CLI_CFLAGS) -o $@ $<
