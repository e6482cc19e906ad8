// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processes that use the GPUs: lists of several classes of objects, put
 * together.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/xalloc.h"
#include "nvidia/internal.h"

static int compare_pids(const void *a, const void *b)
{
	const struct gpu_process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct gpu_process *find_pid(const struct gpu_processes *on, u32 pid)
{
	const struct gpu_process wanted = { .pid = pid };

	return bsearch(&wanted, on->process, on->count, sizeof(wanted), compare_pids);
}

/* Sort by PID; what was there twice becomes one. */
static void sort_pids(struct gpu_processes *on)
{
	u32 i, n = 0;

	qsort(on->process, on->count, sizeof(*on->process), compare_pids);
	for (i = 0; i < on->count; i++) {
		if (n && on->process[n - 1].pid == on->process[i].pid)
			on->process[n - 1].use |= on->process[i].use;
		else
			on->process[n++] = on->process[i];
	}
	on->count = n;
}

/*
 * A process of several classes has one entry; one beyond RM_PIDS has none. The first
 * @known entries are sorted.
 */
static void add_use(struct gpu_processes *on, u32 known, u32 pid, enum gpu_use use)
{
	struct gpu_processes sorted = { .process = on->process, .count = known };
	struct gpu_process *one = find_pid(&sorted, pid);

	if (one)
		one->use |= use;
	else if (on->count < RM_PIDS)
		on->process[on->count++] = (struct gpu_process){ .pid = pid, .use = use };
}

static int read_class(struct rm *rm, struct gpu_processes *on, u32 class, enum gpu_use use)
{
	u32 pids[RM_PIDS];
	u32 i, n, known = on->count;
	int ret = rm_list_pids(rm, &on->gpu, class, pids, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		add_use(on, known, pids[i], use);
	sort_pids(on);
	return 0;
}

static int read_classes(struct rm *rm, struct gpu_processes *on)
{
	u32 class[RM_CLASSES];
	u32 i, n;
	int ret = rm_list_classes(rm, &on->gpu, class, &n);

	for (i = 0; !ret && i < n; i++) {
		if (rm_class_is_compute(class[i]))
			ret = read_class(rm, on, class[i], GPU_COMPUTE);
		else if (rm_class_is_graphics(class[i]))
			ret = read_class(rm, on, class[i], GPU_GRAPHICS);
	}
	if (ret)
		return ret;
	/* A driver that has no MPS refuses its class: that is no error. */
	read_class(rm, on, RM_CLASS_MPS, GPU_MPS);
	return 0;
}

static int read_memory(struct rm *rm, struct gpu_processes *on)
{
	struct rm_process *answer = xcalloc(RM_PIDS, sizeof(*answer));
	u32 i;
	int ret;

	for (i = 0; i < on->count; i++)
		answer[i].pid = on->process[i].pid;
	ret = rm_read_memory(rm, &on->gpu, answer, on->count);
	for (i = 0; !ret && i < on->count; i++) {
		on->process[i].pid = answer[i].pid;
		on->process[i].has_memory = !answer[i].status;
		on->process[i].memory = answer[i].status ? 0 : answer[i].bytes;
		on->process[i].gpu_instance = answer[i].gpu_instance;
		on->process[i].compute_instance = answer[i].compute_instance;
	}
	free(answer);
	return ret;
}

/*
 * A process's utilisation of an engine is the sum of its samples over the number of
 * samples of that engine that name any process: NVML computes it so.
 */
static void read_utilisation(struct rm *rm, struct gpu_processes *on, unsigned int seconds)
{
	struct rm_sample sample[RM_SAMPLES];
	u32 samples[RM_ENGINES] = { 0 };
	struct gpu_process *one;
	u32 i, engine, s, n;

	on->has_utilisation = !rm_list_samples(rm, &on->gpu, seconds, sample, &n);
	for (s = 0; on->has_utilisation && s < n; s++) {
		engine = sample[s].engine;
		samples[engine]++;
		on->utilisation[engine] += sample[s].util;
		one = find_pid(on, sample[s].pid);
		if (one)
			one->utilisation[engine] += sample[s].util;
	}
	for (engine = 0; engine < RM_ENGINES; engine++) {
		if (!samples[engine])
			continue;
		on->utilisation[engine] /= samples[engine];
		for (i = 0; i < on->count; i++)
			on->process[i].utilisation[engine] /= samples[engine];
	}
}

static int read_processes(struct rm *rm, struct gpu_processes *on, unsigned int seconds)
{
	int ret;

	on->process = xcalloc(RM_PIDS, sizeof(*on->process));
	ret = read_classes(rm, on);
	if (!ret)
		ret = read_memory(rm, on);
	if (ret) {
		free(on->process);
		on->process = NULL;
		on->count = 0;
		return ret;
	}
	sort_pids(on);	/* as the driver named them in its answer */
	if (!seconds)
		return 0;
	read_utilisation(rm, on, seconds);
	on->has_memory = !rm_read_total(rm, &on->gpu, &on->memory_total, &on->memory_used);
	return 0;
}

/* A container is given some GPUs, RM lists them all. */
static bool is_not_given(int ret)
{
	return ret == -ENOENT || ret == -ENXIO || ret == -ENODEV || ret == -EPERM || ret == -EACCES;
}

static void attach_given(struct rm *rm, struct process_list *list,
			 struct rm_gpu gpu[RM_GPUS], u32 n)
{
	u32 i;

	list->count = 0;
	for (i = 0; i < n; i++) {
		struct gpu_processes *on = &list->gpu[list->count];

		*on = (struct gpu_processes){ 0 };
		on->error = rm_attach(rm, &gpu[i]);
		if (is_not_given(on->error))
			continue;
		on->gpu = gpu[i];
		on->attached = !on->error;
		list->count++;
	}
}

static void count_mps(struct gpu_processes *on)
{
	u32 i, n = 0;

	for (i = 0; i < on->count; i++)
		n += !!(on->process[i].use & GPU_MPS);
	if (!on->error)
		gpu_state_take(&on->state, GPU_MPS_CLIENTS, n);
}

/* Asks all GPUs at once, as each takes its time. */
static void read_states(struct rm *rm, struct process_list *list, u32 branch)
{
	struct gpu_question question[RM_GPUS];
	struct gpu_state state[RM_GPUS] = { 0 };
	u32 i, n = 0;

	for (i = 0; i < list->count; i++)
		if (list->gpu[i].attached)
			gpu_state_ask(rm, &list->gpu[i].gpu, branch, &question[n++]);
	gpu_state_wait(rm, question, state, n);
	for (i = 0; i < n; i++)
		gpu_state_end(rm, &question[i]);
	for (i = n = 0; i < list->count; i++) {
		if (!list->gpu[i].attached)
			continue;
		list->gpu[i].state = state[n++];
		count_mps(&list->gpu[i]);
	}
}

int processes_read(struct rm *rm, struct process_list *list, unsigned int seconds, u32 branch)
{
	struct rm_gpu gpu[RM_GPUS];
	u32 i, n;
	int ret = rm_list_gpus(rm, gpu, &n);

	if (ret)
		return ret;
	attach_given(rm, list, gpu, n);
	for (i = 0; i < list->count; i++)
		if (list->gpu[i].attached)
			list->gpu[i].error = read_processes(rm, &list->gpu[i], seconds);
	if (branch)
		read_states(rm, list, branch);
	for (i = 0; i < list->count; i++)
		rm_detach(rm, &list->gpu[i].gpu);
	return 0;
}

void processes_free(struct process_list *list)
{
	u32 i;

	for (i = 0; i < list->count; i++)
		free(list->gpu[i].process);
	list->count = 0;
}
