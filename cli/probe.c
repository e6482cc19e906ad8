// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the driver makes of PID namespaces, measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/probe.h"
#include "lib/rm.h"

/* Waking a GPU takes seconds; a driver that hangs must not hang us. */
#define PATIENCE	60
#define MEMORY		(2u << 20)

static int attach_any(struct rm *rm, struct rm_gpu *gpu)
{
	struct rm_gpu all[RM_GPUS];
	u32 i, n;
	int ret = rm_gpus(rm, all, &n);

	if (ret)
		return ret;
	ret = -ENODEV;
	for (i = 0; i < n && ret; i++) {
		ret = rm_attach(rm, &all[i]);
		*gpu = all[i];
	}
	return ret;
}

static int look_for_self(struct rm *rm, const struct rm_gpu *gpu,
			 struct probe *probe)
{
	u32 pids[RM_PIDS];
	u32 i, n;
	int ret = rm_pids(rm, gpu, RM_CLASS_SUBDEVICE, pids, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		probe->lists_inner |= pids[i] == probe->inner;
		probe->lists_outer |= pids[i] == probe->outer;
		probe->others += pids[i] != probe->inner &&
				 pids[i] != probe->outer;
	}
	return 0;
}

/* A process that holds no memory looks like one that does not exist. */
static int ask_about_self(struct rm *rm, const struct rm_gpu *gpu,
			  struct probe *probe)
{
	struct rm_process self[2] = {
		{ .pid = probe->inner }, { .pid = probe->outer },
	};
	u32 memory;
	int ret = rm_allocate_memory(rm, gpu, MEMORY, &memory);

	if (!ret)
		ret = rm_process_info(rm, gpu, self, 2);
	if (ret)
		return ret;
	probe->finds_inner = !self[0].status && self[0].bytes >= MEMORY;
	probe->finds_outer = !self[1].status && self[1].bytes >= MEMORY;
	return 0;
}

static void measure(struct probe *probe, const char *dev)
{
	struct rm_gpu gpu;
	struct rm rm;

	probe->step = PROBE_DRIVER;
	probe->error = rm_open(&rm, dev, NULL);
	if (probe->error)
		return;
	probe->step = PROBE_GPU;
	probe->error = attach_any(&rm, &gpu);
	if (probe->error)
		goto close;
	probe->step = PROBE_LIST;
	probe->error = look_for_self(&rm, &gpu, probe);
	if (probe->error)
		goto detach;
	probe->step = PROBE_MEMORY;
	probe->error = ask_about_self(&rm, &gpu, probe);
	if (!probe->error)
		probe->step = PROBE_DONE;
detach:
	rm_detach(&rm, &gpu);
close:
	rm_close(&rm);
}

/* /proc is still mounted for our parent's namespace: there we are "self". */
static u32 outer_pid(void)
{
	char text[32];
	ssize_t n = readlink("/proc/self", text, sizeof(text) - 1);

	if (n < 0)
		return 0;
	text[n] = '\0';
	return (u32)strtoul(text, NULL, 10);
}

static void be_inside(int out, const char *dev)
{
	struct probe probe = {
		.inner = (u32)getpid(), .outer = outer_pid(),
	};

	alarm(PATIENCE);
	measure(&probe, dev);
	_exit(write(out, &probe, sizeof(probe)) != sizeof(probe));
}

/* Makes the namespace; its first process is the next child. */
static void be_between(int out, const char *dev)
{
	struct probe probe = { .step = PROBE_NAMESPACE };
	int status;
	pid_t pid;

	if (unshare(CLONE_NEWPID) &&
	    unshare(CLONE_NEWUSER | CLONE_NEWPID)) {
		probe.error = -errno;
		goto fail;
	}
	pid = fork();
	if (!pid)
		be_inside(out, dev);
	if (pid > 0) {
		waitpid(pid, &status, 0);
		_exit(0);
	}
	probe.error = -errno;
fail:
	_exit(write(out, &probe, sizeof(probe)) != sizeof(probe));
}

int probe_run(struct probe *probe, const char *dev)
{
	int pipes[2], status;
	ssize_t n;
	pid_t pid;

	memset(probe, 0, sizeof(*probe));
	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		be_between(pipes[1], dev);
	}
	n = pid < 0 ? -errno : 0;
	close(pipes[1]);
	if (pid > 0) {
		n = read(pipes[0], probe, sizeof(*probe));
		waitpid(pid, &status, 0);
	}
	close(pipes[0]);
	if (n == sizeof(*probe))
		return 0;
	return n < 0 ? (int)n : -ETIMEDOUT;
}
