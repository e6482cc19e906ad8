// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim-load: a process that is to RM what a CUDA program is. It allocates,
 * prints "ready PID" with the number it has for itself, and stays until
 * SIGTERM or the end of its standard input.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "nvidia/nvidia.h"
#include "sim/load/options.h"
#include "sim/interface.h"

#define HWPM_RESERVE	0x90cc0101

static struct options opt = {
	.dev = "/dev", .mib = 64, .clients = 1, .pattern = SIM_PATTERNS,
};

/* All clients of the process, for as long as it lives. */
static struct rm rms[CLIENTS_MAX];
static struct rm_gpu gpus[CLIENTS_MAX][RM_GPUS];

static bool fail(const char *what, int ret)
{
	char text[64];

	fprintf(stderr, "nvsim-load: %s: %s\n", what, rm_error_text(ret, text, sizeof(text)));
	return false;
}

/* Finds the engine and channel classes of this GPU. */
static int find_classes(struct rm *rm, const struct rm_gpu *gpu, u32 *channel, u32 *engine)
{
	u32 classes[RM_CLASSES];
	u32 count, i;
	int ret = rm_list_classes(rm, gpu, classes, &count);

	if (ret)
		return ret;
	*engine = 0;
	for (i = 0; i < count; i++)
		if (opt.graphics ? rm_class_is_graphics(classes[i]) :
				   rm_class_is_compute(classes[i]))
			*engine = classes[i];
	/* any channel class does: the simulated RM knows only the family */
	*channel = (*engine & 0xff00) | 0x6f;
	return *engine ? 0 : -ENOTSUP;
}

static bool open_channel(struct rm *rm, const struct rm_gpu *gpu)
{
	u32 channel_class, engine_class, channel, engine, mps;
	int ret = find_classes(rm, gpu, &channel_class, &engine_class);

	if (ret)
		return fail("cannot find a class of objects for this GPU", ret);
	ret = rm_alloc(rm, gpu->device, channel_class, NULL, &channel);
	if (ret)
		return fail("cannot allocate a channel", ret);
	ret = rm_alloc(rm, channel, engine_class, NULL, &engine);
	if (ret)
		return fail("cannot allocate an engine", ret);
	if (opt.mps)
		ret = rm_alloc(rm, 0, MPS_COMPUTE, NULL, &mps);
	return ret ? fail("cannot become an MPS client", ret) : true;
}

static bool open_sessions(struct rm *rm, const struct rm_gpu *gpu)
{
	/* NVA0BC_ALLOC_PARAMETERS, NVA0BD_ALLOC_PARAMETERS: 1920 x 1080 */
	u32 encoder[5] = { 0, 1920, 1080 }, capture[5] = { 0, 1, 0, 1920, 1080 };
	u32 handle;
	int ret = 0;

	if (opt.encoder)
		ret = rm_alloc(rm, gpu->subdevice, NVENC_SW_SESSION, encoder, &handle);
	if (!ret && opt.capture)
		ret = rm_alloc(rm, gpu->subdevice, NVFBC_SW_SESSION, capture, &handle);
	if (ret)
		return fail("cannot open a session", ret);
	if (opt.profiler) {
		ret = rm_alloc(rm, gpu->subdevice, GF100_PROFILER, NULL, &handle);
		if (!ret)
			ret = rm_control(rm, handle, HWPM_RESERVE, NULL, 0);
	}
	return ret ? fail("cannot reserve the profiler", ret) : true;
}

static bool set_state(struct rm *rm, const struct rm_gpu *gpu)
{
	u32 accounting[3] = { gpu->id, 0, 0 };
	u32 util[SIM_ENGINES] = { opt.util, opt.util };
	int ret = 0;

	if (opt.account)
		ret = rm_control(rm, 0, NV_CTRL_GPUACCT_SET_ACCOUNTING_STATE,
				 accounting, sizeof(accounting));
	if (ret)
		return fail("cannot turn accounting on", ret);
	if (opt.encoder)
		util[2] = opt.util;
	if (opt.util)
		ret = rm_control(rm, 0, SIM_CTRL_UTIL, util, sizeof(util));
	if (!ret && opt.pattern < SIM_PATTERNS)
		ret = rm_control(rm, gpu->subdevice, SIM_CTRL_PATTERN,
				 &opt.pattern, sizeof(opt.pattern));
	if (!ret && opt.error)
		ret = rm_control(rm, 0, SIM_CTRL_RCERR, NULL, 0);
	return ret ? fail("cannot set up samples or errors: the driver is not simulated", ret) : true;
}

/* Make one RM client, with everything that the options ask for. */
static bool load(struct rm *rm, struct rm_gpu *gpu)
{
	u32 count = 0, memory;
	int ret = rm_open(rm, opt.dev, NULL);

	if (ret)
		return fail("cannot open the driver", ret);
	ret = rm_list_gpus(rm, gpu, &count);
	if (ret)
		return fail("cannot list GPUs", ret);
	if (opt.gpu >= count) {
		fprintf(stderr, "nvsim-load: --gpu %u: the driver has %u GPUs, counted from 0\n",
			opt.gpu, count);
		return false;
	}
	gpu += opt.gpu;
	ret = rm_attach(rm, gpu);
	if (ret)
		return fail("cannot attach the GPU", ret);
	if (!set_state(rm, gpu) || (!opt.no_channel && !open_channel(rm, gpu)))
		return false;
	if (opt.mib)
		ret = rm_allocate_memory(rm, gpu, (u64)opt.mib << 20, &memory);
	if (ret)
		return fail("cannot allocate memory", ret);
	if (!open_sessions(rm, gpu))
		return false;
	if (opt.no_subdevice)
		ret = rm_free(rm, gpu->device, gpu->subdevice);
	return ret ? fail("cannot free the subdevice", ret) : true;
}

static bool load_all(void)
{
	u32 i;

	for (i = 0; i < opt.clients; i++)
		if (!load(&rms[i], gpus[i]))
			return false;
	return true;
}

/* --- in a thread of its own --- */

static sem_t loaded;
static bool load_worked;

static void *load_thread(void *unused)
{
	load_worked = load_all();
	sem_post(&loaded);
	while (!opt.thread_exits)
		pause();
	return unused;
}

static bool load_in_thread(void)
{
	pthread_t thread;
	int err = pthread_create(&thread, NULL, load_thread, NULL);

	if (err)
		return fail("cannot start a thread", -err);
	while (sem_wait(&loaded))
		;
	if (opt.thread_exits)
		pthread_join(thread, NULL);
	return load_worked;
}

/* --- processes --- */

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Wait for SIGTERM or the end of standard input. */
static void wait_for_end(void)
{
	char junk[64];

	while (!stopped) {
		ssize_t n = read(STDIN_FILENO, junk, sizeof(junk));

		if (!n || (n < 0 && errno != EINTR))
			return;
	}
}

/* Flushed at once, as one line: many processes share the output. */
static void say_ready(pid_t pid)
{
	printf("ready %d\n", (int)pid);
	fflush(stdout);
}

static bool run_load(void)
{
	if (!(opt.thread ? load_in_thread() : load_all()))
		return false;
	say_ready(getpid());
	return true;
}

/* The child does not outlive us, and ends at SIGTERM without ceremony. */
static void become_child(void)
{
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void end_children(void)
{
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/*
 * The opener leaves a child behind that has its descriptors; as our
 * descendant it comes to us when the opener ends.
 */
static bool run_orphan(void)
{
	int status;
	pid_t opener = fork();

	if (!opener) {
		become_child();
		if (!run_load())
			_exit(1);
		if (!fork()) {
			signal(SIGTERM, SIG_DFL);
			for (;;)
				pause();
		}
		_exit(0);
	}
	if (opener < 0)
		return fail("cannot fork", -errno);
	while (waitpid(opener, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool run_children(void)
{
	u32 i;

	for (i = 0; i < opt.children; i++) {
		pid_t child = fork();

		if (child < 0)
			return fail("cannot fork", -errno);
		if (child)
			continue;
		become_child();
		if (!run_load())
			_exit(1);
		for (;;)
			pause();
	}
	return true;
}

int main(int argc, char **argv)
{
	struct sigaction on_term = { .sa_handler = stop };
	bool worked;

	options_read(&opt, argc, argv);
	sem_init(&loaded, 0, 0);
	sigaction(SIGTERM, &on_term, NULL);
	if (!opt.orphan && !opt.children) {
		if (!run_load())
			return 1;
		wait_for_end();
		return 0;
	}
	/* our own process group, so that all of it can be ended */
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	worked = opt.orphan ? run_orphan() : run_children();
	if (worked)
		wait_for_end();
	end_children();
	return !worked;
}
