// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PIDs of engine bpf alone: numbers in, numbers out, nothing written to
 * anybody. Run by bpf_prog_test_run(), in the task that calls it.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "engines/bpf/programs/pidns.bpf.h"
#include "tests/bpf/walk.h"

char LICENSE[] SEC("license") = "GPL";

struct walk walk;

/* The namespace of the process that asks, and memory for the programs. */
struct seer {
	struct pid_tree host;
	struct pid_tree own;
	u64 ns;
	u32 level;
	u8 copy[2 * PID_ROOM];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct seer);
} seers SEC(".maps");

static __always_inline struct seer *the_seer(void)
{
	u32 first = 0;

	return bpf_map_lookup_elem(&seers, &first);
}

__attribute__((__noinline__)) int walk_one(u32 i)
{
	u64 at = mpu_fixed(i) & (WALK_MAX - 1);
	struct seer *seer = the_seer();
	u32 number = walk.number[at];

	if (!seer)
		return 0;
	walk.local[at] = 0;
	walk.global[at] = 0;
	if (pid_read_process(seer->copy, pid_find(&seer->host, number), seer->level, true))
		walk.local[at] = pid_number(seer->copy, seer->ns, seer->level);
	if (pid_read_process(seer->copy, pid_find(&seer->own, number), 0, true))
		walk.global[at] = pid_number(seer->copy, 0, 0);
	return 0;
}

SEC("raw_tracepoint")
int walk_all(void *unused)
{
	struct pid *pid = (void *)caller_pid();
	struct seer *seer = the_seer();
	u32 i, level = BPF_CORE_READ(pid, level);
	struct upid upid = {};

	(void)unused;
	if (!seer)
		return 0;
	bpf_core_read(&upid, sizeof(upid), &pid->numbers[level]);
	seer->level = level;
	seer->ns = (u64)upid.ns;
	pid_tree_open(&seer->own, seer->ns);
	pid_tree_open(&seer->host, (u64)BPF_CORE_READ(pid, numbers[0].ns));
	for (i = 0; i < WALK_MAX && i < walk.count; i++)
		walk_one(i);
	return 0;
}
