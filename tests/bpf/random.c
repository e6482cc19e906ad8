// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random controls by a process of a container, none of whose answers may hold the PID of
 * a stranger.
 *
 *	random COUNT SEED PID PID	two of the initial namespace. All that stand below
 *					are smaller, so that none is there by chance
 *
 * A control of the table, or one beside it, has the size of one of its layouts, or
 * another; its params and its array are random where it asks, lie anywhere, also over
 * each other and the argument block, and may not be there, or not be writable. Prints how
 * many were made, answered and refused, and how many leaked.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/controls.h"
#include "core/nvrm.h"
#include "nvidia/internal.h"

#define REQUEST(nr, type)	_IOWR('F', nr, type)
#define ROOM			(128u << 10)	/* params, array and block are in it */
#define SLACK			(64u << 10)	/* what begins in it ends here */
#define GUARD			(64u << 20)	/* nobody writes further */
#define LONG_LOOK		64u		/* so often all of it is looked at */
#define BATCH			5000u		/* calls of one child: a call may be the last */
#define SMALL			1000000u	/* no PID that is looked for is below */

/**
 * struct sums - what has become of the calls, in memory that the children share
 */
struct sums {
	unsigned int made, answered, refused, leaked;
};

static struct sums *sums;
static u32 stranger[2];
static u64 state;
static struct rm rm;
static struct rm_gpu gpu;
static u8 *room;

/* xorshift64 */
static u32 random_below(u32 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 32) % n;
}

static bool one_in(u32 n)
{
	return !random_below(n);
}

static bool is_stranger(u32 number)
{
	return number >= SMALL && (number == stranger[0] || number == stranger[1]);
}

/* Words that a control may take for a PID, a count, a class or a size. */
static u32 random_word(void)
{
	switch (random_below(6)) {
	case 0: return (u32)getpid();
	case 1: return RM_CLASS_SUBDEVICE;
	case 2: return random_below(300);
	case 3: return random_below(SMALL);
	case 4: return 1;
	default: return 0;
	}
}

static const struct mpu_row *fill_control(struct nv_control *control, u8 *params)
{
	const struct mpu_row *row = &mpu_rows[random_below(MPU_ROWS)];
	u32 *word = (u32 *)params, i, known = 0;

	*control = (struct nv_control){
		.client = rm.client, .cmd = row->cmd, .params = (u64)params,
		.object = one_in(8) ? random_word() : row->cmd >> 16 == NV20_SUBDEVICE_0 ?
			  gpu.subdevice : row->cmd >> 16 == NV01_DEVICE_0 ? gpu.device :
			  rm.client,
		.flags = one_in(16) ? random_word() : 0, .size = row->size,
	};
	if (one_in(10))
		control->size = random_below(2) ? random_below(row->size + 64) : random_word();
	if (one_in(20))
		control->cmd += 1 + random_below(4);
	/* Most of a long question is what stands in it from the last one. */
	for (i = 0; i < row->size / 4 && i < 64; i++)
		word[i] = random_word();
	if (row->ptr != MPU_NO_OFFSET && !one_in(8)) {
		u64 array = (u64)(one_in(6) ? params : room + ROOM / 2) + random_below(64) * 4;

		memcpy(params + row->ptr, &array, sizeof(array));
	}
	if (row->count != MPU_NO_OFFSET && row->dir == MPU_IN && !one_in(8)) {
		known = 1 + random_below(MPU_ASK_MAX);
		memcpy(params + row->count, &known, sizeof(known));
	}
	return row;
}

/* Where the params begin: not always where they fit, or are all there. */
static u8 *random_place(void)
{
	u32 page = (u32)sysconf(_SC_PAGESIZE);

	if (one_in(4))
		return room + page * random_below(4);
	if (one_in(8))
		return room + 4 * random_below(ROOM / 32);
	return room;
}

static void ask(struct nv_control *control)
{
	struct nv_xfer xfer = {
		.nr = NV_ESC_RM_CONTROL, .size = sizeof(*control), .ptr = (u64)control,
	};
	int ret;

	if (one_in(8))
		ret = ioctl(rm.fd, REQUEST(NV_ESC_XFER, struct nv_xfer), &xfer);
	else
		ret = ioctl(rm.fd, REQUEST(NV_ESC_RM_CONTROL, struct nv_control), control);
	sums->made++;
	if (ret || control->status)
		sums->refused++;
	else
		sums->answered++;
}

static bool look(const u8 *from, const u8 *end)
{
	const u32 *word = (const u32 *)from;

	for (; (const u8 *)(word + 1) <= end; word++)
		if (is_stranger(*word)) {
			printf("leaked: %u at %ld\n", *word, (long)((const u8 *)word - room));
			return true;
		}
	return false;
}

/* Where an answer may be, and now and then everywhere. */
static void look_for_strangers(const struct mpu_row *row, const u8 *params,
			       const struct nv_control *control)
{
	const u8 *end = room + ROOM, *array = room + ROOM / 2;

	if (!(one_in(LONG_LOOK) ? look(room, end) :
	      look(params, params + row->size) || look(array, array + 1024)))
		return;
	sums->leaked++;
	printf("by 0x%x size %u (%u), params at %ld, status 0x%x\n", control->cmd,
	       control->size, row->size, (long)(params - room), control->status);
	memset(room, 0, ROOM);
}

static void one_call(void)
{
	u8 *params = random_place();
	struct nv_control block, *control = &block;
	const struct mpu_row *row;
	u32 page = (u32)sysconf(_SC_PAGESIZE);
	u8 *closed = NULL;

	/* The params' last page may not be there for the driver. */
	if (params + MPU_PARAMS_MAX > room + ROOM)
		params = room;
	row = fill_control(&block, params);
	if (one_in(16)) {
		control = (struct nv_control *)(params + 4 * random_below(32));
		*control = block;
	}
	if (one_in(12) && control == &block) {
		closed = (u8 *)(((u64)params + row->size) & ~(u64)(page - 1));
		mprotect(closed, page, random_below(2) ? PROT_NONE : PROT_READ);
	}
	ask(control);
	if (closed)
		mprotect(closed, page, PROT_READ | PROT_WRITE);
	look_for_strangers(row, params, control);
	if (one_in(64))
		memset(room, 0, ROOM);
}

static bool use_gpu(void)
{
	struct rm_gpu all[RM_GPUS];
	u32 n, memory;

	if (rm_open(&rm, "/dev", NULL) || rm_list_gpus(&rm, all, &n) || !n)
		return false;
	gpu = all[0];
	return !rm_attach(&rm, &gpu) && !rm_allocate_memory(&rm, &gpu, 1u << 20, &memory);
}

/* A process of its own, for what a call does to its caller. Return: its exit status. */
static int batch(unsigned int calls)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!use_gpu())
			_exit(1);
		while (calls--)
			one_call();
		fflush(stdout);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 3 ? (unsigned int)atoi(argv[1]) : 0, killed = 0;
	int i, ret;

	for (i = 0; i < 2 && 3 + i < argc; i++)
		stranger[i] = (u32)atoi(argv[3 + i]);
	state = argc > 2 ? (u64)atoll(argv[2]) * 0x9e3779b97f4a7c15 + 1 : 0;
	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	room = mmap(NULL, ROOM + SLACK + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!count || sums == MAP_FAILED || room == MAP_FAILED ||
	    mprotect(room, ROOM + SLACK, PROT_READ | PROT_WRITE)) {
		fprintf(stderr, "usage: random COUNT SEED PID PID\n");
		return 2;
	}
	while (sums->made < count) {
		ret = batch(count - sums->made < BATCH ? count - sums->made : BATCH);
		if (ret && ret != SIGKILL && ret != SIGSEGV) {
			fprintf(stderr, "random: a child ended with %d\n", ret);
			return 1;
		}
		killed += ret != 0;
		random_below(1);	/* the child's numbers were its own */
		state += sums->made;
	}
	printf("%u %u %u %u %u\n", sums->made, sums->answered, sums->refused, sums->leaked, killed);
	return 0;
}
