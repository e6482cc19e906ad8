/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that does one thing, once each time that it is asked for: it may hang, and
 * whoever asked goes on.
 */
#ifndef MPU_LIB_BACKGROUND_H
#define MPU_LIB_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct background - the thread; @done alone is for others to read
 * @work:	what is done; while background_is_busy(), what @arg leads to is its own
 * @asked:	eventfd: start
 * @done:	eventfd, readable once it has been done: to be polled
 * @busy:	it was asked for, and background_take() has not said yes since
 * @since_ms:	when that was, on the clock of clock_ms()
 */
struct background {
	void (*work)(void *arg);
	void *arg;
	pthread_t thread;
	int asked;
	int done;
	bool busy;
	uint64_t since_ms;
};

/**
 * background_start() - start the thread, which waits, and takes no signals
 *
 * Return: 0 or negative errno.
 */
int background_start(struct background *background, void (*work)(void *arg),
		     void *arg);

/** background_ask() - have it done, unless it is being done */
void background_ask(struct background *background);

/** background_take() - has it been done since it was asked for? Says yes once. */
bool background_take(struct background *background);

/** background_busy_ms() - for how long it is being done now; 0: it is not */
uint64_t background_busy_ms(const struct background *background);

/**
 * background_stop() - end the thread
 *
 * Return: false: it is busy, and stays until the process ends.
 */
bool background_stop(struct background *background);

#endif /* MPU_LIB_BACKGROUND_H */
