// SPDX-License-Identifier: GPL-2.0-only
/*
 * A storm of signals: see storm.h.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#include "tests/conformance/storm.h"

#define PATIENCE	50	/* signals in one call */

static long interval_us = 500;
static volatile sig_atomic_t in_call;

static void set_timer(long us)
{
	struct itimerval it = {
		.it_interval = { us / 1000000, us % 1000000 },
		.it_value = { us / 1000000, us % 1000000 },
	};

	setitimer(ITIMER_REAL, &it, NULL);
}

static void on_alarm(int unused)
{
	(void)unused;
	if (++in_call % PATIENCE)
		return;
	interval_us *= 2;
	set_timer(interval_us);
}

int storm_begin(void)
{
	struct sigaction action = {
		.sa_handler = on_alarm, .sa_flags = SA_RESTART,
	};

	if (sigaction(SIGALRM, &action, NULL))
		return -errno;
	in_call = 0;
	set_timer(interval_us);
	return 0;
}

void storm_end(void)
{
	set_timer(0);
}
