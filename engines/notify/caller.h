/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who issued a call: its memory, descriptor, privilege and PID namespace.
 */
#ifndef MPU_NOTIFY_CALLER_H
#define MPU_NOTIFY_CALLER_H

#include <sys/types.h>

#include "core/env.h"
#include "engines/notify/pidns.h"

/**
 * struct caller - a thread that waits for an answer
 * @listener:	where the answer goes; set once by the lane's owner
 * @id:		of its call
 * @fd:		own descriptor of the file it calls
 * @euid:	its effective user, as our user namespace knows it
 * @caps:	its effective capabilities, 0 if of another user namespace
 * @ns:		its PID namespace
 */
struct caller {
	int listener;
	u64 id;
	int fd;
	uid_t euid;
	u64 caps;
	struct pidns ns;
};

/**
 * caller_init() - learn what all callers are compared with: this process
 * Return: 0 or negative errno.
 */
int caller_init(void);

/**
 * caller_can_read() - is memory of another process to be had at all?
 *
 * Where kernel.yama.ptrace_scope is 3, or a filter forbids process_vm_readv(2),
 * every call on the control node is refused. Starts two processes to find out,
 * related and privileged like a worker and who calls: for mpu run and doctor.
 *
 * Return: 0 or negative errno.
 */
int caller_can_read(void);

#endif /* MPU_NOTIFY_CALLER_H */
