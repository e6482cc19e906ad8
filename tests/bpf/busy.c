// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works with bpf(2) until it is killed, as monitoring agents do all day: every such call
 * keeps the programs at probes from running on its CPU as long as it lasts
 * (bpf_disable_instrumentation()).
 *
 *	busy update BYTES	writes an element of that size
 *	busy batch BUCKETS	reads a hash table that has one element
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/env.h"

static int call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int create(unsigned int type, u32 bytes, u32 entries)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = bytes,
		.max_entries = entries,
	};

	return call(BPF_MAP_CREATE, &attr);
}

static int update(int map, void *value)
{
	static u32 key;
	union bpf_attr attr = {
		.map_fd = (u32)map, .key = (u64)&key, .value = (u64)value,
	};

	return call(BPF_MAP_UPDATE_ELEM, &attr);
}

/* Ends with ENOENT: the table has no more. */
static int read_batch(int map)
{
	static u32 next, key[64], value[64];
	union bpf_attr attr = { 0 };

	attr.batch.map_fd = (u32)map;
	attr.batch.out_batch = (u64)&next;
	attr.batch.keys = (u64)key;
	attr.batch.values = (u64)value;
	attr.batch.count = 64;
	call(BPF_MAP_LOOKUP_BATCH, &attr);
	return attr.batch.count == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
	u32 size = argc > 2 ? (u32)atoi(argv[2]) : 0;
	bool batch = argc > 1 && !strcmp(argv[1], "batch");
	void *value = calloc(1, size + 4);
	int map, err;

	if (!size || !value)
		return 2;
	if (batch)
		map = create(BPF_MAP_TYPE_HASH, 4, size);
	else
		map = create(BPF_MAP_TYPE_ARRAY, size, 1);
	err = map < 0 || update(map, value);
	while (!err)
		err = batch ? read_batch(map) : update(map, value);
	perror("busy");
	return 1;
}
