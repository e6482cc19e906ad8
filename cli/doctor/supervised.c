// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the containers that the agent supervises with those that use a GPU: see
 * supervised.h.
 */
#include <stdio.h>
#include <string.h>

#include "cli/doctor/supervised.h"
#include "host/gpu_usage.h"
#include "host/owner_names.h"
#include "lib/host.h"
#include "lib/proc.h"
#include "nvidia/driver.h"

#define NAMES	10	/* names in a sentence */

/* Writes what users call a container; all containers of pods may be called the same. */
static void write_name(char *text, size_t size, const struct owner *owner)
{
	if (owner->pod[0])
		snprintf(text, size, "%s/%s/%s", owner->namespace, owner->pod,
			 owner->container);
	else if (owner->container[0])
		snprintf(text, size, "%s", owner->container);
	else
		snprintf(text, size, "%.12s", owner->id);
}

void supervised_name(struct engine_agent *agent)
{
	struct owner_files files = { 0 };
	size_t i;

	for (i = 0; i < agent->containers; i++) {
		struct engine_container *one = &agent->container[i];
		struct owner owner = { .kind = OWNER_CONTAINER, .uid = (uid_t)-1 };

		snprintf(owner.id, sizeof(owner.id), "%.*s", OWNER_DIGITS, one->name);
		if (one->name[0] && owner_find_name(&files, &owner))
			write_name(one->known_as, sizeof(one->known_as), &owner);
	}
	owner_files_free(&files);
}

const struct engine_container *supervised_find(const struct engine_agent *agent,
					       const struct host_process *process)
{
	size_t i;

	for (i = 0; i < agent->containers; i++)
		if (process->owner->id[0] &&
		    !strcmp(agent->container[i].name, process->owner->id))
			return &agent->container[i];
	return NULL;
}

bool supervised_by_run(pid_t pid)
{
	struct proc_stat stat;

	while (!proc_stat_of(pid, &stat) && stat.parent > 1) {
		pid = stat.parent;
		if (!proc_stat_of(pid, &stat) && !strcmp(stat.name, "mpu"))
			return true;
	}
	return false;
}

void unsupervised_todo(char todo[WHY_SIZE], unsigned int kinds)
{
	size_t kind, len = 0;

	/* Kinds from docker on have the names that mpu configure knows them by. */
	for (kind = OWNER_DOCKER; kind < OWNER_KINDS; kind++)
		if (kinds & 1u << kind)
			len += (size_t)snprintf(todo + len, WHY_SIZE - len,
						"sudo mpu configure %s --default, ",
						owner_kind_names[kind]);
	if (kinds & 1u << OWNER_CONTAINER)
		len += (size_t)snprintf(todo + len, WHY_SIZE - len,
					"have mpu-runtime start those of a runtime alone, ");
	snprintf(todo + len, WHY_SIZE - len,
		 "then make the containers anew: a restart keeps their runtime");
}

/* Says whether nobody translates for it; with the host's PIDs it needs nobody. */
static bool is_unsupervised(const struct engine_agent *agent,
			    const struct host_process *process)
{
	return process->owner->kind >= OWNER_CONTAINER &&
	       process->own_pid != process->pid && !supervised_find(agent, process) &&
	       !supervised_by_run(process->pid);
}

void unsupervised_find(struct unsupervised *found, const struct engine_agent *agent)
{
	struct usage_reader *reader;
	const struct usage *usage;
	unsigned int kinds = 0;
	char why[WHY_SIZE];
	size_t i;

	*found = (struct unsupervised){ 0 };
	/* A GPU that nobody uses is not woken up for the question. */
	if (host_exists("/sys/module/%s/refcnt", DRIVER_MODULE) &&
	    !driver_is_used(DRIVER_MODULE))
		return;
	if (usage_open(&reader, 0, false, false, why))
		return;
	if (!usage_read(reader, &usage, why))
		for (i = 0; i < usage->n_processes; i++) {
			const struct host_process *process = usage->processes[i].process;
			char name[3 * OWNER_NAME];

			if (!is_unsupervised(agent, process))
				continue;
			write_name(name, sizeof(name), process->owner);
			if (!strv_have(&found->names, name))
				strv_add(&found->names, name);
			kinds |= 1u << process->owner->kind;
		}
	usage_close(reader);
	unsupervised_todo(found->todo, kinds);
}

void unsupervised_free(struct unsupervised *found)
{
	strv_free(&found->names);
}

const char *names_join(char text[WHY_SIZE], const struct strv *names)
{
	size_t i, len = 0;

	*text = '\0';
	for (i = 0; i < names->n && i < NAMES; i++)
		len += (size_t)snprintf(text + len, WHY_SIZE - len, "%s%.128s",
					i ? ", " : "", names->word[i]);
	if (names->n > NAMES)
		snprintf(text + len, WHY_SIZE - len, " and %zu more", names->n - NAMES);
	return text;
}
