// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that handles calls: see worker.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/keeper.h"
#include "engines/notify/lane.h"
#include "engines/notify/worker.h"
#include "lib/clock.h"
#include "lib/fds.h"

#define NUDGE_MS	20	/* how long one that missed its nudge waits */
#define RETRY_MS	500	/* until what lacked memory is tried again */

/* What is waited for, besides listeners: those are numbers of slots. */
enum { FROM_KEEPER = STATE_SLOTS, KEEPER_GONE };

/*
 * Of a slot, in place of a listener that waits for a lane: there is none; its
 * descriptor found no room here; the keeper has been asked for it again.
 */
enum { NONE = -1, MISSING = -2, ASKED = -3 };

static struct {
	struct state *state;
	int state_fd;
	struct partner keeper;
	int epoll;
	struct lane *lanes;
	unsigned int ending;	/* lanes told to end that have not yet */
	int waiting[STATE_SLOTS];	/* listeners without a lane, or NONE... */
	unsigned int waits;	/* how many */
	u64 retry_ms;		/* when they were tried last */
	bool alone;		/* a keeper is to be made, and could not yet */
} worker;

/* What killed it, for the keeper to say. */
static noreturn void give_up(int err)
{
	_exit(err < 0 ? -err : err);
}

static int watch(int fd, unsigned int events, u32 what)
{
	struct epoll_event event = { .events = events, .data.u32 = what };

	return epoll_ctl(worker.epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static void unwatch(int fd)
{
	epoll_ctl(worker.epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* Return: 0 or negative errno; then the listener waits on. */
static int begin(u32 index)
{
	int fd = worker.waiting[index];
	struct lane *lane;
	/* No events but that the last process under the filter has gone. */
	int ret = watch(fd, 0, index);

	if (ret)
		return ret;
	lane = lane_start(worker.state, index, fd);
	if (!lane) {
		ret = -errno;
		unwatch(fd);
		return ret;
	}
	lane->next = worker.lanes;
	worker.lanes = lane;
	worker.waiting[index] = NONE;
	worker.waits--;
	return 0;
}

/*
 * Without memory, or processes left for a thread, or a descriptor, a listener
 * waits, and its container for it. Nobody else does.
 */
static void accept_listener(u32 index, int fd)
{
	worker.waits += worker.waiting[index] == NONE;
	worker.waiting[index] = fd;
	worker.state->slot[index].fd = fd;
	worker.state->slot[index].waiting = fd < 0 || begin(index);
}

/* The keeper frees the slot; without one it is free as it is. */
static void report_end(u32 index)
{
	if (!worker.keeper.pid)
		slot_free(worker.state, index);
	else
		fd_send(worker.keeper.sock, &index, sizeof(index), -1);
}

static void reap_lanes(void)
{
	struct lane **at = &worker.lanes, *lane;
	u32 index;

	while ((lane = *at)) {
		if (!lane->ended) {
			if (lane->over)
				lane_nudge(lane);
			at = &lane->next;
			continue;
		}
		*at = lane->next;
		index = lane->index;
		if (lane->over)
			worker.ending--;
		else
			unwatch(lane->fd);
		lane_end(lane);
		report_end(index);
	}
}

static void ask_for(u32 index)
{
	u32 question = index | KEEPER_AGAIN;

	if (worker.keeper.pid &&
	    !fd_send(worker.keeper.sock, &question, sizeof(question), -1))
		worker.waiting[index] = ASKED;
}

/* One that waited until its container had gone needs no lane. */
static void retry_slot(u32 index)
{
	int fd = worker.waiting[index];

	if (fd == MISSING) {
		ask_for(index);
	} else if (fd >= 0 && lane_is_over(fd)) {
		close(fd);
		worker.waiting[index] = NONE;
		worker.waits--;
		report_end(index);
	} else if (fd >= 0 && !begin(index)) {
		worker.state->slot[index].waiting = false;
	}
}

/* By the clock: those who have what they need keep us busy. */
static void retry(void)
{
	u64 now = worker.waits ? clock_ms() : 0;
	u32 i;

	if (!worker.waits || now < worker.retry_ms + RETRY_MS)
		return;
	worker.retry_ms = now;
	for (i = 0; worker.waits && i < STATE_SLOTS; i++)
		retry_slot(i);
}

static void end(u32 index)
{
	struct lane *lane = worker.lanes;

	while (lane && lane->index != index)
		lane = lane->next;
	if (!lane)
		return;
	unwatch(lane->fd);
	lane->over = true;
	worker.ending++;
}

/* As a child, which has the listeners under the same numbers. */
static noreturn void become_keeper(const struct partner *partner)
{
	static struct keeper keeper;
	struct lane *lane;
	u32 i;

	keeper_init(&keeper, worker_run);
	keeper.state = worker.state;
	keeper.state_fd = worker.state_fd;
	keeper.worker = *partner;
	for (i = 0; i < STATE_SLOTS; i++)
		keeper.fd[i] = worker.waiting[i] < 0 ? -1 : worker.waiting[i];
	for (lane = worker.lanes; lane; lane = lane->next)
		keeper.fd[lane->index] = lane->fd;
	keeper_inherit(&keeper);
}

/* The worker has the keeper's descriptors until it has lost the keeper. */
static int watch_keeper(const struct partner *keeper)
{
	int ret = watch(keeper->pidfd, EPOLLIN, KEEPER_GONE);

	if (!ret)
		ret = watch(keeper->sock, EPOLLIN, FROM_KEEPER);
	if (!ret)
		worker.keeper = *keeper;
	return ret;
}

/*
 * Return: 0 or negative errno. It is tried again: a worker that died of it would
 * take the last descriptors of the listeners with it.
 */
static int make_keeper(void)
{
	struct partner partner;
	pid_t pid = partner_fork(&partner);
	int ret;

	if (!pid)
		become_keeper(&partner);
	if (pid < 0)
		return pid;
	ret = watch_keeper(&partner);
	if (ret)
		partner_kill(&partner);
	return ret;
}

/* Those that only the keeper had. */
static void give_up_missing(void)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++) {
		if (worker.waiting[i] != MISSING && worker.waiting[i] != ASKED)
			continue;
		worker.waiting[i] = NONE;
		worker.waits--;
	}
}

static void lose_keeper(void)
{
	partner_close(&worker.keeper);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;		/* if we had made it */
	worker.alone = !worker.state->leaving && !worker.state->adopted;
	give_up_missing();
}

/* A listener: its slot's index, and the descriptor. Or are you there? */
static void take_message(void)
{
	size_t fds;
	u32 index;
	int fd;
	ssize_t n = fd_receive(worker.keeper.sock, &index, sizeof(index), &fd,
			       1, &fds);

	if (n == -EMSGSIZE)
		accept_listener(index, MISSING);
	else if (n != sizeof(index))
		return;		/* the keeper's end is told by its pidfd */
	else if (fds)
		accept_listener(index, fd);
	else if (index == KEEPER_QUESTION)
		fd_send(worker.keeper.sock, &index, sizeof(index), -1);
}

static void start_lanes(const struct keeper *keeper)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++)
		worker.waiting[i] = NONE;
	for (i = 0; i < STATE_SLOTS; i++)
		if (keeper->fd[i] >= 0)
			accept_listener(i, keeper->fd[i]);
}

static void let_go_of_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	if (chdir("/") || null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
}

static void default_signals(void)
{
	sigset_t none;
	int s;

	for (s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int wait_for(struct epoll_event *event)
{
	int ms = worker.ending ? NUDGE_MS :
		 worker.waits || worker.alone ? RETRY_MS : -1;

	return epoll_wait(worker.epoll, event, 1, ms);
}

static int prepare(const struct keeper *keeper, const struct partner *partner)
{
	int ret;

	let_go_of_terminal();
	default_signals();
	ret = keeper_close_others(keeper, partner);
	if (ret)
		return ret;
	/* The keeper may have been made by a worker. */
	memset(&worker, 0, sizeof(worker));
	worker.state = keeper->state;
	worker.state_fd = keeper->state_fd;
	worker.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (worker.epoll < 0)
		return -errno;
	lane_init();
	ret = caller_init();
	if (!ret)
		ret = pidns_init();
	return ret ? ret : watch_keeper(partner);
}

noreturn void worker_run(const struct keeper *keeper,
			 const struct partner *partner)
{
	struct epoll_event event;
	int ret = prepare(keeper, partner);

	if (ret)
		give_up(ret);
	start_lanes(keeper);
	while (worker.lanes || worker.waits || worker.keeper.pid) {
		ret = wait_for(&event);
		if (ret == 1 && event.data.u32 == FROM_KEEPER)
			take_message();
		else if (ret == 1 && event.data.u32 == KEEPER_GONE)
			lose_keeper();
		else if (ret == 1)
			end(event.data.u32);
		retry();
		reap_lanes();
		if (worker.alone && (worker.lanes || worker.waits))
			worker.alone = make_keeper() != 0;
	}
	_exit(0);	/* what the keeper has not printed yet is the keeper's */
}
