// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works with bpf(2) until it is killed, as monitoring agents do all day: every such call
 * keeps the programs at probes from running on its CPU as long as it lasts
 * (bpf_disable_instrumentation()).
 *
 *	busy BYTES	writes an element of that size
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/env.h"

static int call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

int main(int argc, char **argv)
{
	u32 key = 0, size = argc > 1 ? (u32)atoi(argv[1]) : 0;
	void *value = calloc(1, size + 4);
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = size, .max_entries = 1,
	};
	union bpf_attr update = { .key = (u64)&key, .value = (u64)value };

	if (!size || !value)
		return 2;
	update.map_fd = (u32)call(BPF_MAP_CREATE, &map);
	while (!call(BPF_MAP_UPDATE_ELEM, &update))
		;
	perror("busy");
	return 1;
}
