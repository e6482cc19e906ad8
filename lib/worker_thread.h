/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that does one thing, once each time that it is asked for: it may hang, and
 * whoever asked goes on.
 */
#ifndef MPU_LIB_WORKER_THREAD_H
#define MPU_LIB_WORKER_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct worker_thread - the thread; @done alone is for others to read
 * @work:	while this is done, what @arg leads to is its own
 * @done:	eventfd, readable once it has been done: to be polled
 * @busy:	asked for at @since_ms, and worker_thread_is_done() has not said yes since
 */
struct worker_thread {
	void (*work)(void *arg);
	void *arg;
	pthread_t thread;
	int asked;
	int done;
	bool busy;
	uint64_t since_ms;
};

/** worker_thread_start() - the thread takes no signals. Return: 0 or negative errno */
int worker_thread_start(struct worker_thread *worker, void (*work)(void *arg), void *arg);

/** worker_thread_ask() - have it done, unless it is being done */
void worker_thread_ask(struct worker_thread *worker);

/** worker_thread_is_done() - has it been done since it was asked for? Says yes once. */
bool worker_thread_is_done(struct worker_thread *worker);

/** worker_thread_busy_ms() - for how long it is being done now; 0: it is not */
uint64_t worker_thread_busy_ms(const struct worker_thread *worker);

/** worker_thread_stop() - Return: false: it is busy, and stays until the process ends */
bool worker_thread_stop(struct worker_thread *worker);

#endif /* MPU_LIB_WORKER_THREAD_H */
