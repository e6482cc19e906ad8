// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu smi: the GPU process table as the driver shows it to this process.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "lib/host.h"
#include "nvidia/rm.h"

enum use { COMPUTE = 1, GRAPHICS = 2, MPS = 4 };

static const char *const use_text[] = {
	"-", "C", "G", "C+G", "M", "M+C", "M+G", "M+C+G",
};

/**
 * struct table - processes of one GPU
 * @use:	of process[i], a set of enum use
 */
struct table {
	u32 count;
	struct rm_process process[RM_PIDS];
	unsigned int use[RM_PIDS];
};

static void note(struct table *table, u32 pid, enum use use)
{
	u32 i;

	for (i = 0; i < table->count && table->process[i].pid != pid; i++)
		;
	if (i == RM_PIDS)
		return;
	if (i == table->count) {
		table->process[i] = (struct rm_process){ .pid = pid };
		table->use[i] = 0;
		table->count++;
	}
	table->use[i] |= use;
}

static int list_class(struct rm *rm, const struct rm_gpu *gpu, u32 class,
		      enum use use, struct table *table)
{
	u32 pids[RM_PIDS];
	u32 i, n;
	int ret = rm_pids(rm, gpu, class, pids, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		note(table, pids[i], use);
	return 0;
}

static int list_processes(struct rm *rm, const struct rm_gpu *gpu,
			  struct table *table)
{
	u32 class[RM_CLASSES];
	u32 i, n;
	int ret = rm_classes(rm, gpu, class, &n);

	for (i = 0; !ret && i < n; i++) {
		if (rm_class_is_compute(class[i]))
			ret = list_class(rm, gpu, class[i], COMPUTE, table);
		else if (rm_class_is_graphics(class[i]))
			ret = list_class(rm, gpu, class[i], GRAPHICS, table);
	}
	if (ret)
		return ret;
	/* A driver that has no MPS refuses its class: that is no error. */
	list_class(rm, gpu, RM_CLASS_MPS, MPS, table);
	return rm_process_info(rm, gpu, table->process, table->count);
}

static struct json_object *describe_process(const struct rm_process *process,
					    unsigned int use)
{
	struct json_object *one = json_object_new_object();
	char name[64];

	json_add_number(one, "pid", process->pid);
	json_add(one, "type", use_text[use]);
	if (process->status)
		json_add(one, "memory", NULL);
	else
		json_add_number(one, "memory", (int64_t)process->bytes);
	json_add(one, "name", host_read(name, sizeof(name), "/proc/%u/comm",
					process->pid) > 0 ? name : NULL);
	return one;
}

static int compare_pids(const void *a, const void *b)
{
	int64_t x = json_number(*(struct json_object **)a, "pid");
	int64_t y = json_number(*(struct json_object **)b, "pid");

	return (x > y) - (x < y);
}

/* Return: 0, or what rm_*() said; the answer then says so, too. */
static int describe_gpu(struct rm *rm, struct rm_gpu *gpu,
			struct json_object *one)
{
	struct json_object *list;
	struct table *table = calloc(1, sizeof(*table));
	char text[64];
	u32 i;
	int ret = table ? list_processes(rm, gpu, table) : -ENOMEM;

	snprintf(text, sizeof(text), "%04x:%02x:%02x.0", gpu->domain, gpu->bus,
		 gpu->slot);
	json_add(one, "pci", text);
	json_add_number(one, "minor", gpu->minor);
	json_add(one, "name", gpu->name[0] ? gpu->name : NULL);
	json_add(one, "uuid", gpu->uuid[0] ? gpu->uuid : NULL);
	if (ret) {
		json_add(one, "error", rm_error(ret, text, sizeof(text)));
		goto out;
	}
	list = json_object_new_array();
	for (i = 0; i < table->count; i++)
		json_object_array_add(list,
			describe_process(&table->process[i], table->use[i]));
	json_object_array_sort(list, compare_pids);
	json_object_object_add(one, "processes", list);
out:
	free(table);
	return ret;
}

/* A container is given some GPUs, RM lists them all. */
static bool not_given(int ret)
{
	return ret == -ENOENT || ret == -ENXIO || ret == -ENODEV ||
	       ret == -EPERM || ret == -EACCES;
}

static int describe_gpus(struct rm *rm, struct json_object *list)
{
	struct rm_gpu gpu[RM_GPUS];
	u32 i, n;
	int failed, ret = rm_gpus(rm, gpu, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		struct json_object *one;
		char text[64];

		failed = rm_attach(rm, &gpu[i]);
		if (not_given(failed))
			continue;
		one = json_object_new_object();
		json_add_number(one, "index",
				(int64_t)json_object_array_length(list));
		if (failed)
			json_add(one, "error",
				 rm_error(failed, text, sizeof(text)));
		else
			failed = describe_gpu(rm, &gpu[i], one);
		rm_detach(rm, &gpu[i]);
		json_object_array_add(list, one);
		ret = failed ? failed : ret;
	}
	return ret;
}

static void print_process(struct json_object *process)
{
	const char *name = json_text(process, "name");
	char memory[32] = "N/A";

	if (json_object_object_get(process, "memory"))
		snprintf(memory, sizeof(memory), "%" PRId64 " MiB",
			 json_number(process, "memory") >> 20);
	printf("  %10" PRId64 "  %-5s  %12s  %s\n",
	       json_number(process, "pid"), json_text(process, "type"), memory,
	       name ? name : "-");
}

static void print_gpu(struct json_object *gpu)
{
	struct json_object *list = json_object_object_get(gpu, "processes");
	const char *name = json_text(gpu, "name");
	size_t i, n;

	printf("GPU %" PRId64, json_number(gpu, "index"));
	if (json_text(gpu, "pci"))
		printf(": %s, %s", name ? name : "(no name)",
		       json_text(gpu, "pci"));
	putchar('\n');
	if (!list) {
		printf("  the driver refused: %s\n", json_text(gpu, "error"));
		return;
	}
	n = json_object_array_length(list);
	if (!n)
		printf("  no GPU processes\n");
	else
		printf("  %10s  %-5s  %12s  %s\n", "PID", "type", "memory",
		       "name");
	for (i = 0; i < n; i++)
		print_process(json_object_array_get_idx(list, i));
}

static void print_answer(struct json_object *answer)
{
	struct json_object *gpus = json_object_object_get(answer, "gpus");
	size_t i, n = json_object_array_length(gpus);

	printf("driver %s\n", json_text(answer, "driver"));
	if (!n)
		printf("no GPU here: RM lists none whose device node this process may open\n");
	for (i = 0; i < n; i++)
		print_gpu(json_object_array_get_idx(gpus, i));
}

static void add_version(struct rm *rm, struct json_object *answer)
{
	char version[80];

	if (host_read(version, sizeof(version),
		      "/sys/module/nvidia/version") <= 0 &&
	    rm_version(rm, version, sizeof(version)))
		snprintf(version, sizeof(version), "of unknown version");
	json_add(answer, "driver", version);
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
		rm_error(ret, text, sizeof(text)));
}

enum cli_exit cmd_smi(const struct cli *cli)
{
	struct json_object *answer, *gpus;
	char dev[96], text[64];
	struct rm rm;
	int ret;

	if (host_path(dev, sizeof(dev), "/dev"))
		return cli_fail(cli, CLI_FAILED,
			"MPU_ROOT is longer than a device's path may be");
	ret = rm_open(&rm, dev, NULL);
	if (ret)
		return no_driver(cli, dev, ret);
	answer = json_object_new_object();
	gpus = json_object_new_array();
	add_version(&rm, answer);
	json_object_object_add(answer, "gpus", gpus);
	ret = describe_gpus(&rm, gpus);
	rm_close(&rm);
	if (ret && !json_object_array_length(gpus)) {
		json_object_put(answer);
		return cli_fail(cli, CLI_FAILED,
			"the NVIDIA driver did not list its GPUs (%s); see 'mpu doctor'",
			rm_error(ret, text, sizeof(text)));
	}
	if (cli->json) {
		cli_print_json(answer);
	} else {
		print_answer(answer);
		json_object_put(answer);
	}
	return ret ? CLI_FAILED : CLI_DONE;
}
