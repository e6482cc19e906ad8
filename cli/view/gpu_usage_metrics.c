// SPDX-License-Identifier: GPL-2.0-only
/*
 * The use of GPUs as metrics, which docs/metrics.md explains.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/view/internal.h"
#include "lib/xalloc.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define LABELS		15	/* labels of one sample, at most */

/* --- of each GPU --- */

/* Text of an index, a PID: @text has room for it. */
static const char *number(char text[24], uint64_t n)
{
	snprintf(text, 24, "%llu", (unsigned long long)n);
	return text;
}

#define GPU_LABELS	4

/* Sets the labels of everything that is about one GPU. Their values are kept, not copied. */
static void set_gpu_labels(struct exposition_label label[GPU_LABELS], char index[24],
			   const struct usage *usage, size_t gpu)
{
	const struct rm_gpu *rm = &usage->gpus[gpu].gpu;

	label[0] = (struct exposition_label){ "gpu", number(index, gpu) };
	label[1] = (struct exposition_label){ "uuid", rm->uuid };
	label[2] = (struct exposition_label){ "model", rm->name };
	label[3] = (struct exposition_label){ "hostname", usage->host };
}

static void add_info(struct exposition *e, const struct usage *usage)
{
	struct exposition_label label[GPU_LABELS + 1];
	char index[24], address[RM_ADDRESS];
	size_t i;

	exposition_family(e, "mpu_gpu_info", "gauge", "What the GPU is; always 1.");
	for (i = 0; i < usage->n_gpus; i++) {
		rm_format_address(address, sizeof(address), &usage->gpus[i].gpu);
		set_gpu_labels(label, index, usage, i);
		label[GPU_LABELS] = (struct exposition_label){ "pci", address };
		exposition_labels(e, label, GPU_LABELS + 1);
		exposition_sample(e, 1);
	}
}

static void label_gpu(struct exposition *e, const struct usage *usage, size_t gpu)
{
	struct exposition_label label[GPU_LABELS];
	char index[24];

	set_gpu_labels(label, index, usage, gpu);
	exposition_labels(e, label, GPU_LABELS);
}

static void add_gpu(struct exposition *e, const struct usage *usage, size_t gpu, uint64_t value)
{
	label_gpu(e, usage, gpu);
	exposition_sample(e, value);
}

/* A sample for each engine of the GPU; the other labels have been set. */
static void add_gpu_engines(struct exposition *e, const uint64_t *utilisation)
{
	size_t i;

	for (i = 0; i < RM_ENGINES; i++)
		exposition_sample_of(e, "gpu_engine", rm_engine_names[i], utilisation[i], 4);
}

static void add_gpu_memory(struct exposition *e, const struct usage *usage)
{
	size_t i;

	exposition_family(e, "mpu_gpu_memory_size_bytes", "gauge", "Memory that the GPU has.");
	for (i = 0; i < usage->n_gpus; i++)
		if (usage->gpus[i].has_memory)
			add_gpu(e, usage, i, usage->gpus[i].memory_total);
	exposition_family(e, "mpu_gpu_memory_used_bytes", "gauge",
			  "Memory of the GPU that is in use, by the driver itself, too.");
	for (i = 0; i < usage->n_gpus; i++)
		if (usage->gpus[i].has_memory)
			add_gpu(e, usage, i, usage->gpus[i].memory_used);
}

static void add_gpu_utilisation(struct exposition *e, const struct usage *usage)
{
	uint64_t utilisation[RM_ENGINES];
	size_t i, k;

	exposition_family(e, "mpu_gpu_utilization_ratio", "gauge",
			  "Share of the last seconds in which the engine of the GPU was busy.");
	for (i = 0; i < usage->n_gpus; i++) {
		if (!usage->gpus[i].has_utilisation)
			continue;
		for (k = 0; k < RM_ENGINES; k++)
			utilisation[k] = usage->gpus[i].utilisation[k];
		label_gpu(e, usage, i);
		add_gpu_engines(e, utilisation);
	}
}

static void add_gpu_value(struct exposition *e, const struct usage *usage, enum gpu_value value)
{
	const struct gpu_value_name *name = &gpu_value_names[value];
	size_t i;

	exposition_family(e, name->metric, name->counts ? "counter" : "gauge", name->help);
	for (i = 0; i < usage->n_gpus; i++) {
		const struct gpu_state *state = &usage->gpus[i].state;

		if (!gpu_state_has(state, value))
			continue;
		label_gpu(e, usage, i);
		exposition_sample_in(e, state->value[value] * name->times, name->decimals);
	}
}

static void add_gpu_throttle(struct exposition *e, const struct usage *usage)
{
	size_t i, k;

	exposition_family(e, "mpu_gpu_throttle_reason", "gauge",
			  "1: the clocks of the GPU are held down for this reason.");
	for (i = 0; i < usage->n_gpus; i++) {
		const struct gpu_state *state = &usage->gpus[i].state;

		label_gpu(e, usage, i);
		for (k = 0; gpu_state_has(state, GPU_THROTTLE) && k < GPU_THROTTLES; k++)
			exposition_sample_of(e, "reason", gpu_throttle_names[k],
					     state->value[GPU_THROTTLE] >> k & 1, 0);
	}
}

static void add_gpu_states(struct exposition *e, const struct usage *usage)
{
	enum gpu_value value;

	for (value = 0; value < GPU_VALUES; value++)
		if (value == GPU_THROTTLE)
			add_gpu_throttle(e, usage);
		else
			add_gpu_value(e, usage, value);
}

static void add_gpus(struct exposition *e, const struct usage *usage)
{
	size_t processes[RM_GPUS] = { 0 };
	size_t i;

	for (i = 0; i < usage->n_processes; i++)
		processes[usage->processes[i].gpu]++;
	add_info(e, usage);
	exposition_family(e, "mpu_gpu_up", "gauge",
			  "1: the driver said who uses the GPU; 0: it refused to.");
	for (i = 0; i < usage->n_gpus; i++)
		add_gpu(e, usage, i, !usage->gpus[i].error);
	exposition_family(e, "mpu_gpu_processes", "gauge", "Processes that use the GPU.");
	for (i = 0; i < usage->n_gpus; i++)
		if (!usage->gpus[i].error)
			add_gpu(e, usage, i, processes[i]);
	add_gpu_memory(e, usage);
	add_gpu_utilisation(e, usage);
	add_gpu_states(e, usage);
}

/* --- of each who uses one --- */

enum kind { CONTAINER, POD, UNIT, SLURM, USER, PROCESS, KINDS };

/* Said of each kind; of processes the figures that have a metric. SM: and the other engines. */
static const enum figure said[] = { FIGURE_MEMORY, FIGURE_SM, FIGURE_PROCESSES, FIGURE_IDLE };

#define KIND(name, who) { name, { \
	{ "mpu_" name "_gpu_memory_bytes", "Memory of the GPU that " who " takes." }, \
	{ "mpu_" name "_gpu_utilization_ratio", \
	  "Share of the last seconds in which " who " kept the engine of the GPU busy." }, \
	{ "mpu_" name "_gpu_processes", "Processes of " who " that use the GPU." }, \
	{ "mpu_" name "_idle_seconds", \
	  "Time since " who " used an engine of the GPU, which it holds." } } }

static const struct {
	const char *name;
	struct { const char *name, *help; } family[COUNT(said)];
} kinds[KINDS] = {
	[CONTAINER] = KIND("container", "the container"),
	[POD] = KIND("pod", "the pod"),
	[UNIT] = KIND("unit", "the systemd unit"),
	[SLURM] = KIND("slurm", "the step of a Slurm job"),
	[USER] = KIND("user", "the user, outside of containers, units and jobs,"),
	[PROCESS] = KIND("process", "the process"),
};

#define OF(kind)	(1u << (kind))

/* Labels that are a text of the owner, and of which kinds. */
static const struct {
	const char *name;
	enum figure figure;
	unsigned int kinds;
} texts[] = {
	{ "name", FIGURE_NAME, OF(PROCESS) },
	{ "user", FIGURE_USER, OF(PROCESS) },
	{ "runtime", FIGURE_KIND, OF(CONTAINER) },
	{ "id", FIGURE_ID, OF(CONTAINER) },
	{ "container", FIGURE_CONTAINER, OF(CONTAINER) | OF(PROCESS) },
	{ "pod", FIGURE_POD, OF(CONTAINER) | OF(POD) | OF(PROCESS) },
	{ "namespace", FIGURE_NAMESPACE, OF(CONTAINER) | OF(POD) | OF(PROCESS) },
	{ "pod_uid", FIGURE_POD_UID, OF(POD) },
	{ "unit", FIGURE_UNIT, OF(UNIT) | OF(PROCESS) },
	{ "job_id", FIGURE_JOB, OF(UNIT) | OF(SLURM) | OF(PROCESS) },
	{ "step", FIGURE_STEP, OF(SLURM) | OF(PROCESS) },
	{ "user", FIGURE_USER, OF(CONTAINER) | OF(UNIT) | OF(SLURM) | OF(USER) },
};

/* Few units have a group of a batch system in them, and few containers are a user's own. */
static bool has_label(enum kind kind, size_t i, const struct owner *owner)
{
	return texts[i].kinds & OF(kind) &&
	       (kind != UNIT || texts[i].figure != FIGURE_JOB || owner->job[0]) &&
	       (kind != CONTAINER || texts[i].figure != FIGURE_USER || owner_is_users(owner));
}

static void add_labels(struct exposition *e, const struct usage *usage, enum kind kind,
		       const struct usage_sum *sum)
{
	const struct usage_process *one = sum->example;
	const struct figure_of of = { .usage = usage, .process = one };
	struct exposition_label label[LABELS];
	char gpu[24], mig[24] = "", pid[24], own_pid[24] = "";
	size_t i, n = GPU_LABELS;

	set_gpu_labels(label, gpu, usage, sum->gpu);
	if (kind == PROCESS) {
		if (one->gpu_instance != RM_NO_INSTANCE)
			snprintf(mig, sizeof(mig), "%u/%u", one->gpu_instance,
				 one->compute_instance);
		if (one->process->own_pid)
			number(own_pid, (uint64_t)one->process->own_pid);
		label[n++] = (struct exposition_label){ "mig", mig };
		label[n++] = (struct exposition_label){
			"pid", number(pid, (uint64_t)one->process->pid) };
		label[n++] = (struct exposition_label){ "own_pid", own_pid };
	}
	for (i = 0; i < COUNT(texts); i++)
		if (has_label(kind, i, one->process->owner))
			label[n++] = (struct exposition_label){
				texts[i].name, figures[texts[i].figure].text(&of) };
	exposition_labels(e, label, n);
}

static unsigned int decimals_of(enum figure_unit unit)
{
	return unit == FIGURE_PERCENT || unit == FIGURE_PERCENT_IF_ANY ? 4 :
	       unit == FIGURE_CLOCK || unit == FIGURE_SINCE ? 6 : 0;
}

/* Adds a figure of those that it is known of, or their engines. */
static void add_family(struct exposition *e, const struct usage *usage, enum kind kind,
		       enum figure figure, const char *name, const char *help,
		       const struct usage_sum *const *sum, size_t n)
{
	struct figure_number number;
	size_t i;

	exposition_family(e, name, "gauge", help);
	for (i = 0; i < n; i++) {
		const struct figure_of of = {
			usage, sum[i]->example, kind == PROCESS ? NULL : sum[i] };

		number = figures[figure].number(&of);
		if (!number.is_known)
			continue;
		add_labels(e, usage, kind, sum[i]);
		if (figure == FIGURE_SM)
			add_gpu_engines(e, sum[i]->utilisation);
		else
			exposition_sample_in(e, number.n, decimals_of(figures[figure].unit));
	}
}

static void add_kind(struct exposition *e, const struct usage *usage, enum kind kind,
		     const struct usage_sum *const *sum, size_t n)
{
	enum figure figure;
	size_t i;

	for (figure = 0; kind == PROCESS && figure < FIGURES; figure++)
		if (figures[figure].metric)
			add_family(e, usage, kind, figure, figures[figure].metric,
				   figures[figure].help, sum, n);
	for (i = 0; i < COUNT(said); i++)
		if (kind != PROCESS || said[i] == FIGURE_SM)
			add_family(e, usage, kind, said[i], kinds[kind].family[i].name,
				   kinds[kind].family[i].help, sum, n);
}

/* --- which of them --- */

/* Sums by container, in whichever kinds they are; those by pod, if they are of one. */
static enum kind kind_of(const struct usage_sum *sum, enum usage_by by)
{
	static const enum kind outside[] = {
		[OWNER_NONE] = USER, [OWNER_UNIT] = UNIT, [OWNER_SLURM] = SLURM,
	};
	const struct owner *owner = sum->example->process->owner;

	if (by == USAGE_BY_POD)
		return owner->pod[0] || owner->pod_uid[0] ? POD : KINDS;
	return owner->kind < OWNER_CONTAINER ? outside[owner->kind] : CONTAINER;
}

/* @omitted: receives how many of the kind are above the limit */
static void add_kind_of(struct exposition *e, const struct usage *usage, enum kind kind,
		       enum usage_by by, const struct usage_sum *sums, size_t n,
		       size_t limit, size_t omitted[KINDS])
{
	const struct usage_sum **chosen = xcalloc(n + 1, sizeof(*chosen));
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		if (kind == PROCESS || kind_of(&sums[i], by) == kind)
			chosen[count++] = &sums[i];
	omitted[kind] = count > limit ? count - limit : 0;
	add_kind(e, usage, kind, chosen, count - omitted[kind]);
	free(chosen);
}

static void add_sums(struct exposition *e, const struct usage *usage,
		     enum usage_by by, size_t limit, size_t omitted[KINDS])
{
	const enum kind first = by == USAGE_BY_POD ? POD : CONTAINER;
	enum kind kind;
	size_t n;
	struct usage_sum *sums = usage_sum(usage, by, true, &n);

	add_kind_of(e, usage, first, by, sums, n, limit, omitted);
	for (kind = UNIT; first == CONTAINER && kind <= USER; kind++)
		add_kind_of(e, usage, kind, by, sums, n, limit, omitted);
	free(sums);
}

/* The largest first, as those of usage_sum() are. */
static int compare_memory(const void *one, const void *other)
{
	const struct usage_sum *a = one, *b = other;

	if (a->memory != b->memory)
		return a->memory < b->memory ? 1 : -1;
	return a->example < b->example ? -1 : a->example > b->example;
}

static void add_processes(struct exposition *e, const struct usage *usage,
			  size_t limit, size_t omitted[KINDS])
{
	struct usage_sum *sums = xcalloc(usage->n_processes + 1, sizeof(*sums));
	size_t i, k;

	for (i = 0; i < usage->n_processes; i++) {
		const struct usage_process *process = &usage->processes[i];

		sums[i] = (struct usage_sum){ .example = process,
			.gpu = process->gpu, .processes = 1,
			.memory = process->memory };
		for (k = 0; k < RM_ENGINES; k++)
			sums[i].utilisation[k] = process->utilisation[k];
	}
	qsort(sums, usage->n_processes, sizeof(*sums), compare_memory);
	add_kind_of(e, usage, PROCESS, USAGE_BY_KINDS, sums, usage->n_processes, limit, omitted);
	free(sums);
}

static void add_omitted(struct exposition *e, const size_t omitted[KINDS], bool processes)
{
	enum kind kind;

	exposition_family(e, "mpu_omitted", "gauge",
			  "Those of a kind that are above the limit, and not shown: the ones that take the least memory.");
	for (kind = 0; kind < KINDS; kind++) {
		const struct exposition_label label = { "kind", kinds[kind].name };

		exposition_labels(e, &label, 1);
		if (kind != PROCESS || processes)
			exposition_sample(e, omitted[kind]);
	}
}

/* @usage: NULL: there is no driver, or it does not answer */
void usage_add_metrics(struct exposition *e, const struct usage *usage,
		       const struct metrics_extent *extent)
{
	const struct exposition_label version = { "version", usage ? usage->driver : "" };
	size_t omitted[KINDS] = { 0 };

	exposition_one(e, "mpu_driver_up", "gauge",
		       "1: the NVIDIA driver answers; 0: it does not, or there is none.",
		       usage != NULL, 0);
	if (!usage)
		return;
	exposition_family(e, "mpu_driver_info", "gauge", "What the NVIDIA driver is; always 1.");
	exposition_labels(e, &version, 1);
	exposition_sample(e, 1);
	add_gpus(e, usage);
	add_sums(e, usage, USAGE_BY_CONTAINER, extent->limit, omitted);
	add_sums(e, usage, USAGE_BY_POD, extent->limit, omitted);
	if (extent->processes)
		add_processes(e, usage, extent->limit, omitted);
	add_omitted(e, omitted, extent->processes);
}
