// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu ps --raw.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/view/internal.h"
#include "lib/host.h"
#include "lib/text.h"
#include "nvidia/nvidia.h"

/* Names of the sets of enum gpu_use. */
static const char *const use_names[] = {
	"-", "C", "G", "C+G", "M", "M+C", "M+G", "M+C+G",
};

/* comm of the process with that number in /proc, "" if there is none. */
static const char *read_name(char name[16], u32 pid)
{
	host_read(name, 16, "/proc/%u/comm", pid);
	text_clean(name);	/* its own choice */
	return name;
}

static struct json_object *describe_process(const struct gpu_process *process)
{
	struct json_object *one = json_object_new_object();
	char name[16];

	member_add_number(one, "pid", process->pid);
	member_add_text(one, "type", use_names[process->use]);
	if (process->has_memory)
		member_add_number(one, "memory", (int64_t)process->memory);
	else
		member_add_text(one, "memory", NULL);
	read_name(name, process->pid);
	member_add_text(one, "name", name[0] ? name : NULL);
	return one;
}

static struct json_object *describe_gpu(const struct gpu_processes *on, u32 index)
{
	struct json_object *one = json_object_new_object();
	struct json_object *list;
	char text[64];
	u32 i;

	member_add_number(one, "index", index);
	if (on->attached)
		usage_add_gpu(one, &on->gpu);
	if (on->error) {
		member_add_text(one, "error", rm_error_text(on->error, text, sizeof(text)));
		return one;
	}
	list = json_object_new_array();
	for (i = 0; i < on->count; i++)
		json_object_array_add(list, describe_process(&on->process[i]));
	json_object_object_add(one, "processes", list);
	return one;
}

static void print_json(const char *version, const struct process_list *list)
{
	struct json_object *answer = json_object_new_object();
	struct json_object *gpus = json_object_new_array();
	u32 i;

	member_add_text(answer, "driver", version);
	for (i = 0; i < list->count; i++)
		json_object_array_add(gpus, describe_gpu(&list->gpu[i], i));
	json_object_object_add(answer, "gpus", gpus);
	command_print_json(answer);
}

static void print_process(const struct gpu_process *process)
{
	char memory[32] = "N/A", name[16];

	if (process->has_memory)
		snprintf(memory, sizeof(memory), "%" PRIu64 " MiB",
			 (uint64_t)process->memory >> 20);
	printf("  %10u  %-5s  %12s  %s\n", process->pid, use_names[process->use], memory,
	       read_name(name, process->pid)[0] ? name : "-");
}

static void print_gpu(const struct gpu_processes *on, u32 index)
{
	char text[64];
	u32 i;

	printf("GPU %u", index);
	if (on->attached) {
		rm_format_address(text, sizeof(text), &on->gpu);
		printf(": %s, %s", on->gpu.name[0] ? on->gpu.name : "(no name)", text);
	}
	putchar('\n');
	if (on->error) {
		printf("  the driver refused: %s\n", rm_error_text(on->error, text, sizeof(text)));
		return;
	}
	if (!on->count)
		printf("  no GPU processes\n");
	else
		printf("  %10s  %-5s  %12s  %s\n", "PID", "type", "memory", "name");
	for (i = 0; i < on->count; i++)
		print_process(&on->process[i]);
}

static void print_text(const char *version, const struct process_list *list)
{
	u32 i;

	printf("driver %s\n", version);
	if (!list->count)
		printf("no GPU here: RM lists none whose device node this process may open\n");
	for (i = 0; i < list->count; i++)
		print_gpu(&list->gpu[i], i);
}

static enum cli_exit print_list(const struct command_call *call, const char *version,
				const struct process_list *list)
{
	enum cli_exit status = CLI_DONE;
	u32 i;

	if (command_wants_json(call))
		print_json(version, list);
	else
		print_text(version, list);
	for (i = 0; i < list->count; i++)
		if (list->gpu[i].error)
			status = CLI_FAILED;
	return status;
}

int ps_print_raw(const struct command_call *call)
{
	struct usage_reader *reader = usage_open(0, false, false);
	char why[WHY_SIZE], version[DRIVER_VERSION];
	struct process_list *list;
	enum cli_exit status;

	command_tell_late(call);
	if (usage_read_raw(reader, USAGE_PATIENCE_MS, &list, version, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	else
		status = print_list(call, version[0] ? version : "of unknown version", list);
	usage_close(reader);
	return status;
}
