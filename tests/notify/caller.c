// SPDX-License-Identifier: GPL-2.0-only
/*
 * A GPU process that calls the driver without end, for tests that do things
 * to its worker. Says every call that failed, and at the end
 *
 *	CALLS calls, FAILED failed, FOREIGN foreign, slowest MS ms
 *
 *	caller SECONDS [THREADS]
 *
 * SIGTERM ends it before that.
 *
 * Exit status 1 if one failed, else 2 if one was foreign; ended by SIGALRM if a
 * call does not return.
 *
 * Foreign is an answer with a number other than its own: it is to be alone in
 * its PID namespace with GPU work. Without a driver, /dev/null is called: then
 * a call that reaches the kernel ends with ENOTTY.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "nvidia/internal.h"

#define HANGS_S	120	/* no host is that busy */
#define REQUEST _IOWR('F', NV_ESC_RM_CONTROL, struct nv_control)

static struct rm rm;
static struct rm_gpu gpus[RM_GPUS];
static int nothing = -1;
static _Atomic bool over;
static _Atomic unsigned long calls, failed, foreign, slowest_us;

static unsigned long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (unsigned long)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static void complain(const char *what, int ret)
{
	char text[64];

	failed++;
	printf("%s: %s\n", what, rm_error_text(ret, text, sizeof(text)));
	fflush(stdout);
}

static int do_open(const char *path, int flags)
{
	return open(path, flags);
}

/*
 * The client tries another control, or another size, where one fails: so that it
 * succeeds says nothing about a call that the worker refused.
 */
static int do_ioctl(int fd, unsigned long request, void *arg)
{
	int ret = ioctl(fd, request, arg);

	if (ret && errno == EPERM) {
		complain("a call of the driver", -EPERM);
		errno = EPERM;
	}
	return ret;
}

static const struct rm_ops ops = { do_open, do_ioctl, close };

static void call_nothing(void)
{
	struct nv_control control = { .cmd = 0x2080018d, .size = 3812 };

	if (ioctl(nothing, REQUEST, &control) != -1 || errno != ENOTTY)
		complain("/dev/null", -errno);
}

static void call_driver(void)
{
	u32 pids[RM_PIDS], count, i;
	u32 classes[RM_CLASSES];
	int ret = rm_list_pids(&rm, &gpus[0], RM_CLASS_SUBDEVICE, pids, &count);

	if (ret)
		complain("process list", ret);
	for (i = 0; !ret && i < count; i++)
		foreign += pids[i] != (u32)getpid();
	ret = rm_list_classes(&rm, &gpus[0], classes, &count);
	if (ret)
		complain("class list", ret);
}

static void *run(void *unused)
{
	unsigned long start, took;

	while (!over) {
		start = now_us();
		if (nothing >= 0)
			call_nothing();
		else
			call_driver();
		took = now_us() - start;
		calls++;
		if (took > slowest_us)
			slowest_us = took;
	}
	return unused;
}

static int open_driver(void)
{
	u32 count, memory;
	int ret = rm_open(&rm, "/dev", &ops);

	if (ret)
		return ret;
	ret = rm_list_gpus(&rm, gpus, &count);
	if (!ret)
		ret = rm_attach(&rm, &gpus[0]);
	return ret ? ret : rm_allocate_memory(&rm, &gpus[0], 1 << 20, &memory);
}

static void end(int signal)
{
	(void)signal;	/* it ends sleep() */
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 3;
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t thread[64];
	int i, ret = open_driver();

	signal(SIGTERM, end);
	if (ret == -ENOENT || ret == -ENXIO) {
		nothing = open("/dev/null", O_RDWR);
	} else if (ret) {
		complain("open", ret);
		return 1;
	}
	for (i = 0; i < threads && i < 64; i++)
		pthread_create(&thread[i], NULL, run, NULL);
	puts("ready");
	fflush(stdout);
	sleep((unsigned int)seconds);
	over = true;
	alarm(HANGS_S);		/* each thread has one call to end */
	while (i--)
		pthread_join(thread[i], NULL);
	printf("%lu calls, %lu failed, %lu foreign, slowest %lu ms\n", calls,
	       failed, foreign, slowest_us / 1000);
	if (failed)
		return 1;
	return foreign ? 2 : 0;
}
