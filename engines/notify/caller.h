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

#endif /* MPU_NOTIFY_CALLER_H */
