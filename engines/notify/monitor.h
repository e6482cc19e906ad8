/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that keeps the listeners while workers come and go.
 *
 * A listener that nobody has open makes every call under its filter fail with
 * ENOSYS; one that is open and not listened to lets them wait. So monitor and
 * worker each hold all of them, and each replaces the other.
 */
#ifndef MPU_NOTIFY_MONITOR_H
#define MPU_NOTIFY_MONITOR_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#include "engines/notify/peer.h"
#include "engines/notify/state.h"

/**
 * struct monitor - what the monitor holds
 * @state:	shared with the worker
 * @state_fd:	descriptor of @state
 * @fd:		the listeners, by slot; -1: none. Private: a worker that is
 *		forked has just these, and is sent the later ones
 * @worker:	of which this need not be the parent; if there is none, one is to be
 *		started at @start_ms
 * @asked:	the worker was asked whether it answers, and has not answered yet
 * @start_ms:	when the worker was started, or is to be, on the clock that does
 *		not jump
 * @delay_ms:	how long the next worker is to wait, if this one dies at once
 * @work:	what a worker does, in a process that has just been forked, until
 *		there is nothing left to do: worker_run()
 * @changed:	called with the index of a slot that has got a listener, before its
 *		worker hears of it, or has none any more; or NULL
 * @died:	called when @worker has died, or none could be started (0): @why
 *		says how; or NULL
 */
struct monitor {
	struct state *state;
	int state_fd;
	int fd[STATE_SLOTS];
	struct peer worker;
	bool asked;
	u64 start_ms;
	unsigned int delay_ms;
	void (*work)(const struct monitor *monitor,
		     const struct peer *peer);
	void (*changed)(unsigned int index);
	void (*died)(const struct monitor *monitor, pid_t worker,
		     const char *why);
};

/**
 * struct monitor_options - how calls are to be handled
 * @cpu_percent: of one CPU that the calls of each container may take
 * @pass_unknown: a control of the table with a size that it does not have goes
 *		to the driver
 */
struct monitor_options {
	unsigned int cpu_percent;
	bool pass_unknown;
};

/* The number of descriptors of its own that a monitor polls. */
#define MONITOR_POLLS	2

/** monitor_init() - make one that holds nothing yet; @work: see struct monitor */
void monitor_init(struct monitor *monitor,
		  void (*work)(const struct monitor *monitor,
			       const struct peer *peer));

/**
 * monitor_start() - start the first worker
 * @monitor:	has a state that was taken over, or NULL and -1: then it gets one
 *
 * Return: 0 or negative errno.
 */
int monitor_start(struct monitor *monitor, const struct monitor_options *options);

/**
 * monitor_add() - have a listener handled
 * @fd:		taken over, even on error
 *
 * Return: index of its slot, or negative errno.
 */
int monitor_add(struct monitor *monitor, int fd);

/**
 * monitor_wait() - poll(), and do what the worker calls for: start another, free
 * slots
 * @polls:	@n of them; the first MONITOR_POLLS are the monitor's to fill in
 * @ms:		how long, -1: until something happens
 *
 * A worker that dies at once is not followed at once: the pause doubles from one
 * to the next, to a second. It is never given up: without a worker the calls of
 * all containers wait.
 *
 * Return: true, and @polls says what has happened, which may be nothing; false:
 * poll() has failed this time.
 */
bool monitor_wait(struct monitor *monitor, struct pollfd *polls, nfds_t n, int ms);

/**
 * monitor_ask() - does the worker answer within so many ms?
 *
 * It is its main thread that answers; its threads may hang for all that.
 */
bool monitor_ask(struct monitor *monitor, int ms);

/** monitor_listeners() - how many listeners there are */
unsigned int monitor_listeners(const struct monitor *monitor);

/**
 * monitor_leave() - leave the listeners to their worker: this process ends
 *
 * Return: 0 or negative errno: there was none, and none can be started.
 */
int monitor_leave(struct monitor *monitor);

/**
 * monitor_stop() - end the worker; listeners close with this process. A worker that
 * cannot be killed is not waited for: a container's own file system may hold a
 * thread of it
 */
void monitor_stop(struct monitor *monitor);

/*
 * Monitor and worker send each other u32's: the index of a slot, from the monitor
 * with its listener, from the worker alone when that listener is over; or
 */
#define MONITOR_QUESTION	((u32)~0)	/* monitor: are you there? worker: I am */
#define MONITOR_AGAIN	(1u << 31)	/* worker, with an index: send it again */

/**
 * monitor_close_others() - in a process that was forked: close all descriptors but
 * the listeners, the state, and those of the peer
 */
int monitor_close_others(const struct monitor *monitor,
			 const struct peer *peer);

/**
 * monitor_run() - in a child of the worker: be the monitor until nobody is
 * left to keep
 * @monitor:	state, listeners and worker are set
 */
noreturn void monitor_run(struct monitor *monitor);

#endif /* MPU_NOTIFY_MONITOR_H */
