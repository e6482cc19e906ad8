// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that handles calls: see worker.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/notify/keeper.h"
#include "engines/notify/lane.h"
#include "engines/notify/worker.h"
#include "lib/fds.h"

#define NUDGE_MS	20	/* how long one that missed its nudge waits */

/* What is waited for, besides listeners: those are pointers to lanes. */
static char from_keeper, keeper_gone;

static struct {
	struct state *state;
	int state_fd;
	int sock;		/* to the keeper, -1: there is none */
	int keeper;		/* its pidfd */
	int epoll;
	struct lane_thread *lanes;
	unsigned int ending;	/* lanes told to end that have not yet */
} worker;

static int watch(int fd, unsigned int events, void *what)
{
	struct epoll_event event = { .events = events, .data.ptr = what };

	return epoll_ctl(worker.epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/*
 * Without memory for a thread the listener waits with the keeper, and its
 * container for it: until a worker that has more is started.
 */
static void begin(u32 index, int fd)
{
	struct lane_thread *lane = lane_start(worker.state, index, fd);

	if (!lane)
		abort();
	lane->next = worker.lanes;
	worker.lanes = lane;
	/* No events but that the last process under the filter has gone. */
	if (watch(fd, 0, lane))
		abort();
}

/* The keeper frees the slot; without one it is free as it is. */
static void report_end(u32 index)
{
	if (worker.sock < 0)
		slot_free(worker.state, index);
	else
		fd_send(worker.sock, &index, sizeof(index), -1);
}

static void reap_lanes(void)
{
	struct lane_thread **at = &worker.lanes, *lane;

	while ((lane = *at)) {
		if (!lane->ended) {
			if (lane->over)
				lane_nudge(lane);
			at = &lane->next;
			continue;
		}
		*at = lane->next;
		worker.ending -= lane->over;
		report_end(lane->index);
		lane_end(lane);
	}
}

static void end(struct lane_thread *lane)
{
	epoll_ctl(worker.epoll, EPOLL_CTL_DEL, lane->fd, NULL);
	lane->over = true;
	worker.ending++;
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* As a child, which has the listeners under the same numbers. */
static noreturn void become_keeper(int pidfd, int sock)
{
	static struct keeper keeper;
	struct lane_thread *lane;

	close(worker.epoll);
	keeper.state = worker.state;
	keeper.state_fd = worker.state_fd;
	keeper.worker = getppid();
	keeper.pidfd = pidfd;
	keeper.sock = sock;
	for (lane = worker.lanes; lane; lane = lane->next)
		keeper.fd[lane->index] = lane->fd;
	keeper_inherit(&keeper);
}

/* Both descriptors stay with the worker until it has lost the keeper. */
static void watch_keeper(int pidfd, int sock)
{
	worker.keeper = pidfd;
	worker.sock = sock;
	if (watch(worker.keeper, EPOLLIN, &keeper_gone) ||
	    watch(worker.sock, EPOLLIN, &from_keeper))
		abort();
}

static void make_keeper(void)
{
	int self = open_pidfd(getpid());	/* before it can die */
	int pair[2], pidfd;
	pid_t pid;

	if (self < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid)
		become_keeper(self, pair[0]);
	close(pair[0]);
	close(self);
	pidfd = open_pidfd(pid);		/* our child: it stays a zombie */
	if (pidfd < 0)
		abort();
	watch_keeper(pidfd, pair[1]);
}

static void lose_keeper(void)
{
	close(worker.keeper);
	close(worker.sock);
	worker.sock = -1;
	if (!worker.state->leaving && !worker.state->managed && worker.lanes)
		make_keeper();
}

/* A listener: its slot's index, and the descriptor. */
static void take_listener(void)
{
	size_t fds;
	u32 index;
	int fd;

	if (fd_receive(worker.sock, &index, sizeof(index), &fd, 1, &fds) !=
	    sizeof(index) || !fds)
		return;		/* the keeper's end is told by its pidfd */
	begin(index, fd);
}

static void start_lanes(const struct keeper *keeper)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (keeper->fd[i])
			begin(i, keeper->fd[i]);
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
	return epoll_wait(worker.epoll, event, 1,
			  worker.ending ? NUDGE_MS : -1);
}

noreturn void worker_run(const struct keeper *keeper, int pidfd, int sock)
{
	struct epoll_event event;

	/* The keeper may have been made by a worker. */
	memset(&worker, 0, sizeof(worker));
	let_go_of_terminal();
	default_signals();
	worker.state = keeper->state;
	worker.state_fd = keeper->state_fd;
	worker.epoll = epoll_create1(EPOLL_CLOEXEC);
	lane_init();
	if (worker.epoll < 0 || caller_init() || pidns_init())
		abort();
	watch_keeper(pidfd, sock);
	start_lanes(keeper);
	while (worker.lanes || worker.sock >= 0) {
		if (wait_for(&event) == 1) {
			if (event.data.ptr == &from_keeper)
				take_listener();
			else if (event.data.ptr == &keeper_gone)
				lose_keeper();
			else
				end(event.data.ptr);
		}
		reap_lanes();
	}
	_exit(0);	/* what the keeper has not printed yet is the keeper's */
}
