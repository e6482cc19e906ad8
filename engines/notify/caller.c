// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking hold of a caller: see caller.h.
 *
 * Everything is looked up by the thread's number first, and then the call is
 * seen to be still waiting: so the number was that thread's all along.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "engines/notify/call.h"
#include "engines/notify/caller.h"
#include "engines/notify/kernel.h"

static struct {
	uid_t euid;
	u64 caps;
	struct stat userns;
} self;

/*
 * By number: see call_handle() on reading. Between seeing the call still wait
 * and writing, the thread would have to be killed and its number given again:
 * the kernel gives numbers in a circle, all others come first.
 */
static int read_memory(u32 tid, u64 address, void *to, size_t size)
{
	struct iovec own = { to, size };
	struct iovec its = { (void *)(uintptr_t)address, size };

	return process_vm_readv((pid_t)tid, &own, 1, &its, 1, 0) ==
	       (ssize_t)size ? 0 : -EFAULT;
}

static int write_memory(u32 tid, u64 address, const void *from, size_t size)
{
	struct iovec own = { (void *)from, size };
	struct iovec its = { (void *)(uintptr_t)address, size };

	return process_vm_writev((pid_t)tid, &own, 1, &its, 1, 0) ==
	       (ssize_t)size ? 0 : -EFAULT;
}

static bool still_waits(struct caller *caller)
{
	__u64 id = caller->id;

	return !ioctl(caller->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id);
}

static int own_caps(u64 *caps)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -errno;
	*caps = (u64)data[1].effective << 32 | data[0].effective;
	return 0;
}

/* Of this thread, and with all that is permitted still permitted. */
static int set_caps(u64 effective)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -errno;
	data[0].effective = (u32)effective & data[0].permitted;
	data[1].effective = (u32)(effective >> 32) & data[1].permitted;
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

int caller_init(void)
{
	self.euid = geteuid();
	if (stat("/proc/self/ns/user", &self.userns))
		return -errno;
	return own_caps(&self.caps);
}

static const char *status_line(const char *status, const char *key)
{
	const char *at = strstr(status, key);

	return at ? at + strlen(key) : "";
}

/* The text of its status, which says most there is to know. */
static int read_status(int dir, char *status, size_t size)
{
	int fd = openat(dir, "status", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, status, size - 1);
	close(fd);
	status[n > 0 ? n : 0] = '\0';
	return n > 0 ? 0 : -ESRCH;
}

/* Whom RM takes it for: the effective user, and its capabilities, if any. */
static int read_privilege(struct caller *caller, int dir, const char *status)
{
	struct stat userns;

	if (sscanf(status_line(status, "\nUid:"), "%*u %u", &caller->euid) != 1 ||
	    sscanf(status_line(status, "\nCapEff:"), "%" SCNx64,
		   &caller->caps) != 1)
		return -EPROTO;
	if (fstatat(dir, "ns/user", &userns, 0))
		return -errno;
	if (userns.st_ino != self.userns.st_ino ||
	    userns.st_dev != self.userns.st_dev)
		caller->caps = 0;	/* of no worth outside its own */
	caller->caps &= self.caps;
	/* Run by a user: that user's own containers. */
	if (caller->euid != self.euid && !(self.caps & 1ull << CAP_SETUID))
		return -EPERM;
	return 0;
}

/*
 * A pidfd of the thread, since a thread may have files of its own; before 6.9
 * of the process, which has none any more once its main thread has ended.
 */
static int open_pidfd(u32 tid, const char *status)
{
	unsigned int tgid;
	int fd = (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);

	if (fd >= 0 || errno != EINVAL)
		return fd < 0 ? -errno : fd;
	if (sscanf(status_line(status, "\nTgid:"), "%u", &tgid) != 1)
		return -ESRCH;
	fd = (int)syscall(SYS_pidfd_open, tgid, 0);
	return fd < 0 ? -errno : fd;
}

static bool is_control_node(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	       st.st_rdev == makedev(NV_MAJOR, NV_MINOR_CTL);
}

/* What is at @number in the caller's table of descriptors, as our own. */
static int take_descriptor(struct caller *caller, int pidfd, int number)
{
	caller->fd = (int)syscall(SYS_pidfd_getfd, pidfd, number, 0);
	if (caller->fd < 0)
		return errno == EBADF && number < 0 ? 1 : -errno;
	if (is_control_node(caller->fd))
		return 0;
	close(caller->fd);
	return 1;
}

static int open_by_dir(struct caller *caller, u32 tid, int dir, int number)
{
	char status[4096];
	int ret = read_status(dir, status, sizeof(status));
	int pidfd = ret ? ret : open_pidfd(tid, status);

	if (pidfd < 0)
		return pidfd;
	ret = read_privilege(caller, dir, status);
	if (ret)
		goto close_pidfd;
	ret = pidns_open(&caller->ns, dir, status);
	if (ret)
		goto close_pidfd;
	ret = still_waits(caller) ? take_descriptor(caller, pidfd, number) : 1;
	if (ret)
		pidns_close(&caller->ns);
close_pidfd:
	close(pidfd);
	return ret;
}

static int open_caller(struct caller *caller,
		       const struct seccomp_notif *request)
{
	char path[32];
	int dir, ret;

	caller->id = request->id;
	snprintf(path, sizeof(path), "/proc/%u", request->pid);
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	ret = open_by_dir(caller, request->pid, dir,
			  (int)request->data.args[0]);
	close(dir);
	return ret;
}

static void close_caller(struct caller *caller)
{
	close(caller->fd);
	pidns_close(&caller->ns);
}

/*
 * Per thread: the C library's setresuid() would change the whole process.
 * Setting a user other than root clears the effective capabilities, setting
 * root gives back what is permitted.
 */
static int become(uid_t euid, u64 caps)
{
	if (euid != self.euid && syscall(SYS_setresuid, -1, euid, -1))
		return -errno;
	if (caps == self.caps && euid == self.euid)
		return 0;
	return set_caps(caps);
}

static void become_self(const struct caller *caller)
{
	if (caller->euid != self.euid &&
	    syscall(SYS_setresuid, -1, self.euid, -1))
		abort();	/* the keeper starts another worker */
	if ((caller->caps != self.caps || caller->euid != self.euid) &&
	    set_caps(self.caps))
		abort();
}

static int ioctl_as_caller(struct caller *caller, unsigned int request,
			   void *arg)
{
	int ret = become(caller->euid, caller->caps);

	if (!ret) {
		ret = ioctl(caller->fd, request, arg);
		if (ret < 0)
			ret = -errno;
	}
	become_self(caller);
	return ret;
}

/* "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.142 ..." */
static u32 driver_branch(void)
{
	char line[256], *word, *rest = line, *end;
	unsigned long branch;
	ssize_t n;
	int fd = open("/proc/driver/nvidia/version", O_RDONLY | O_CLOEXEC);

	n = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	while ((word = strsep(&rest, " \t\n"))) {
		branch = strtoul(word, &end, 10);
		if (branch && *end == '.')
			return (u32)branch;
	}
	return 0;
}

static u32 local_of(struct caller *caller, u32 global)
{
	return pidns_local(&caller->ns, global);
}

static u32 global_of(struct caller *caller, u32 local)
{
	return pidns_global(&caller->ns, local);
}

static bool lived(struct caller *caller, u32 local, u32 global, u64 when)
{
	return pidns_lived(&caller->ns, local, global, when);
}

const struct call_ops call_ops_real = {
	.read = read_memory,
	.write = write_memory,
	.open = open_caller,
	.close = close_caller,
	.ioctl = ioctl_as_caller,
	.valid = still_waits,
	.branch = driver_branch,
	.local = local_of,
	.global = global_of,
	.lived = lived,
};
