// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scenario: see suite.h.
 */
#include "tests/conformance/suite.h"

static u32 next_mib;

bool scenario_start_work(struct actor *actor, u32 *class)
{
	/* Sums of two of them differ from all of them. */
	struct load load = { .mib = 1 + 64 * ++next_mib };
	u32 i;
	int ret;

	load.encoder = next_mib % 2;
	load.capture = next_mib % 3 != 0;
	for (i = 0; i < 6; i++)
		load.util[i] = (next_mib + i) % 4 ? 1 + (7 * next_mib + i) % 99
						  : 0;
	ret = actor_do(actor, gpu_start, &load, sizeof(load));
	check_or(false, !ret, "actor %d cannot start GPU work: %d", actor->pid, ret);
	actor->mib = load.mib;
	if (class)
		*class = load.class;
	return true;
}

struct actor *scenario_new_process(struct actor *parent, enum actor_place place)
{
	struct actor *actor = actor_new(parent, place, NULL, 0);

	return actor && scenario_start_work(actor, NULL) ? actor : NULL;
}

struct actor *scenario_new_numbered(struct actor *parent, u32 local, u32 global)
{
	const pid_t both[] = { local, global };
	struct actor *actor = actor_new(parent, SAME_NAMESPACE, both, 2);

	return actor && scenario_start_work(actor, NULL) ? actor : NULL;
}

static bool accounting_on(struct actor *host)
{
	int ret = actor_do(host, gpu_accounting_on, NULL, 0);

	check_or(false, !ret, "accounting cannot be turned on: %d", ret);
	return true;
}

/* The members of a scenario: the children of those that stand above them, and their work. */
bool scenario_open(struct scenario *s)
{
	struct actor **const workers[] = { &s->host, &s->a, &s->d, &s->b, &s->c, &s->mounts,
					   &s->d2, &s->a2, &s->guest, &s->rootless };
	u32 i;

	next_mib = 0;
	s->host = actor_new(NULL, SAME_NAMESPACE, NULL, 0);
	s->mounts = actor_new(NULL, NEW_MOUNTS, NULL, 0);
	s->a = actor_new(NULL, NEW_CONTAINER, NULL, 0);
	s->d = actor_new(NULL, NEW_CONTAINER, NULL, 0);
	s->rootless = actor_new(NULL, NEW_ROOTLESS, NULL, 0);
	if (case_failed())
		return false;
	s->a2 = actor_new(s->a, SAME_NAMESPACE, NULL, 0);
	s->idle = actor_new(s->a, SAME_NAMESPACE, NULL, 0);
	s->d2 = actor_new(s->d, SAME_NAMESPACE, NULL, 0);
	s->b = actor_new(s->a, NEW_CONTAINER, NULL, 0);
	if (case_failed())
		return false;
	s->c = actor_new(s->b, NEW_CONTAINER, NULL, 0);
	s->guest = actor_join(s->a);
	if (case_failed() || !accounting_on(s->host))
		return false;
	for (i = 0; i < sizeof(workers) / sizeof(*workers); i++)
		if (!scenario_start_work(*workers[i], &s->class))
			return false;
	return !actor_do(s->host, gpu_reserve, NULL, 0);
}

bool scenario_open_small(struct scenario *s)
{
	memset(s, 0, sizeof(*s));
	next_mib = 0;
	s->host = actor_new(NULL, SAME_NAMESPACE, NULL, 0);
	s->a = actor_new(NULL, NEW_CONTAINER, NULL, 0);
	s->d = actor_new(NULL, NEW_CONTAINER, NULL, 0);
	return !case_failed() && accounting_on(s->host) &&
	       scenario_start_work(s->host, &s->class) &&
	       scenario_start_work(s->a, NULL) && scenario_start_work(s->d, NULL);
}

void question_name_two(const struct scenario *s, const struct actor *seer, struct question *q)
{
	if (mpu_rows[q->row].dir != MPU_IN)
		return;
	q->count = mpu_rows[q->row].cap > 1 ? 2 : 1;
	q->pids[0] = truth_local(seer, seer->pid);
	q->pids[1] = s->d->pid;
}

void question_name_all(const struct actor *seer, struct question *q, u32 most)
{
	for_each_actor(x) {
		u32 pid = x->pid, local = truth_local(seer, pid);

		if (q->count + 1 >= most)
			return;
		if (local)
			q->pids[q->count++] = local;
		if (pid && pid != local)
			q->pids[q->count++] = pid;
	}
}

/* @whole: each list is all that @seer may see of what the host does. */
static bool lists_right(struct scenario *s, struct actor *seer, bool whole)
{
	static struct question q;
	u32 row;

	for_each_shared_row(row, s->host) {
		q = (struct question){ .row = row };
		if (mpu_rows[row].dir == MPU_IN)
			continue;
		if (!question_ask(seer, &q) || !(whole ? answer_is_the_hosts(s->host, seer, &q) :
						 answer_hides_strangers(seer, &q)))
			return false;
	}
	return true;
}

bool actor_has_entry_path(struct actor *actor, u32 path)
{
	int ret = actor_do(actor, entry_path_works, &path, sizeof(path));

	check_or(false, !ret || ret == -ENOSYS,
		 "whether the kernel has path %u cannot be found out: %s", path, strerror(-ret));
	return !ret;
}

bool actor_sees_no_stranger(struct scenario *s, struct actor *seer)
{
	return lists_right(s, seer, false);
}

bool actor_sees_right_lists(struct scenario *s, struct actor *seer)
{
	return lists_right(s, seer, true);
}

bool actor_sees_right(struct scenario *s, struct actor *seer)
{
	static struct question q;
	u32 row, local;

	for_each_row(row) {
		if (mpu_rows[row].dir != MPU_IN || !row_answered(s->host, row))
			continue;
		q = (struct question){ .row = row };
		for_each_actor(x) {
			local = x->pid ? truth_local(seer, x->pid) : 0;
			if (local && q.count < mpu_rows[row].cap)
				q.pids[q.count++] = local;
		}
		if (!question_ask(seer, &q) || !answer_is_the_hosts(s->host, seer, &q))
			return false;
	}
	return actor_sees_right_lists(s, seer);
}
