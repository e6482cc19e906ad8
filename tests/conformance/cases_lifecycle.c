// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lives of processes: numbers that coincide or come again, openers that are
 * gone, threads, several clients, death in the middle of a question.
 */
#include <sched.h>
#include <stdatomic.h>

#include "tests/conformance/suite.h"

static struct question q;

/* Does @seer see the memory that @who took? */
static bool has_memory(struct actor *seer, const struct actor *who)
{
	u32 row;
	u64 bytes;

	for_each_row(row) {
		if (mpu_rows[row].cmd != 0x2080018e && mpu_rows[row].cmd != 0x00800203)
			continue;
		q = (struct question){ .row = row };
		q.pids[q.count++] = truth_local(seer, who->pid);
		if (!question_ask(seer, &q))
			return false;
		bytes = mpu_get64(q.params, mpu_rows[row].base + 24);
		check_or(false, q.ret || bytes == (u64)who->mib << 20, "%d sees %llu bytes of %u",
			 seer->pid, (unsigned long long)bytes, q.pids[0]);
	}
	return true;
}

/* Is the actor in @seer's process list? */
static bool listed(struct actor *seer, const struct actor *who)
{
	u32 row, i, n = 0, seen = 0, local = truth_local(seer, who->pid);

	for_each_row(row) {
		if (mpu_rows[row].cmd != 0x2080018d && mpu_rows[row].cmd != 0x00800202)
			continue;
		q = (struct question){ .row = row };
		if (!question_ask(seer, &q) || q.ret)
			continue;
		n = question_count(&q);
		for (i = 0; i < n; i++)
			seen += question_pid(&q, i, 0) == local;
	}
	check_or(false, local && seen == 1, "%d lists process %u %u times", seer->pid, local, seen);
	return true;
}

IN_SMALL("lifecycle: local number equals the global one", NEVER, 0)
{
	struct actor *x = scenario_new_numbered(s->a, 11000, 11000);

	if (!x)
		return;
	check(x->pid == 11000 && truth_local(x, x->pid) == 11000,
	      "process is %d, in its container %u", x->pid, truth_local(x, x->pid));
	if (actor_sees_right(s, x) && actor_sees_right(s, s->a))
		listed(x, x);
}

/* Local PIDs of containers that are the global PIDs of other processes. */
IN_SMALL("lifecycle: local number is another's global one", NEVER, 0)
{
	struct actor *x = scenario_new_numbered(s->a, 11001, 11002);
	struct actor *y = scenario_new_numbered(s->a, 11002, 11003);
	struct actor *z = scenario_new_numbered(s->d, 11003, 11001);

	if (x && y && z && actor_sees_right(s, x) && actor_sees_right(s, y) && actor_sees_right(s, z) &&
	    actor_sees_right(s, s->a) && listed(x, y) && listed(y, x))
		listed(z, z);
}

/* A child beside @who that has a client; @opener, who opened it, is gone. */
static struct actor *new_heir(struct actor *who, pid_t *opener)
{
	struct actor *parent = scenario_new_process(who, SAME_NAMESPACE);
	struct actor *child = parent ? actor_new(parent, SAME_NAMESPACE, NULL, 0) : NULL;

	if (child) {
		*opener = parent->pid;
		actor_kill(parent);
	}
	return child;
}

/* The descriptor lives on in a child; the process that opened it does not. */
IN_SMALL("lifecycle: opener gone, descriptor inherited", NEVER, 0)
{
	pid_t opener;
	struct actor *child = new_heir(s->a, &opener);

	if (child && actor_sees_right(s, s->a) && actor_sees_right(s, child))
		actor_sees_right(s, s->d);
}

/* A client that a container opened, used in another one inside it. */
IN_SMALL("lifecycle: descriptor used in another container", NEVER, 0)
{
	struct actor *opener = scenario_new_process(s->a, SAME_NAMESPACE);
	struct actor *inner = opener ? actor_new(opener, NEW_CONTAINER, NULL, 0) : NULL;
	if (inner && actor_sees_right(s, inner))
		actor_sees_right(s, opener);
}

static int unshare_pids(void *unused)
{
	return unshare(CLONE_NEWPID) ? -errno : 0;
}

/* A new namespace for children is not one's own. */
IN_SMALL("lifecycle: namespace for children only", NEVER, 0)
{
	check(!actor_do(s->a, unshare_pids, NULL, 0) &&
	      !actor_do(s->host, unshare_pids, NULL, 0), "cannot unshare");
	if (actor_sees_right(s, s->a))
		actor_sees_right(s, s->host);
}

/* The opener's number is given to a process of another container. */
IN_SMALL("lifecycle: opener's number given again", NEVER, 0)
{
	pid_t number;
	struct actor *child = new_heir(s->a, &number), *heir;

	if (!child)
		return;
	heir = actor_new(s->d, SAME_NAMESPACE, (const pid_t[]){ 500, number }, 2);
	if (!heir)
		return;
	check(heir->pid == number, "the number was not given again");
	if (actor_sees_right(s, s->a))
		actor_sees_right(s, child);
}

/* Is @seer told nothing of @who, who has no client? @ended: it has had one. */
static bool has_nothing(struct scenario *s, struct actor *seer, struct actor *who, bool ended)
{
	u32 row, i, f, local = truth_local(seer, who->pid);

	for_each_shared_row(row, s->host) {
		if (mpu_rows[row].dir == MPU_IN || (ended && mpu_rows[row].ended))
			continue;
		q = (struct question){ .row = row };
		if (!question_ask(seer, &q))
			return false;
		for (i = 0; i < question_count(&q); i++)
			for (f = 0; f < mpu_rows[row].fields; f++)
				check_or(false, question_pid(&q, i, f) != local,
					 "0x%x names %u, who has nothing", mpu_rows[row].cmd, local);
	}
	return has_memory(seer, who);
}

/* The driver has a client by that number, which is a process of D's. */
static void number_of_another(struct scenario *s, struct actor *opener, pid_t local)
{
	pid_t number;
	struct actor *child = new_heir(opener, &number), *x;

	if (!child)
		return;
	x = actor_new(s->d, SAME_NAMESPACE, (const pid_t[]){ local, number }, 2);
	check(x && x->pid == number, "the number was not given again");
	if (!has_nothing(s, s->d, x, false) || !scenario_start_work(x, NULL) || !listed(x, x))
		return;
	check(!actor_do(x, gpu_stop, NULL, 0), "a client does not close");
	x->mib = 0;
	if (!has_nothing(s, s->d, x, true))
		return;
	actor_kill(child);
	if (scenario_start_work(x, NULL) && actor_sees_right(s, x))
		actor_sees_right(s, s->d);
	actor_kill(x);
}

IN_SMALL("lifecycle: opener's number is a stranger's", NEVER, 0)
{
	number_of_another(s, s->a, 501);
	if (!case_failed())
		number_of_another(s, s->host, 502);
}

#define OPENERS	64	/* processes that allocate clients through one open file */

/* Children allocate clients through the caller's file, and end. Returns how many could. */
static int children_open(void *unused)
{
	static int can, error;
	u32 client[8];
	int i;

	for (i = 0; i < OPENERS + 4; i++) {
		memset(client, 0, sizeof(client));	/* NVOS21_PARAMETERS: a root */
		if (vfork())
			continue;
		if (!ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_ALLOC, client), client))
			can++;
		else
			error = errno;
		_exit(0);
	}
	return error == ENOMEM ? can : -error;
}

/* Nobody is forgotten for those that come later, nor fills memory. */
IN_SMALL("lifecycle: many openers of one file", MAYBE, ON_MODULE)
{
	int n = actor_do(s->a, children_open, NULL, 0);

	check(n == OPENERS - 1, "besides its own process %d could", n);
	check(!actor_do(s->a, gpu_stop, NULL, 0), "a client does not close");
	if (scenario_start_work(s->a, NULL))
		listed(s->a, s->a);
}

/* --- threads --- */

static struct {
	struct load *load;
	int ret;
	atomic_int done, leave;
} threaded;

static void *thread_main(void *unused)
{
	threaded.ret = gpu_start(threaded.load);
	threaded.done = 1;
	while (!threaded.leave)
		usleep(10000);
	return unused;
}

static int start_in_thread(void *arg)
{
	pthread_t thread;

	threaded.load = arg;
	threaded.done = threaded.leave = 0;
	if (pthread_create(&thread, NULL, thread_main, NULL))
		return -EAGAIN;
	pthread_detach(thread);
	while (!threaded.done)
		usleep(1000);
	return threaded.ret;
}

static int end_thread(void *unused)
{
	threaded.leave = 1;
	usleep(100000);
	return 0;
}

static struct actor *thread_process(struct actor *parent)
{
	struct load load = { .mib = 4321, .encoder = true, .capture = true,
			     .util = { 5, 6, 7, 8, 9, 10 } };
	struct actor *x = actor_new(parent, SAME_NAMESPACE, NULL, 0);
	int ret;

	if (!x)
		return NULL;
	ret = actor_do(x, start_in_thread, &load, sizeof(load));
	check_or(NULL, !ret, "a thread cannot start GPU work: %d", ret);
	x->mib = load.mib;
	return x;
}

IN_SMALL("lifecycle: client of a thread", NEVER, 0)
{
	struct actor *x = thread_process(s->a);

	/* Memory is not compared with the host's: R2 and R3 look for it there by the thread. */
	if (x && actor_sees_right_lists(s, s->a) &&
	    actor_sees_right_lists(s, x) && has_memory(s->a, x))
		listed(s->a, x);
}

/*
 * The thread that opened the client is gone, its process is not. R1 to R3 keep
 * that thread, unless they are made to keep the process.
 */
IN_SMALL("lifecycle: client of a thread that is gone", NEVER, 0)
{
	struct actor *x = thread_process(s->a);

	if (!x || actor_do(x, end_thread, NULL, 0) || !actor_sees_no_stranger(s, s->a))
		return;
	if (options.regime >= MPU_R1 && options.regime <= MPU_R3 && !engine_on(ON_MODULE))
		case_skip("regimes R1 to R3 no longer know the process");
	else if (has_memory(s->a, x))
		listed(s->a, x);
}

IN_SMALL("lifecycle: main thread gone", NEVER, 0)
{
	struct actor *x = scenario_new_process(s->a, SAME_NAMESPACE);

	if (!x)
		return;
	check(!actor_do(x, actor_leave_main_thread, NULL, 0), "the main thread stays");
	if (actor_sees_right(s, s->a) && actor_sees_right(s, x))
		listed(x, x);
}

static int more_clients(void *unused)
{
	static struct rm more[3];
	static struct rm_gpu gpus[3];
	int i, ret = 0;

	for (i = 0; i < 3 && !ret; i++) {
		ret = rm_open(&more[i], "/dev", NULL);
		gpus[i] = *gpu_board();
		gpus[i].fd = -1;
		if (!ret)
			ret = rm_attach(&more[i], &gpus[i]);
	}
	return ret;
}

/* Drivers from 535.113 on compare global with local numbers here. */
IN_SMALL("lifecycle: several clients", NEVER, 0)
{
	int ret = actor_do(s->a, more_clients, NULL, 0);

	check(!ret, "no more clients: %d", ret);
	if (actor_sees_right(s, s->a))
		listed(s->a, s->a);
}

/* --- death --- */

/* Asks for lists until told; every number must look like a local one. */
struct watch {
	u32 row;
	u32 ms;
	u32 calls;
	u32 foreign;
};

static int watch(void *arg)
{
	struct watch *w = arg;
	struct question *mine = &q;
	u32 i, f, rounds;

	for (rounds = 0; rounds < w->ms; rounds++) {
		memset(mine, 0, sizeof(*mine));
		mine->row = w->row;
		gpu_ask(mine);
		w->calls++;
		if (mine->ret)
			return mine->ret;
		for (i = 0; i < question_count(mine); i++)
			for (f = 0; f < mpu_rows[w->row].fields; f++) {
				u32 pid = question_pid(mine, i, f);

				if (pid > 9999 && pid != mpu_rows[w->row].none)
					w->foreign = pid;
			}
	}
	return 0;
}

IN_SMALL("lifecycle: deaths", NEVER, 0)
{
	struct watch w = { .ms = 40 };
	struct actor *x, *y;
	u32 row, i;

	for_each_row(row) {
		if (mpu_rows[row].dir == MPU_IN || mpu_rows[row].cap == 1 ||
		    !row_answered(s->host, row))
			continue;
		w.row = row;
		for (i = 0; i < 3; i++) {
			x = scenario_new_process(s->a, SAME_NAMESPACE);
			y = scenario_new_process(s->d, SAME_NAMESPACE);
			if (!x || !y)
				return;
			actor_begin(s->a, watch, &w, sizeof(w));
			actor_kill(x);
			actor_kill(y);
			check(!actor_end(s->a, &w, sizeof(w)), "a call failed");
			check(!w.foreign, "0x%x: %u appeared", mpu_rows[row].cmd, w.foreign);
		}
	}
	actor_sees_right(s, s->a);
}
