// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that does one thing when asked: see background.h.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/background.h"
#include "lib/clock.h"

/* The value written to @asked. */
#define WORK	1
#define END	(1ull << 32)

static void *serve(void *arg)
{
	struct background *background = arg;
	eventfd_t asked = 0;
	sigset_t all;

	/* Signals are for the thread that waits for them. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!eventfd_read(background->asked, &asked) && asked < END) {
		background->work(background->arg);
		eventfd_write(background->done, 1);
	}
	return NULL;
}

int background_start(struct background *background, void (*work)(void *arg),
		     void *arg)
{
	int ret;

	*background = (struct background){ .work = work, .arg = arg };
	background->asked = eventfd(0, EFD_CLOEXEC);
	if (background->asked < 0)
		return -errno;
	background->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (background->done < 0) {
		ret = -errno;
		goto close_asked;
	}
	ret = -pthread_create(&background->thread, NULL, serve, background);
	if (!ret)
		return 0;
	close(background->done);
close_asked:
	close(background->asked);
	return ret;
}

void background_ask(struct background *background)
{
	if (background->busy)
		return;
	background->busy = true;
	background->since_ms = clock_ms();
	eventfd_write(background->asked, WORK);
}

bool background_take(struct background *background)
{
	eventfd_t done;

	if (eventfd_read(background->done, &done))
		return false;
	background->busy = false;
	return true;
}

uint64_t background_busy_ms(const struct background *background)
{
	return background->busy ? clock_ms() - background->since_ms : 0;
}

bool background_stop(struct background *background)
{
	background_take(background);
	if (background->busy)
		return false;
	eventfd_write(background->asked, END);
	pthread_join(background->thread, NULL);
	close(background->asked);
	close(background->done);
	return true;
}
