// SPDX-License-Identifier: GPL-2.0-only
/*
 * The figures of a process: one row each, from which text, CSV, JSON, metrics and mpu top are
 * made, and docs/figures.md. A new one is a row here and the function that reads it; the order of
 * rows is that of columns and of JSON's members.
 */
#include <stdio.h>
#include <unistd.h>

#include "cli/view/internal.h"

static struct figure_number number(bool is_known, uint64_t n)
{
	return (struct figure_number){ is_known, n };
}

static const struct host_process *who(const struct figure_of *of)
{
	return of->process->process;
}

/* Getters of one expression each. */
#define NUMBER_GETTER(name, is_known, n)				\
static struct figure_number get_##name(const struct figure_of *of)	\
{									\
	return number(is_known, (uint64_t)(n));				\
}
NUMBER_GETTER(time, true, of->usage->time_us)
NUMBER_GETTER(gpu_instance, of->process->gpu_instance != RM_NO_INSTANCE, of->process->gpu_instance)
NUMBER_GETTER(compute_instance, of->process->compute_instance != RM_NO_INSTANCE,
	      of->process->compute_instance)
NUMBER_GETTER(pid, true, who(of)->pid)
NUMBER_GETTER(own_pid, who(of)->own_pid, who(of)->own_pid)
NUMBER_GETTER(uid, who(of)->uid != (uid_t)-1, who(of)->uid)
NUMBER_GETTER(started, who(of)->started_us, who(of)->started_us)

#define TEXT_GETTER(name, text)						\
static const char *get_##name(const struct figure_of *of)		\
{									\
	return text;							\
}
TEXT_GETTER(user, who(of)->user)
TEXT_GETTER(kind, who(of)->own_pid ? owner_kind_names[who(of)->owner->kind] : "")
TEXT_GETTER(container, who(of)->owner->container)
TEXT_GETTER(id, who(of)->owner->id)
TEXT_GETTER(pod, who(of)->owner->pod)
TEXT_GETTER(namespace, who(of)->owner->namespace)
TEXT_GETTER(pod_uid, who(of)->owner->pod_uid)
TEXT_GETTER(unit, who(of)->owner->unit)
TEXT_GETTER(job, who(of)->owner->job)
TEXT_GETTER(step, who(of)->owner->step)
TEXT_GETTER(name, who(of)->name)
TEXT_GETTER(command, who(of)->command)

static struct figure_number get_gpu(const struct figure_of *of)
{
	size_t gpu = of->sum ? of->sum->gpu : of->process->gpu;

	return number(gpu != USAGE_ALL_GPUS, gpu);
}

/* 7: the GPU; 7/1/0: an instance of it, and the compute instance in that. */
static const char *show_gpu(const struct figure_of *of, char text[FIGURE_TEXT])
{
	const struct usage_process *one = of->process;
	int n = snprintf(text, FIGURE_TEXT, "%zu", one->gpu);

	if (one->gpu_instance != RM_NO_INSTANCE)
		n += snprintf(text + n, 16, "/%u", one->gpu_instance);
	if (one->gpu_instance != RM_NO_INSTANCE && one->compute_instance != RM_NO_INSTANCE)
		snprintf(text + n, 16, "/%u", one->compute_instance);
	return text;
}

/* A PID stands once in a list that has both. */
static const char *show_own_pid(const struct figure_of *of, char text[FIGURE_TEXT])
{
	snprintf(text, FIGURE_TEXT, "%d", who(of)->own_pid);
	return who(of)->own_pid && who(of)->own_pid != who(of)->pid ? text : "";
}

static const char *show_container(const struct figure_of *of, char text[FIGURE_TEXT])
{
	usage_name(text, who(of)->owner);
	return text;
}

static const char *show_pod(const struct figure_of *of, char text[FIGURE_TEXT])
{
	owner_name_pod(text, who(of)->owner);
	return text;
}

static const char *show_use(const struct figure_of *of, char text[FIGURE_TEXT])
{
	unsigned int use = of->process->use;

	snprintf(text, FIGURE_TEXT, "%s%s%s", use & GPU_COMPUTE ? "C" : "",
		 use & GPU_GRAPHICS ? "G" : "", use & GPU_MPS ? "M" : "");
	return text;
}

static struct json_object *describe_use(const struct figure_of *of)
{
	struct json_object *list = json_object_new_array();

	if (of->process->use & GPU_COMPUTE)
		json_object_array_add(list, json_object_new_string("compute"));
	if (of->process->use & GPU_GRAPHICS)
		json_object_array_add(list, json_object_new_string("graphics"));
	if (of->process->use & GPU_MPS)
		json_object_array_add(list, json_object_new_string("mps"));
	return list;
}

/* A GPU that did not say who uses it has no sums, not even 0. */
static bool is_answered(const struct figure_of *of)
{
	return !of->sum || of->sum->gpu == USAGE_ALL_GPUS || !of->usage->gpus[of->sum->gpu].error;
}

NUMBER_GETTER(processes, is_answered(of), of->sum ? of->sum->processes : 1)

static struct figure_number get_memory(const struct figure_of *of)
{
	return of->sum ? number(is_answered(of) && !of->sum->no_memory, of->sum->memory) :
	       number(of->process->has_memory, of->process->memory);
}

/* Returns that of a process on one GPU: sums may be of several. */
static struct figure_number get_memory_part(const struct figure_of *of)
{
	const uint64_t all = of->usage->gpus[of->process->gpu].memory_total;

	return number(all && of->process->has_memory, all ? of->process->memory * 10000 / all : 0);
}

/* @gpu: USAGE_ALL_GPUS: of any */
static bool has_samples(const struct usage *usage, size_t gpu)
{
	size_t i;

	for (i = 0; i < usage->n_gpus; i++)
		if ((gpu == i || gpu == USAGE_ALL_GPUS) && usage->gpus[i].has_utilisation)
			return true;
	return false;
}

static struct figure_number get_engine(const struct figure_of *of, enum rm_engine engine)
{
	size_t gpu = of->sum ? of->sum->gpu : of->process->gpu;

	return number(has_samples(of->usage, gpu),
		      of->sum ? of->sum->utilisation[engine] : of->process->utilisation[engine]);
}

#define ENGINE_GETTER(name, engine)					\
static struct figure_number get_##name(const struct figure_of *of)	\
{									\
	return get_engine(of, engine);					\
}
ENGINE_GETTER(sm, RM_ENGINE_SM)
ENGINE_GETTER(bandwidth, RM_ENGINE_MEMORY)
ENGINE_GETTER(encoder, RM_ENGINE_ENCODER)
ENGINE_GETTER(decoder, RM_ENGINE_DECODER)

/* Null: the driver keeps no samples. */
static struct json_object *describe_utilisation(const struct figure_of *of)
{
	struct json_object *one;
	int engine;

	if (!get_sm(of).is_known)
		return NULL;
	one = json_object_new_object();
	for (engine = 0; engine < RM_ENGINES; engine++)
		usage_add_percent(one, engine, get_engine(of, engine).n);
	return one;
}

/* Facts that change are read here: for the figures that are asked for, by one file. */
static const struct host_use *host_use(const struct figure_of *of)
{
	return of->sum || who(of)->is_gone ? NULL :
	       host_uses_get(of->usage->uses, who(of)->pid);
}

static struct figure_number get_cpu(const struct figure_of *of)
{
	const struct host_use *use = host_use(of);

	return use ? number(use->is_there && use->has_cpu, use->cpu) : number(false, 0);
}

static struct figure_number get_ram(const struct figure_of *of)
{
	const struct host_use *use = host_use(of);

	return use ? number(use->is_there, use->stat.pages * (uint64_t)sysconf(_SC_PAGESIZE)) :
		     number(false, 0);
}

static const char *show_command(const struct figure_of *of, char text[FIGURE_TEXT])
{
	(void)text;
	return usage_command(who(of));
}

/* Null: it has ended, or is in another PID namespace. */
static struct json_object *describe_gone(const struct figure_of *of)
{
	return who(of)->is_gone && !usage_sees_all() ? NULL :
	       json_object_new_boolean(who(of)->is_gone || who(of)->has_ended);
}

NUMBER_GETTER(idle, of->sum ? of->sum->has_idle : of->process->has_idle,
	      (of->sum ? of->sum->idle_ms : of->process->idle_ms) / 1000)

const struct figure_forms figures[FIGURES] = {
	[FIGURE_TIME] = { .help = "When the driver was asked.", .column = TABLE_TIME,
		.unit = FIGURE_CLOCK, .number = get_time },
	[FIGURE_GPU] = {
		.help = "Number of its GPU; mpu ps has its instances of MIG behind it: 7/1/0.",
		.column = { "GPU", false, 0, false }, .member = "gpu", .top = { "GPU", 4, "gpu" },
		.number = get_gpu, .show = show_gpu },
	[FIGURE_GPU_INSTANCE] = { .help = "Of MIG.", .member = "gpu_instance",
		.number = get_gpu_instance },
	[FIGURE_COMPUTE_INSTANCE] = { .help = "Of MIG, in that.", .member = "compute_instance",
		.number = get_compute_instance },
	[FIGURE_PID] = { .help = "On the host: as seen from here.",
		.column = { "PID", true, 0, false }, .member = "pid", .top = { "PID", 7, "pid" },
		.number = get_pid },
	[FIGURE_OWN_PID] = {
		.help = "In its own PID namespace; mpu ps shows it where it is another.",
		.column = { "OWN PID", true, 2, false }, .member = "own_pid",
		.top = { "OWN PID", 7, NULL }, .number = get_own_pid, .show = show_own_pid },
	[FIGURE_UID] = { .help = "Number of the user that it counts for.", .member = "uid",
		.number = get_uid },
	[FIGURE_USER] = { .help = "Name of that user.", .column = { "USER", false, 3, false },
		.member = "user", .top = { "USER", 8, "user" }, .text = get_user },
	[FIGURE_KIND] = {
		.help = "Who runs it: plain, unit, slurm, container, docker, containerd, crio, podman.",
		.member = "kind", .text = get_kind },
	[FIGURE_CONTAINER] = { .help = "Its container; where text is for people and CSV: NAMESPACE/POD/CONTAINER.",
		.column = { "CONTAINER", false, 0, false }, .member = "container",
		.top = { "CONTAINER", 0, "name" }, .text = get_container,
		.show = show_container },
	[FIGURE_ID] = { .help = "ID of its container.", .member = "id", .text = get_id },
	[FIGURE_POD] = { .help = "Of Kubernetes; mpu ps has the namespace before it.",
		.column = { "POD", false, 0, true }, .member = "pod",
		.top = { "POD", 0, "pod" }, .text = get_pod, .show = show_pod },
	[FIGURE_NAMESPACE] = { .help = "Of the pod.", .member = "namespace",
		.text = get_namespace },
	[FIGURE_POD_UID] = { .help = "Of the pod.", .member = "pod_uid", .text = get_pod_uid },
	[FIGURE_UNIT] = { .help = "Of systemd: its own, or the one that the container runs in.",
		.member = "unit", .text = get_unit },
	[FIGURE_JOB] = { .help = "Of Slurm; of another batch system its group below a unit.", .member = "job", .text = get_job },
	[FIGURE_STEP] = { .help = "Of the job.", .member = "step", .text = get_step },
	[FIGURE_USE] = { .help = "Some of compute, graphics, mps; in mpu ps C, G, M.",
		.column = { "TYPE", false, 0, true }, .member = "use",
		.top = { "TYPE", 4, "type" }, .describe = describe_use, .show = show_use },
	[FIGURE_PROCESSES] = { .help = "How many processes a sum has.",
		.top = { "PROCS", 6, "processes" }, .falls = true, .adds_up = true,
		.number = get_processes },
	[FIGURE_MEMORY] = { .help = "Memory of the GPU that the process takes.",
		.column = { "MEMORY", true, 0, false }, .member = "memory",
		.metric = "mpu_process_gpu_memory_bytes", .top = { "MEMORY", 9, "memory" },
		.falls = true, .adds_up = true, .unit = FIGURE_BYTES, .number = get_memory },
	[FIGURE_MEMORY_PART] = { .help = "The same in percent of all that the GPU has.",
		.top = { "MEMORY %", 8, "part" }, .falls = true, .unit = FIGURE_PERCENT,
		.number = get_memory_part },
	[FIGURE_UTILISATION] = {
		.help = "Percents of all engines of this GPU; null: the driver keeps no samples.",
		.member = "utilization", .describe = describe_utilisation },
	[FIGURE_SM] = { .help = "How much of the time it computed.",
		.column = { "SM%", true, 0, false }, .top = { "SM %", 6, "sm" }, .falls = true,
		.adds_up = true, .unit = FIGURE_PERCENT, .number = get_sm },
	[FIGURE_BANDWIDTH] = { .help = "How much of the time it used the memory.",
		.column = { "MEM%", true, 7, false }, .top = { "MEM %", 6, "mem" }, .falls = true,
		.adds_up = true, .unit = FIGURE_PERCENT_IF_ANY, .number = get_bandwidth },
	[FIGURE_ENCODER] = { .help = "How much of the time it used the encoders.",
		.column = { "ENC%", true, 6, false }, .top = { "ENC %", 6, "enc" }, .falls = true,
		.adds_up = true, .unit = FIGURE_PERCENT_IF_ANY, .number = get_encoder },
	[FIGURE_DECODER] = { .help = "How much of the time it used the decoders.",
		.column = { "DEC%", true, 5, false }, .top = { "DEC %", 6, "dec" }, .falls = true,
		.adds_up = true, .unit = FIGURE_PERCENT_IF_ANY, .number = get_decoder },
	[FIGURE_CPU] = {
		.help = "Processor time that it takes of the host; all of one processor is 100.",
		.top = { "CPU %", 6, "cpu" }, .falls = true, .unit = FIGURE_PERCENT,
		.number = get_cpu, .changes = true },
	[FIGURE_RAM] = { .help = "Memory that it takes of the host.", .top = { "RAM", 9, "ram" },
		.falls = true, .unit = FIGURE_BYTES, .number = get_ram, .changes = true },
	[FIGURE_STARTED] = { .help = "When it was started; in mpu top how long ago.",
		.column = { "SINCE", true, 4, false }, .member = "started",
		.top = { "AGE", 8, "age" }, .falls = true, .unit = FIGURE_SINCE,
		.number = get_started },
	[FIGURE_NAME] = { .help = "Its comm.", .member = "name", .text = get_name },
	[FIGURE_COMMAND] = { .help = "Its command line, cut at 127 bytes.",
		.column = { "COMMAND", false, 0, false }, .member = "command",
		.top = { "COMMAND", 0, "command" }, .text = get_command, .show = show_command },
	[FIGURE_GONE] = {
		.help = "True: it has ended, and only the PID is known, or is a zombie; null: or is in another PID namespace.",
		.member = "gone", .describe = describe_gone },
	[FIGURE_IDLE] = {
		.help = "Seconds since it used an engine of this GPU; kept by mpu metrics.",
		.column = { "IDLE", true, 1, false }, .member = "idle",
		.metric = "mpu_process_idle_seconds", .top = { "IDLE", 5, "idle" }, .falls = true,
		.adds_up = true, .unit = FIGURE_SECONDS, .number = get_idle },
};
