// SPDX-License-Identifier: GPL-2.0-only
/*
 * The owners of processes, remembered from one reading to the next.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "host/internal.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

#define BUCKETS		4096	/* about as many as a host has GPU processes, or more */
#define LONGEST_WAIT	16	/* rounds until a name that is not known is looked for again */

const char *const owner_kind_names[OWNER_KINDS] = {
	[OWNER_NONE] = "plain",
	[OWNER_UNIT] = "unit",
	[OWNER_SLURM] = "slurm",
	[OWNER_CONTAINER] = "container",
	[OWNER_DOCKER] = "docker",
	[OWNER_CONTAINERD] = "containerd",
	[OWNER_CRIO] = "crio",
	[OWNER_PODMAN] = "podman",
};

/*
 * Processes in one control group have one owner. @key: whether they have a PID namespace
 * of their own, then the group, of all hierarchies.
 */
struct group {
	struct group *next;
	unsigned long again;	/* the round in which names are looked for again */
	unsigned long wait;	/* rounds from that one to the next */
	size_t users;		/* processes remembered */
	bool is_known;
	struct owner owner;
	char key[];
};

/* @asked: the round in which it was looked at; @named: the version of its user's name. */
struct entry {
	struct entry *next;
	unsigned long asked, named;
	struct group *group;
	struct host_look look;
};

static struct entry *entry_of(struct host_look *look)
{
	return (struct entry *)((char *)look - offsetof(struct entry, look));
}

/* @round: counts the sweeps. */
struct host_reader {
	unsigned long round;
	struct host_proc proc;
	struct owner_files files;
	struct passwd_names names;
	struct entry *entries[BUCKETS];
	struct group *groups[BUCKETS];
};

struct host_reader *host_reader_open(bool details)
{
	struct host_reader *reader = xcalloc(1, sizeof(*reader));

	reader->round = 1;
	host_proc_open(&reader->proc, details);
	return reader;
}

static struct group *find_group(struct host_reader *reader, const char *cgroups, bool apart)
{
	struct group **bucket = &reader->groups[hash_text(HASH_BEGIN, cgroups) % BUCKETS];
	struct group *group;
	size_t size = strlen(cgroups) + 1;

	for (group = *bucket; group; group = group->next)
		if (!strcmp(group->key + 1, cgroups) && group->key[0] == apart)
			return group;
	group = xcalloc(1, sizeof(*group) + 1 + size);
	group->wait = 1;
	group->key[0] = apart;
	memcpy(group->key + 1, cgroups, size);
	group->next = *bucket;
	*bucket = group;
	return group;
}

/*
 * Reads an owner. A container may be there before its engine has written its name; one
 * without a name so far may never have one, and is looked for less and less often.
 */
static void read_owner(struct host_reader *reader, struct group *group)
{
	if (group->is_known || reader->round < group->again)
		return;
	group->again = reader->round + group->wait;
	if (group->wait < LONGEST_WAIT)
		group->wait *= 2;
	cgroup_parse_file(&group->owner, group->key + 1, group->key[0]);
	group->is_known = owner_find_name(&reader->files, &group->owner);
}

/*
 * A user's slice and a job name their user, whatever user a process in them has become.
 * Root's do not: root may become anybody.
 */
static void read_user(struct host_reader *reader, struct entry *entry)
{
	struct host_process *process = &entry->look.process;

	if (entry->look.is_new && owner_is_users(process->owner))
		process->uid = process->owner->uid;
	if (entry->look.is_new || entry->named != reader->names.version)
		passwd_find_name(&reader->names, process->uid, process->user,
				 sizeof(process->user));
	entry->named = reader->names.version;
}

static const struct owner nobody = { .kind = OWNER_NONE, .uid = (uid_t)-1 };

static void forget_process(struct entry *entry)
{
	if (entry->group)
		entry->group->users--;
	entry->group = NULL;
}

static void add_owner(struct host_reader *reader, struct entry *entry)
{
	struct host_process *process = &entry->look.process;
	char *cgroups = entry->look.cgroups;

	entry->look.cgroups = NULL;
	forget_process(entry);
	process->owner = &nobody;
	if (cgroups && !process->is_gone)
		entry->group = find_group(reader, cgroups,
					   process->own_pid && process->own_pid != process->pid);
	free(cgroups);
	if (entry->group) {
		entry->group->users++;
		process->owner = &entry->group->owner;
	}
}

static void take_entry(struct host_reader *reader, struct entry *entry)
{
	if (entry->look.is_new)
		add_owner(reader, entry);
	if (!entry->group)	/* it is gone */
		return;
	read_owner(reader, entry->group);
	read_user(reader, entry);
}

/* The entry of a process, an empty one if there is none. */
static struct entry *find_entry(struct host_reader *reader, pid_t pid)
{
	struct entry **bucket = &reader->entries[(size_t)pid % BUCKETS], *entry;

	for (entry = *bucket; entry; entry = entry->next)
		if (entry->look.process.pid == pid)
			return entry;
	entry = xcalloc(1, sizeof(*entry));
	entry->look.process.pid = pid;
	entry->look.pidfd = -1;
	entry->next = *bucket;
	*bucket = entry;
	return entry;
}

/* Puts those that are to be looked at into @looks, each once. Return: how many. */
static size_t find_entries(struct host_reader *reader, const pid_t *pids, size_t n,
			   const struct host_process **processes, struct host_look **looks)
{
	struct entry *entry;
	size_t count = 0, i;

	for (i = 0; i < n; i++) {
		entry = find_entry(reader, pids[i]);
		processes[i] = &entry->look.process;
		if (entry->asked == reader->round)
			continue;
		entry->asked = reader->round;
		looks[count++] = &entry->look;
	}
	return count;
}

void host_reader_read(struct host_reader *reader, const pid_t *pids, size_t n,
		      const struct host_process **processes)
{
	struct host_look **looks = xcalloc(n + 1, sizeof(*looks));
	size_t count, i;

	passwd_refresh(&reader->names);
	count = find_entries(reader, pids, n, processes, looks);
	host_proc_read(&reader->proc, looks, count);
	for (i = 0; i < count; i++)
		take_entry(reader, entry_of(looks[i]));
	free(looks);
}

static void sweep_entries(struct host_reader *reader, struct entry **bucket)
{
	struct entry *entry;

	while ((entry = *bucket)) {
		if (entry->asked == reader->round) {
			bucket = &entry->next;
			continue;
		}
		*bucket = entry->next;
		forget_process(entry);
		host_proc_forget(&reader->proc, &entry->look);
		free(entry);
	}
}

static void sweep_groups(struct group **bucket)
{
	struct group *group;

	while ((group = *bucket)) {
		if (group->users) {
			bucket = &group->next;
			continue;
		}
		*bucket = group->next;
		free(group);
	}
}

void host_reader_sweep(struct host_reader *reader)
{
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		sweep_entries(reader, &reader->entries[i]);
	for (i = 0; i < BUCKETS; i++)
		sweep_groups(&reader->groups[i]);
	owner_files_free(&reader->files);
	reader->round++;
}

void host_reader_close(struct host_reader *reader)
{
	reader->round++;	/* so that nothing was asked for */
	host_reader_sweep(reader);
	passwd_free(&reader->names);
	host_proc_close(&reader->proc);
	free(reader);
}
