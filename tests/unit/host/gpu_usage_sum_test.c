// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of host/gpu_usage_sum.c: sums over GPU processes, and which ones a filter
 * means.
 */
#include "host/internal.h"
#include "lib/hash.h"
#include "tests/unit/unit.h"

static const struct owner owners[] = {
	{ .kind = OWNER_NONE },
	{ .kind = OWNER_UNIT, .unit = "a.service" },
	{ .kind = OWNER_DOCKER, .id = "aaaabbbb", .container = "web" },
	{ .kind = OWNER_CONTAINERD, .id = "cccc", .container = "main", .pod = "p",
	  .namespace = "n", .pod_uid = "u1" },
	{ .kind = OWNER_CONTAINERD, .id = "dddd", .container = "side", .pod = "p",
	  .namespace = "n", .pod_uid = "u1" },
	{ .kind = OWNER_CONTAINERD, .id = "eeee", .container = "main", .pod = "p",
	  .namespace = "n", .pod_uid = "u2" },
};

static const struct host_process who[] = {
	{ .pid = 10, .uid = 0, .user = "root", .owner = &owners[0] },
	{ .pid = 11, .uid = 7, .user = "ann", .owner = &owners[0] },
	{ .pid = 12, .uid = 0, .user = "root", .owner = &owners[1] },
	{ .pid = 13, .uid = 7, .user = "ann", .owner = &owners[2] },
	{ .pid = 14, .uid = 0, .user = "root", .owner = &owners[3] },
	{ .pid = 15, .uid = 0, .user = "root", .owner = &owners[4] },
	{ .pid = 16, .uid = 0, .user = "root", .owner = &owners[5] },
	{ .pid = 17, .is_gone = true, .owner = &owners[0] },
};

/* @memory and @sm: by which a sum is told from another. */
#define ON(gpu_, who_, memory_, sm_)						\
	{ .gpu = gpu_, .process = &who[who_], .has_memory = true,		\
	  .memory = memory_, .utilisation = { [RM_ENGINE_SM] = sm_ } }

static struct usage_process processes[] = {
	ON(0, 0, 1, 1000), ON(0, 1, 2, 2000), ON(0, 3, 64, 4000), ON(0, 4, 8, 0),
	ON(2, 2, 16, 1), ON(2, 3, 32, 7000), ON(2, 4, 4, 2), ON(2, 5, 128, 3),
	ON(2, 6, 256, 4), ON(2, 7, 512, 0),
};

static struct usage usage = {
	.n_gpus = 3, .processes = processes, .n_processes = COUNT(processes),
	.gpus = {
		{ .gpu = { .bus = 1, .uuid = "GPU-aa" } },
		{ .gpu = { .bus = 0x2a } },
		{ .gpu = { .bus = 3, .domain = 1 } },
	},
};

struct want {
	pid_t example;	/* 0: none */
	size_t gpu, processes;
	uint64_t memory, sm;
};

static void check_sums(enum usage_by by, bool each_gpu, const struct want *want, size_t n_want)
{
	struct usage_sum *sums;
	size_t n, i;

	sums = usage_sum(&usage, by, each_gpu, &n);
	assert_int_equal(n, n_want);
	for (i = 0; i < n; i++) {
		assert_int_equal(sums[i].example ? sums[i].example->process->pid : 0,
				 want[i].example);
		assert_int_equal(sums[i].gpu, want[i].gpu);
		assert_int_equal(sums[i].processes, want[i].processes);
		assert_int_equal(sums[i].memory, want[i].memory);
		assert_int_equal(sums[i].utilisation[RM_ENGINE_SM], want[i].sm);
	}
	free(sums);
}

#define ALL	USAGE_ALL_GPUS

TEST("each GPU has a sum, even one without processes")
{
	static const struct want want[] = {
		{ 10, 0, 4, 75, 7000 }, { 0, 1, 0, 0, 0 }, { 12, 2, 6, 948, 7010 },
	};

	check_sums(USAGE_BY_GPU, false, want, COUNT(want));
	check_sums(USAGE_BY_GPU, true, want, COUNT(want));
}

TEST("each container has a sum, over all GPUs or for each GPU")
{
	static const struct want want[] = {
		{ 17, ALL, 1, 512, 0 }, { 16, ALL, 1, 256, 4 }, { 15, ALL, 1, 128, 3 },
		{ 13, ALL, 1, 96, 11000 }, { 12, ALL, 1, 16, 1 }, { 14, ALL, 1, 12, 2 },
		{ 11, ALL, 1, 2, 2000 }, { 10, ALL, 1, 1, 1000 },
	};
	static const struct want each[] = {
		{ 17, 2, 1, 512, 0 }, { 16, 2, 1, 256, 4 }, { 15, 2, 1, 128, 3 },
		{ 13, 0, 1, 64, 4000 }, { 13, 2, 1, 32, 7000 }, { 12, 2, 1, 16, 1 },
		{ 14, 0, 1, 8, 0 }, { 14, 2, 1, 4, 2 }, { 11, 0, 1, 2, 2000 },
		{ 10, 0, 1, 1, 1000 },
	};

	check_sums(USAGE_BY_CONTAINER, false, want, COUNT(want));
	check_sums(USAGE_BY_CONTAINER, true, each, COUNT(each));
}

TEST("containers of one pod have one sum; another UID is another pod")
{
	static const struct want want[] = {
		{ 17, ALL, 1, 512, 0 }, { 16, ALL, 1, 256, 4 }, { 14, ALL, 2, 140, 5 },
		{ 11, ALL, 2, 98, 13000 }, { 12, ALL, 1, 16, 1 }, { 10, ALL, 1, 1, 1000 },
	};

	check_sums(USAGE_BY_POD, false, want, COUNT(want));
}

TEST("each user has a sum")
{
	static const struct want want[] = {
		{ 17, ALL, 1, 512, 0 }, { 10, ALL, 5, 413, 1010 }, { 11, ALL, 2, 98, 13000 },
	};

	check_sums(USAGE_BY_USER, false, want, COUNT(want));
}

TEST("sums add up to the same total, whatever they are over")
{
	enum usage_by by;
	int each;

	for (by = 0; by < USAGE_BY_KINDS; by++)
		for (each = 0; each < 2; each++) {
			struct usage_sum *sums;
			uint64_t memory = 0, sm = 0;
			size_t n, i;

			sums = usage_sum(&usage, by, each, &n);
			for (i = 0; i < n; i++) {
				memory += sums[i].memory;
				sm += sums[i].utilisation[RM_ENGINE_SM];
			}
			assert_int_equal(memory, 1023);
			assert_int_equal(sm, 14010);
			free(sums);
		}
}

/* @id: 16 characters that hash as @other's, from the number that @begin hashes to. */
static void forge_id(char id[], const char *other, uint64_t begin)
{
	uint64_t word[2], own;

	memcpy(word, other, sizeof(word));
	memcpy(&own, id, sizeof(own));
	word[1] ^= hash_word(begin, word[0]) ^ hash_word(begin, own);
	memcpy(id + 8, &word[1], 8);
	id[16] = '\0';
}

TEST("containers with the same hash are told apart by their ids")
{
	static struct owner owner[] = {
		{ .kind = OWNER_DOCKER, .id = "aaaaaaaabbbbbbbb" },
		{ .kind = OWNER_DOCKER, .id = "cccccccc" },
		{ .kind = OWNER_DOCKER, .id = "aaaaaaaabbbbbbbb" },	/* its other group */
	};
	static const struct host_process process[] = {
		{ .pid = 1, .owner = &owner[0] }, { .pid = 2, .owner = &owner[1] },
		{ .pid = 3, .owner = &owner[2] }, { .pid = 4, .owner = &owner[1] },
	};
	struct usage_process one[] = {
		{ .process = &process[0] }, { .process = &process[1] },
		{ .process = &process[2] }, { .process = &process[3] },
	};
	struct usage two = { .n_gpus = 1, .processes = one, .n_processes = COUNT(one) };
	struct usage_sum *sums;
	size_t n;

	forge_id(owner[1].id, owner[0].id, hash_word(hash_word(HASH_BEGIN, 0), USAGE_BY_CONTAINER));
	assert_int_equal(strlen(owner[1].id), 16);
	assert_true(usage_find_id(USAGE_BY_CONTAINER, 0, &one[0]) ==
		    usage_find_id(USAGE_BY_CONTAINER, 0, &one[1]));
	sums = usage_sum(&two, USAGE_BY_CONTAINER, true, &n);
	assert_int_equal(n, 2);
	assert_int_equal(sums[0].processes, 2);
	assert_int_equal(sums[1].processes, 2);
	free(sums);
}

TEST("ended and hidden processes have one sum, which names a live one")
{
	static const struct host_process process[] = {
		{ .pid = 1, .uid = -1, .owner = &owners[0], .is_gone = true },
		{ .pid = 2, .uid = -1, .owner = &owners[0] },
		{ .pid = 3, .uid = -1, .owner = &owners[0], .is_gone = true },
	};
	struct usage_process one[] = {
		{ .process = &process[0] }, { .process = &process[1] },
		{ .process = &process[2] },
	};
	struct usage three = { .n_gpus = 1, .processes = one, .n_processes = COUNT(one) };
	struct usage_sum *sums;
	enum usage_by by;
	size_t n;

	for (by = USAGE_BY_CONTAINER; by < USAGE_BY_KINDS; by++) {
		sums = usage_sum(&three, by, false, &n);
		assert_int_equal(n, 1);
		assert_int_equal(sums[0].processes, 3);
		assert_int_equal(sums[0].example->process->pid, 2);
		free(sums);
	}
}

TEST("there are no sums without GPUs and processes")
{
	struct usage none = { .n_gpus = 0 };
	struct usage_sum *sums;
	enum usage_by by;
	size_t n;

	for (by = 0; by < USAGE_BY_KINDS; by++) {
		sums = usage_sum(&none, by, false, &n);
		assert_int_equal(n, 0);
		free(sums);
	}
}

/* A bit for each process that matches. */
static unsigned int matches(struct usage_filter filter)
{
	unsigned int set = 0;
	size_t i;

	for (i = 0; i < COUNT(processes); i++)
		if (usage_matches(&usage, &processes[i], &filter))
			set |= 1u << i;
	return set;
}

TEST("a filter chooses by GPU, container, pod, user and PID")
{
#define IS(...)	matches((struct usage_filter){ __VA_ARGS__ })
	assert_int_equal(IS(.pid = 0), 0x3ff);
	assert_int_equal(IS(.gpu = "0"), 0x00f);
	assert_int_equal(IS(.gpu = "2"), 0x3f0);
	assert_int_equal(IS(.gpu = "1"), 0);
	assert_int_equal(IS(.gpu = "3"), 0);
	assert_int_equal(IS(.gpu = "0x"), 0);
	assert_int_equal(IS(.gpu = ""), 0);
	assert_int_equal(IS(.gpu = "gpu-AA"), 0x00f);
	assert_int_equal(IS(.gpu = "0000:01:00.0"), 0x00f);
	assert_int_equal(IS(.gpu = "0001:03:00.0"), 0x3f0);
	assert_int_equal(IS(.gpu = "1,2"), 0x3f0);
	assert_int_equal(IS(.gpu = "GPU-aa,0001:03:00.0"), 0x3ff);
	assert_int_equal(IS(.gpu = "0000:01:00.0x,1"), 0);
	assert_int_equal(IS(.container = "web"), 0x024);
	assert_int_equal(IS(.container = "main"), 0x148);
	assert_int_equal(IS(.container = "aaaa"), 0x024);
	assert_int_equal(IS(.container = "aaaabbbb"), 0x024);
	assert_int_equal(IS(.container = "aaaabbbbc"), 0);
	assert_int_equal(IS(.container = "aaa"), 0);
	assert_int_equal(IS(.container = ""), 0);
	assert_int_equal(IS(.container = "n/p/main"), 0x148);
	assert_int_equal(IS(.container = "p/side"), 0x080);
	assert_int_equal(IS(.container = "/main"), 0);
	assert_int_equal(IS(.container = "n/p"), 0);
	assert_int_equal(IS(.container = "m/p/main"), 0);
	assert_int_equal(IS(.container = "ain"), 0);
	assert_int_equal(IS(.pod = "p"), 0x1c8);
	assert_int_equal(IS(.pod = "n/p"), 0x1c8);
	assert_int_equal(IS(.pod = "m/p"), 0);
	assert_int_equal(IS(.pod = ""), 0);
	assert_int_equal(IS(.pod = "/"), 0);
	assert_int_equal(IS(.namespace = "n"), 0x1c8);
	assert_int_equal(IS(.namespace = "p"), 0);
	assert_int_equal(IS(.user = "ann"), 0x026);
	assert_int_equal(IS(.user = "7"), 0x026);
	assert_int_equal(IS(.user = "0"), 0x1d9);
	assert_int_equal(IS(.user = "8"), 0);
	assert_int_equal(IS(.user = "4294967303"), 0);
	assert_int_equal(IS(.user = "-4294967289"), 0);
	assert_int_equal(IS(.pid = 13), 0x024);
	assert_int_equal(IS(.pid = 13, .gpu = "2", .user = "ann"), 0x020);
	assert_int_equal(IS(.pid = 13, .user = "root"), 0);
#undef IS
}
