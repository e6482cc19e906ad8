// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums over processes, and which ones are meant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/host.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

const char *const usage_by_names[USAGE_BY_KINDS] = {
	[USAGE_BY_GPU] = "gpu",
	[USAGE_BY_CONTAINER] = "container",
	[USAGE_BY_POD] = "pod",
	[USAGE_BY_USER] = "user",
};

static int compare_numbers(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/**
 * struct key - what processes of one sum have in common
 * @text:	id of the container, or UID of the pod; its namespace; its name; of what is
 *		in none of them its unit, or its job, and step; its user
 */
struct key {
	const char *text[6];
};

/*
 * Users are known by their names, as they are shown: those of one name are one, and so
 * are all who have none, as processes that have ended or are hidden.
 */
static struct key key_of_user(const struct host_process *process)
{
	return (struct key){ { "", "", "", "", "", process->user } };
}

/* Tells processes in no container apart by their service or job, and by their user. */
static struct key key_outside(const struct host_process *process)
{
	const struct owner *owner = process->owner;

	if (owner->kind == OWNER_SLURM)
		return (struct key){ { "", "", "", owner->job, owner->step, process->user } };
	return (struct key){ { "", "", "", owner->unit, owner->job, process->user } };
}

/* A rootless container's id is its user's choice: another's may have the same. */
static struct key key_of_container(const struct host_process *process)
{
	const struct owner *owner = process->owner;

	if (!owner->id[0])
		return key_outside(process);
	return (struct key){ { owner->id, "", "", "", "",
			       owner_is_users(owner) ? process->user : "" } };
}

/* The same of all processes with USAGE_BY_GPU. */
static struct key key_of(enum usage_by by, const struct host_process *process)
{
	const struct owner *owner = process->owner;

	switch (by) {
	case USAGE_BY_CONTAINER:
		return key_of_container(process);
	case USAGE_BY_POD:
		if (!owner->pod_uid[0] && !owner->pod[0])
			return key_outside(process);
		/* Pods of one name may follow each other: their UID tells them apart. */
		return (struct key){ { owner->pod_uid, owner->namespace, owner->pod,
				       "", "", "" } };
	case USAGE_BY_USER:
		return key_of_user(process);
	default:
		return (struct key){ { "", "", "", "", "", "" } };
	}
}

static bool has_same_key(const struct host_process *x, const struct host_process *y)
{
	return x->owner == y->owner && !strcmp(x->user, y->user);
}

bool usage_is_alike(const struct usage_process *a, const struct usage_process *b)
{
	return a->gpu == b->gpu && has_same_key(a->process, b->process);
}

static int compare_keys(enum usage_by by, const struct host_process *x,
			const struct host_process *y)
{
	struct key a, b;
	int order = 0;
	size_t i;

	if (has_same_key(x, y))
		return 0;
	a = key_of(by, x);
	b = key_of(by, y);
	for (i = 0; !order && i < COUNT(a.text); i++)
		order = strcmp(a.text[i], b.text[i]);
	return order;
}

uint64_t usage_find_id(enum usage_by by, size_t gpu, const struct usage_process *process)
{
	uint64_t id = hash_word(hash_word(HASH_BEGIN, gpu), by);
	struct key key;
	size_t i;

	if (by != USAGE_BY_GPU) {
		key = key_of(by, process->process);
		for (i = 0; i < COUNT(key.text); i++)
			id = hash_text(id, key.text[i]);
	}
	return id ? id : 1;
}

/* The key by which processes are sorted before they are added up. */
struct order {
	enum usage_by by;
	bool each_gpu;
};

/* Processes that are alike, one behind the other; two sums may have one @id by accident. */
struct run {
	uint64_t id;
	const struct usage_process *first;
	size_t n;
};

/* Sums by GPU come in the order of GPUs. */
static uint64_t find_run_id(const struct order *order, const struct usage_process *process)
{
	if (order->by == USAGE_BY_GPU)
		return process->gpu;
	return usage_find_id(order->by, order->each_gpu ? process->gpu : USAGE_ALL_GPUS, process);
}

/* The driver mostly lists together what is alike. Return: how many runs. */
static size_t find_runs(const struct order *order, const struct usage *usage, struct run *runs)
{
	const struct usage_process *one = usage->processes;
	size_t i, n = 0;

	for (i = 0; i < usage->n_processes; i++, one++) {
		if (!i || !usage_is_alike(one - 1, one))
			runs[n++] = (struct run){ find_run_id(order, one), one, 0 };
		runs[n - 1].n++;
	}
	return n;
}

/* Runs of one sum come together. */
static int compare_runs(const void *a, const void *b, void *arg)
{
	const struct order *order = arg;
	const struct run *x = a, *y = b;
	const struct usage_process *m = x->first, *n = y->first;
	int result = compare_numbers(x->id, y->id);

	if (!result)
		result = compare_keys(order->by, m->process, n->process);
	if (!result && order->each_gpu)
		result = compare_numbers(m->gpu, n->gpu);
	return result;
}

/* Sorts so that entries of one process come together in a sum. */
static int compare_members(const void *a, const void *b)
{
	const struct usage_process *const *x = a, *const *y = b;
	pid_t m = (*x)->process->pid, n = (*y)->process->pid;
	int result = (m > n) - (m < n);

	return result ? result : compare_numbers((*x)->gpu, (*y)->gpu);
}

/* Most are in order already. */
static void sort_members(const struct usage_process **member, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (compare_members(&member[i - 1], &member[i]) > 0) {
			qsort(member, n, sizeof(*member), compare_members);
			return;
		}
}

/* @last: the process that was added before. */
static void add_process(struct usage_sum *sum, const struct usage_process *one,
			const struct usage_process *last)
{
	int engine;

	sum->processes += !last || last->process->pid != one->process->pid;
	sum->no_memory = (!last || sum->no_memory) && !one->has_memory;
	sum->memory += one->memory;
	sum->has_idle = (!last || sum->has_idle) && one->has_idle;
	sum->idle_ms = last && sum->idle_ms < one->idle_ms ? sum->idle_ms : one->idle_ms;
	for (engine = 0; engine < RM_ENGINES; engine++)
		sum->utilisation[engine] += one->utilisation[engine];
}

static struct usage_sum sum_of(const struct order *order,
			       const struct usage_process **member, size_t n)
{
	struct usage_sum sum = { .gpu = USAGE_ALL_GPUS };
	size_t i;

	sort_members(member, n);
	sum.example = member[0];
	if (order->each_gpu)
		sum.gpu = member[0]->gpu;
	for (i = 0; i < n; i++) {
		add_process(&sum, member[i], i ? member[i - 1] : NULL);
		if (sum.example->process->is_gone && !member[i]->process->is_gone)
			sum.example = member[i];
	}
	return sum;
}

/* Add up runs that are sorted; @member has room for all. Return: how many sums. */
static size_t add_up(struct order *order, const struct run *runs, size_t n_runs,
		     const struct usage_process **member, struct usage_sum *sums)
{
	size_t begin = 0, end, i, n, count = 0;

	for (; begin < n_runs; begin = end) {
		n = 0;
		for (end = begin; end < n_runs &&
		     !compare_runs(&runs[begin], &runs[end], order); end++)
			for (i = 0; i < runs[end].n; i++)
				member[n++] = &runs[end].first[i];
		sums[count++] = sum_of(order, member, n);
	}
	return count;
}

/* Makes one sum for each GPU, whether it is used or not. Return: how many. */
static size_t spread_gpus(const struct usage *usage, struct usage_sum *sums, size_t n)
{
	size_t gpu, at = n;

	for (gpu = usage->n_gpus; gpu-- > 0;) {
		if (at && sums[at - 1].gpu == gpu)
			sums[gpu] = sums[--at];
		else
			sums[gpu] = (struct usage_sum){ .gpu = gpu };
	}
	return usage->n_gpus;
}

static int compare_sums(const void *a, const void *b)
{
	const struct usage_sum *x = a, *y = b;
	int order = compare_numbers(y->memory, x->memory);

	if (!order)
		order = compare_numbers(y->utilisation[RM_ENGINE_SM], x->utilisation[RM_ENGINE_SM]);
	if (!order)
		order = compare_numbers((uint64_t)x->example->process->pid,
					(uint64_t)y->example->process->pid);
	return order ? order : compare_numbers(x->gpu, y->gpu);
}

struct usage_sum *usage_sum(const struct usage *usage, enum usage_by by, bool each_gpu, size_t *n)
{
	struct order order = { by, each_gpu || by == USAGE_BY_GPU };
	size_t room = usage->n_processes + usage->n_gpus + 1, n_runs;
	const struct usage_process **member = xcalloc(room, sizeof(*member));
	struct usage_sum *sums = xcalloc(room, sizeof(*sums));
	struct run *runs = xcalloc(room, sizeof(*runs));

	n_runs = find_runs(&order, usage, runs);
	qsort_r(runs, n_runs, sizeof(*runs), compare_runs, &order);
	*n = add_up(&order, runs, n_runs, member, sums);
	if (by == USAGE_BY_GPU)
		*n = spread_gpus(usage, sums, *n);
	else
		qsort(sums, *n, sizeof(*sums), compare_sums);
	free(runs);
	free(member);
	return sums;
}

static bool is_gpu(const struct usage *usage, size_t gpu, const char *wanted, size_t length)
{
	const struct rm_gpu *one = &usage->gpus[gpu].gpu;
	char text[RM_ADDRESS], *end;
	size_t index = strtoul(wanted, &end, 10);

	if (end != wanted && end == wanted + length)
		return index == gpu;
	rm_format_address(text, sizeof(text), one);
	return (length == strlen(text) && !strncasecmp(wanted, text, length)) ||
	       (length && length == strlen(one->uuid) && !strncasecmp(wanted, one->uuid, length));
}

const char *usage_lacks_gpu(const struct usage *usage, const char *wanted)
{
	size_t gpu, length;

	for (;; wanted += length + 1) {
		length = strcspn(wanted, ",");
		for (gpu = 0; gpu < usage->n_gpus; gpu++)
			if (is_gpu(usage, gpu, wanted, length))
				break;
		if (gpu == usage->n_gpus)
			return wanted;
		if (!wanted[length])
			return NULL;
	}
}

bool usage_is_gpu(const struct usage *usage, size_t gpu, const char *wanted)
{
	size_t length;

	for (;; wanted += length + 1) {
		length = strcspn(wanted, ",");
		if (is_gpu(usage, gpu, wanted, length))
			return true;
		if (!wanted[length])
			return false;
	}
}

enum usage_silence usage_silence(const struct usage *usage, const char *wanted)
{
	size_t gpu, n = 0, silent = 0;

	for (gpu = 0; gpu < usage->n_gpus; gpu++) {
		if (wanted && !usage_is_gpu(usage, gpu, wanted))
			continue;
		n++;
		silent += usage->gpus[gpu].error != 0;
	}
	return !silent ? SILENT_NONE : silent < n ? SILENT_SOME : SILENT_ALL;
}

static bool matches_container(const struct owner *owner, const char *wanted)
{
	size_t length = strlen(wanted), all;
	char name[OWNER_FULL];

	if (owner->kind < OWNER_CONTAINER || !length)
		return false;
	owner_name(name, owner);
	all = strlen(name);
	return (all >= length && !strcmp(name + all - length, wanted) &&
		(all == length || name[all - length - 1] == '/')) ||
	       (length >= 4 && !strncmp(owner->id, wanted, length));
}

static bool matches_pod(const struct owner *owner, const char *wanted)
{
	const char *slash = strchr(wanted, '/');
	size_t length = slash ? (size_t)(slash - wanted) : 0;

	if (!owner->pod[0] || !slash)
		return owner->pod[0] && !strcmp(owner->pod, wanted);
	return strlen(owner->namespace) == length &&
	       !strncmp(owner->namespace, wanted, length) &&
	       !strcmp(owner->pod, slash + 1);
}

static bool matches_user(const struct host_process *process, const char *wanted)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", process->uid);
	return process->user[0] && (!strcmp(process->user, wanted) || !strcmp(number, wanted));
}

bool usage_matches(const struct usage *usage, const struct usage_process *process,
		   const struct usage_filter *filter)
{
	const struct owner *owner = process->process->owner;

	return (!filter->gpu || usage_is_gpu(usage, process->gpu, filter->gpu)) &&
	       (!filter->container || matches_container(owner, filter->container)) &&
	       (!filter->pod || matches_pod(owner, filter->pod)) &&
	       (!filter->namespace || !strcmp(owner->namespace, filter->namespace)) &&
	       (!filter->user || matches_user(process->process, filter->user)) &&
	       (!filter->idle_ms || (process->has_idle && process->idle_ms >= filter->idle_ms)) &&
	       (!filter->pid || process->process->pid == filter->pid);
}
