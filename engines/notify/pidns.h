/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Translates PIDs between our PID namespace and a caller's below it.
 *
 * From Linux 6.11 the kernel is asked; before, /proc is read. The cache from one call
 * to the next says where to look first, and is never an answer: a number may have been
 * given again.
 */
#ifndef MPU_NOTIFY_PIDNS_H
#define MPU_NOTIFY_PIDNS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/env.h"

#define PIDNS_MEMOS	64
#define PIDNS_HINTS	256	/* a power of 2; a question has 200 numbers */

struct pidns_member {
	u32 local;
	u32 global;
};

/* An answer of the kernel's: samples name the same few processes many times. */
struct pidns_memo {
	u64 call;
	u32 global;
	u32 local;
};

/**
 * struct pidns - a PID namespace, for the length of one call
 * @fd:		its descriptor
 * @dev:	what identifies it, with @ino
 * @level:	how many numbers its processes have, ours included
 * @call:	counts the calls
 * @memo:	answers, good for @call only
 * @hint:	pairs that held once, in any PID namespace; set once to zero
 * @member:	what /proc said of all its processes, NULL: not asked yet
 */
struct pidns {
	int fd;
	dev_t dev;
	ino_t ino;
	u32 level;
	u64 call;
	struct pidns_memo memo[PIDNS_MEMOS];
	struct pidns_member hint[PIDNS_HINTS];
	struct pidns_member *member;
	size_t members;
};

/** pidns_init() - learn which PID namespace is our own; 0 or negative errno */
int pidns_init(void);

/**
 * pidns_use_proc() - read /proc, even if the kernel could be asked: for tests of
 * what is done on older kernels
 */
void pidns_use_proc(bool use);

/**
 * pidns_open() - open the PID namespace of a thread
 * @dir:	the thread's folder in /proc
 * @level:	how many numbers its process has, ours included
 *
 * Return: 0, 1: it is our own, or negative errno.
 */
int pidns_open(struct pidns *ns, int dir, u32 level);

/** pidns_close() - close one that was opened with 0 */
void pidns_close(struct pidns *ns);

/** pidns_local() - number there of the process with PID @global here, 0: none */
u32 pidns_local(struct pidns *ns, u32 global);

/** pidns_global() - number here of the process with PID @local there, 0: none */
u32 pidns_global(struct pidns *ns, u32 local);

/**
 * pidns_lived() - was a process there at a time?
 * @when:	microseconds since the epoch
 *
 * Return: is it a process called @global here and @local there, and no younger,
 * as far as /proc tells: to a tick of 10 ms?
 */
bool pidns_lived(struct pidns *ns, u32 local, u32 global, u64 when);

#endif /* MPU_NOTIFY_PIDNS_H */
