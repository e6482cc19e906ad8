// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread for the calls of one listener: see lane.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engines/notify/kernel.h"
#include "engines/notify/lane.h"

/* A call needs 3 KiB of it, of which 1 KiB are the numbers of a question. */
#define STACK	(64 * 1024)

static void look_around(int signal)
{
	(void)signal;	/* it has interrupted the wait */
}

void lane_init(void)
{
	struct sigaction action = { .sa_handler = look_around };

	sigaction(SIGUSR1, &action, NULL);
}

static bool nobody_left(int fd)
{
	struct pollfd poll_fd = { .fd = fd };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLHUP;
}

/* Return: false if no call will come any more. */
static bool receive(struct lane_thread *lane, struct slot *slot)
{
	for (;;) {
		if (!ioctl(lane->fd, SECCOMP_IOCTL_NOTIF_RECV, &slot->request))
			return true;
		/* ENOENT: the caller was killed first, or (6.11) the last one
		 * under the filter has gone. */
		if (nobody_left(lane->fd))
			return false;
		if (errno != EINTR && errno != ENOENT)
			usleep(1000);	/* out of memory: it will pass */
	}
}

/*
 * A request found in the slot is one a worker died over. It may have been
 * answered: then the kernel says so, before anything is done about it. If a
 * second worker dies over it, it is one to keep off.
 */
static void answer(struct lane_thread *lane, struct slot *slot)
{
	struct seccomp_notif_resp response = { .id = slot->request.id };

	if (slot->tries > 1)
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		call_handle(&lane->lane, &slot->request, &response);
	while (ioctl(lane->fd, SECCOMP_IOCTL_NOTIF_SEND, &response) &&
	       errno == EINTR)
		;
	/* The kernel wants it zero; the id last, it says that there is one. */
	atomic_store(&slot->tries, 0);
	memset(&slot->request, 0, sizeof(slot->request));
}

static void *run(void *arg)
{
	struct lane_thread *lane = arg;
	struct slot *slot = lane->lane.slot;

	if (slot->request.id) {
		slot->tries++;
		answer(lane, slot);
	}
	while (receive(lane, slot)) {
		atomic_store_explicit(&slot->calls, slot->calls + 1,
				      memory_order_relaxed);
		answer(lane, slot);
	}
	lane->ended = true;
	return NULL;
}

static int start_thread(struct lane_thread *lane)
{
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	if (err)
		return err;
	err = pthread_attr_setstacksize(&attr, STACK);
	if (!err)
		err = pthread_create(&lane->thread, &attr, run, lane);
	pthread_attr_destroy(&attr);
	return err;
}

struct lane_thread *lane_start(struct state *state, u32 index, int fd)
{
	struct lane_thread *lane = calloc(1, sizeof(*lane));
	struct call_memory *memory;

	if (!lane)
		return NULL;
	memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		goto free_lane;
	lane->fd = fd;
	lane->index = index;
	lane->caller.listener = fd;
	lane->lane = (struct lane){
		.ops = &call_ops_real,
		.slot = &state->slot[index],
		.memory = memory,
		.caller = &lane->caller,
		.strict = state->strict,
	};
	errno = start_thread(lane);
	if (!errno)
		return lane;
	munmap(memory, sizeof(*memory));
free_lane:
	free(lane);
	return NULL;
}

void lane_nudge(struct lane_thread *lane)
{
	pthread_kill(lane->thread, SIGUSR1);
}

void lane_end(struct lane_thread *lane)
{
	pthread_join(lane->thread, NULL);
	munmap(lane->lane.memory, sizeof(*lane->lane.memory));
	close(lane->fd);
	free(lane);
}
