// SPDX-License-Identifier: GPL-2.0-only
/*
 * How an ioctl enters the driver: see suite.h.
 */
#include <signal.h>
#include <sys/syscall.h>

#include "tests/conformance/suite.h"

static enum entry_path taken;

void entry_path_take(enum entry_path path)
{
	taken = path;
}

void *entry_path_alloc(enum entry_path path, u32 size)
{
	return path < ENTRY_COMPAT ? malloc(size) : compat_alloc(size);
}

void entry_path_free(enum entry_path path, void *memory)
{
	if (path < ENTRY_COMPAT)
		free(memory);
	else if (memory)
		compat_free();
}

/* ioctl(2) of a 32-bit program: arguments below 4 GiB. */
static int compat_ioctl(int fd, u32 request, void *low)
{
	long ret = compat_call(COMPAT_IOCTL, fd, request, low);

	if (ret >= 0)
		return (int)ret;
	errno = (int)-ret;
	return -1;
}

/* The argument lies where a call of this way can point at, and in the wrap of XFER. */
static int moved_ioctl(int fd, u32 request, void *arg)
{
	bool compat = taken != ENTRY_XFER, xfer = taken != ENTRY_COMPAT;
	u32 size = _IOC_SIZE(request);
	struct nv_xfer *wrap = entry_path_alloc(taken, sizeof(*wrap) + size);
	void *moved = wrap + 1, *low = xfer ? (void *)wrap : moved;
	int ret, err;

	if (!wrap) {
		errno = ENOMEM;
		return -1;
	}
	*wrap = (struct nv_xfer){ _IOC_NR(request), size, (uintptr_t)moved };
	memcpy(moved, arg, size);
	if (xfer)
		request = _IOWR('F', NV_ESC_XFER, struct nv_xfer);
	ret = compat ? compat_ioctl(fd, request, low) : ioctl(fd, request, low);
	err = errno;
	memcpy(arg, moved, size);
	entry_path_free(taken, wrap);
	errno = err;
	return ret;
}

/* ioctl(2) takes the low halves of these two registers; filters see all of them. */
#define HIGH	0x5a5a5a5a00000000ul

static int way_ioctl(int fd, unsigned long request, void *arg)
{
	u32 size = _IOC_SIZE(request), nr = _IOC_NR(request);

	switch (taken) {
	case ENTRY_PLAIN:
		return ioctl(fd, request, arg);
	case ENTRY_BITS:
		return ioctl(fd, _IOC(_IOC_NONE, 'z', nr, size), arg);
	case ENTRY_HALVES:
		return (int)syscall(SYS_ioctl, HIGH | fd, HIGH | request, arg);
	default:
		return moved_ioctl(fd, request, arg);
	}
}

static int way_open(const char *path, int flags)
{
	return open(path, flags);
}

const struct rm_ops way_ops = { way_open, way_ioctl, close };

/* Return: an errno: ENOEXEC is the kernel's word for programs that it does not run. */
static int try_compat(void)
{
	long ret = compat_call(COMPAT_GETPID, 0, 0, NULL);

	return ret >= 0 ? 0 : ret == -ENOEXEC ? ENOSYS : EIO;
}

/* Tried in a child: it may be a fault. */
int entry_path_works(void *path)
{
	void (*old)(int);
	int status = -1;
	pid_t pid;

	if (*(u32 *)path < ENTRY_COMPAT)
		return 0;
	/* An actor ignores it: its children are reaped, and leave no status. */
	old = signal(SIGCHLD, SIG_DFL);
	pid = fork();
	if (!pid)
		_exit(try_compat());
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGCHLD, old);
	if (pid < 0 || status == -1)
		return -EIO;
	if (WIFSIGNALED(status))
		return -ENOSYS;
	return -WEXITSTATUS(status);
}
