// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process of the container, and the way into its mount namespace and back.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/rootfs/internal.h"

/* A pidfd can be read when its process has ended. */
static bool has_ended(int pidfd)
{
	struct pollfd poll_fd = { .fd = pidfd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

/*
 * The number that a process has in /proc, which may be of another PID namespace
 * than this process: somebody has made a new one and left /proc as it was. The
 * number alone would lead to a stranger, number 1 to the machine's own first process.
 */
static int find_number(int pidfd)
{
	char path[48], line[128];
	int number = -ESRCH;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Pid: %d", &number) == 1)
			break;
	fclose(file);
	return number > 0 ? number : -ESRCH;
}

static int open_process(struct container_ns *target, pid_t pid)
{
	char path[32] = "/proc/self";
	int number;

	if (pid) {
		target->pidfd = pidfd_open(pid, 0);
		if (target->pidfd < 0)
			return -errno;
		number = find_number(target->pidfd);
		if (number < 0)
			return number;
		snprintf(path, sizeof(path), "/proc/%d", number);
	}
	target->proc = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (target->proc < 0)
		return -errno;
	/* The process lives: so the folder is its own, not that of the next one so numbered. */
	return pid && has_ended(target->pidfd) ? -ESRCH : 0;
}

static int open_namespaces(struct container_ns *target)
{
	struct stat st;

	target->fds = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (target->fds < 0 || fstat(target->proc, &st))
		return -errno;
	target->uid = st.st_uid;
	target->gid = st.st_gid;
	target->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (target->folder < 0)
		return -errno;
	if (target->pidfd < 0)
		return 0;
	target->home = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	if (target->home < 0)
		return -errno;
	target->mounts = openat(target->proc, "ns/mnt", O_RDONLY | O_CLOEXEC);
	return target->mounts < 0 ? -errno : 0;
}

int container_ns_open(struct container_ns *target, pid_t pid, char why[WHY_SIZE])
{
	int ret;

	*target = (struct container_ns)CONTAINER_NS_CLOSED;
	ret = open_process(target, pid);
	if (!ret)
		ret = open_namespaces(target);
	if (!ret)
		return 0;
	container_ns_close(target);
	return why_fail(why, ret, "process %d, of the container: %s", pid, strerror(-ret));
}

/* Enters its mount namespace; the working folder is its root. -ESRCH: the process has ended */
int container_ns_enter(const struct container_ns *target, char why[WHY_SIZE])
{
	if (target->pidfd < 0)
		return 0;
	if (setns(target->mounts, CLONE_NEWNS))
		return why_fail(why, -errno, "to enter the container's mount namespace: %s",
				strerror(errno));
	if (!has_ended(target->pidfd))
		return 0;
	why_fail(why, 0, "the container's process has ended meanwhile");
	return -ESRCH;
}

int container_ns_leave(const struct container_ns *target, char why[WHY_SIZE])
{
	if (target->pidfd >= 0 && setns(target->home, CLONE_NEWNS))
		return why_fail(why, -errno, "to leave the container's mount namespace: %s",
				strerror(errno));
	if (fchdir(target->folder))
		return why_fail(why, -errno, "to be in the working folder again: %s",
				strerror(errno));
	return 0;
}

void container_ns_close(struct container_ns *target)
{
	int *fds[] = { &target->pidfd, &target->proc, &target->mounts,
		&target->home, &target->folder, &target->fds };
	size_t i;

	for (i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}
