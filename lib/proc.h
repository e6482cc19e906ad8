/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads /proc's files of a process: its folder, and "status" and "stat" in it.
 */
#ifndef MPU_LIB_PROC_H
#define MPU_LIB_PROC_H

#include <stdint.h>
#include <sys/types.h>

#define PROC_LEVELS	33	/* MAX_PID_NS_LEVEL, and ours */

/**
 * struct proc_status - the lines that are wanted
 * @tgid, @euid: as our PID and user namespace know them
 * @caps:	effective ones, in its own user namespace
 * @number:	@level of them, from our PID namespace to its own
 */
struct proc_status {
	uint32_t tgid;
	uid_t euid;
	uint64_t caps;
	uint32_t level;
	uint32_t number[PROC_LEVELS];
};

/** proc_open() - the folder of a process or a thread; negative errno */
int proc_open(uint32_t pid);

/**
 * proc_status() - read the file of that name
 *
 * Return: 0 or negative errno. -ESRCH: it is gone. -EPROTO: a line is missing;
 * the others have been read.
 */
int proc_status(int dir, struct proc_status *status);

/** proc_status_read() - likewise, from the file itself, and again as often as wanted */
int proc_status_read(int fd, struct proc_status *status);

/**
 * struct proc_stat - some words of its one line
 * @name:	a thread of the kernel may have a longer one than a program
 * @state:	a letter of proc(5)
 * @parent:	0: none in this PID namespace
 * @threads:	the first one among them, even where that has ended
 * @ticks:	of processors that it has taken, its threads' together
 * @start:	in ticks since the machine started
 * @pages:	of resident memory
 */
struct proc_stat {
	char name[64];
	char state;
	int parent, threads;
	uint64_t ticks, start, pages;
};

/** proc_stat() - read the file of that name. Return: 0 or -ESRCH: it is gone */
int proc_stat(int dir, struct proc_stat *stat);

/** proc_stat_of() - likewise, of a process of the host whose root host_path() knows */
int proc_stat_of(pid_t pid, struct proc_stat *stat);

#endif /* MPU_LIB_PROC_H */
