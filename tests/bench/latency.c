// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long one call of the driver takes: an RM control without PIDs, and the
 * list of processes. Nanoseconds, the median and the 99th percentile.
 *
 *	latency [CALLS]
 *
 * Without a driver, /dev/null is called: the way there and back is the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "nvidia/internal.h"

#define REQUEST		_IOWR('F', NV_ESC_RM_CONTROL, struct nv_control)
#define PROBED_IDS	0x00000201	/* 128 bytes, no PIDs */

static struct rm rm;
static struct rm_gpu gpus[RM_GPUS];
static int nothing = -1;

static unsigned long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (unsigned long)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void plain(void)
{
	struct nv_control control = { .cmd = PROBED_IDS };
	u32 params[32];

	if (nothing >= 0)
		ioctl(nothing, REQUEST, &control);
	else
		rm_control(&rm, 0, PROBED_IDS, params, sizeof(params));
}

static void list(void)
{
	static u32 pids[RM_PIDS], count;

	rm_list_pids(&rm, &gpus[0], RM_CLASS_SUBDEVICE, pids, &count);
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(unsigned long *)a, y = *(unsigned long *)b;

	return (x > y) - (x < y);
}

static void measure(const char *what, void (*call)(void), unsigned long n)
{
	unsigned long *took = malloc(n * sizeof(*took)), i;

	for (i = 0; i < n; i++) {
		took[i] = now();
		call();
		took[i] = now() - took[i];
	}
	qsort(took, n, sizeof(*took), compare);
	printf("%s: median %lu ns, 99%% %lu ns\n", what, took[n / 2], took[n * 99 / 100]);
	free(took);
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
	u32 count;

	if (rm_open(&rm, "/dev", NULL))
		nothing = open("/dev/null", O_RDWR);
	measure("control without PIDs", plain, n);
	if (nothing >= 0 || rm_list_gpus(&rm, gpus, &count) || rm_attach(&rm, &gpus[0]))
		return 0;
	measure("process list", list, n / 10);
	return 0;
}
