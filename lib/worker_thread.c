// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that does one thing when asked: see worker_thread.h.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/worker_thread.h"

/* The value written to @asked. */
#define WORK	1
#define END	(1ull << 32)

static void *serve(void *arg)
{
	struct worker_thread *worker = arg;
	eventfd_t asked = 0;
	sigset_t all;

	/* Signals are for the thread that waits for them. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!eventfd_read(worker->asked, &asked) && asked < END) {
		worker->work(worker->arg);
		eventfd_write(worker->done, 1);
	}
	return NULL;
}

int worker_thread_start(struct worker_thread *worker, void (*work)(void *arg), void *arg)
{
	int ret;

	*worker = (struct worker_thread){ .work = work, .arg = arg };
	worker->asked = eventfd(0, EFD_CLOEXEC);
	if (worker->asked < 0)
		return -errno;
	worker->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (worker->done < 0) {
		ret = -errno;
		goto close_asked;
	}
	ret = -pthread_create(&worker->thread, NULL, serve, worker);
	if (!ret)
		return 0;
	close(worker->done);
close_asked:
	close(worker->asked);
	return ret;
}

void worker_thread_ask(struct worker_thread *worker)
{
	if (worker->busy)
		return;
	worker->busy = true;
	worker->since_ms = clock_ms();
	eventfd_write(worker->asked, WORK);
}

bool worker_thread_is_done(struct worker_thread *worker)
{
	eventfd_t done;

	if (eventfd_read(worker->done, &done))
		return false;
	worker->busy = false;
	return true;
}

uint64_t worker_thread_busy_ms(const struct worker_thread *worker)
{
	return worker->busy ? clock_ms() - worker->since_ms : 0;
}

bool worker_thread_stop(struct worker_thread *worker)
{
	worker_thread_is_done(worker);
	if (worker->busy)
		return false;
	eventfd_write(worker->asked, END);
	pthread_join(worker->thread, NULL);
	close(worker->asked);
	close(worker->done);
	return true;
}
