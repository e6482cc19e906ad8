/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small container of mpu run: what happens inside of it.
 */
#ifndef MPU_NOTIFY_CONTAINER_H
#define MPU_NOTIFY_CONTAINER_H

#include <signal.h>
#include <stdbool.h>
#include <stdnoreturn.h>
#include <sys/types.h>

/* Exit statuses of the shell for a command that could not be run. */
#define EXIT_NOT_RUNNABLE	126
#define EXIT_NOT_FOUND		127

/**
 * struct container_report - what comes back: first the listener, or why there
 * is none, then that the command has been stopped, and its end
 * @error:	0 or errno
 * @step:	what could not be done
 * @status:	as of waitpid()
 */
struct container_report {
	int error;
	char step[128];
	int status;
};

/**
 * container_read() - may a worker read the memory of a caller?
 * @pid:	ours, or that of a child: it runs this program, too
 *
 * A worker is no parent of a caller, and kernel.yama.ptrace_scope tells them
 * apart: a child of ours tries.
 *
 * Return: 0 or negative errno.
 */
int container_read(pid_t pid);

/**
 * container_comes_from_terminal() - does the terminal send that signal, to the
 * whole job, so that all of it have it already?
 */
bool container_comes_from_terminal(int sig, int code);

/**
 * container_run() - be the first process of a new PID and mount namespace
 * @sock:	to the launcher, which sends a byte once it is ready for us; takes
 *		the listener, then a report
 * @words:	the command
 * @mask:	blocked signals for it
 */
noreturn void container_run(int sock, char **words, const sigset_t *mask);

#endif /* MPU_NOTIFY_CONTAINER_H */
