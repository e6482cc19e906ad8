/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What /proc says of one process.
 */
#ifndef MPU_HOST_PROC_H
#define MPU_HOST_PROC_H

#include "host/owner.h"

/**
 * struct host_proc - /proc
 * @fd:		the folder, -1: it cannot be read
 * @started_us:	when this machine has started, since 1970; 0: not known
 * @ticks:	in which processes are dated, a second
 */
struct host_proc {
	int fd;
	uint64_t started_us;
	uint64_t ticks;
};

void host_proc_open(struct host_proc *proc);
void host_proc_close(struct host_proc *proc);

/**
 * struct host_look - one process as it was when /proc was looked at last
 * @process:	@process.pid is to be set before the first look; all else is read but
 *		@process.user and @process.owner
 * @inode, @changed_ns: of its folder, which the kernel makes for each process anew; 0:
 *		it was never looked at
 * @cgroups:	of one that was read now, for the caller to free; NULL: it is gone, or
 *		no memory
 */
struct host_look {
	struct host_process process;
	uint64_t inode, changed_ns;
	char *cgroups;
};

/**
 * host_proc_look() - look whether its process is still the one that was read
 *
 * The same one may be taken for another if memory was short in between.
 *
 * Return: false: it is to be read (anew).
 */
bool host_proc_look(const struct host_proc *proc, struct host_look *look);

/**
 * host_proc_read() - read processes
 *
 * Each takes tens of microseconds, as the kernel makes its files up: thousands are
 * read by several threads.
 */
void host_proc_read(const struct host_proc *proc, struct host_look *const *looks,
		    size_t n);

#endif /* MPU_HOST_PROC_H */
