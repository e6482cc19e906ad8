# SPDX-License-Identifier: GPL-2.0-only
# The GPU-container chain: vectors.

CONTAINER_TEST := $(O)/tests/container
CONTAINER_TEST_CFLAGS := $(CLI_CFLAGS) $(CLI_SANITIZE)

# Nothing of the command, and of the engines none.
CONTAINER_ROOM_SRC := $(wildcard container/*.c container/cdi/*.c container/rootfs/*.c \
	container/setup/*.c nvidia/*.c lib/*.c)

$(abspath $(CONTAINER_TEST)/vectors): $(CONTAINER_TEST)/vectors
$(CONTAINER_TEST)/vectors: tests/container/vectors.c $(wildcard tests/container/suites_*.c) \
		$(CONTAINER_ROOM_SRC) $(wildcard tests/container/*.h container/*.h container/*/*.h nvidia/*.h lib/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CONTAINER_TEST_CFLAGS) -o $@ $(filter %.c,$^) $(CLI_LIBS)
