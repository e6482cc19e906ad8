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

#include "engines/notify/state.h"

/**
 * struct keeper - what it holds
 * @state:	shared with the worker
 * @state_fd:	its descriptor
 * @fd:		the listeners, by slot; 0: none. Private: a worker that is
 *		forked has just these, and is sent the later ones
 * @worker:	the worker, of which this need not be the parent
 * @pidfd:	readable when the worker is dead
 * @sock:	to the worker
 * @forked:	called in a worker: to close what is this process's only, or
 *		NULL
 * @freed:	called with the index of a slot that is free again, or NULL
 */
struct keeper {
	struct state *state;
	int state_fd;
	int fd[STATE_SLOTS];
	pid_t worker;
	int pidfd;
	int sock;
	void (*forked)(void);
	void (*freed)(unsigned int index);
};

/* What a keeper waits for, in the caller's array for poll(). */
#define KEEPER_POLLS	2

/**
 * keeper_start() - start the first worker
 * @keeper:	@state and @state_fd set, or NULL and -1: make them
 *
 * Return: 0 or negative errno.
 */
int keeper_start(struct keeper *keeper);

/**
 * keeper_add() - have a listener handled
 * @fd:		taken over, even on error
 * @name:	whose it is
 *
 * Return: index of its slot, or negative errno.
 */
int keeper_add(struct keeper *keeper, int fd, const char *name);

/** keeper_polls() - fill in what to wait for */
void keeper_polls(const struct keeper *keeper, struct pollfd *polls);

/**
 * keeper_event() - after poll(): start another worker, free slots
 * Return: 0, or negative errno if there is no worker any more.
 */
int keeper_event(struct keeper *keeper, const struct pollfd *polls);

/** keeper_busy() - how many listeners there are */
unsigned int keeper_busy(const struct keeper *keeper);

/** keeper_stop() - end the worker; listeners close with this process */
void keeper_stop(struct keeper *keeper);

/**
 * keeper_inherit() - in a child of the worker: be the keeper until nobody is
 * left to keep
 * @keeper:	all set
 */
noreturn void keeper_inherit(struct keeper *keeper);

#endif /* MPU_NOTIFY_KEEPER_H */
