// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what one ioctl costs, in ticks of the processor's counter: under
 * `qemu -icount shift=0` a tick is an instruction and the figures repeat.
 *
 *	bench-calls	prints one line per scenario: NAME<TAB>TICKS
 *
 * Runs as root on the simulated driver. The scenarios are measured in the
 * initial namespace ("host") and in a child PID namespace ("container"),
 * where as many GPU processes run as the list is to have entries; then on the host
 * again ("beside"), now that a container has used the driver; and at last
 * in a container whose one busy process shares the GPU with one outside.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "core/nvrm.h"
#include "nvidia/internal.h"
#include "sim/interface.h"

#define ROUNDS		24
#define GET_PIDS	0x2080018d
#define GET_PIDS_SIZE	3812
#define PERF		0x20802096
#define REQUEST		0xc020462aUL

static const u32 lengths[] = { 1, 16, 200, 950 };

static void die(const char *what, int err)
{
	fprintf(stderr, "bench-calls: %s: %s (%d)\n", what,
		err < 0 ? strerror(-err) : "RM status", err);
	exit(1);
}

#if defined(__x86_64__)

static u64 ticks_now(void)
{
	return __rdtsc();
}

static bool ticks_are_instructions(void)
{
	return true;	/* QEMU's counter has no frequency of its own */
}

#elif defined(__aarch64__)

static u64 ticks_now(void)
{
	u64 ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

/* An instruction is a nanosecond: the counter must count these. */
static bool ticks_are_instructions(void)
{
	u64 frequency;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	return frequency == 1000000000;
}

#else
#error "which counter is there?"
#endif

/* The cheapest of several calls: one that no interrupt came into. */
static u64 measure(int fd, unsigned long request, void *arg)
{
	u64 best = ~0ull;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		u64 start = ticks_now(), ticks;

		ioctl(fd, request, arg);
		ticks = ticks_now() - start;
		if (ticks < best)
			best = ticks;
	}
	return best;
}

static void report(const char *where, const char *scenario, u64 ticks)
{
	printf("%s %s\t%llu\n", where, scenario, (unsigned long long)ticks);
	fflush(stdout);
}

static void measure_control(struct rm *rm, u32 object, u32 cmd, void *params,
			    u32 size, const char *where, const char *scenario)
{
	struct nv_control ctl = {
		.client = rm->client,
		.object = object ? object : rm->client,
		.cmd = cmd,
		.params = (u64)(unsigned long)params,
		.size = size,
	};
	u64 ticks = measure(rm->fd, REQUEST, &ctl);

	if (ctl.status)
		die(scenario, (int)ctl.status);
	report(where, scenario, ticks);
}

static void open_gpu(struct rm *rm, struct rm_gpu *gpu)
{
	int err = rm_open(rm, "/dev", NULL);
	u32 n;

	if (!err)
		err = rm_list_gpus(rm, gpu, &n);
	if (!err)
		err = rm_attach(rm, &gpu[0]);
	if (err)
		die("RM client", err);
}

/* A GPU process: a client with a subdevice and a share of utilisation. */
static void become_gpu_process(void)
{
	u32 util[SIM_ENGINES] = { 1, 2, 3, 4, 5, 6 };
	struct rm_gpu gpu[RM_GPUS];
	struct rm rm;
	int err;

	open_gpu(&rm, gpu);
	err = rm_control(&rm, 0, SIM_CTRL_UTIL, util, sizeof(util));
	if (err)
		die("GPU process", err);
}

/* Start GPU processes until there are @total; they end with their parent. */
static void grow(u32 *running, u32 total)
{
	while (*running < total) {
		int ready[2];
		char c;

		if (pipe(ready))
			die("pipe", -errno);
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			become_gpu_process();
			if (write(ready[1], "", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
		if (read(ready[0], &c, 1) != 1)
			die("GPU process did not start", -ECHILD);
		close(ready[0]);
		close(ready[1]);
		(*running)++;
	}
}

static void measure_list(struct rm *rm, struct rm_gpu *gpu, u32 want, const char *where)
{
	u32 params[GET_PIDS_SIZE / 4] = { 0, RM_CLASS_SUBDEVICE };
	char scenario[32];

	snprintf(scenario, sizeof(scenario), "GET_PIDS %u", want);
	measure_control(rm, gpu->subdevice, GET_PIDS, params, sizeof(params), where, scenario);
	if (params[2] != want)
		fprintf(stderr, "bench-calls: %s %s: %u entries\n", where, scenario, params[2]);
}

static void measure_samples(struct rm *rm, struct rm_gpu *gpu,
			    const char *where, const char *scenario)
{
	static const u32 sizes[] = { 55888, 50704, 34000, 47216 };
	static u32 params[55888 / 4];
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		params[1] = sizes[i] - 16;
		if (!rm_control(rm, gpu->subdevice, PERF, params, sizes[i])) {
			measure_control(rm, gpu->subdevice, PERF, params,
					sizes[i], where, scenario);
			return;
		}
	}
}

static void measure_echo(struct rm *rm, const char *where)
{
	u8 echo[64] = { 0 };

	measure_control(rm, 0, SIM_CTRL_ECHO, echo, sizeof(echo), where, "RM control");
}

static void beside_scenario(const char *where)
{
	struct rm_gpu gpu[RM_GPUS];
	struct rm rm;

	open_gpu(&rm, gpu);
	measure_echo(&rm, where);
}

static void scenarios(const char *where)
{
	struct rm_gpu gpu[RM_GPUS];
	struct rm rm;
	u32 running = 1;
	u32 n, i;
	int pipe_fd[2];

	if (pipe(pipe_fd))
		die("pipe", -errno);
	open_gpu(&rm, gpu);
	report(where, "FIONREAD", measure(pipe_fd[0], FIONREAD, &n));
	/* A worker makes jumps of the kprobes that a container's first call arms. */
	sleep(5);
	measure_echo(&rm, where);
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		grow(&running, lengths[i]);
		measure_list(&rm, &gpu[0], lengths[i], where);
	}
	measure_samples(&rm, &gpu[0], where, "PERF samples");
}

/* Every second sample is that of a process outside of the container. */
static void shared_scenario(const char *where)
{
	struct rm_gpu gpu[RM_GPUS];
	struct rm rm;
	u32 running = 0;

	open_gpu(&rm, gpu);
	grow(&running, 1);
	measure_samples(&rm, &gpu[0], where, "PERF shared");
}

static void run_in(int flags, const char *where, void (*run)(const char *where))
{
	pid_t pid;
	int status;

	if (unshare(flags))
		die("unshare", -errno);
	pid = fork();
	if (!pid) {
		run(where);
		fflush(stdout);
		/* The namespace, and with it every GPU process, ends here. */
		kill(0, SIGKILL);
		_exit(0);
	}
	waitpid(pid, &status, 0);
}

static void run_in_container(void (*run)(const char *where))
{
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		run_in(CLONE_NEWPID, "container", run);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

int main(void)
{
	u32 outside = 0;
	pid_t pid;

	if (!ticks_are_instructions())
		die("the counter does not count nanoseconds", -ERANGE);
	/* Each scenario is a process group: it ends by killing that. */
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		scenarios("host");
		kill(0, SIGKILL);
	}
	waitpid(pid, NULL, 0);
	setpgid(0, 0);
	run_in_container(scenarios);
	beside_scenario("beside");
	grow(&outside, 1);
	run_in_container(shared_scenario);
	return 0;
}
