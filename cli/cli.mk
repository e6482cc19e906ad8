# SPDX-License-Identifier: GPL-2.0-only
# mpu, the command. Variables come from the top Makefile; the defaults below
# are for `make -f cli/cli.mk`.
O ?= build
MPU_CC ?= cc
PKG_CONFIG ?= pkg-config
MPU_VERSION ?= $(shell cat VERSION)

CLI_SRC := $(wildcard cli/*.c) lib/host.c lib/rm.c lib/rm_process.c
CLI_CFLAGS := -std=c17 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I. \
	-DMPU_VERSION='"$(MPU_VERSION)"' $(shell $(PKG_CONFIG) --cflags json-c)
CLI_LIBS := $(shell $(PKG_CONFIG) --libs json-c)
CLI_OBJ := $(CLI_SRC:%.c=$(O)/%.o)

.PHONY: cli
cli: $(O)/mpu

$(O)/mpu: $(CLI_OBJ)
	$(MPU_CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

$(CLI_OBJ): $(O)/%.o: %.c
	@mkdir -p $(@D)
	$(MPU_CC) $(CLI_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(CLI_OBJ:.o=.d)
