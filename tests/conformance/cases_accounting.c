// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting: the driver's records outlive processes, and are kept by number.
 * Whose is a record, once the number is another's?
 */
#include <string.h>

#include "core/nvrm.h"
#include "scene.h"
#include "suite.h"

#define RECORD	0xb03
#define LIST	0xb04

static struct question q, host;

static bool ask_record(struct actor *seer, u32 pid)
{
	memset(&q, 0, sizeof(q));
	q.row = find_row(RECORD, 0);
	q.count = 1;
	q.pids[0] = pid;
	return ask(seer, &q);
}

/* The host's, of a process that may be gone, in @host. */
static bool host_record(struct scene *s, u32 global)
{
	if (!ask_record(s->host, global))
		return false;
	host = q;
	check_or(false, !host.ret, "the host has no record of %u: 0x%x", global,
		 host.ret);
	return true;
}

/* @seer is told there is no record, and not a byte of one. */
static bool no_record(struct actor *seer, u32 local)
{
	if (!ask_record(seer, local))
		return false;
	check_or(false, q.ret == NV_ERR_OBJECT_NOT_FOUND,
		 "%d asks for the record of %u: status 0x%x", seer->pid, local,
		 q.ret);
	return unchanged(seer, &q);
}

/* @seer is told of @local what the host is told of @global. */
static bool same_record(struct scene *s, struct actor *seer, u32 local,
			u32 global)
{
	return host_record(s, global) && ask_record(seer, local) &&
	       compare(seer, &q, &host);
}

static struct actor *load_at(struct actor *parent, u32 local, u32 global)
{
	const pid_t both[] = { local, global };
	struct actor *x = actor_new(parent, SAME_NAMESPACE, both, 2);

	return x && gpu_load(x, NULL) ? x : NULL;
}

/* A stranger ends, and its number is a container's. */
static void number_again(void)
{
	static const pid_t both[] = { 700, 30100 };
	struct actor *x, *heir;
	struct scene s;

	if (!scene_small(&s))
		return;
	x = load_at(s.d, 600, 30100);
	if (!x)
		return;
	actor_kill(x);
	heir = actor_new(s.a, SAME_NAMESPACE, both, 2);
	if (!heir || !host_record(&s, 30100) || !no_record(s.a, 700) ||
	    !no_record(heir, 700) || !gpu_load(heir, NULL))
		return;
	/* The driver gives the dead one's as long as there is one. */
	if (!no_record(s.a, 700) || !no_record(heir, 700))
		return;
	check(!actor_do(heir, gpu_stop, NULL, 0), "a client does not close");
	if (same_record(&s, s.a, 700, 30100))
		same_record(&s, heir, 700, 30100);
}

/* A process that uses no GPU, called what a later one is on the host. */
static void namesake(void)
{
	static const pid_t number[] = { 30200 };
	struct actor *x, *stranger;
	struct scene s;

	if (!scene_small(&s))
		return;
	x = actor_new(s.a, SAME_NAMESPACE, number, 1);
	stranger = actor_new(NULL, SAME_NAMESPACE, number, 1);
	if (!x || !stranger || !gpu_load(stranger, NULL) ||
	    !host_record(&s, 30200) || !no_record(s.a, 30200))
		return;
	actor_kill(stranger);
	if (host_record(&s, 30200))
		no_record(x, 30200);
}

/* Done with the GPU, and still there. */
static void client_closed(void)
{
	struct actor *x;
	struct scene s;

	if (!scene_small(&s))
		return;
	x = load_at(s.a, 800, 30300);
	if (!x)
		return;
	check(!actor_do(x, gpu_stop, NULL, 0), "a client does not close");
	if (same_record(&s, s.a, 800, 30300) &&
	    same_record(&s, x, 800, 30300))
		no_record(s.d, 800);
}

const struct test_case cases_accounting[] = {
	{ "accounting: number of an ended process again", number_again, NEVER,
	  0 },
	{ "accounting: number of a process on the host", namesake, NEVER, 0 },
	{ "accounting: client closed", client_closed, NEVER, 0 },
	{ NULL, NULL, 0, 0 },
};
