// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translates PIDs between our PID namespace and a caller's below it.
 *
 * From Linux 6.11 the kernel is asked; before, /proc is read. The cache from one call to the
 * next says where to look first, and is never an answer: a number may have been given again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/proc.h"

/* 6.11: numbers between the caller's PID namespace and that of a descriptor. */
#ifndef NS_GET_PID_FROM_PIDNS
#define NS_GET_PID_FROM_PIDNS	_IOR(NSIO, 0x6, int)
#define NS_GET_TGID_IN_PIDNS	_IOR(NSIO, 0x9, int)
#define NS_GET_TGID_FROM_PIDNS	_IOR(NSIO, 0x7, int)
#endif

#define PID_LIMIT	4194304	/* PID_MAX_LIMIT on every 64-bit kernel */

static struct stat own;
static atomic_bool use_proc;

int pidns_init(void)
{
	return stat("/proc/self/ns/pid", &own) ? -errno : 0;
}

/* Has /proc read, or the kernel asked again: for tests of older kernels. */
void pidns_use_proc(bool use)
{
	use_proc = use;
}

static bool is_same(const struct pidns *ns, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_ino == ns->ino && st.st_dev == ns->dev;
}

/* Is @ns the PID namespace @up steps above that of the process in @dir? */
static bool is_above(const struct pidns *ns, int dir, u32 up)
{
	int fd = openat(dir, "ns/pid", O_RDONLY | O_CLOEXEC);
	bool found;

	while (fd >= 0 && up--) {
		int parent = ioctl(fd, NS_GET_PARENT);

		close(fd);
		fd = parent;
	}
	found = fd >= 0 && is_same(ns, fd);
	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * The number there of the process or thread whose folder in /proc @dir is: all that
 * is read of a folder is about one and the same, or fails. @tgid: receives the
 * number here of its process.
 */
static u32 local_of_dir(const struct pidns *ns, int dir, u32 *tgid)
{
	struct proc_status status;

	if (proc_status(dir, &status) || status.level < ns->level ||
	    !is_above(ns, dir, status.level - ns->level))
		return 0;
	*tgid = status.tgid;
	return status.number[ns->level - 1];
}

static struct pidns_member *hint_for(struct pidns *ns, u32 local)
{
	return &ns->hint[local % PIDNS_HINTS];
}

static u32 local_by_proc(struct pidns *ns, u32 global)
{
	int dir = proc_open(global);
	u32 local, tgid;

	if (dir < 0)
		return 0;
	local = local_of_dir(ns, dir, &tgid);
	close(dir);
	if (local)
		*hint_for(ns, local) = (struct pidns_member){ local, tgid };
	return local;
}

static bool add_member(struct pidns *ns, u32 local, u32 global)
{
	struct pidns_member *member = ns->member;

	if (!(ns->members & (ns->members + 1))) {	/* 0, 1, 3, 7, ... */
		member = realloc(ns->member, (2 * ns->members + 1) * sizeof(*member));
		if (!member)
			return false;
		ns->member = member;
	}
	member[ns->members++] = (struct pidns_member){ local, global };
	return true;
}

/* /proc has no index by numbers there: look at all processes, once a call. */
static void find_members(struct pidns *ns)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	u32 local, global;

	while (proc && (entry = readdir(proc))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		global = (u32)atoi(entry->d_name);
		local = local_by_proc(ns, global);
		if (local && !add_member(ns, local, global))
			break;
	}
	if (proc)
		closedir(proc);
}

static u32 global_by_proc(struct pidns *ns, u32 local)
{
	struct pidns_member hint = *hint_for(ns, local);
	size_t i;

	if (hint.local == local && local_by_proc(ns, hint.global) == local)
		return hint.global;
	if (!ns->member)
		find_members(ns);
	for (i = 0; i < ns->members; i++)
		if (ns->member[i].local == local)
			return ns->member[i].global;
	return 0;
}

/* Return: false if this kernel does not know the question. */
static bool ask_kernel(const struct pidns *ns, unsigned long question, u32 pid, u32 *answer)
{
	int ret;

	if (use_proc)
		return false;
	ret = ioctl(ns->fd, question, (unsigned long)pid);
	if (ret < 0 && errno == ENOTTY) {
		use_proc = true;
		return false;
	}
	*answer = ret > 0 ? (u32)ret : 0;
	return true;
}

u32 pidns_local(struct pidns *ns, u32 global)
{
	struct pidns_memo *memo = &ns->memo[global % PIDNS_MEMOS];

	if (!global || global > PID_LIMIT)
		return 0;
	if (memo->call == ns->call && memo->global == global)
		return memo->local;
	memo->call = ns->call;
	memo->global = global;
	if (!ask_kernel(ns, NS_GET_TGID_IN_PIDNS, global, &memo->local))
		memo->local = local_by_proc(ns, global);
	return memo->local;
}

u32 pidns_global(struct pidns *ns, u32 local)
{
	u32 pid, tgid;

	if (!local || local > PID_LIMIT)
		return 0;
	if (!ask_kernel(ns, NS_GET_TGID_FROM_PIDNS, local, &tgid))
		return global_by_proc(ns, local);
	/* The number of a thread is no PID. */
	if (!tgid || !ask_kernel(ns, NS_GET_PID_FROM_PIDNS, local, &pid))
		return 0;
	return pid == tgid ? tgid : 0;
}

/*
 * Is a process called @global here and @local there, and no younger than @when, in
 * microseconds since the epoch, as far as /proc tells: to a tick of 10 ms?
 */
bool pidns_lived(struct pidns *ns, u32 local, u32 global, u64 when)
{
	u64 hz = (u64)sysconf(_SC_CLK_TCK);
	int dir = proc_open(global);
	struct proc_stat stat;
	bool known;
	u32 tgid;

	if (dir < 0)
		return false;
	known = local && local_of_dir(ns, dir, &tgid) == local && !proc_stat(dir, &stat);
	close(dir);
	/* The start by one clock may be a little before the other's: that wraps. */
	return known && (stat.start * (1000000000 / hz) + clock_epoch()) / 1000 <= when;
}

/* @dir: the thread's folder in /proc. Return: 0, 1: it is our own, or negative errno. */
int pidns_open(struct pidns *ns, int dir, u32 level)
{
	struct stat st;
	int ret = 1;

	ns->fd = openat(dir, "ns/pid", O_RDONLY | O_CLOEXEC);
	if (ns->fd < 0)
		return -errno;
	if (fstat(ns->fd, &st)) {
		ret = -errno;
	} else if (st.st_ino != own.st_ino || st.st_dev != own.st_dev) {
		ns->dev = st.st_dev;
		ns->ino = st.st_ino;
		ns->level = level;
		ret = 0;
	}
	if (ret)
		close(ns->fd);
	return ret;
}

/* Forgets what holds for one call only. */
void pidns_next(struct pidns *ns)
{
	ns->call++;
	free(ns->member);
	ns->member = NULL;
	ns->members = 0;
}

void pidns_close(struct pidns *ns)
{
	pidns_next(ns);
	close(ns->fd);
}
