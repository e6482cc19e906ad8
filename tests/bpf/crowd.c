// SPDX-License-Identifier: GPL-2.0-only
/*
 * More threads inside the driver than there are CPUs: they sleep there while
 * one asks who uses the GPU, and then they all ask at once.
 *
 *	crowd THREADS
 *
 * Run in a PID namespace. Every number in an answer must be a process's there,
 * and this process must be among them. Prints "ASKED WRONG".
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/rm.h"
#include "sim/model.h"

#define SLEEP_MS	1500
#define THREADS_MAX	3000
#define ROUNDS		3

static struct rm rm;
static struct rm_gpu gpu[RM_GPUS];
static pthread_barrier_t all;
static atomic_uint asked, wrong;

static void ask(struct rm *mine)
{
	u32 *pid = calloc(RM_PIDS, sizeof(*pid));
	bool self = false, foreign = false;
	u32 i, n = 0;
	int ret = pid ? rm_pids(mine, gpu, RM_CLASS_SUBDEVICE, pid, &n) :
			-ENOMEM;

	for (i = 0; i < n; i++) {
		self |= pid[i] == (u32)getpid();
		foreign |= kill((pid_t)pid[i], 0) && errno == ESRCH;
	}
	asked++;
	wrong += ret || !self || foreign;
	free(pid);
}

static void *one_of_many(void *unused)
{
	struct rm mine = rm;	/* the same client */
	u32 i, ms = SLEEP_MS;

	pthread_barrier_wait(&all);
	wrong += !!rm_control(&mine, 0, SIM_CTRL_SLEEP, &ms, sizeof(ms));
	pthread_barrier_wait(&all);
	for (i = 0; i < ROUNDS; i++)
		ask(&mine);
	return unused;
}

static bool start(unsigned int threads, pthread_t *thread)
{
	pthread_attr_t attr;
	unsigned int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 << 10);
	pthread_barrier_init(&all, NULL, threads + 1);
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], &attr, one_of_many, NULL))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	unsigned int i, threads = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	static pthread_t thread[THREADS_MAX];
	u32 gpus;

	if (!threads || threads > THREADS_MAX) {
		fprintf(stderr, "usage: crowd THREADS, up to %d\n",
			THREADS_MAX);
		return 2;
	}
	if (rm_open(&rm, "/dev", NULL) || rm_gpus(&rm, gpu, &gpus) || !gpus ||
	    rm_attach(&rm, gpu)) {
		fprintf(stderr, "crowd: no GPU here\n");
		return 1;
	}
	if (!start(threads, thread)) {
		fprintf(stderr, "crowd: no %u threads here\n", threads);
		return 1;
	}
	pthread_barrier_wait(&all);
	for (i = 0; i < 10; i++) {
		usleep(SLEEP_MS * 1000 / 20);
		ask(&rm);
	}
	pthread_barrier_wait(&all);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("%u %u\n", asked, wrong);
	return 0;
}
