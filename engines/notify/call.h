/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One system call of a container: continued, or carried out in its place.
 *
 * Continued means that the kernel goes on with it and reads the arguments again. A
 * hostile thread may have changed them in between, so a container that wants to can get
 * at numbers of its host. An honest one sees what the table says.
 *
 * A call on the driver's control node is continued if what was read of it has no PIDs,
 * or if its caller sees the host's. Any other call that cannot be translated is
 * refused, whatever the reason, and counted: a caller can bring most of these reasons
 * about.
 */
#ifndef MPU_NOTIFY_CALL_H
#define MPU_NOTIFY_CALL_H

#include <linux/seccomp.h>
#include <stddef.h>

#include "core/nvrm.h"
#include "engines/notify/caller.h"
#include "engines/notify/state.h"

/* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE: the largest array beside the params. */
#define CALL_ARRAY_MAX	(1u << 20)

/**
 * struct kept - an answer that nobody was left to take
 *
 * Without WAIT_KILLABLE_RECV (runc before 1.5) a signal takes a thread out of
 * its call, to issue it again. If its signals come faster than the driver
 * answers, it would never get one: so the same question finds the answer, once
 * and within a second.
 *
 * @until:	when the answer is too old; 0: there is none
 * @tid:	the thread that asked
 * @request:	its ioctl
 * @block:	address of the argument block
 * @asked:	the block as the thread issued it
 * @answer:	the block as the thread is to get it
 * @ret:	what the ioctl returned
 * @outcome:	how the call counts, with @seen and @hidden
 * @question:	params as the thread issued them
 * @params:	params as the thread is to get them
 */
struct kept {
	u64 until;
	u32 tid;
	unsigned int request;
	u64 block;
	struct nv_control asked;
	struct nv_control answer;
	int ret;
	enum mpu_counter outcome;
	u32 seen;
	u32 hidden;
	u8 question[MPU_PARAMS_MAX];
	u8 params[MPU_PARAMS_MAX];
};

#define CALL_KEPT	8	/* answers, each of a thread: by its number */

#define CALL_PAGE	65536	/* the largest there is: of arm64 */

/**
 * struct call_memory - where params and array are copied to, and answers are kept;
 * pages are taken when used
 */
struct call_memory {
	u8 params[(MPU_PARAMS_MAX + CALL_PAGE - 1) / CALL_PAGE * CALL_PAGE];
	u8 array[CALL_ARRAY_MAX];
	struct kept kept[CALL_KEPT];
};

/* The part of struct call_memory that is of no use between two calls. */
#define CALL_SCRATCH	offsetof(struct call_memory, kept)

/* madvise() would round up, into the answers that are kept. */
_Static_assert(CALL_SCRATCH % CALL_PAGE == 0, "whole pages are given back");

/**
 * struct call_context - what the calls of one listener share: they come one by one
 * @slot:	has the counters
 * @memory:	copies of the caller's memory
 * @caller:	whose call it is
 * @touched:	bytes of @memory in use since the owner released them
 * @pass_unknown: a control of the table with a size that it does not have goes
 *		to the driver; else it is refused
 */
struct call_context {
	struct slot *slot;
	struct call_memory *memory;
	struct caller *caller;
	size_t touched;
	bool pass_unknown;
};

/**
 * call_handle() - do what is to be done for a call, and say how it goes on
 * @response:	filled, all but its id
 */
void call_handle(struct call_context *context,
		 const struct seccomp_notif *request,
		 struct seccomp_notif_resp *response);

#endif /* MPU_NOTIFY_CALL_H */
