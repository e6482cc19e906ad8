// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits of GPU memory. The driver, from 610 on, tells the kernel of each
 * GPU's memory as a region of the controller dmem, and charges the cgroup of each process.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "container/plan/internal.h"
#include "lib/host.h"

#define CAPACITY	"/sys/fs/cgroup/dmem.capacity"
#define HOOK		"apply-cuda-memory-limits"

/* "nvidia/0000:3b:00.0/vidmem 85899345920". @gpu: NULL: any */
static bool is_region(const char *line, const struct gpu *gpu)
{
	unsigned int domain, bus, slot, function;
	int end = 0;

	return sscanf(line, "nvidia/%x:%x:%x.%x/vidmem %n", &domain, &bus, &slot,
		      &function, &end) == 4 && end &&
	       (!gpu || (domain == gpu->domain && bus == gpu->bus &&
			 slot == gpu->slot && function == gpu->function));
}

/* Writes into @name what the kernel calls the memory of a GPU. */
static int find_region(const struct gpu *gpu, char name[128], char why[WHY_SIZE])
{
	FILE *file = host_fopen(CAPACITY);
	bool found = false;

	if (!file)
		return why_fail(why, -errno, CAPACITY ": %s: GPU memory is limited by the kernel's dmem controller: it takes Linux 6.14 with CONFIG_CGROUP_DMEM, and cgroup v2 alone, from its root on, which a cgroup namespace hides",
				strerror(errno));
	while (!found && fgets(name, 128, file))
		found = is_region(name, gpu);
	fclose(file);
	name[strcspn(name, " ")] = '\0';
	return found ? 0 :
	       why_fail(why, -ENOENT, CAPACITY " has no nvidia/%s/vidmem: to limit GPU memory takes driver 610 or later",
			gpu ? gpu->address : "ADDRESS");
}

static void add_line(struct edits *edits, const char *file, const char *region, uint64_t bytes)
{
	struct edit edit = {
		.kind = EDIT_CGROUP, .path = xstrdup(file),
		.text = bytes == GPU_MEMORY_ALL ? xasprintf("%s max", region) :
			xasprintf("%s %" PRIu64, region, bytes),
		.rule = xstrdup("memory that the container may have of each GPU"),
		.input = xstrdup(GPU_MEMORY_LIMIT " or _REQUEST"),
	};

	edits_add(edits, &edit);
}

int plan_memory(struct edits *edits, const struct selection *selection,
		const struct gpu_memory *memory, char why[WHY_SIZE])
{
	char region[128];
	size_t i;
	int ret = 0;

	if (memory->asked && selection->n_migs)
		return why_fail(why, -EINVAL, GPU_MEMORY_LIMIT " and _REQUEST are for whole GPUs: a MIG device has its own memory; leave them out");
	for (i = 0; memory->asked && i < selection->n_gpus; i++) {
		ret = find_region(selection->gpus[i].gpu, region, why);
		if (ret)
			break;
		add_line(edits, "dmem.max", region, memory->max);
		add_line(edits, "dmem.min", region, memory->min);
	}
	return ret;
}

int plan_can_limit_memory(char why[WHY_SIZE])
{
	char region[128];

	return find_region(NULL, region, why);
}

bool plan_is_memory(const struct edit *edit)
{
	return edit->kind == EDIT_CGROUP ||
	       (edit->kind == EDIT_HOOK && strv_have(&edit->options, HOOK));
}
