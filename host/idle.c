// SPDX-License-Identifier: GPL-2.0-only
/*
 * Since when processes have used no engine of their GPU: mpu metrics, which reads all the time,
 * keeps it in a file of its service, for every command and for itself after a restart.
 */
#include <inttypes.h>
#include <stdio.h>

#include "host/internal.h"
#include "lib/clock.h"
#include "lib/hash.h"
#include "lib/host.h"

#define IDLE_FOLDER	"/run/mpu-metrics"	/* the service's, of systemd */
#define STALE_MS	30000	/* an older file is of one that has ended, or hangs */

/*
 * @start: of the process, for another may get its PID
 * @used_ms: when it was seen to use an engine last, or was seen first; by clock_ms()
 */
struct idle_process {
	struct recent_thing thing;
	uint64_t start, used_ms;
};

static uint64_t find_id(const struct usage *usage, const struct usage_process *process)
{
	uint64_t id = hash_text(hash_word(HASH_BEGIN, (uint64_t)process->process->pid),
				usage->gpus[process->gpu].gpu.uuid);

	return id ? id : 1;
}

/*
 * Reads the file, whose first line says when it was written: a clock that begins with the machine,
 * as /run does. A version that did not know the start wrote lines without a colon.
 */
static void read_file(struct recent *idles, struct usage *usage)
{
	FILE *file = host_fopen("%s", IDLE_FOLDER "/idle");
	struct idle_process *idle;
	uint64_t id, start, ms = 0;

	if (!file)
		return;
	if (fscanf(file, "%" SCNu64, &ms) == 1 && ms > usage->at_ms && ms <= clock_ms())
		usage->at_ms = ms;	/* its writer has read while we did */
	if (usage->at_ms - ms < STALE_MS)
		usage->before_ms = ms;
	else
		ms = 0;
	while (ms && fscanf(file, "%" SCNx64 ":%" SCNu64 " %" SCNu64, &id, &start, &ms) == 3) {
		idle = recent_add(idles, id);
		idle->thing.seen = idles->reading;
		idle->start = start;
		idle->used_ms = ms;
	}
	fclose(file);
}

static bool is_used(const struct usage_process *process)
{
	size_t i;

	for (i = 0; i < RM_ENGINES; i++)
		if (process->utilisation[i])
			return true;
	return false;
}

/*
 * Finds it for the processes of a reading. @idles: what is known, from one reading to the next;
 * who does not keep it reads the file each time, and knows nothing of others
 */
void idle_find(struct recent *idles, struct usage *usage, bool keeps)
{
	struct usage_process *process = usage->processes;
	struct idle_process *idle;

	recent_begin(idles, sizeof(*idle), keeps ? 2 : 1);
	if (!keeps || idles->reading == 1)
		read_file(idles, usage);
	for (; process < usage->processes + usage->n_processes; process++) {
		const uint64_t id = find_id(usage, process), start = process->process->start;
		bool is_known;

		idle = recent_find(idles, id);
		is_known = idle && !recent_is_old(idles, &idle->thing) &&
			   (!start || start == idle->start);
		if (!usage->gpus[process->gpu].has_utilisation || !(keeps || is_known))
			continue;
		idle = recent_add(idles, id);
		idle->thing.seen = idles->reading;
		if (!is_known)
			idle->start = start;
		if (!is_known || is_used(process))
			idle->used_ms = usage->at_ms;
		process->has_idle = true;
		process->idle_ms = usage->at_ms - idle->used_ms;
	}
}

/* Writes the file anew, for the next to read. @folder: of the service */
void idle_write(const struct usage *usage, const char *folder)
{
	const struct usage_process *process = usage->processes;
	char path[PATH_MAX], new[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/idle", folder);
	snprintf(new, sizeof(new), "%s/idle.new", folder);
	file = fopen(new, "we");
	if (!file)
		return;
	fchmod(fileno(file), 0644);
	fprintf(file, "%" PRIu64 "\n", usage->at_ms);
	for (; process < usage->processes + usage->n_processes; process++)
		if (process->has_idle)
			fprintf(file, "%" PRIx64 ":%" PRIu64 " %" PRIu64 "\n",
				find_id(usage, process), process->process->start,
				usage->at_ms - process->idle_ms);
	if (!fclose(file))
		rename(new, path);
}
