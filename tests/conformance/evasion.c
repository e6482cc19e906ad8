// SPDX-License-Identifier: GPL-2.0-only
/*
 * A GPU process in a container that tries to get past whoever translates for it,
 * and asks for the list of GPU processes and for samples of utilisation. Each way
 * is tried by a process of its own, the only one in the container that uses the GPU,
 * and says how it ended:
 *
 *	NAME: own			translated: it sees itself and nobody else
 *	NAME: refused: ERROR
 *	NAME: foreign PID...
 *	NAME: not tried: ERROR		this kernel or container has no such thing
 *
 * Exit status 1 unless every one said something. The conformance suite asks more
 * (cases_evasion.c), but has no runtime that makes a filter by a profile.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "nvidia/internal.h"
#include "tests/conformance/storm.h"

#ifndef SYS_memfd_secret
#define SYS_memfd_secret	447
#endif

static struct rm rm;
static struct rm_gpu gpus[RM_GPUS];
static const char *evasion;

/* --- arguments elsewhere --- */

#define ROOM	0x10000	/* the largest params of a list are 16012 bytes */

static struct {
	u8 *block, *params;	/* NULL: where the library has them */
} elsewhere;

static int ioctl_elsewhere(int fd, unsigned long request, void *arg)
{
	struct nv_control own = *(struct nv_control *)arg;
	struct nv_control *block = elsewhere.block ? (void *)elsewhere.block : arg;
	void *params = (void *)(uintptr_t)own.params;
	int ret, err;

	*block = own;
	if (elsewhere.params) {
		memcpy(elsewhere.params, params, own.size);
		block->params = (uintptr_t)elsewhere.params;
	}
	ret = ioctl(fd, request, block);
	err = errno;
	own.status = block->status;
	if (elsewhere.params)
		memcpy(params, elsewhere.params, own.size);
	*(struct nv_control *)arg = own;
	errno = err;
	return ret;
}

static int do_ioctl(int fd, unsigned long request, void *arg)
{
	if (_IOC_NR(request) == NV_ESC_RM_CONTROL)
		return ioctl_elsewhere(fd, request, arg);
	return ioctl(fd, request, arg);
}

static int do_open(const char *path, int flags)
{
	return open(path, flags);
}

static const struct rm_ops ops = { do_open, do_ioctl, close };

/* --- what is said --- */

static void say_refused(int ret)
{
	char text[64];

	printf("%s: refused: %s\n", evasion, rm_error_text(ret, text, sizeof(text)));
}

static void print_foreign(const u32 *pids, u32 count)
{
	u32 i;

	printf("%s: foreign", evasion);
	for (i = 0; i < count; i++)
		printf(" %u", pids[i]);
	puts("");
}

/*
 * Open drivers from 565 on translate the list by themselves, and no driver the
 * samples: these show also there who translates. An error tells nothing of anybody.
 */
static void check_samples(void)
{
	static struct rm_sample samples[RM_SAMPLES];
	u32 count, i;

	if (rm_list_samples(&rm, &gpus[0], RM_SAMPLES_ALL, samples, &count))
		return;
	for (i = 0; i < count; i++) {
		if (!samples[i].pid || samples[i].pid == (u32)getpid())
			continue;
		print_foreign(&samples[i].pid, 1);
		_exit(0);
	}
}

/*
 * Ask for the list. Ends the process if the list is not its own alone, or if
 * this is the @last time.
 */
static void list(bool last)
{
	static u32 pids[RM_PIDS];
	u32 count;
	int ret = rm_list_pids(&rm, &gpus[0], RM_CLASS_SUBDEVICE, pids, &count);

	if (ret) {
		say_refused(ret);
		_exit(0);
	}
	if (count != 1 || pids[0] != (u32)getpid()) {
		print_foreign(pids, count);
		_exit(0);
	}
	check_samples();
	if (!last)
		return;
	printf("%s: own\n", evasion);
	_exit(0);
}

static void give_up(void)
{
	printf("%s: not tried: %s\n", evasion, strerror(errno));
	_exit(0);
}

/* --- the ways --- */

static void plain(void)
{
	list(true);
}

static void groups(void)
{
	static gid_t all[65536];
	u32 i;

	for (i = 0; i < 65536; i++)
		all[i] = 4000000000u + i;
	if (setgroups(65536, all))
		give_up();
	list(true);
}

static u8 *secret_memory(void)
{
	int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
	u8 *map = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, ROOM))
		map = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		give_up();
	return map;
}

static void secret_block(void)
{
	elsewhere.block = secret_memory();
	list(true);
}

static void secret_params(void)
{
	elsewhere.params = secret_memory();
	list(true);
}

static void not_dumpable(void)
{
	if (prctl(PR_SET_DUMPABLE, 0))
		give_up();
	list(true);
}

static atomic_int stage;

static void await(int reached)
{
	while (stage != reached)
		usleep(1000);
}

static int nothing(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		give_up();
	return fd;
}

/*
 * Makes a thread with files of its own without unshare(2), which docker's
 * profile forbids.
 */
static void *list_with_own_files(void *other_file)
{
	if (close_range(~0u, ~0u, CLOSE_RANGE_UNSHARE))
		give_up();
	if (other_file)
		dup2(nothing(), rm.fd);
	stage = 1;
	await(2);
	list(true);
	return NULL;
}

static void in_thread(void *(*fn)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fn, arg)) {
		errno = EAGAIN;
		give_up();
	}
}

static void thread_has_the_driver(void)
{
	in_thread(list_with_own_files, NULL);
	await(1);
	dup2(nothing(), rm.fd);
	stage = 2;
	pause();
}

static void main_thread_has_the_driver(void)
{
	in_thread(list_with_own_files, &rm);
	await(1);
	stage = 2;
	pause();
}

/* State of the main thread in /proc: Z once it has ended. */
static bool main_thread_is_gone(void)
{
	char text[256] = "";
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text) - 1);
	const char *end = n > 0 ? strrchr(text, ')') : NULL;

	close(fd);
	return end && end[1] && end[2] == 'Z';
}

static void *list_alone(void *unused)
{
	while (!main_thread_is_gone())
		usleep(1000);
	list(true);
	return unused;
}

static void main_thread_gone(void)
{
	in_thread(list_alone, NULL);
	pthread_exit(NULL);
}

static void signals(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		if (storm_begin())
			give_up();
		list(false);
	}
	storm_end();
	list(true);
}

static const struct {
	const char *name;
	void (*run)(void);
} evasions[] = {
	{ "plain", plain },
	{ "65536 groups", groups },
	{ "block in memfd_secret", secret_block },
	{ "params in memfd_secret", secret_params },
	{ "not dumpable", not_dumpable },
	{ "thread has the driver", thread_has_the_driver },
	{ "main thread has the driver", main_thread_has_the_driver },
	{ "main thread gone", main_thread_gone },
	{ "signals", signals },
};

#define EVASIONS	(sizeof(evasions) / sizeof(evasions[0]))

static int open_driver(void)
{
	u32 count, memory;
	int ret = rm_open(&rm, "/dev", &ops);

	if (!ret)
		ret = rm_list_gpus(&rm, gpus, &count);
	if (!ret)
		ret = rm_attach(&rm, &gpus[0]);
	return ret ? ret : rm_allocate_memory(&rm, &gpus[0], 1 << 20, &memory);
}

static void in_child(size_t i)
{
	int ret;

	evasion = evasions[i].name;
	ret = open_driver();
	if (ret) {
		say_refused(ret);
		_exit(1);
	}
	evasions[i].run();
	_exit(1);
}

int main(void)
{
	int status, worst = 0;
	pid_t pid;
	size_t i;

	/*
	 * Flushed, or children would print again what their parent has
	 * buffered.
	 */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < EVASIONS; i++) {
		pid = fork();
		if (!pid)
			in_child(i);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
			printf("%s: ended with status 0x%x\n", evasions[i].name,
			       pid < 0 ? 0 : (unsigned int)status);
			worst = 1;
		}
	}
	return worst;
}
