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

#define WAKE_MS		20	/* time until a lane that is to end is woken again */
#define RETRY_MS	500	/* time until a lane that lacked memory is tried again */

/* The source of an event: the listener of a slot, by its number, or the keeper. */
enum { FROM_KEEPER = STATE_SLOTS, KEEPER_GONE };

/*
 * Values in place of the descriptor of a listener that waits for a lane: no listener
 * waits; its descriptor found no room here; the keeper has been asked for it again.
 */
enum { NONE = -1, MISSING = -2, ASKED = -3 };

static struct {
	struct state *state;
	int state_fd;
	struct partner keeper;
	int epoll;
	struct lane *lanes;
	unsigned int ending;	/* lanes that are to end, and have not yet */
	int waiting[STATE_SLOTS];	/* listeners without a lane, or NONE... */
	unsigned int waits;	/* listeners without a lane */
	u64 retry_ms;		/* when those were tried last */
	bool alone;		/* a keeper is to be made, and could not yet */
} worker;

/* End with an errno, which the keeper reports. */
static noreturn void exit_with(int err)
{
	_exit(err < 0 ? -err : err);
}

static int watch_fd(int fd, unsigned int events, u32 what)
{
	struct epoll_event event = { .events = events, .data.u32 = what };

	return epoll_ctl(worker.epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static void unwatch_fd(int fd)
{
	epoll_ctl(worker.epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* Return: 0, or negative errno: the listener goes on waiting. */
static int start_lane(u32 index)
{
	int fd = worker.waiting[index];
	struct lane *lane;
	/* No events but that the last process under the filter has gone. */
	int ret = watch_fd(fd, 0, index);

	if (ret)
		return ret;
	lane = lane_start(worker.state, index, fd);
	if (!lane) {
		ret = -errno;
		unwatch_fd(fd);
		return ret;
	}
	lane->next = worker.lanes;
	worker.lanes = lane;
	worker.waiting[index] = NONE;
	worker.waits--;
	return 0;
}

/*
 * Start a lane for a listener. Without memory, or processes left for a thread, or a
 * descriptor, the listener waits, and its container with it. Nobody else does.
 */
static void accept_listener(u32 index, int fd)
{
	worker.waits += worker.waiting[index] == NONE;
	worker.waiting[index] = fd;
	worker.state->slot[index].fd = fd;
	worker.state->slot[index].waiting = fd < 0 || start_lane(index);
}

/* Tell the keeper, which frees the slot; without a keeper free it here. */
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
				lane_wake(lane);
			at = &lane->next;
			continue;
		}
		*at = lane->next;
		index = lane->index;
		if (lane->over)
			worker.ending--;
		else
			unwatch_fd(lane->fd);
		lane_end(lane);
		report_end(index);
	}
}

static void ask_keeper_for(u32 index)
{
	u32 question = index | KEEPER_AGAIN;

	if (worker.keeper.pid &&
	    !fd_send(worker.keeper.sock, &question, sizeof(question), -1))
		worker.waiting[index] = ASKED;
}

/* A listener that waited until its container had gone needs no lane. */
static void retry_slot(u32 index)
{
	int fd = worker.waiting[index];

	if (fd == MISSING) {
		ask_keeper_for(index);
	} else if (fd >= 0 && lane_is_over(fd)) {
		close(fd);
		worker.waiting[index] = NONE;
		worker.waits--;
		report_end(index);
	} else if (fd >= 0 && !start_lane(index)) {
		worker.state->slot[index].waiting = false;
	}
}

/* Goes by the clock, for events of other listeners may never cease. */
static void retry_slots(void)
{
	u64 now = worker.waits ? clock_ms() : 0;
	u32 i;

	if (!worker.waits || now < worker.retry_ms + RETRY_MS)
		return;
	worker.retry_ms = now;
	for (i = 0; worker.waits && i < STATE_SLOTS; i++)
		retry_slot(i);
}

static void stop_lane(u32 index)
{
	struct lane *lane = worker.lanes;

	while (lane && lane->index != index)
		lane = lane->next;
	if (!lane)
		return;
	unwatch_fd(lane->fd);
	lane->over = true;
	worker.ending++;
}

/*
 * Becomes a keeper, in a child of the worker: it has the listeners under the same
 * numbers.
 */
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
	keeper_run(&keeper);
}

/* The worker has the keeper's descriptors until it has lost the keeper. */
static int watch_keeper(const struct partner *keeper)
{
	int ret = watch_fd(keeper->pidfd, EPOLLIN, KEEPER_GONE);

	if (!ret)
		ret = watch_fd(keeper->sock, EPOLLIN, FROM_KEEPER);
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

/* Listeners that only the keeper had are lost with it. */
static void forget_missing(void)
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
		;		/* the keeper, if it was our child */
	worker.alone = !worker.state->leaving && !worker.state->adopted;
	forget_missing();
}

/*
 * Takes a message of the keeper: a slot's index with its listener, or KEEPER_QUESTION.
 */
static void take_keeper_message(void)
{
	size_t fds;
	u32 index;
	int fd;
	ssize_t n = fd_receive(worker.keeper.sock, &index, sizeof(index), &fd,
			       1, &fds);

	if (n == -EMSGSIZE)
		accept_listener(index, MISSING);
	else if (n != sizeof(index))
		return;		/* the pidfd says that the keeper has died */
	else if (fds)
		accept_listener(index, fd);
	else if (index == KEEPER_QUESTION)
		fd_send(worker.keeper.sock, &index, sizeof(index), -1);
}

static void start_inherited(const struct keeper *keeper)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++)
		worker.waiting[i] = NONE;
	for (i = 0; i < STATE_SLOTS; i++)
		if (keeper->fd[i] >= 0)
			accept_listener(i, keeper->fd[i]);
}

static void leave_terminal(void)
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

static int wait_for_event(struct epoll_event *event)
{
	int ms = worker.ending ? WAKE_MS :
		 worker.waits || worker.alone ? RETRY_MS : -1;

	return epoll_wait(worker.epoll, event, 1, ms);
}

static int prepare_worker(const struct keeper *keeper, const struct partner *partner)
{
	int ret;

	leave_terminal();
	default_signals();
	ret = keeper_close_others(keeper, partner);
	if (ret)
		return ret;
	/* If the keeper was made by a worker, this is a copy of that worker's. */
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
	int ret = prepare_worker(keeper, partner);

	if (ret)
		exit_with(ret);
	start_inherited(keeper);
	while (worker.lanes || worker.waits || worker.keeper.pid) {
		ret = wait_for_event(&event);
		if (ret == 1 && event.data.u32 == FROM_KEEPER)
			take_keeper_message();
		else if (ret == 1 && event.data.u32 == KEEPER_GONE)
			lose_keeper();
		else if (ret == 1)
			stop_lane(event.data.u32);
		retry_slots();
		reap_lanes();
		if (worker.alone && (worker.lanes || worker.waits))
			worker.alone = make_keeper() != 0;
	}
	_exit(0);	/* not exit(): buffered output is the keeper's */
}
