// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the use of GPUs: the driver's answers, with names.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "host/internal.h"
#include "lib/clock.h"
#include "lib/host.h"
#include "lib/process.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

/**
 * struct answer - all that the driver has said, in memory that is shared with the child that
 * asks it
 * @is_whole:	the child came to its end
 * @process:	of @list
 */
struct answer {
	bool is_whole;
	int ret;
	char why[WHY_SIZE];
	char driver[DRIVER_VERSION];
	struct process_list list;
	struct gpu_process process[RM_GPUS][RM_PIDS];
};

/**
 * struct usage_reader - see host.h
 * @child:	asks the driver; 0: nobody does
 * @asked:	readable when it has ended
 * @since_ms:	when it began
 * @keep:	a descriptor that it keeps open, -1: none
 * @named:	GPUs that have said their name and UUID, @n_named of them: one that is lost says
 *		neither
 */
struct usage_reader {
	struct host_reader *host;
	struct answer *answer;
	pid_t child;
	int asked, keep;
	uint64_t since_ms;
	struct rm_gpu named[RM_GPUS];
	size_t n_named;
	unsigned int seconds;
	bool states;
	struct xid_log xids;
	struct usage usage;
	struct recent uses, idles;
	bool keeps_idle;
};

static bool has_names(const struct rm_gpu *gpu)
{
	return gpu->name[0] && gpu->uuid[0];
}

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

struct usage_reader *usage_open(unsigned int seconds, bool details, bool states)
{
	struct usage_reader *reader = xcalloc(1, sizeof(*reader));

	reader->host = host_reader_open(details);
	reader->seconds = seconds;
	reader->states = states;
	reader->xids.fd = reader->keep = -1;
	reader->usage.uses = &reader->uses;
	if (states)
		xid_log_open(&reader->xids);
	return reader;
}

/* Keeps a GPU's names, or gives it those that it had, by its address. */
static void name_gpu(struct usage_reader *reader, struct rm_gpu *gpu)
{
	struct rm_gpu *named = reader->named;

	while (named < reader->named + reader->n_named &&
	       (named->domain != gpu->domain || named->bus != gpu->bus || named->slot != gpu->slot))
		named++;
	if (has_names(gpu) && named < reader->named + RM_GPUS) {
		reader->n_named += named == reader->named + reader->n_named;
		*named = *gpu;
	} else if (!has_names(gpu) && named < reader->named + reader->n_named) {
		memcpy(gpu->name, named->name, sizeof(gpu->name));
		memcpy(gpu->uuid, named->uuid, sizeof(gpu->uuid));
	}
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

static void make_usage(struct usage_reader *reader, const struct process_list *list)
{
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
		usage->gpus[gpu] = list->gpu[gpu];
		usage->gpus[gpu].process = NULL;	/* the next answer has others there */
		name_gpu(reader, &usage->gpus[gpu].gpu);
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

static void read_version(struct rm *rm, char *version, size_t size)
{
	struct driver driver;

	driver_read(&driver, DRIVER_MODULE);
	if (driver.version[0])
		snprintf(version, size, "%s", driver.version);
	else if (rm_read_version(rm, version, size))
		version[0] = '\0';
}

/* Names GPUs that did not do so themselves: procfs keeps what they said when they were opened. */
static void name_from_procfs(struct process_list *list)
{
	struct devices devices;
	struct driver_root root;
	char why[WHY_SIZE];
	u32 missing = 0, i;
	size_t k;

	for (i = 0; i < list->count; i++)
		missing += !has_names(&list->gpu[i].gpu);
	if (!missing || host_is_other() || driver_root_open(&root, "", why))
		return;
	if (devices_read(&devices, &root, why))
		goto close;
	for (i = 0; i < list->count; i++)
		for (k = 0; k < devices.n_gpus; k++) {
			struct rm_gpu *gpu = &list->gpu[i].gpu;
			const struct gpu *same = &devices.gpus[k];

			if (has_names(gpu) || gpu->domain != same->domain ||
			    gpu->bus != same->bus || gpu->slot != same->slot)
				continue;
			snprintf(gpu->name, sizeof(gpu->name), "%.64s", same->model);
			snprintf(gpu->uuid, sizeof(gpu->uuid), "%s", same->uuid);
		}
	devices_free(&devices);
close:
	driver_root_close(&root);
}

/* Asks the driver, in the child. */
static int read_driver(struct usage_reader *reader, struct answer *answer)
{
	struct process_list *list = &answer->list;
	char dev[96], text[64];
	struct rm rm;
	int ret = host_path(dev, sizeof(dev), "/dev");
	u32 i;

	if (ret)
		return why_fail(answer->why, ret, "MPU_ROOT is longer than a device's path may be");
	ret = rm_open(&rm, dev, NULL);
	if (ret)
		return say_no_driver(answer->why, dev, ret);
	read_version(&rm, answer->driver, sizeof(answer->driver));
	ret = processes_read(&rm, list, reader->seconds,
			     reader->states ? driver_branch(answer->driver) : 0);
	rm_close(&rm);
	if (ret)
		return why_fail(answer->why, ret,
			"the NVIDIA driver did not list its GPUs (%s); see 'mpu doctor'",
			rm_error_text(ret, text, sizeof(text)));
	name_from_procfs(list);
	for (i = 0; i < list->count; i++) {
		memcpy(answer->process[i], list->gpu[i].process,
		       list->gpu[i].count * sizeof(answer->process[i][0]));
		list->gpu[i].process = answer->process[i];
	}
	return 0;
}

int usage_ask(struct usage_reader *reader)
{
	int pipes[2], keep[2], ret;

	if (reader->child)
		return reader->asked;
	if (!reader->answer) {
		struct answer *answer = mmap(NULL, sizeof(*answer), PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (answer == MAP_FAILED)
			return -errno;
		reader->answer = answer;
	}
	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	reader->answer->is_whole = false;
	keep[0] = pipes[1];
	keep[1] = reader->keep;
	reader->since_ms = clock_ms();
	ret = process_fork_aside(keep, reader->keep < 0 ? 1 : 2);
	if (!ret) {
		reader->answer->ret = read_driver(reader, reader->answer);
		reader->answer->is_whole = true;
		_exit(0);
	}
	close(pipes[1]);
	if (ret < 0) {
		close(pipes[0]);
		return ret;
	}
	reader->child = ret;
	reader->asked = pipes[0];
	return reader->asked;
}

void usage_keep(struct usage_reader *reader, int fd)
{
	reader->keep = fd;
}

void usage_keep_idle(struct usage_reader *reader)
{
	reader->keeps_idle = true;
}

static void end_child(struct usage_reader *reader, unsigned int moment_ms)
{
	if (!reader->child)
		return;
	close(reader->asked);
	process_leave(reader->child, moment_ms);
	reader->child = 0;
}

int usage_read_raw(struct usage_reader *reader, int patience_ms, struct process_list **list,
		   char version[DRIVER_VERSION], char why[WHY_SIZE])
{
	struct pollfd asked = { .fd = usage_ask(reader), .events = POLLIN };
	struct answer *answer = reader->answer;
	uint64_t now = clock_ms(), until = now + (uint64_t)patience_ms;
	int ret;

	if (asked.fd < 0)
		return why_fail(why, asked.fd, "cannot ask the NVIDIA driver: %s",
				strerror(-asked.fd));
	do {
		ret = poll(&asked, 1, patience_ms < 0 ? -1 : until > now ? (int)(until - now) : 0);
		now = clock_ms();
	} while (ret < 0 && errno == EINTR);
	if (!ret)
		return why_fail(why, -ETIMEDOUT, "the NVIDIA driver has not answered for %u s: it hangs, or wakes GPUs that nobody uses; see the end of 'dmesg'",
				(unsigned int)((now - reader->since_ms) / 1000));
	end_child(reader, 500);
	if (!answer->is_whole)
		return why_fail(why, -EIO, "the process that asks the NVIDIA driver was killed");
	snprintf(why, WHY_SIZE, "%s", answer->why);
	snprintf(version, DRIVER_VERSION, "%s", answer->driver);
	*list = &answer->list;
	return answer->ret;
}

int usage_read(struct usage_reader *reader, int patience_ms, const struct usage **usage,
	       char why[WHY_SIZE])
{
	struct process_list *list;
	struct timeval now;
	int ret = usage_read_raw(reader, patience_ms, &list, reader->usage.driver, why);

	if (ret)
		return ret;
	gettimeofday(&now, NULL);
	reader->usage.before_ms = reader->usage.at_ms;
	reader->usage.at_ms = clock_ms();
	reader->usage.time_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_usec;
	host_name(reader->usage.host, sizeof(reader->usage.host));
	host_reader_sweep(reader->host);
	host_uses_begin(&reader->uses);
	xid_log_read(&reader->xids);
	make_usage(reader, list);
	idle_find(&reader->idles, &reader->usage, reader->keeps_idle);
	if (reader->keeps_idle && getenv("RUNTIME_DIRECTORY"))
		idle_write(&reader->usage, getenv("RUNTIME_DIRECTORY"));
	*usage = &reader->usage;
	return 0;
}

void usage_close(struct usage_reader *reader)
{
	end_child(reader, 1);
	if (reader->answer)
		munmap(reader->answer, sizeof(*reader->answer));
	host_reader_close(reader->host);
	xid_log_close(&reader->xids);
	free(reader->usage.processes);
	recent_free(&reader->uses);
	recent_free(&reader->idles);
	free(reader);
}
