// SPDX-License-Identifier: GPL-2.0-only
/*
 * More threads inside the driver than there are CPUs.
 *
 *	crowd THREADS		they sleep there while one asks who uses the
 *				GPU, and then they all ask at once
 *	crowd THREADS hold	they wait there until standard input ends, for
 *				memory that this program keeps from them;
 *				prints "held" when all are inside
 *	crowd THREADS once	each comes, asks once and ends
 *	crowd 1 list		this process itself asks, and prints "PID GPU AMOUNT MiB"
 *
 * Run in a PID namespace. Every number in an answer must be a process's there,
 * and this process must be among them. Prints "ASKED WRONG", then how many of
 * the wrong were refused, which told nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvidia/internal.h"
#include "sim/interface.h"

#define SLEEP_MS	1500
#define THREADS_MAX	10000
#define ROUNDS		3
#define PAGE		4096

static struct rm rm;
static struct rm_gpu gpu[RM_GPUS];
static pthread_barrier_t all;
static atomic_uint asked, wrong, refused;
static u8 *missing;	/* a page that is not there */

static void ask(struct rm *mine)
{
	u32 *pid = calloc(RM_PIDS, sizeof(*pid));
	bool self = false, foreign = false;
	u32 i, n = 0;
	int ret = pid ? rm_list_pids(mine, gpu, RM_CLASS_SUBDEVICE, pid, &n) : -ENOMEM;

	for (i = 0; i < n; i++) {
		self |= pid[i] == (u32)getpid();
		foreign |= kill((pid_t)pid[i], 0) && errno == ESRCH;
	}
	asked++;
	wrong += ret || !self || foreign;
	refused += ret && !foreign;
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

static bool start(unsigned int threads, pthread_t *thread, void *(*function)(void *unused))
{
	pthread_attr_t attr;
	unsigned int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 << 10);
	pthread_barrier_init(&all, NULL, threads + 1);
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], &attr, function, NULL))
			return false;
	return true;
}

static void end(unsigned int threads, pthread_t *thread)
{
	unsigned int i;

	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

/* --- hold --- */

static void *held_one(void *unused)
{
	struct rm mine = rm;

	wrong += !!rm_control(&mine, 0, SIM_CTRL_ECHO, missing, PAGE);
	return unused;
}

static int watch_missing(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	missing = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (unsigned long)missing;
	reg.range.len = PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &reg))
		return -1;
	return fd;
}

static int hold(unsigned int threads, pthread_t *thread)
{
	struct uffdio_zeropage zero = { .range.len = PAGE };
	struct uffd_msg msg;
	unsigned int i;
	int fd = watch_missing();
	char byte;

	if (fd < 0) {
		perror("crowd: userfaultfd");
		return 1;
	}
	if (!start(threads, thread, held_one)) {
		fprintf(stderr, "crowd: no %u threads here\n", threads);
		return 1;
	}
	/* Each thread that waits for the page sends one message. */
	for (i = 0; i < threads; i++)
		if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
			return 1;
	puts("held");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	zero.range.start = (unsigned long)missing;
	ioctl(fd, UFFDIO_ZEROPAGE, &zero);
	end(threads, thread);
	return 0;
}

/* --- once --- */

static void *ask_once(void *unused)
{
	struct rm mine = rm;

	ask(&mine);
	return unused;
}

static int once(unsigned int threads, pthread_t *thread)
{
	for (; threads; threads--) {
		if (!start(1, thread, ask_once))
			return 1;
		end(1, thread);
	}
	printf("%u %u %u\n", asked, wrong, refused);
	return 0;
}

/* --- sleep, and ask together --- */

static int sleep_and_ask(unsigned int threads, pthread_t *thread)
{
	unsigned int i;

	if (!start(threads, thread, one_of_many)) {
		fprintf(stderr, "crowd: no %u threads here\n", threads);
		return 1;
	}
	pthread_barrier_wait(&all);
	for (i = 0; i < 10; i++) {
		usleep(SLEEP_MS * 1000 / 20);
		ask(&rm);
	}
	pthread_barrier_wait(&all);
	end(threads, thread);
	printf("%u %u %u\n", asked, wrong, refused);
	return 0;
}

/* --- list --- */

static int list(void)
{
	static struct rm_process process[RM_PIDS];
	static u32 pid[RM_PIDS];
	u32 i, n = 0;

	if (rm_list_pids(&rm, gpu, RM_CLASS_SUBDEVICE, pid, &n))
		return 1;
	for (i = 0; i < n; i++)
		process[i].pid = pid[i];
	if (rm_read_memory(&rm, gpu, process, n))
		return 1;
	/* This process has none. */
	for (i = 0; i < n; i++)
		if (process[i].bytes)
			printf("%u 0 %llu MiB\n", pid[i],
			       (unsigned long long)process[i].bytes >> 20);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int threads = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	const char *how = argc > 2 ? argv[2] : "";
	static pthread_t thread[THREADS_MAX];
	u32 gpus;

	if (!threads || threads > THREADS_MAX) {
		fprintf(stderr, "usage: crowd THREADS [hold|once|list], up to %d\n", THREADS_MAX);
		return 2;
	}
	if (rm_open(&rm, "/dev", NULL) || rm_list_gpus(&rm, gpu, &gpus) || !gpus ||
	    rm_attach(&rm, gpu)) {
		fprintf(stderr, "crowd: no GPU here\n");
		return 1;
	}
	if (!strcmp(how, "list"))
		return list();
	if (!strcmp(how, "hold"))
		return hold(threads, thread);
	return *how ? once(threads, thread) : sleep_and_ask(threads, thread);
}
