// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CUDA process: takes memory, keeps a GPU busy, says when it is ready.
 *
 *	cuda-load MEBIBYTES SECONDS [GPU [PERCENT]]
 *
 * prints "ready", or how long CUDA took to start if SECONDS is 0. GPU is 0, and
 * PERCENT, how much of the time it gives the GPU work, 100 if they are not given.
 *
 * Speaks to libcuda.so.1 by dlopen(): needs the driver, no toolkit.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PERIOD	0.15	/* s, at most */
#define AT_ONCE	4	/* fills, so that the GPU need not wait for us */

typedef int (*cu_init)(unsigned int flags);
typedef int (*cu_device)(int *device, int number);
typedef int (*cu_retain)(void **context, int device);
typedef int (*cu_current)(void *context);
typedef int (*cu_alloc)(unsigned long long *address, size_t bytes);
typedef int (*cu_fill)(unsigned long long address, unsigned char byte, size_t bytes);
typedef int (*cu_wait)(void);

static void *symbol(void *cuda, const char *name)
{
	void *address = dlsym(cuda, name);

	if (!address) {
		fprintf(stderr, "cuda-load: libcuda.so.1 has no %s\n", name);
		exit(1);
	}
	return address;
}

static void must(int result, const char *what)
{
	if (result) {
		fprintf(stderr, "cuda-load: %s: CUDA error %d\n", what, result);
		exit(1);
	}
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/*
 * Work for @percent of every period, for @seconds. The driver looks every 200 ms
 * who is busy: periods in step with that would show always or never.
 */
static void work(double seconds, double percent, cu_fill fill, cu_wait wait,
		 unsigned long long address, size_t bytes)
{
	double start = now(), begun, period, rest;
	int i;

	while (now() - start < seconds) {
		period = PERIOD * (1 + random() / (double)RAND_MAX) / 2;
		begun = now();
		while (now() - begun < period * percent / 100) {
			for (i = 0; i < AT_ONCE; i++)
				must(fill(address, 0, bytes), "cuMemsetD8");
			must(wait(), "cuCtxSynchronize");
		}
		rest = begun + period - now();
		if (percent < 100 && rest > 0)
			usleep((useconds_t)(rest * 1e6));
	}
}

int main(int argc, char **argv)
{
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
	size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 0) << 20;
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 0;
	int number = argc > 3 ? atoi(argv[3]) : 0;
	double percent = argc > 4 ? strtod(argv[4], NULL) : 100;
	double start = now();
	unsigned long long address = 0;
	void *context;
	int device;
	cu_fill fill;
	cu_wait wait;

	if (!cuda || argc < 3 || argc > 5 || !bytes) {
		fprintf(stderr, "usage: cuda-load MEBIBYTES SECONDS [GPU [PERCENT]] (needs libcuda.so.1)\n");
		return 2;
	}
	fill = (cu_fill)symbol(cuda, "cuMemsetD8_v2");
	wait = (cu_wait)symbol(cuda, "cuCtxSynchronize");
	must(((cu_init)symbol(cuda, "cuInit"))(0), "cuInit");
	must(((cu_device)symbol(cuda, "cuDeviceGet"))(&device, number), "cuDeviceGet");
	must(((cu_retain)symbol(cuda, "cuDevicePrimaryCtxRetain"))(&context, device),
	     "cuDevicePrimaryCtxRetain");
	must(((cu_current)symbol(cuda, "cuCtxSetCurrent"))(context), "cuCtxSetCurrent");
	must(((cu_alloc)symbol(cuda, "cuMemAlloc_v2"))(&address, bytes), "cuMemAlloc");
	must(wait(), "cuCtxSynchronize");
	if (seconds <= 0) {
		printf("%.6f\n", now() - start);
		return 0;
	}
	puts("ready");
	fflush(stdout);
	srandom(getpid());
	work(seconds, percent, fill, wait, address, bytes);
	return 0;
}
