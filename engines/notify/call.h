/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One system call of a container: continued, or carried out in its place.
 *
 * Continued means that the kernel goes on with it and reads the arguments
 * again. A hostile thread may have changed them in between, so a container
 * that wants to can get at numbers of its host. What an honest one sees is
 * what the table says.
 *
 * A call on the driver's control node is continued if what was read of it has
 * no PIDs, or if its caller sees the host's. What else cannot be translated is
 * refused, whatever the reason, and counted: a caller can bring most of them
 * about.
 */
#ifndef MPU_NOTIFY_CALL_H
#define MPU_NOTIFY_CALL_H

#include <linux/seccomp.h>
#include <stddef.h>

#include "core/nvrm.h"
#include "engines/notify/state.h"

struct caller;

/**
 * struct call_ops - how a call's surroundings are reached; 0 or negative errno
 * @read:	from the memory of a thread
 * @write:	to it
 * @open:	take hold of who issued @request. 1: not for us, it is no control
 *		node of the driver, or the caller sees the host's PIDs; -ENOMEM:
 *		it is the supervisor that lacks something. @caller is good for
 *		@valid even if it fails
 * @ioctl:	on the caller's descriptor, with the caller's privilege
 * @valid:	is it still waiting for an answer?
 * @branch:	of the driver, 550 of "550.163.01"; 0 if it does not say
 * @local:	number of a global PID in its PID namespace, 0 if it has none
 * @global:	the inverse
 * @now:	nanoseconds of a clock that does not jump
 * @lived:	is a process called that in either, and was there at @when (us
 *		since the epoch)?
 */
struct call_ops {
	int (*read)(u32 tid, u64 address, void *to, size_t size);
	int (*write)(u32 tid, u64 address, const void *from, size_t size);
	int (*open)(struct caller *caller, const struct seccomp_notif *request);
	void (*close)(struct caller *caller);
	int (*ioctl)(struct caller *caller, unsigned int request, void *arg);
	bool (*valid)(struct caller *caller);
	u32 (*branch)(void);
	u32 (*local)(struct caller *caller, u32 global);
	u32 (*global)(struct caller *caller, u32 local);
	u64 (*now)(void);
	bool (*lived)(struct caller *caller, u32 local, u32 global, u64 when);
};

extern const struct call_ops call_ops_real;

/* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE: the largest user buffer a control takes. */
#define CALL_TABLE_MAX	(1u << 20)

/**
 * struct kept - an answer nobody was left to take
 *
 * Without WAIT_KILLABLE_RECV (runc before 1.5) a signal takes a thread out of
 * its call, to issue it again. If its signals come faster than the driver
 * answers, it would never get one: so the same question finds the answer, once
 * and within a second.
 *
 * @until:	when it is too old; 0: there is none
 * @tid:	whose, with @request, @block, @asked and @question
 * @ret:	what the ioctl returned
 * @outcome:	how it counts, with @seen and @hidden
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

#define CALL_KEPT	8	/* threads: by number */

/**
 * struct call_memory - the engine's own copies; pages are taken when used
 */
struct call_memory {
	u8 params[(MPU_PARAMS_MAX + 4095) & ~4095];
	u8 table[CALL_TABLE_MAX];
	struct kept kept[CALL_KEPT];
};

/* What of it is of no use between two calls. */
#define CALL_SCRATCH	offsetof(struct call_memory, kept)

/**
 * struct lane - what the calls of one listener share: they come one by one
 * @ops:	&call_ops_real
 * @slot:	counters
 * @memory:	own copies
 * @caller:	for @ops
 * @touched:	bytes of @memory in use since the owner gave them back
 * @pass_unknown: a control of the table with a size that it does not have goes
 *		to the driver; else it is refused
 */
struct lane {
	const struct call_ops *ops;
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
void call_handle(struct lane *lane, const struct seccomp_notif *request,
		 struct seccomp_notif_resp *response);

#endif /* MPU_NOTIFY_CALL_H */
