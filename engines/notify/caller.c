// SPDX-License-Identifier: GPL-2.0-only
/*
 * The issuer of a call: its memory, descriptor, privilege and PID namespace.
 *
 * Everything is looked up by the thread's number first, and then the call is seen to be
 * still waiting: so the number was that thread's all along. From then on the number counts no
 * more: where another thread of the process executes a program, that takes the main thread's
 * number over (de_thread()).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "engines/notify/internal.h"
#include "lib/caps.h"
#include "lib/clock.h"
#include "lib/proc.h"
#include "lib/text.h"

#define LACK_MS	30000	/* time that a call waits for descriptors or memory */
#define LOOK_MS	10	/* time between two tries to get them */

static struct {
	uid_t euid;
	u64 caps;
	struct stat userns;
} self;

/* Is this the engine of root, or of who is root in its containers' user namespace? */
static bool may(int capability)
{
	return self.caps & 1ull << capability;
}

/*
 * Reads memory by a thread's number: call_handle() says why that does no harm. It waits for pages
 * that a userfaultfd is to bring, as the driver does, and as /proc/PID/mem cannot.
 */
int caller_read(u32 tid, u64 address, void *to, size_t size)
{
	struct iovec own = { to, size };
	struct iovec its = { (void *)(uintptr_t)address, size };

	return process_vm_readv((pid_t)tid, &own, 1, &its, 1, 0) ==
	       (ssize_t)size ? 0 : -EFAULT;
}

/* PROCMAP_QUERY of linux/fs.h, Linux 6.11, as far as it is used here. */
struct map_query {
	u64 size, flags, address, start, end, is;
	u64 unused[7];
};

#ifndef PROCMAP_QUERY
#define PROCMAP_QUERY	_IOWR('f', 17, struct map_query)
#endif
#define MAP_IS_WRITABLE	0x2

/* The same from the text, which takes longer the more mappings there are. */
static u64 find_writable_by_text(int maps, u64 address)
{
	FILE *file = fdopen(fcntl(maps, F_DUPFD_CLOEXEC, 0), "r");
	unsigned long long start, end, found = 0;
	char write;

	if (!file)
		return 0;
	rewind(file);
	/* A name at a line's end is of any length. */
	while (!found && fscanf(file, "%llx-%llx %*c%c%*[^\n]", &start, &end, &write) == 3)
		if (start <= address && address < end && write == 'w')
			found = end;
	fclose(file);
	return found;
}

/* Returns the end of the mapping at @address if its owner may write there, or 0. */
static u64 find_writable(int maps, u64 address)
{
	struct map_query query = { .size = sizeof(query), .address = address };

	if (!ioctl(maps, PROCMAP_QUERY, &query))
		return query.is & MAP_IS_WRITABLE ? query.end : 0;
	return errno == ENOTTY ? find_writable_by_text(maps, address) : 0;
}

/*
 * Writes into the memory that was the caller's while its call was seen waiting, whatever its
 * process executes meanwhile. /proc/PID/mem alone would also write where the owner may only read
 * (FOLL_FORCE). An engine run by a user, to whom it is closed if the process is not dumpable, writes
 * by the number: nowhere but where that user may.
 */
int caller_write(const struct caller *caller, u64 address, const void *from, size_t size)
{
	struct iovec own = { (void *)from, size };
	struct iovec its = { (void *)(uintptr_t)address, size };
	u64 at = address, end = address + size;

	if (caller->memory < 0 && !may(CAP_SYS_PTRACE))
		return process_vm_writev((pid_t)caller->tid, &own, 1, &its, 1, 0) ==
		       (ssize_t)size ? 0 : -EFAULT;
	while (at < end && at >= address)
		if (!(at = find_writable(caller->maps, at)))
			return -EFAULT;
	return pwrite(caller->memory, from, size, (off_t)address) == (ssize_t)size ? 0 : -EFAULT;
}

bool caller_waits(struct caller *caller)
{
	__u64 id = caller->id;

	return !ioctl(caller->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id);
}

int caller_init(void)
{
	self.euid = geteuid();
	if (stat("/proc/self/ns/user", &self.userns))
		return -errno;
	return caps_get(&self.caps);
}

/* Reads the effective user and capabilities of the caller, by which RM judges it. */
static int learn_privilege(struct caller *caller, const struct proc_status *status)
{
	struct stat userns;

	caller->euid = status->euid;
	caller->caps = status->caps & self.caps;
	if (caller->caps && fstatat(caller->dir, "ns/user", &userns, 0))
		return -errno;
	/* Worth nothing in another user namespace. */
	if (caller->caps && (userns.st_ino != self.userns.st_ino ||
			     userns.st_dev != self.userns.st_dev))
		caller->caps = 0;
	/* An engine run by a user serves that user's own containers. */
	if (caller->euid != self.euid && !may(CAP_SETUID))
		return -EPERM;
	return 0;
}

/*
 * A pidfd of the thread, since a thread may have files of its own. Before 6.9 there
 * are pidfds of processes only, which have the files of the main thread: good if
 * the thread shares them, and if the main thread has not ended.
 */
static int open_thread_pidfd(u32 tid, u32 tgid)
{
	int fd = (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);

	if (fd >= 0 || errno != EINVAL)
		return fd < 0 ? -errno : fd;
	if (tid != tgid && syscall(SYS_kcmp, tid, tgid, KCMP_FILES, 0, 0))
		return -EXDEV;
	fd = (int)syscall(SYS_pidfd_open, tgid, 0);
	return fd < 0 ? -errno : fd;
}

/*
 * Checks the kind of a file, as the kernel knows it: a FUSE server, asked, answers when it
 * likes. Return: 0: it is the driver's control node, 1: it is not, or negative errno.
 */
static int check_node(int dir, const char *path)
{
	struct statx st;

	if (statx(dir, path, AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &st))
		return -errno;
	return !(S_ISCHR(st.stx_mode) && st.stx_rdev_major == NV_MAJOR &&
		 st.stx_rdev_minor == NV_MINOR_CTL);
}

/*
 * Checks the file of the caller's descriptor. It is looked at before it is taken: a descriptor
 * that was taken has to be closed, and to close a FUSE file asks its server, too.
 */
static int check_descriptor(int dir, int number)
{
	char path[32];
	int ret;

	snprintf(path, sizeof(path), "fd/%d", number);
	ret = check_node(dir, path);
	/* A user may take a file of a process that is not dumpable, and not look at it. */
	if (ret == -EACCES && !may(CAP_SYS_PTRACE))
		return 0;
	return ret == -ENOENT ? 1 : ret;
}

/* Get a descriptor of our own for the caller's descriptor @number. */
static int take_descriptor(struct caller *caller, int pidfd, int number)
{
	caller->fd = (int)syscall(SYS_pidfd_getfd, pidfd, number, 0);
	if (caller->fd < 0)
		return -errno;
	if (!check_node(caller->fd, ""))
		return 0;
	close(caller->fd);
	/* The caller has just made it another file, or it is seen only now. */
	return may(CAP_SYS_PTRACE) ? -EBADF : 1;
}

static int take_hold(struct caller *caller, u32 tgid, int number)
{
	int pidfd = open_thread_pidfd(caller->tid, tgid);
	int ret;

	if (pidfd < 0)
		return pidfd;
	ret = caller_waits(caller) ? take_descriptor(caller, pidfd, number) : -ESRCH;
	close(pidfd);
	return ret;
}

static bool is_short(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOMEM;
}

static void close_memory(struct caller *caller)
{
	if (caller->memory >= 0)
		close(caller->memory);
	if (caller->maps >= 0)
		close(caller->maps);
}

/*
 * Opens a file for writing that its owner alone may write: without CAP_DAC_OVERRIDE, which the
 * agent's unit does not have, root has to be the owner for that, in this thread.
 */
static int open_as_owner(int dir, const char *name)
{
	struct stat file;
	int fd;

	if (fstatat(dir, name, &file, 0))
		return -errno;
	syscall(SYS_setfsuid, file.st_uid);
	fd = openat(dir, name, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	syscall(SYS_setfsuid, self.euid);
	if ((uid_t)syscall(SYS_setfsuid, -1) != self.euid)
		abort();	/* the monitor starts another worker */
	return fd;
}

/* Opens the memory. If it may not be opened, nothing can be written, and the call says so. */
static int open_memory(struct caller *caller)
{
	caller->memory = openat(caller->dir, "mem", O_WRONLY | O_CLOEXEC);
	if (caller->memory < 0 && errno == EACCES)
		caller->memory = open_as_owner(caller->dir, "mem");
	else if (caller->memory < 0)
		caller->memory = -errno;
	if (is_short(caller->memory))
		return caller->memory;
	caller->maps = openat(caller->dir, "maps", O_RDONLY | O_CLOEXEC);
	return caller->maps < 0 && is_short(-errno) ? -errno : 0;
}

void caller_forget(struct caller *caller)
{
	if (!caller->tid)
		return;
	pidns_close(&caller->ns);
	close(caller->status);
	close(caller->dir);
	caller->tid = 0;
}

/* Opens what stays with a thread as long as it lives. Return: 1: it sees the host's PIDs. */
static int meet(struct caller *caller, u32 tid, struct proc_status *status)
{
	int ret;

	caller->dir = proc_open(tid);
	if (caller->dir < 0)
		return caller->dir;
	caller->status = openat(caller->dir, "status", O_RDONLY | O_CLOEXEC);
	ret = caller->status < 0 ? -errno : proc_status_read(caller->status, status);
	if (!ret)
		ret = pidns_open(&caller->ns, caller->dir, status->level);
	if (!ret) {
		caller->tid = tid;
		return 0;
	}
	if (caller->status >= 0)
		close(caller->status);
	close(caller->dir);
	return ret;
}

/* The status of a thread that has ended cannot be read: then its number may be another's. */
static int meet_again(struct caller *caller, u32 tid, struct proc_status *status)
{
	if (caller->tid == tid && !proc_status_read(caller->status, status))
		return 0;
	caller_forget(caller);
	return meet(caller, tid, status);
}

static int open_once(struct caller *caller, const struct seccomp_notif *request)
{
	int number = (int)request->data.args[0];
	struct proc_status status;
	int ret = meet_again(caller, request->pid, &status);

	caller->memory = caller->maps = -1;
	/* A caller that waits and is not to be seen is hidden from a user by /proc (hidepid). */
	if (ret < 0 && !is_short(ret) && caller_waits(caller))
		ret = -EACCES;
	if (!ret)
		ret = check_descriptor(caller->dir, number);
	if (!ret)
		ret = learn_privilege(caller, &status);
	if (!ret)
		ret = open_memory(caller);
	if (!ret)
		ret = take_hold(caller, status.tgid, number);
	if (ret)
		close_memory(caller);
	return ret;
}

/* Notes the first caller that an engine run by a user may not look at: see state_tell_denied(). */
static void note_denied(struct denied *denied, u32 tid, int error)
{
	struct proc_stat stat = { .name = "(hidden)" };

	if (!denied || denied->error)
		return;
	proc_stat_of((pid_t)tid, &stat);
	text_copy(denied->program, sizeof(denied->program), stat.name, strlen(stat.name));
	denied->error = error;
}

/*
 * A call that lacks descriptors or memory waits until others need less. Return: 0; 1: no
 * translation is needed, for the file is no control node of the driver or the caller sees
 * the host's PIDs; or negative errno, -ENOMEM: it is this process that lacks something.
 */
int caller_open(struct caller *caller, const struct seccomp_notif *request)
{
	struct wait wait = wait_begin(LOOK_MS, LACK_MS);
	int ret;

	caller->id = request->id;
	while (is_short(ret = open_once(caller, request)))
		if (!caller_waits(caller) || !wait_moment(&wait))
			return -ENOMEM;
	if (ret == -EACCES || ret == -EPERM)
		note_denied(caller->denied, request->pid, -ret);
	return ret;
}

void caller_close(struct caller *caller)
{
	close(caller->fd);
	close_memory(caller);
	pidns_next(&caller->ns);
}

/*
 * Take on the caller's user and capabilities, in this thread: the C library's setresuid() would
 * change the whole process. Setting a user other than root clears the effective capabilities,
 * setting root gives back those that are permitted.
 */
static int take_privilege(uid_t euid, u64 caps)
{
	if (euid != self.euid && syscall(SYS_setresuid, -1, euid, -1))
		return -errno;
	if (caps == self.caps && euid == self.euid)
		return 0;
	return caps_set(caps);
}

static void restore_privilege(const struct caller *caller)
{
	if (caller->euid != self.euid && syscall(SYS_setresuid, -1, self.euid, -1))
		abort();	/* the monitor starts another worker */
	if ((caller->caps != self.caps || caller->euid != self.euid) && caps_set(self.caps))
		abort();
}

int caller_ioctl(struct caller *caller, unsigned int request, void *arg)
{
	int ret = take_privilege(caller->euid, caller->caps);

	if (!ret) {
		ret = ioctl(caller->fd, request, arg);
		if (ret < 0)
			ret = -errno;
	}
	restore_privilege(caller);
	return ret;
}
