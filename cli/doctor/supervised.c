// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the containers that the agent supervises with those that use a GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/doctor/internal.h"
#include "lib/host.h"
#include "lib/proc.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

#define NAMES	10	/* names in a sentence */

void supervised_name(struct engine_agent *agent)
{
	struct owner *owners = xcalloc(agent->containers + 1, sizeof(*owners));
	size_t i;

	for (i = 0; i < agent->containers; i++) {
		owners[i].uid = (uid_t)-1;
		owners[i].kind = agent->container[i].name[0] ? OWNER_CONTAINER : OWNER_NONE;
		snprintf(owners[i].id, sizeof(owners[i].id), "%.*s", OWNER_DIGITS,
			 agent->container[i].name);
	}
	owner_find_names(owners, agent->containers);
	for (i = 0; i < agent->containers; i++)
		if (owners[i].container[0])
			owner_name(agent->container[i].known_as, &owners[i]);
	free(owners);
}

const struct engine_container *supervised_find(const struct engine_agent *agent,
					       const struct host_process *process)
{
	size_t i;

	for (i = 0; i < agent->containers; i++)
		if (process->owner->id[0] && !strcmp(agent->container[i].name, process->owner->id))
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

void unsupervised_todo(char todo[WHY_SIZE], unsigned int kinds, bool asks)
{
	bool by_default, is_set = false;
	size_t kind, len = 0;
	char *name;

	if (!(kinds >> OWNER_CONTAINER)) {
		snprintf(todo, WHY_SIZE, "start it by mpu run, which supervises what it starts");
		return;
	}
	/* Kinds from docker on have the names that mpu configure knows them by. */
	for (kind = OWNER_DOCKER; kind < OWNER_KINDS; kind++) {
		if (!(kinds & 1u << kind))
			continue;
		name = chain_runtime(owner_kind_names[kind], true, asks, &by_default);
		is_set |= by_default;
		if (!by_default)
			len += (size_t)snprintf(todo + len, WHY_SIZE - len,
						"sudo mpu configure %s%s%.256s --default, ",
						owner_kind_names[kind], name ? " --name " : "",
						name ? name : "");
		free(name);
	}
	if (kinds & 1u << OWNER_CONTAINER)
		len += (size_t)snprintf(todo + len, WHY_SIZE - len,
					"have mpu-runtime start those of a runtime alone, ");
	snprintf(todo + len, WHY_SIZE - len, "%smake the containers anew%s: a restart keeps their runtime",
		 len ? "then " : "", is_set ? ", without another --runtime" : "");
}

/* Says whether nobody translates for it; with the host's PIDs it needs nobody. */
static bool is_unsupervised(const struct engine_agent *agent, const struct host_process *process)
{
	return process->owner->kind >= OWNER_CONTAINER &&
	       process->own_pid && process->own_pid != process->pid && !supervised_find(agent, process) &&
	       !supervised_by_run(process->pid);
}

void unsupervised_find(struct unsupervised *found, const struct engine_agent *agent, bool asks)
{
	struct usage_reader *reader;
	const struct usage *usage;
	unsigned int kinds = 0;
	char why[WHY_SIZE];
	size_t i;

	*found = (struct unsupervised){ 0 };
	/* A GPU that nobody uses is not woken up for the question. */
	if (host_exists("/sys/module/%s/refcnt", DRIVER_MODULE) && !driver_is_used(DRIVER_MODULE))
		return;
	reader = usage_open(0, false, false);
	if (!usage_read(reader, USAGE_PATIENCE_MS, &usage, why))
		for (i = 0; i < usage->n_processes; i++) {
			const struct host_process *process = usage->processes[i].process;
			char name[OWNER_FULL];

			if (!is_unsupervised(agent, process))
				continue;
			owner_name(name, process->owner);
			strv_add_once(&found->names, name);
			kinds |= 1u << process->owner->kind;
		}
	usage_close(reader);
	if (kinds)
		unsupervised_todo(found->todo, kinds, asks);
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
		len += (size_t)snprintf(text + len, WHY_SIZE - len, "%s%.400s",
					i ? ", " : "", names->word[i]);
	if (names->n > NAMES)
		snprintf(text + len, WHY_SIZE - len, " and %zu more", names->n - NAMES);
	return text;
}
