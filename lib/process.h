/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starting other programs, and waiting for them.
 */
#ifndef MPU_LIB_PROCESS_H
#define MPU_LIB_PROCESS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Values for a descriptor that a program is to get as 0, 1 or 2. */
#define PROCESS_NULL	-1	/* /dev/null */
#define PROCESS_PIPE	-2	/* a pipe, whose other end is for us to read */

struct process {
	pid_t pid;	/* a child of ours: process_wait() has to follow */
	int output;	/* to read its PROCESS_PIPE from, for us to close; -1: it has none */
};

/**
 * process_start() - start a program
 * @words:	its name, which is looked for in PATH, and its arguments; NULL ends them
 * @fd:		what it gets as 0, 1 and 2: a descriptor of ours, or PROCESS_...
 *
 * Return: 0 or negative errno; -ENOENT: there is no such program.
 */
int process_start(struct process *process, const char *const *words, const int fd[3]);

/**
 * process_start_self() - likewise, this program once more, as a daemon: in a session of its
 * own, in "/", and with no descriptor but @fd
 */
int process_start_self(struct process *process, const char *const *words, const int fd[3]);

/** process_is_self() - does this path lead to the program that runs here? */
bool process_is_self(const char *path);

/** process_own_path() - name the program that runs here, or that took its place; "": not known */
void process_own_path(char path[PATH_MAX]);

/**
 * process_ended() - has a child ended?
 * @status:	receives its exit status, or negative errno; -EINTR: of a signal
 */
bool process_ended(pid_t pid, int *status);

/** process_wait() - wait for a child to end. Return: @status of process_ended() */
int process_wait(pid_t pid);

/** process_run() - as process_start() and process_wait() */
int process_run(const char *const *words, const int fd[3]);

/**
 * process_read() - run a program, and take what it writes to its PROCESS_PIPE
 * @text:	always terminated; what does not fit the program cannot write
 */
int process_read(const char *const *words, const int fd[3], char *text, size_t size);

/** process_try() - call @function in a child. Return: what it returns, or negative errno */
int process_try(int (*function)(void *arg), void *arg);

/**
 * signals_hold() - block signals, whose numbers 0 ends, for this thread and those that it
 * starts, and have them wait in a descriptor: signalfd(2)
 *
 * Return: it, closed on exec, or negative errno.
 */
int signals_hold(const int *signals);

/**
 * process_fork_aside() - fork a child that may hang in the kernel for ever, where no signal ends
 * it: nobody waits for it then, nor for a pipe that it would keep open
 * @keep:	its descriptors, sorted afterwards; 0, 1 and 2 are /dev/null
 *
 * It takes no signals, and is killed when the thread ends that has started it.
 *
 * Return: as fork(), or negative errno.
 */
pid_t process_fork_aside(int *keep, size_t n);

/** process_leave() - kill such a child, unless it ends by itself within @moment_ms */
void process_leave(pid_t pid, unsigned int moment_ms);

#endif /* MPU_LIB_PROCESS_H */
