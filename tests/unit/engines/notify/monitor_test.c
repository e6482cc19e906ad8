// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of engines/notify/monitor.c, with a worker that listens to nobody.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/fds.h"
#include "tests/unit/unit.h"

#define LISTENERS	600	/* more than messages find room for in a socket */
#define HANGS_S		60	/* no host is that busy */

static struct monitor monitor;

/* Looks at the state when all is there, ends all but the last listener, and does nothing more. */
static void be_worker(const struct monitor *ours)
{
	struct state *state = ours->state;
	int i;

	while (state->news[LISTENERS - 1] != NEWS_REFUSED)
		usleep(1000);
	for (i = 0; i < LISTENERS - 1; i++) {
		if (state->news[i] != NEWS_LISTENER ||
		    syscall(SYS_pidfd_getfd, ours->pidfd, state->slot[i].offer, 0) < 0)
			_exit(1);
		state->news[i] = NEWS_ENDED;
		eventfd_write(ours->wake, 1);
	}
	pause();
}

TEST("a monitor never waits for a worker that listens to nobody, and hears it")
{
	const struct monitor_options options = { 0 };
	struct pollfd polls[MONITOR_POLLS];
	int i;

	fd_limit_raise();
	alarm(HANGS_S);
	monitor_init(&monitor, be_worker);
	assert_int_equal(monitor_start(&monitor, &options), 0);
	for (i = 0; i < LISTENERS; i++)
		assert_int_equal(monitor_add(&monitor, open("/dev/null", O_RDONLY)), i);
	assert_false(monitor_ask(&monitor, 10));
	monitor_refuse(&monitor, LISTENERS - 1);
	assert_int_equal(monitor.state->refused, 1);
	while (monitor_listeners(&monitor) > 1)
		monitor_wait(&monitor, polls, MONITOR_POLLS, -1);
	assert_int_equal(monitor.state->restarts, 0);
	/* Word that it has ended is not lost to word that it is refused. */
	monitor.state->news[LISTENERS - 1] = NEWS_ENDED;
	monitor_refuse(&monitor, LISTENERS - 1);
	assert_int_equal(monitor.state->news[LISTENERS - 1], NEWS_ENDED);
	monitor_stop(&monitor);
}
