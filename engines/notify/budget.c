// SPDX-License-Identifier: GPL-2.0-only
/*
 * A limit of the CPU time that the worker spends on the calls of one container, and by
 * which a container could slow the host down: to handle a call takes up to nine times as
 * long as to make it (/dev/null, Linux 6.18). Beyond its share the container waits. All
 * containers together have a limit, too, so that many of them do not slow down one that calls
 * now and then.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/notify/internal.h"

#define SECOND		1000000000ull
#define ALL_ADVANCE	20000000ull	/* ns that all may take at once beyond their limit */
#define FAIR_ADVANCE	2000000ull	/* and that one may beyond its part, where they do */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct budget *list;

/* All containers together; @active: have called in @second, @before: before it */
static struct {
	unsigned int percent;
	struct bucket bucket;
	u64 second;
	unsigned int active, before;
} all;

static struct budget *make(const char *name, unsigned int percent)
{
	size_t size = strlen(name) + 1;
	struct budget *budget = calloc(1, sizeof(*budget) + size);

	if (!budget)
		return NULL;
	budget->name = memcpy(budget + 1, name, size);
	budget->percent = percent;
	budget->next = list;
	list = budget;
	return budget;
}

struct budget *budget_join(const char *name, unsigned int percent)
{
	struct budget *budget;

	pthread_mutex_lock(&lock);
	budget = *name ? list : NULL;
	while (budget && strcmp(budget->name, name))
		budget = budget->next;
	if (!budget)
		budget = make(name, percent);
	if (budget)
		budget->users++;
	pthread_mutex_unlock(&lock);
	return budget;
}

void budget_leave(struct budget *budget)
{
	struct budget **at = &list;

	if (!budget)
		return;
	pthread_mutex_lock(&lock);
	if (!--budget->users) {
		while (*at != budget)
			at = &(*at)->next;
		*at = budget->next;
		free(budget);
	}
	pthread_mutex_unlock(&lock);
}

/*
 * Takes @used from a bucket into which @rate runs, in ten thousandths of a CPU. Return: ns until
 * no more than @advance is missing.
 */
static u64 take(struct bucket *bucket, u64 now, u64 used, u64 rate, u64 advance)
{
	/* Threads read the clock before they get here, in any order. */
	u64 share = now > bucket->charged ? (now - bucket->charged) / 10000 * rate : 0;

	bucket->taken += used;
	bucket->taken -= share < bucket->taken ? share : bucket->taken;
	if (now > bucket->charged)
		bucket->charged = now;
	return bucket->taken > advance ? (bucket->taken - advance) * 10000 / rate : 0;
}

/* Counts the containers that call now. */
static unsigned int count_active(struct budget *budget, u64 now)
{
	if (all.second != now / SECOND) {
		all.before = all.active;
		all.active = 0;
		all.second = now / SECOND;
	}
	all.active += budget->second != all.second;
	budget->second = all.second;
	return all.active > all.before ? all.active : all.before;
}

void budget_limit_all(unsigned int percent)
{
	all.percent = percent;
}

/*
 * @used: CPU time since the thread last charged it. Return: ns that the thread is to rest. Where
 * all together have more than is for all, who has more than an equal part of it rests at once.
 */
u64 budget_charge(struct budget *budget, u64 now, u64 used)
{
	u64 rest, fair, part;
	unsigned int n;
	bool scarce;

	pthread_mutex_lock(&lock);
	n = count_active(budget, now);
	part = (all.percent * 100ull + n - 1) / n;	/* not 0 */
	scarce = all.percent && take(&all.bucket, now, used, all.percent * 100ull, ALL_ADVANCE);
	rest = take(&budget->own, now, used, budget->percent * 100ull, BUDGET_ADVANCE);
	fair = all.percent ? take(&budget->fair, now, used, part, FAIR_ADVANCE) : 0;
	if (!scarce || n == 1)
		budget->fair.taken = 0;
	else if (fair > rest)
		rest = fair < SECOND ? fair : SECOND;
	pthread_mutex_unlock(&lock);
	return rest;
}
