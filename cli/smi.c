// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu smi: the GPU process table as the driver shows it to this process.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "lib/host.h"
#include "nvidia/driver.h"
#include "nvidia/processes.h"
#include "nvidia/rm.h"

/* Names of the sets of enum gpu_use. */
static const char *const use_names[] = {
	"-", "C", "G", "C+G", "M", "M+C", "M+G", "M+C+G",
};

static struct json_object *describe_process(const struct gpu_process *process)
{
	struct json_object *one = json_object_new_object();

	member_add_number(one, "pid", process->pid);
	member_add_text(one, "type", use_names[process->use]);
	if (process->has_memory)
		member_add_number(one, "memory", (int64_t)process->memory);
	else
		member_add_text(one, "memory", NULL);
	member_add_text(one, "name", process->name[0] ? process->name : NULL);
	return one;
}

static void format_pci(char *text, size_t size, const struct rm_gpu *gpu)
{
	snprintf(text, size, "%04x:%02x:%02x.0", gpu->domain, gpu->bus,
		 gpu->slot);
}

static struct json_object *describe_gpu(const struct gpu_processes *on, u32 index)
{
	struct json_object *one = json_object_new_object();
	const struct rm_gpu *gpu = &on->gpu;
	struct json_object *list;
	char text[64];
	u32 i;

	member_add_number(one, "index", index);
	if (on->attached) {
		format_pci(text, sizeof(text), gpu);
		member_add_text(one, "pci", text);
		member_add_number(one, "minor", gpu->minor);
		member_add_text(one, "name", gpu->name[0] ? gpu->name : NULL);
		member_add_text(one, "uuid", gpu->uuid[0] ? gpu->uuid : NULL);
	}
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
	cli_print_json(answer);
}

static void print_process(const struct gpu_process *process)
{
	char memory[32] = "N/A";

	if (process->has_memory)
		snprintf(memory, sizeof(memory), "%" PRIu64 " MiB",
			 (uint64_t)process->memory >> 20);
	printf("  %10u  %-5s  %12s  %s\n", process->pid,
	       use_names[process->use], memory,
	       process->name[0] ? process->name : "-");
}

static void print_gpu(const struct gpu_processes *on, u32 index)
{
	char text[64];
	u32 i;

	printf("GPU %u", index);
	if (on->attached) {
		format_pci(text, sizeof(text), &on->gpu);
		printf(": %s, %s", on->gpu.name[0] ? on->gpu.name : "(no name)",
		       text);
	}
	putchar('\n');
	if (on->error) {
		printf("  the driver refused: %s\n",
		       rm_error_text(on->error, text, sizeof(text)));
		return;
	}
	if (!on->count)
		printf("  no GPU processes\n");
	else
		printf("  %10s  %-5s  %12s  %s\n", "PID", "type", "memory",
		       "name");
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

static void read_version(struct rm *rm, char *version, size_t size)
{
	struct driver driver;

	driver_read(&driver, DRIVER_MODULE);
	if (driver.version[0])
		snprintf(version, size, "%s", driver.version);
	else if (rm_read_version(rm, version, size))
		snprintf(version, size, "of unknown version");
}

static enum cli_exit no_driver(const struct cli *cli, const char *dev, int ret)
{
	char text[64];

	if (ret == -ENOENT || ret == -ENXIO || ret == -ENODEV)
		return cli_fail(cli, CLI_FAILED,
			"no NVIDIA driver here: %s/nvidiactl does not exist or has no driver behind it; load the driver, or give this container its device nodes",
			dev);
	if (ret == -EACCES || ret == -EPERM)
		return cli_fail(cli, CLI_FAILED,
			"not permitted to open %s/nvidiactl: give this user or container access to the NVIDIA device nodes",
			dev);
	return cli_fail(cli, CLI_FAILED,
		"the NVIDIA driver gave this process no client (%s); see 'mpu doctor'",
		rm_error_text(ret, text, sizeof(text)));
}

static enum cli_exit print_list(const struct cli *cli, const char *version,
				const struct process_list *list)
{
	enum cli_exit status = CLI_DONE;
	u32 i;

	if (cli->json)
		print_json(version, list);
	else
		print_text(version, list);
	for (i = 0; i < list->count; i++)
		if (list->gpu[i].error)
			status = CLI_FAILED;
	return status;
}

enum cli_exit cmd_smi(const struct cli *cli)
{
	char dev[96], text[64], version[80];
	struct process_list list;
	enum cli_exit status;
	struct rm rm;
	int ret;

	if (host_path(dev, sizeof(dev), "/dev"))
		return cli_fail(cli, CLI_FAILED,
			"MPU_ROOT is longer than a device's path may be");
	ret = rm_open(&rm, dev, NULL);
	if (ret)
		return no_driver(cli, dev, ret);
	read_version(&rm, version, sizeof(version));
	ret = processes_read(&rm, &list, false);
	rm_close(&rm);
	if (ret)
		return cli_fail(cli, CLI_FAILED,
			"the NVIDIA driver did not list its GPUs (%s); see 'mpu doctor'",
			rm_error_text(ret, text, sizeof(text)));
	status = print_list(cli, version, &list);
	processes_free(&list);
	return status;
}
