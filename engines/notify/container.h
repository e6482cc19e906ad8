/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small container of mpu run, from inside: its first process.
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
 * struct container_report - what the first process tells the launcher: first that
 * the container is set up, with the listener, or why it is not; then that the
 * command has been stopped, and how it has ended
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
