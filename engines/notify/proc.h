/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What /proc says of a process: its folder, and the files "status" and "stat" in
 * it.
 */
#ifndef MPU_NOTIFY_PROC_H
#define MPU_NOTIFY_PROC_H

#include <sys/types.h>

#include "core/env.h"

#define PROC_LEVELS	33	/* MAX_PID_NS_LEVEL, and ours */

/**
 * struct proc_status - the lines that are wanted
 * @tgid:	of its process, in our PID namespace
 * @euid:	its effective user, as our user namespace knows it
 * @caps:	its effective capabilities, in its own user namespace
 * @level:	how many numbers its process has
 * @number:	those, from our PID namespace to its own
 */
struct proc_status {
	u32 tgid;
	uid_t euid;
	u64 caps;
	u32 level;
	u32 number[PROC_LEVELS];
};

/** proc_open() - the folder of a process or a thread; negative errno */
int proc_open(u32 pid);

/**
 * proc_status() - read the file of that name
 * @dir:	folder it is in
 *
 * Return: 0 or negative errno. -ESRCH: it is gone. -EPROTO: a line is missing.
 */
int proc_status(int dir, struct proc_status *status);

/**
 * proc_state() - what a process or thread is doing, in a letter of proc(5)
 * @dir:	its folder
 *
 * Return: the letter, 0: it is gone.
 */
char proc_state(int dir);

/**
 * proc_start() - when a process started, in ticks since the machine did
 * @dir:	its folder
 *
 * Return: 0 or negative errno; -ESRCH: it is gone.
 */
int proc_start(int dir, u64 *ticks);

#endif /* MPU_NOTIFY_PROC_H */
