// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command where something is missing that MPU needs of the kernel: a filter makes
 * the call fail as a kernel does that has not got it, or a profile that forbids it.
 *
 *	forbid WHAT COMMAND...	see things[]; several: forbid WHAT forbid WHAT COMMAND...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/seccomp.h"

#define ANY	.mask = 0, .value = 0
#define WITH(bits)	.mask = (bits), .value = (bits)

/*
 * Calls that fail with @error: those whose second argument, or, of seccomp(2), first
 * one, has @value where @mask is set.
 */
static const struct thing {
	const char *name;
	unsigned int call, mask, value, error;
} things[] = {
	{ "memory", SYS_process_vm_readv, ANY, EPERM },
	{ "writing", SYS_process_vm_writev, ANY, EPERM },
	{ "mounts", SYS_mount, ANY, EPERM },
	{ "sizes", SYS_seccomp, .mask = ~0u, .value = SECCOMP_GET_NOTIF_SIZES, EINVAL },
	{ "listeners", SYS_seccomp, .mask = ~0u, .value = SECCOMP_SET_MODE_FILTER, EINVAL },
	{ "continue", SYS_ioctl, .mask = ~0u,
	  .value = (unsigned int)SECCOMP_IOCTL_NOTIF_SEND, EINVAL },
	{ "pidfd_open", SYS_pidfd_open, ANY, ENOSYS },
	{ "pidfd_thread", SYS_pidfd_open, WITH(PIDFD_THREAD), EINVAL },
	{ "pidfd_send_signal", SYS_pidfd_send_signal, ANY, ENOSYS },
	{ "pidfd_getfd", SYS_pidfd_getfd, ANY, ENOSYS },
	{ "kcmp", SYS_kcmp, ANY, ENOSYS },
	{ "openat2", SYS_openat2, ANY, ENOSYS },
	{ "clone3", SYS_clone3, ANY, ENOSYS },
	{ "close_range", SYS_close_range, ANY, ENOSYS },
	{ "mount_setattr", SYS_mount_setattr, ANY, ENOSYS },
};

static const struct thing *find_thing(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(things) / sizeof(*things); i++)
		if (!strcmp(things[i].name, name))
			return &things[i];
	return NULL;
}

static int forbid(const struct thing *thing)
{
	const struct sock_filter first = LOAD(args[0]), second = LOAD(args[1]);
	const struct sock_filter program[] = {
		LOAD(nr),
		IF(thing->call, 0, 4),
		thing->call == SYS_seccomp ? first : second,
		AND(thing->mask),
		IF(thing->value, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | thing->error),
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog fprog = {
		sizeof(program) / sizeof(*program), (struct sock_filter *)program,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog);
}

/* The file is one for as long as somebody has it open. */
static int take_listener(void)
{
	int fd = filter_install();

	return fd < 0 ? fd : fcntl(fd, F_SETFD, 0);
}

int main(int argc, char **argv)
{
	const struct thing *thing = argc > 2 ? find_thing(argv[1]) : NULL;

	if (!thing && (argc < 3 || strcmp(argv[1], "listener") != 0)) {
		fprintf(stderr, "forbid: see things[] of tests/notify/forbid.c\n");
		return 99;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || (thing ? forbid(thing) : take_listener())) {
		perror("forbid");
		return 99;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 99;
}
