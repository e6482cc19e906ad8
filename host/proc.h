/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads /proc's files of processes.
 */
#ifndef MPU_HOST_PROC_H
#define MPU_HOST_PROC_H

#include "host/owner.h"

/**
 * struct host_proc - /proc
 * @fd:		the folder, -1: it cannot be read
 * @started_us:	when this machine has started, since 1970; 0: not known
 * @ticks:	in which processes are dated, a second
 * @held:	processes that a descriptor is open of
 * @most:	as many may be
 * @details:	as of host_reader_open()
 */
struct host_proc {
	int fd;
	bool details;
	uint64_t started_us;
	uint64_t ticks;
	size_t held, most;
};

/* Raises the limit of this process's descriptors as far as it may. */
void host_proc_open(struct host_proc *proc, bool details);
void host_proc_close(struct host_proc *proc);

/**
 * struct host_look - one process as it was when /proc was looked at last
 * @inode, @changed_ns: of its folder, which the kernel makes for each process anew; 0:
 *		it was never looked at
 * @folder:	its name below /proc, written at the first look
 * @pidfd:	says whether it lives, sooner than a look does; -1: not open, as before the
 *		first look
 * @lives:	@pidfd has said so
 * @is_new:	it was read by that look, not by one before
 * @cgroups:	of one that is new, for the caller to free; NULL: it is gone, or no memory
 * @process:	@process.pid is to be set before the first look; all else is read but
 *		@process.user and @process.owner
 */
struct host_look {
	uint64_t inode, changed_ns;
	char folder[12];
	int pidfd;
	bool lives, is_new;
	char *cgroups;
	struct host_process process;
};

/**
 * host_proc_read() - look at processes, and read those that are new
 * @looks:	no two of them of one process
 *
 * One is read if it was never looked at, or is another than the one that had its PID
 * then; the same one may be taken for another if memory was short in between. A look
 * takes a microsecond, and to read a process tens of them, as the kernel makes its files
 * up: thousands are looked at by several threads. For processes that are met again and
 * again descriptors are opened, which one call asks all together.
 */
void host_proc_read(struct host_proc *proc, struct host_look *const *looks, size_t n);

/** host_proc_forget() - close what is open of a process */
void host_proc_forget(struct host_proc *proc, struct host_look *look);

#endif /* MPU_HOST_PROC_H */
