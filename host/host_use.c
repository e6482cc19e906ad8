// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time and memory of processes that are asked for: by one file, once in a reading.
 */
#include <unistd.h>

#include "host/host.h"
#include "lib/clock.h"

#define KEEP	2	/* readings: CPU is that of the time since the last one */

void host_uses_begin(struct recent *uses)
{
	recent_begin(uses, sizeof(struct host_use), KEEP);
}

static void read_use(struct host_use *use)
{
	struct host_use before = *use;
	uint64_t now = clock_ms() * 1000;
	double seconds;

	*use = (struct host_use){ .thing = before.thing };
	if (proc_stat_of((pid_t)use->thing.id, &use->stat))
		return;
	use->is_there = true;
	use->read_us = now;
	if (!before.is_there || before.stat.start != use->stat.start || now <= before.read_us)
		return;
	seconds = (double)(now - before.read_us) / 1e6;
	use->has_cpu = true;
	use->cpu = (uint64_t)((double)(use->stat.ticks - before.stat.ticks) /
			      (double)sysconf(_SC_CLK_TCK) / seconds * 10000);
}

const struct host_use *host_uses_get(struct recent *uses, pid_t pid)
{
	struct host_use *use = recent_add(uses, (uint64_t)pid);

	if (use->thing.seen != uses->reading) {
		/* Time that it took while nobody asked is not of this moment. */
		use->is_there = use->is_there && !recent_is_old(uses, &use->thing);
		use->thing.seen = uses->reading;
		read_use(use);
	}
	return use;
}
