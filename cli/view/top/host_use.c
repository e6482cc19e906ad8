// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processor time and memory of processes, in a hash table: see host_use.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/view/top/host_use.h"
#include "lib/clock.h"
#include "lib/host.h"
#include "lib/proc.h"

#define SIZE_MIN	64

/* The slot of @pid, or the free one where it would be; the table is never full. */
static struct host_use *find_slot(const struct host_uses *uses, pid_t pid)
{
	size_t i = (size_t)pid & (uses->size - 1);

	while (uses->slot[i].pid && uses->slot[i].pid != pid)
		i = (i + 1) & (uses->size - 1);
	return &uses->slot[i];
}

static bool is_new(const struct host_uses *uses, const struct host_use *use)
{
	return use->pid && uses->reading - use->reading <= 1;
}

/* Moves what is asked for to a table with room for twice as much. */
static bool rebuild(struct host_uses *uses)
{
	struct host_uses new = { .reading = uses->reading, .size = SIZE_MIN };
	size_t i;

	for (i = 0; i < uses->size; i++)
		new.used += is_new(uses, &uses->slot[i]);
	while (new.size < 4 * new.used)
		new.size *= 2;
	new.slot = calloc(new.size, sizeof(*new.slot));
	if (!new.slot)
		return false;
	for (i = 0; i < uses->size; i++)
		if (is_new(uses, &uses->slot[i]))
			*find_slot(&new, uses->slot[i].pid) = uses->slot[i];
	free(uses->slot);
	*uses = new;
	return true;
}

void host_uses_begin(struct host_uses *uses)
{
	uses->reading++;
}

static bool read_stat(pid_t pid, struct proc_stat *stat)
{
	char path[256];
	int folder, ret;

	if (host_path(path, sizeof(path), "/proc/%d", pid))
		return false;
	folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return false;
	ret = proc_stat(folder, stat);
	close(folder);
	return !ret;
}

static void read_use(struct host_use *use)
{
	struct host_use before = *use;
	uint64_t now = clock_ms() * 1000;
	struct proc_stat stat;
	double seconds;

	*use = (struct host_use){ .pid = before.pid, .reading = before.reading };
	if (!read_stat(use->pid, &stat))
		return;
	use->is_there = true;
	use->parent = stat.parent;
	use->memory = stat.pages * (uint64_t)sysconf(_SC_PAGESIZE);
	use->start = stat.start;
	use->ticks = stat.ticks;
	use->read_us = now;
	snprintf(use->name, sizeof(use->name), "%.15s", stat.name);
	if (!before.is_there || before.start != use->start || now <= before.read_us)
		return;
	seconds = (double)(now - before.read_us) / 1e6;
	use->has_cpu = true;
	use->cpu = (uint64_t)((double)(use->ticks - before.ticks) /
			      (double)sysconf(_SC_CLK_TCK) / seconds * 10000);
}

const struct host_use *host_uses_get(struct host_uses *uses, pid_t pid)
{
	struct host_use *use;

	if (2 * uses->used >= uses->size && !rebuild(uses))
		return NULL;
	use = find_slot(uses, pid);
	uses->used += !use->pid;
	if (!use->pid || use->reading != uses->reading) {
		/* Time that it took while nobody asked is not of this moment. */
		use->is_there = use->is_there && is_new(uses, use);
		use->pid = pid;
		use->reading = uses->reading;
		read_use(use);
	}
	return use;
}

void host_uses_free(struct host_uses *uses)
{
	free(uses->slot);
	*uses = (struct host_uses){ 0 };
}
