// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the use of GPUs: the driver's answers, with names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "host/internal.h"
#include "lib/host.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

struct usage_reader {
	struct host_reader *host;
	unsigned int seconds;
	bool states;
	struct xid_log xids;
	struct usage usage;
	struct recent uses;
	struct process_list list;
};

static int say_no_driver(char why[WHY_SIZE], const char *dev, int ret)
{
	char text[64];

	if (ret == -ENOENT || ret == -ENXIO || ret == -ENODEV)
		return why_fail(why, ret,
			"no NVIDIA driver here: %s/nvidiactl does not exist or has no driver behind it; load the driver, or give this container its device nodes",
			dev);
	if (ret == -EACCES || ret == -EPERM)
		return why_fail(why, ret,
			"not permitted to open %s/nvidiactl: give this user or container access to the NVIDIA device nodes",
			dev);
	return why_fail(why, ret,
		"the NVIDIA driver gave this process no client (%s); see 'mpu doctor'",
		rm_error_text(ret, text, sizeof(text)));
}

int usage_open_driver(struct rm *rm, char why[WHY_SIZE])
{
	char dev[96];
	int ret = host_path(dev, sizeof(dev), "/dev");

	if (ret)
		return why_fail(why, ret, "MPU_ROOT is longer than a device's path may be");
	ret = rm_open(rm, dev, NULL);
	return ret ? say_no_driver(why, dev, ret) : 0;
}

int usage_read_processes(struct rm *rm, struct process_list *list, unsigned int seconds,
			 u32 branch, char why[WHY_SIZE])
{
	char text[64];
	int ret = processes_read(rm, list, seconds, branch);

	return ret ? why_fail(why, ret,
		"the NVIDIA driver did not list its GPUs (%s); see 'mpu doctor'",
		rm_error_text(ret, text, sizeof(text))) : 0;
}

void usage_read_driver(struct rm *rm, char *version, size_t size)
{
	struct driver driver;

	driver_read(&driver, DRIVER_MODULE);
	if (driver.version[0])
		snprintf(version, size, "%s", driver.version);
	else if (rm_read_version(rm, version, size))
		version[0] = '\0';
}

struct usage_reader *usage_open(unsigned int seconds, bool details, bool states)
{
	struct usage_reader *reader = xcalloc(1, sizeof(*reader));

	reader->host = host_reader_open(details);
	reader->seconds = seconds;
	reader->states = states;
	reader->xids.fd = -1;
	reader->usage.uses = &reader->uses;
	if (states)
		xid_log_open(&reader->xids);
	return reader;
}

static void copy_gpu(struct usage_gpu *to, const struct gpu_processes *from)
{
	*to = (struct usage_gpu){
		.gpu = from->gpu,
		.error = from->error,
		.has_memory = from->has_memory,
		.memory_total = from->memory_total,
		.memory_used = from->memory_used,
		.has_utilisation = from->has_utilisation,
	};
	memcpy(to->utilisation, from->utilisation, sizeof(to->utilisation));
	to->state = from->state;
}

static void copy_process(struct usage_process *to, size_t gpu, const struct gpu_process *from,
			 const struct host_process *process)
{
	*to = (struct usage_process){
		.gpu = gpu,
		.gpu_instance = from->gpu_instance,
		.compute_instance = from->compute_instance,
		.use = from->use,
		.has_memory = from->has_memory,
		.memory = from->memory,
		.process = process,
	};
	memcpy(to->utilisation, from->utilisation, sizeof(to->utilisation));
}

/* Makes the reading of what the driver has said: who its processes are. */
static void make_usage(struct usage_reader *reader)
{
	const struct process_list *list = &reader->list;
	struct usage *usage = &reader->usage;
	const struct host_process **processes;
	size_t n = 0, gpu, i;
	pid_t *pids;

	for (gpu = 0; gpu < list->count; gpu++)
		n += list->gpu[gpu].count;
	pids = xcalloc(n + 1, sizeof(*pids));
	processes = xcalloc(n + 1, sizeof(*processes));
	free(usage->processes);
	usage->processes = xcalloc(n + 1, sizeof(*usage->processes));
	for (gpu = n = 0; gpu < list->count; gpu++)
		for (i = 0; i < list->gpu[gpu].count; i++)
			pids[n++] = (pid_t)list->gpu[gpu].process[i].pid;
	host_reader_read(reader->host, pids, n, processes);
	usage->n_gpus = usage->n_processes = 0;
	for (gpu = 0; gpu < list->count; gpu++) {
		copy_gpu(&usage->gpus[gpu], &list->gpu[gpu]);
		xid_log_take(&reader->xids, &list->gpu[gpu].gpu, &usage->gpus[gpu].state);
		usage->n_gpus++;
		for (i = 0; i < list->gpu[gpu].count; i++) {
			n = usage->n_processes++;
			copy_process(&usage->processes[n], gpu,
				     &list->gpu[gpu].process[i], processes[n]);
		}
	}
	free(pids);
	free(processes);
}

/* Asks the driver. processes_free() is due only after success. */
static int ask_driver(struct usage_reader *reader, char why[WHY_SIZE])
{
	struct usage *usage = &reader->usage;
	struct rm rm;
	int ret = usage_open_driver(&rm, why);

	if (ret)
		return ret;
	usage_read_driver(&rm, usage->driver, sizeof(usage->driver));
	ret = usage_read_processes(&rm, &reader->list, reader->seconds,
				   reader->states ? driver_branch(usage->driver) : 0, why);
	rm_close(&rm);
	return ret;
}

int usage_read(struct usage_reader *reader, const struct usage **usage, char why[WHY_SIZE])
{
	struct timeval now;
	int ret = ask_driver(reader, why);

	if (ret)
		return ret;
	gettimeofday(&now, NULL);
	reader->usage.time_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_usec;
	host_name(reader->usage.host, sizeof(reader->usage.host));
	host_reader_sweep(reader->host);
	host_uses_begin(&reader->uses);
	xid_log_read(&reader->xids);
	make_usage(reader);
	processes_free(&reader->list);
	*usage = &reader->usage;
	return 0;
}

void usage_close(struct usage_reader *reader)
{
	host_reader_close(reader->host);
	xid_log_close(&reader->xids);
	free(reader->usage.processes);
	recent_free(&reader->uses);
	free(reader);
}
