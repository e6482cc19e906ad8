// SPDX-License-Identifier: GPL-2.0-only
/*
 * A limit of the CPU time that the worker spends on the calls of one container, and by
 * which a container could slow the host down: to handle a call takes up to nine times as
 * long as to make it (/dev/null, Linux 6.18). Beyond its share the container waits.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/notify/internal.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct budget *list;

static struct budget *make(const char *name, unsigned int percent)
{
	size_t size = strlen(name) + 1;
	struct budget *budget = calloc(1, sizeof(*budget) + size);

	if (!budget)
		return NULL;
	budget->name = memcpy(budget + 1, name, size);
	budget->percent = percent;
	pthread_mutex_init(&budget->lock, NULL);
	budget->next = list;
	list = budget;
	return budget;
}

struct budget *budget_join(const char *name, unsigned int percent)
{
	struct budget *budget;

	pthread_mutex_lock(&list_lock);
	budget = *name ? list : NULL;
	while (budget && strcmp(budget->name, name))
		budget = budget->next;
	if (!budget)
		budget = make(name, percent);
	if (budget)
		budget->users++;
	pthread_mutex_unlock(&list_lock);
	return budget;
}

void budget_leave(struct budget *budget)
{
	struct budget **at = &list;

	if (!budget)
		return;
	pthread_mutex_lock(&list_lock);
	if (!--budget->users) {
		while (*at != budget)
			at = &(*at)->next;
		*at = budget->next;
		free(budget);
	}
	pthread_mutex_unlock(&list_lock);
}

/* @used: CPU time since the thread last charged it. Return: ns that the thread is to rest. */
u64 budget_charge(struct budget *budget, u64 now, u64 used)
{
	u64 share, rest = 0;

	pthread_mutex_lock(&budget->lock);
	/* Threads read the clock before they get here, in any order. */
	share = now > budget->charged ? (now - budget->charged) * budget->percent / 100 : 0;
	budget->taken += used;
	budget->taken -= share < budget->taken ? share : budget->taken;
	if (now > budget->charged)
		budget->charged = now;
	if (budget->taken > BUDGET_ADVANCE)
		rest = (budget->taken - BUDGET_ADVANCE) * 100 / budget->percent;
	pthread_mutex_unlock(&budget->lock);
	return rest;
}
