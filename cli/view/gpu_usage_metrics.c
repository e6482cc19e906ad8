// SPDX-License-Identifier: GPL-2.0-only
/*
 * The use of GPUs as metrics: see metrics.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/view/internal.h"
#include "lib/xalloc.h"

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

#define KIND(name, who) { name, \
	"mpu_" name "_gpu_memory_bytes", "Memory of the GPU that " who " takes.", \
	"mpu_" name "_gpu_utilization_ratio", \
	"Share of the last seconds in which " who " kept the engine of the GPU busy.", \
	"mpu_" name "_gpu_processes", "Processes of " who " that use the GPU.", \
	"mpu_" name "_idle_seconds", "Time since " who " used an engine of the GPU, which it holds." }

static const struct {
	const char *name;
	const char *memory, *memory_help;
	const char *utilisation, *utilisation_help;
	const char *processes, *processes_help;
	const char *idle, *idle_help;
} kinds[KINDS] = {
	[CONTAINER] = KIND("container", "the container"),
	[POD] = KIND("pod", "the pod"),
	[UNIT] = KIND("unit", "the systemd unit"),
	[SLURM] = KIND("slurm", "the step of a Slurm job"),
	[USER] = KIND("user", "the user, outside of containers, units and jobs,"),
	[PROCESS] = KIND("process", "the process"),
};

/**
 * struct labels - of one who uses a GPU
 * @gpu, @pid, @own_pid, @mig: values that are put together here
 */
struct labels {
	struct exposition_label label[LABELS];
	size_t n;
	char gpu[24], pid[24], own_pid[24], mig[24];
};

static void add_label(struct labels *labels, const char *name, const char *value)
{
	labels->label[labels->n++] = (struct exposition_label){ name, value };
}

static void add_process_labels(struct labels *labels, const struct usage_process *one)
{
	const struct host_process *process = one->process;

	labels->mig[0] = '\0';
	if (one->gpu_instance != RM_NO_INSTANCE)
		snprintf(labels->mig, sizeof(labels->mig), "%u/%u",
			 one->gpu_instance, one->compute_instance);
	add_label(labels, "mig", labels->mig);
	add_label(labels, "pid", number(labels->pid, (uint64_t)process->pid));
	add_label(labels, "own_pid", !process->own_pid ? "" :
		  number(labels->own_pid, (uint64_t)process->own_pid));
	add_label(labels, "name", process->name);
	add_label(labels, "user", process->user);
}

static void add_labels(struct exposition *e, const struct usage *usage, enum kind kind,
		       const struct usage_sum *sum)
{
	const struct host_process *process = sum->example->process;
	const struct owner *owner = process->owner;
	struct labels labels;

	set_gpu_labels(labels.label, labels.gpu, usage, sum->gpu);
	labels.n = GPU_LABELS;
	if (kind == PROCESS)
		add_process_labels(&labels, sum->example);
	if (kind == CONTAINER) {
		add_label(&labels, "runtime", owner_kind_names[owner->kind]);
		add_label(&labels, "id", owner->id);
	}
	if (kind == CONTAINER || kind == PROCESS)
		add_label(&labels, "container", owner->container);
	if (kind == CONTAINER || kind == POD || kind == PROCESS) {
		add_label(&labels, "pod", owner->pod);
		add_label(&labels, "namespace", owner->namespace);
	}
	if (kind == POD)
		add_label(&labels, "pod_uid", owner->pod_uid);
	if (kind == UNIT || kind == PROCESS)
		add_label(&labels, "unit", owner->unit);
	if ((kind == UNIT && owner->job[0]) || kind == SLURM || kind == PROCESS)
		add_label(&labels, "job_id", owner->job);
	if (kind == SLURM || kind == PROCESS) {
		add_label(&labels, "step", owner->step);
	}
	if (kind == UNIT || kind == SLURM || kind == USER ||
	    (kind == CONTAINER && owner_is_users(owner)))
		add_label(&labels, "user", process->user);
	exposition_labels(e, labels.label, labels.n);
}

static unsigned int decimals_of(enum figure_unit unit)
{
	return unit == FIGURE_PERCENT || unit == FIGURE_PERCENT_IF_ANY ? 4 :
	       unit == FIGURE_CLOCK || unit == FIGURE_SINCE ? 6 : 0;
}

/* Adds what processes alone have; of a sum there is one. */
static void add_figures(struct exposition *e, const struct usage *usage,
			const struct usage_sum *const *sum, size_t n)
{
	const struct figure_forms *figure;
	struct figure_number number;
	size_t i;

	for (figure = figures; figure < figures + FIGURES; figure++) {
		if (!figure->metric)
			continue;
		exposition_family(e, figure->metric, "gauge", figure->help);
		for (i = 0; i < n; i++) {
			number = figure->number(&(struct figure_of){
				.usage = usage, .process = sum[i]->example });
			if (!number.is_known)
				continue;
			add_labels(e, usage, PROCESS, sum[i]);
			exposition_sample_in(e, number.n, decimals_of(figure->unit));
		}
	}
}

static void add_kind(struct exposition *e, const struct usage *usage, enum kind kind,
		     const struct usage_sum *const *sum, size_t n)
{
	size_t i;

	if (kind == PROCESS)
		add_figures(e, usage, sum, n);
	else
		exposition_family(e, kinds[kind].memory, "gauge", kinds[kind].memory_help);
	for (i = 0; kind != PROCESS && i < n; i++) {
		if (sum[i]->no_memory)
			continue;
		add_labels(e, usage, kind, sum[i]);
		exposition_sample(e, sum[i]->memory);
	}
	exposition_family(e, kinds[kind].utilisation, "gauge", kinds[kind].utilisation_help);
	for (i = 0; i < n; i++) {
		if (!usage->gpus[sum[i]->gpu].has_utilisation)
			continue;
		add_labels(e, usage, kind, sum[i]);
		add_gpu_engines(e, sum[i]->utilisation);
	}
	if (kind == PROCESS)
		return;
	exposition_family(e, kinds[kind].processes, "gauge", kinds[kind].processes_help);
	for (i = 0; i < n; i++) {
		add_labels(e, usage, kind, sum[i]);
		exposition_sample(e, sum[i]->processes);
	}
	exposition_family(e, kinds[kind].idle, "gauge", kinds[kind].idle_help);
	for (i = 0; i < n; i++) {
		if (!sum[i]->has_idle)
			continue;
		add_labels(e, usage, kind, sum[i]);
		exposition_sample(e, sum[i]->idle_ms / 1000);
	}
}

/* --- which of them --- */

/**
 * struct choice - those of one kind that are shown
 * @sum:	pointers into an array of all of them
 * @omitted:	how many are above the limit
 */
struct choice {
	const struct usage_sum **sum;
	size_t n;
	size_t omitted;
};

static void choose(struct choice *choice, const struct usage_sum *sum, size_t limit)
{
	if (choice->n < limit)
		choice->sum[choice->n++] = sum;
	else
		choice->omitted++;
}

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

static void add_kind_of(struct exposition *e, const struct usage *usage, enum kind kind,
		       enum usage_by by, const struct usage_sum *sums, size_t n,
		       size_t limit, size_t omitted[KINDS])
{
	struct choice choice = { 0 };
	size_t i;

	choice.sum = xcalloc(n + 1, sizeof(*choice.sum));
	for (i = 0; i < n; i++)
		if (kind == PROCESS || kind_of(&sums[i], by) == kind)
			choose(&choice, &sums[i], limit);
	add_kind(e, usage, kind, choice.sum, choice.n);
	omitted[kind] = choice.omitted;
	free(choice.sum);
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
