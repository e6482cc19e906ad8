// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits the privileges of a program that works inside of containers.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/rootfs/internal.h"
#include "lib/caps.h"
#include "lib/fds.h"

#define CAP(name)	((uint64_t)1 << CAP_##name)

/* The phases of libnvidia-container. */
static const uint64_t phases[] = {
	[PHASE_INIT] = CAP(KILL) | CAP(SETUID) | CAP(SETGID) | CAP(SYS_CHROOT),
	[PHASE_KMODS] = CAP(KILL) | CAP(SETUID) | CAP(SETGID) | CAP(SYS_CHROOT) |
		CAP(CHOWN) | CAP(FOWNER) | CAP(MKNOD) | CAP(SETPCAP),
	[PHASE_CONTAINER] = CAP(KILL) | CAP(DAC_READ_SEARCH) | CAP(SYS_PTRACE),
	[PHASE_INFO] = CAP(KILL),
	[PHASE_MOUNT] = CAP(KILL) | CAP(NET_ADMIN) | CAP(SETUID) | CAP(SETGID) |
		CAP(SYS_CHROOT) | CAP(SYS_ADMIN) | CAP(DAC_READ_SEARCH) |
		CAP(SYS_PTRACE) | CAP(DAC_OVERRIDE),
};

/* Needed by modprobe. */
#define BOUNDING	CAP(SYS_MODULE)

/*
 * A static program obeys none of them today; glibc's loader, iconv and name
 * services would, and so would what a hook was started from by mistake.
 */
static int clear_loader(void)
{
	extern char **environ;
	char **at = environ;
	char name[256];
	size_t len;

	while (at && *at) {
		len = strcspn(*at, "=");
		if ((strncmp(*at, "LD_", 3) && strncmp(*at, "GLIBC_", 6) &&
		     strncmp(*at, "GCONV_PATH=", 11)) || len >= sizeof(name)) {
			at++;
			continue;
		}
		memcpy(name, *at, len);
		name[len] = '\0';
		if (unsetenv(name))
			return -errno;
	}
	return 0;
}

int rootfs_harden(char why[WHY_SIZE])
{
	/* BPF programs count as locked memory before Linux 5.11. */
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	uint64_t permitted = 0;
	int none, ret;
	size_t i;

	for (i = 0; i < sizeof(phases) / sizeof(*phases); i++)
		permitted |= phases[i];
	fd_open_standard();
	umask(022);
	/* A failure shows, with advice, where the limit is reached. */
	setrlimit(RLIMIT_MEMLOCK, &all);
	fd_limit_raise();
	ret = fd_close_others(&none, 0, 0);
	if (!ret)
		ret = clear_loader();
	if (!ret && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		ret = -errno;
	if (!ret)
		ret = caps_limit(permitted | BOUNDING, caps_has(CAP_SETPCAP) ? BOUNDING : ~0ull);
	return ret ? why_fail(why, ret, "permission error: to give up what is not needed: %s",
			      strerror(-ret)) : 0;
}

int rootfs_phase(enum rootfs_phase phase, char why[WHY_SIZE])
{
	int ret = caps_set(phases[phase]);

	return ret ? why_fail(why, ret, "permission error: to change capabilities: %s",
			      strerror(-ret)) : 0;
}
