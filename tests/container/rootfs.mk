# SPDX-License-Identifier: GPL-2.0-only
# Tests of container/rootfs: edits carried out in a container's root.

# Edits from a command line: by container/rootfs, and by an injector that trusts the
# image.
$(CONTAINER_TEST)/inject: tests/container/inject.c tests/container/naive.c \
		$(CONTAINER_ROOM_SRC) $(wildcard tests/container/*.h container/*.h container/*/*.h nvidia/*.h lib/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CONTAINER_TEST_CFLAGS) -o $@ $(filter %.c,$^) $(CLI_LIBS)

