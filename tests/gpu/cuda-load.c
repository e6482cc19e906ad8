// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CUDA process: takes memory, keeps the GPU busy, says when it is ready.
 *
 *	cuda-load MEBIBYTES SECONDS	prints "ready", or how long CUDA took to
 *					start if SECONDS is 0
 *
 * Speaks to libcuda.so.1 by dlopen(): needs the driver, no toolkit.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*cu_init)(unsigned int flags);
typedef int (*cu_retain)(void **context, int device);
typedef int (*cu_current)(void *context);
typedef int (*cu_alloc)(unsigned long long *address, size_t bytes);
typedef int (*cu_fill)(unsigned long long address, unsigned char byte,
		       size_t bytes);
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

int main(int argc, char **argv)
{
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
	size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 0) << 20;
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 0;
	double start = now();
	unsigned long long address = 0;
	void *context;
	cu_fill fill;
	cu_wait wait;

	if (!cuda || argc != 3 || !bytes) {
		fprintf(stderr, "usage: cuda-load MEBIBYTES SECONDS (needs libcuda.so.1)\n");
		return 2;
	}
	fill = (cu_fill)symbol(cuda, "cuMemsetD8_v2");
	wait = (cu_wait)symbol(cuda, "cuCtxSynchronize");
	must(((cu_init)symbol(cuda, "cuInit"))(0), "cuInit");
	must(((cu_retain)symbol(cuda, "cuDevicePrimaryCtxRetain"))(&context, 0),
	     "cuDevicePrimaryCtxRetain");
	must(((cu_current)symbol(cuda, "cuCtxSetCurrent"))(context),
	     "cuCtxSetCurrent");
	must(((cu_alloc)symbol(cuda, "cuMemAlloc_v2"))(&address, bytes),
	     "cuMemAlloc");
	must(wait(), "cuCtxSynchronize");
	if (seconds <= 0) {
		printf("%.6f\n", now() - start);
		return 0;
	}
	puts("ready");
	fflush(stdout);
	for (start = now(); now() - start < seconds;) {
		must(fill(address, 0, bytes), "cuMemsetD8");
		must(wait(), "cuCtxSynchronize");
	}
	return 0;
}
