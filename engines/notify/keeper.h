/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that keeps the listeners while workers come and go.
 *
 * A listener that nobody has open makes every call under its filter fail with
 * ENOSYS; one that is open and not listened to lets them wait. So keeper and
 * worker each hold all of them, and each replaces the other.
 */
#ifndef MPU_NOTIFY_KEEPER_H
#define MPU_NOTIFY_KEEPER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#include "engines/notify/partner.h"
#include "engines/notify/state.h"

/**
 * struct keeper - what the keeper holds
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
struct keeper {
	struct state *state;
	int state_fd;
	int fd[STATE_SLOTS];
	struct partner worker;
	bool asked;
	u64 start_ms;
	unsigned int delay_ms;
	void (*work)(const struct keeper *keeper,
		     const struct partner *partner);
	void (*changed)(unsigned int index);
	void (*died)(const struct keeper *keeper, pid_t worker,
		     const char *why);
};

/**
 * struct keeper_options - how calls are to be handled
 * @cpu_percent: of one CPU that the calls of each container may take
 * @pass_unknown: a control of the table with a size that it does not have goes
 *		to the driver
 */
struct keeper_options {
	unsigned int cpu_percent;
	bool pass_unknown;
};

/* The number of descriptors of its own that a keeper polls. */
#define KEEPER_POLLS	2

/** keeper_init() - make one that holds nothing yet; @work: see struct keeper */
void keeper_init(struct keeper *keeper,
		 void (*work)(const struct keeper *keeper,
			      const struct partner *partner));

/**
 * keeper_start() - start the first worker
 * @keeper:	has a state that was taken over, or NULL and -1: then it gets one
 *
 * Return: 0 or negative errno.
 */
int keeper_start(struct keeper *keeper, const struct keeper_options *options);

/**
 * keeper_add() - have a listener handled
 * @fd:		taken over, even on error
 *
 * Return: index of its slot, or negative errno.
 */
int keeper_add(struct keeper *keeper, int fd);

/**
 * keeper_wait() - poll(), and do what the worker calls for: start another, free
 * slots
 * @polls:	@n of them; the first KEEPER_POLLS are the keeper's to fill in
 * @ms:		how long, -1: until something happens
 *
 * A worker that dies at once is not followed at once: the pause doubles from one
 * to the next, to a second. It is never given up: without a worker the calls of
 * all containers wait.
 *
 * Return: true, and @polls says what has happened, which may be nothing; false:
 * poll() has failed this time.
 */
bool keeper_wait(struct keeper *keeper, struct pollfd *polls, nfds_t n, int ms);

/**
 * keeper_ask() - does the worker answer within so many ms?
 *
 * It is its main thread that answers; its lanes may hang for all that.
 */
bool keeper_ask(struct keeper *keeper, int ms);

/** keeper_listeners() - how many listeners there are */
unsigned int keeper_listeners(const struct keeper *keeper);

/**
 * keeper_leave() - leave the listeners to their worker: this process ends
 *
 * Return: 0 or negative errno: there was none, and none can be started.
 */
int keeper_leave(struct keeper *keeper);

/**
 * keeper_stop() - end the worker; listeners close with this process. A worker that
 * cannot be killed is not waited for: a container's own file system may hold a
 * thread of it
 */
void keeper_stop(struct keeper *keeper);

/*
 * Keeper and worker send each other u32's: the index of a slot, from the keeper
 * with its listener, from the worker alone when that listener is over; or
 */
#define KEEPER_QUESTION	((u32)~0)	/* keeper: are you there? worker: I am */
#define KEEPER_AGAIN	(1u << 31)	/* worker, with an index: send it again */

/**
 * keeper_close_others() - in a process that was forked: close all descriptors but
 * the listeners, the state, and those of the partner
 */
int keeper_close_others(const struct keeper *keeper,
			const struct partner *partner);

/**
 * keeper_run() - in a child of the worker: be the keeper until nobody is
 * left to keep
 * @keeper:	state, listeners and worker are set
 */
noreturn void keeper_run(struct keeper *keeper);

#endif /* MPU_NOTIFY_KEEPER_H */
