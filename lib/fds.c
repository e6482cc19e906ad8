// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptors: see fds.h.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/fds.h"

#define ROOM	16	/* descriptors of one message */

int fd_write_all(int fd, const void *data, size_t size)
{
	const char *at = data;
	ssize_t n;

	for (; size; at += n, size -= (size_t)n) {
		n = write(fd, at, size);
		if (n < 0 && errno != EINTR)
			return -errno;
		n = n < 0 ? 0 : n;
	}
	return 0;
}

ssize_t fd_read_full(int fd, void *data, size_t size)
{
	size_t len = 0;
	ssize_t n = 1;

	while (n && len < size) {
		n = read(fd, (char *)data + len, size - len);
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)len;
}

ssize_t fd_read_all(int fd, char *text, size_t size)
{
	ssize_t len = fd_read_full(fd, text, size);

	return len == (ssize_t)size ? -EFBIG : len;
}

int fd_send(int sock, const void *data, size_t size, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov = { (void *)data, size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;
	ssize_t n;

	if (fd >= 0) {
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	do {
		n = sendmsg(sock, &msg, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == size ? 0 : -EIO;
}

/* Take over descriptors, as far as there is room. Return: how many there were. */
static size_t take_fds(struct cmsghdr *c, int *fd, size_t room, size_t *fds)
{
	size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int), i;

	for (i = 0; i < n; i++) {
		int one;

		memcpy(&one, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
		if (*fds < room)
			fd[(*fds)++] = one;
		else
			close(one);
	}
	return n;
}

static ssize_t receive(int sock, void *data, size_t size, int *fd, size_t room,
		       size_t *fds, int flags)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(ROOM * sizeof(int))];
	struct iovec iov = { data, size };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;
	size_t came = 0;
	ssize_t n;

	*fds = 0;
	do {
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC | flags);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
			came += take_fds(c, fd, room, fds);
	if (came <= room && !(msg.msg_flags & MSG_CTRUNC))
		return n;
	while (*fds)
		close(fd[--*fds]);
	return came > room ? -E2BIG : -EMSGSIZE;
}

ssize_t fd_receive(int sock, void *data, size_t size, int *fd, size_t room, size_t *fds)
{
	return receive(sock, data, size, fd, room, fds, 0);
}

ssize_t fd_peek(int sock, void *data, size_t size, int *fd, size_t room, size_t *fds)
{
	return receive(sock, data, size, fd, room, fds, MSG_PEEK);
}

void fd_open_standard(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int compare_fds(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int close_listed(unsigned int first, unsigned int last)
{
	DIR *folder = opendir("/proc/thread-self/fd");
	struct dirent *entry;
	unsigned int fd;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		fd = (unsigned int)strtoul(entry->d_name, NULL, 10);
		if (isdigit((unsigned char)entry->d_name[0]) && fd >= first &&
		    fd <= last && fd != (unsigned int)dirfd(folder))
			close((int)fd);
	}
	closedir(folder);
	return 0;
}

int fd_close_range(unsigned int first, unsigned int last, unsigned int flags)
{
	if (!syscall(__NR_close_range, first, last, flags))
		return 0;
	if (errno != ENOSYS)
		return -errno;
	if (flags & CLOSE_RANGE_UNSHARE && unshare(CLONE_FILES))
		return -errno;
	return close_listed(first, last);
}

int fd_close_others(int *keep, size_t n, unsigned int flags)
{
	unsigned int first = STDERR_FILENO + 1, next;
	size_t i;
	int ret;

	if (n)
		qsort(keep, n, sizeof(*keep), compare_fds);
	for (i = 0; i <= n; i++) {
		next = i < n ? (unsigned int)keep[i] : ~0u;
		if (i < n && keep[i] <= STDERR_FILENO)
			continue;
		if (next > first) {
			ret = fd_close_range(first, next - 1, flags);
			if (ret)
				return ret;
			flags = 0;
		}
		first = next + 1;
	}
	return 0;
}

void fd_limit_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
