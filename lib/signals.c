// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals that are read: see signals.h.
 */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "lib/signals.h"

int signals_hold(const int *signals)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	while (*signals)
		sigaddset(&set, *signals++);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
