/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The issuer of a call: its memory, descriptor, privilege and PID namespace.
 *
 * tests/unit/engines/notify/call_test.c has functions of these names, and of pidns.h,
 * of its own: a made-up caller and driver.
 */
#ifndef MPU_NOTIFY_CALLER_H
#define MPU_NOTIFY_CALLER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/env.h"
#include "engines/notify/pidns.h"

struct seccomp_notif;

/**
 * struct caller - a thread that waits for an answer
 * @listener:	where the answer goes; set once by who handles its calls
 * @id:		of its call
 * @fd:		our descriptor of the file that the call is for
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

/** caller_read() - read a thread's memory; 0 or negative errno */
int caller_read(u32 tid, u64 address, void *to, size_t size);

/** caller_write() - write to a thread's memory; 0 or negative errno */
int caller_write(u32 tid, u64 address, const void *from, size_t size);

/**
 * caller_open() - take hold of who issued a call
 *
 * Return: 0; 1: the call needs no translation, for its file is no control node of
 * the driver, or the caller sees the host's PIDs; or negative errno, -ENOMEM: it is
 * this process that lacks something. caller_waits() may be asked in any case.
 */
int caller_open(struct caller *caller, const struct seccomp_notif *request);

/** caller_close() - let go of one that was opened */
void caller_close(struct caller *caller);

/** caller_ioctl() - ioctl() on the caller's file, with the caller's privilege */
int caller_ioctl(struct caller *caller, unsigned int request, void *arg);

/** caller_waits() - is the caller still waiting for an answer? */
bool caller_waits(struct caller *caller);

#endif /* MPU_NOTIFY_CALLER_H */
