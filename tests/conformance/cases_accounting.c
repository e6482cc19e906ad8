// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting: the driver's records outlive processes, and are kept by number. The
 * number may be another's by then.
 */
#include <sched.h>

#include "tests/conformance/suite.h"

#define RECORD	0xb03
#define LIST	0xb04

static struct question q, host;

/* Offset of a record's start time, and the record's size. */
#define START	32
#define SIZE	48

static bool ask_record(struct actor *seer, u32 pid)
{
	q = (struct question){ .row = row_find(RECORD, 0), .count = 1, .pids = { pid } };
	return question_ask(seer, &q);
}

/* The host's, of a process that may be gone, in @host. */
static bool host_record(struct scenario *s, u32 global)
{
	if (!ask_record(s->host, global))
		return false;
	host = q;
	check_or(false, !host.ret, "the host has no record of %u: 0x%x", global, host.ret);
	return true;
}

/* @seer is told there is no record, and not a byte of one. */
static bool no_record(struct actor *seer, u32 local)
{
	if (!ask_record(seer, local))
		return false;
	check_or(false, q.ret == NV_ERR_OBJECT_NOT_FOUND,
		 "%d asks for the record of %u: status 0x%x", seer->pid, local, q.ret);
	return question_is_unchanged(seer, &q);
}

/* @seer is told of @local what the host is told of @global. */
static bool same_record(struct scenario *s, struct actor *seer, u32 local, u32 global)
{
	return host_record(s, global) && ask_record(seer, local) &&
	       answer_is_right(seer, &q, &host);
}

/*
 * Ends a process, whose number is not given again at once: /proc, where engine notify
 * reads it, has the start of a process in ticks of 10 ms.
 */
static void end_for_a_while(struct actor *x)
{
	actor_kill(x);
	usleep(50000);
}

/* A stranger ends, and its number is a container's. */
IN_SMALL("accounting: number of an ended process again", NEVER, 0)
{
	static const pid_t both[] = { 700, 10100 };
	struct actor *x = scenario_new_numbered(s->d, 600, 10100), *heir;

	if (!x)
		return;
	end_for_a_while(x);
	heir = actor_new(s->a, SAME_NAMESPACE, both, 2);
	if (!heir || !host_record(s, 10100) || !no_record(s->a, 700) ||
	    !no_record(heir, 700) || !scenario_start_work(heir, NULL))
		return;
	/* The driver gives the dead one's as long as there is one. */
	if (!no_record(s->a, 700) || !no_record(heir, 700))
		return;
	check(!actor_do(heir, gpu_stop, NULL, 0), "a client does not close");
	same_record(s, s->a, 700, 10100);
}

/* A record, and the argument block on its second half. */
struct overlap {
	u32 pid;
	u8 bytes[SIZE + sizeof(struct nv_control)];
};

/* The driver copies the record to its caller, and then the block. */
static int ask_overlapped(void *arg)
{
	struct overlap *o = arg;
	u8 *block = o->bytes + START + 4;
	const struct nv_control control = {
		.client = gpu_client()->client,
		.object = gpu_client()->client,
		.cmd = RECORD, .params = (uintptr_t)o->bytes, .size = SIZE,
	};

	memset(o->bytes, 0, sizeof(o->bytes));
	mpu_put32(o->bytes, 0, gpu_board()->id);
	mpu_put32(o->bytes, 4, o->pid);
	memcpy(block, &control, sizeof(control));
	return ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_CONTROL, control), block) ? -errno : 0;
}

/* The caller says itself, so to speak, when the record began. */
IN_SMALL("accounting: argument block over the record", MAYBE, 0)
{
	static const pid_t both[] = { 710, 10110 };
	static const u8 nothing[START];
	struct overlap o = { .pid = 710 };
	struct actor *x = scenario_new_numbered(s->d, 610, 10110);

	if (!x)
		return;
	end_for_a_while(x);
	if (!actor_new(s->a, SAME_NAMESPACE, both, 2) || !host_record(s, 10110))
		return;
	check(!actor_do(s->a, ask_overlapped, &o, sizeof(o)), "no ioctl");
	check(!memcmp(o.bytes + 12, nothing, START - 12), "a stranger's record is told: %llu bytes",
	      (unsigned long long)mpu_get64(o.bytes, 24));
	/* The caller's own record is told, but for the part that the block lies over. */
	o.pid = truth_local(s->a, s->a->pid);
	check(!actor_do(s->a, ask_overlapped, &o, sizeof(o)), "no ioctl");
	if (!host_record(s, s->a->pid))
		return;
	check(!engine_on(ON_MODULE | ON_NOTIFY) ||
	      !memcmp(o.bytes + 12, host.params + 12, START - 12), "one's own record is not told");
}

/* A process that uses no GPU, called what a later one is on the host. */
IN_SMALL("accounting: number of a process on the host", NEVER, 0)
{
	static const pid_t number[] = { 10200 };
	struct actor *x, *stranger;

	x = actor_new(s->a, SAME_NAMESPACE, number, 1);
	stranger = actor_new(NULL, SAME_NAMESPACE, number, 1);
	if (!x || !stranger || !scenario_start_work(stranger, NULL) ||
	    !host_record(s, 10200) || !no_record(s->a, 10200))
		return;
	actor_kill(stranger);
	if (host_record(s, 10200))
		no_record(x, 10200);
}

/* Done with the GPU, and still there. */
IN_SMALL("accounting: client closed", NEVER, 0)
{
	struct actor *x = scenario_new_numbered(s->a, 800, 10300);

	if (!x)
		return;
	check(!actor_do(x, gpu_stop, NULL, 0), "a client does not close");
	if (same_record(s, s->a, 800, 10300))
		no_record(s->d, 800);
}

/* Returns how often @local is in the list that @seer gets; -1: it gets none. */
static int times_listed(struct actor *seer, u32 local)
{
	int times = 0;
	u32 i;

	q = (struct question){ .row = row_find(LIST, 0) };
	if (!question_ask(seer, &q) || !answer_hides_strangers(seer, &q))
		return -1;
	check_or(-1, !q.ret, "no list: 0x%x", q.ret);
	for (i = 0; i < question_count(&q); i++)
		times += question_pid(&q, i, 0) == local;
	return times;
}

static bool lists(struct actor *seer, u32 local, int times)
{
	int found = times_listed(seer, local);

	check_or(false, found == times, "%d finds %u listed %d times, not %d",
		 seer->pid, local, found, times);
	return true;
}

/* A process has ended: its record is for whoever asks in its container. */
IN_SMALL("accounting: ended processes", NEVER, 0)
{
	struct actor *x, *b, *y, *other;
	u32 of_b, in_a;

	x = scenario_new_numbered(s->a, 900, 10400);
	b = actor_new(s->a, NEW_CONTAINER, NULL, 0);
	if (!x || !b || !scenario_start_work(b, NULL))
		return;
	y = scenario_new_numbered(b, 951, 911);
	other = scenario_new_numbered(s->d, 920, 10410);
	if (!y || !other)
		return;
	of_b = y->pid;
	in_a = y->line.number[1];	/* 911, where clone3 takes numbers */
	actor_kill(x);
	actor_kill(y);
	actor_kill(other);
	if (!same_record(s, s->a, 900, 10400) || !lists(s->a, 900, 1) ||
	    !same_record(s, s->a, in_a, of_b) || !lists(s->a, in_a, 1) ||
	    !same_record(s, b, 951, of_b) || !lists(b, 951, 1))
		return;
	/* Nobody is told the record of another container's process, by any number. */
	if (no_record(s->a, 951) && no_record(b, 900) && lists(b, 900, 0) && no_record(s->a, 920) &&
	    lists(s->a, 920, 0) && no_record(s->a, 10410) && no_record(s->d, 900) &&
	    no_record(s->d, 10400) && lists(s->d, 900, 0))
		same_record(s, s->d, 920, 10410);
}

#define HEIRS	3

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static int start_threads(void *unused)
{
	pthread_t thread;
	int i, ret = 0;

	for (i = 0; i < HEIRS && !ret; i++)
		ret = pthread_create(&thread, NULL, wait_for_ever, NULL);
	return -ret;
}

/* Returns how many threads of @x have the numbers from @first on. */
static u32 threads_from(const struct actor *x, pid_t first)
{
	char path[64];
	u32 i, n = 0;

	for (i = 0; i < HEIRS; i++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d", x->pid, first + (pid_t)i);
		n += !access(path, F_OK);
	}
	return n;
}

/* Numbers of ended processes are given to threads: these have no record. */
IN_SMALL("accounting: number of an ended process is a thread's", R3_EARLY, 0)
{
	const pid_t first = 10120;
	pid_t next;
	struct actor *x;
	int i, ret;

	for (i = 0; i < HEIRS; i++) {
		x = scenario_new_numbered(s->d, 620 + i, first + i);
		if (!x)
			return;
		actor_kill(x);
	}
	next = atoi(host_read_text("/proc/sys/kernel/ns_last_pid")) + 1;
	ret = host_set_next_pid(first);
	if (!ret)
		ret = actor_do(s->a, start_threads, NULL, 0);
	if (!ret)
		ret = host_set_next_pid(next);
	check(!ret, "no threads: %s", strerror(-ret));
	/* A number or two may have become a thread's of the kernel. */
	check(threads_from(s->a, first), "no thread has the number of a process");
	lists(s->a, truth_local(s->a, s->a->pid), 1);
}

/* Both numbers of an ended process have been given to other processes. */
IN_SMALL("accounting: numbers of ended processes again", NEVER, 0)
{
	struct actor *x = scenario_new_numbered(s->a, 930, 10500), *heir, *stranger;

	if (!x)
		return;
	actor_kill(x);
	if (!same_record(s, s->a, 930, 10500))
		return;
	/* The living first, who have no record yet; then their own. */
	heir = actor_new(s->a, SAME_NAMESPACE, (const pid_t[]){ 930, 10510 }, 2);
	if (!heir || !no_record(s->a, 930) || !lists(s->a, 930, 0) ||
	    !scenario_start_work(heir, NULL) ||
	    !same_record(s, s->a, 930, 10510) || !lists(s->a, 930, 1))
		return;
	actor_kill(heir);
	if (!same_record(s, s->a, 930, 10510) || !lists(s->a, 930, 1))
		return;
	x = scenario_new_numbered(s->a, 940, 10520);
	if (!x)
		return;
	actor_kill(x);
	stranger = actor_new(NULL, SAME_NAMESPACE, (const pid_t[]){ 10520 }, 1);
	if (!stranger || !scenario_start_work(stranger, NULL) || !lists(s->a, 940, 0))
		return;
	/* Two records of that number now: the driver gives the older. */
	if (!same_record(s, s->a, 940, 10520))
		return;
	actor_kill(stranger);
	if (no_record(s->a, 940) && host_record(s, 10520))
		no_record(s->d, 940);
}

/* @processes children, one after the other, use the driver and end. */
static int use_and_end(void *processes)
{
	u32 left = *(u32 *)processes, client[8];
	pid_t pid;
	int fd;

	while (left--) {
		pid = vfork();
		if (pid < 0)
			return -errno;
		if (pid)
			continue;
		fd = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC);
		memset(client, 0, sizeof(client));	/* NVOS21_PARAMETERS: a root */
		_exit(ioctl(fd, _IOWR('F', NV_ESC_RM_ALLOC, client), client) != 0);
	}
	return 0;
}

/* The oldest are forgotten, and then nobody's. */
ALONE("accounting: many ended processes", NEVER, ON_MODULE)
{
	struct actor *x, *y;
	u32 many = 4500, of_y, local;
	struct scenario s;

	if (!loops_wanted() || !scenario_open_small(&s))
		return;
	x = scenario_new_numbered(s.a, 950, 10600);
	if (!x)
		return;
	actor_kill(x);
	if (!same_record(&s, s.a, 950, 10600))
		return;
	check(!actor_do(s.d, use_and_end, &many, sizeof(many)), "cannot start %u processes", many);
	y = scenario_new_process(s.a, SAME_NAMESPACE);
	if (!y || !no_record(s.a, 950) || !lists(s.a, 950, 0))
		return;
	of_y = y->pid;
	local = truth_local(s.a, of_y);
	actor_kill(y);
	if (same_record(&s, s.a, local, of_y))
		lists(s.a, local, 1);
}

#define MAX_NAMESPACES	"/proc/sys/user/max_pid_namespaces"
#define CONTAINERS	24

/* More than the scenario has, fewer than have ended. */
#define FEW_NAMESPACES	"8"

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

/* The kernel frees a namespace some time after its last process. */
static int new_namespace(void *unused)
{
	u32 tries = 1000;

	while (unshare(CLONE_NEWPID)) {
		if (errno != ENOSPC || !--tries)
			return -errno;
		usleep(10000);
	}
	return 0;
}

/* Containers used the driver and have ended: so have their namespaces. */
IN_SMALL("accounting: ended containers", R0_UP, 0)
{
	char before[32];
	struct actor *x;
	u32 i;
	int ret;

	for (i = 0; i < CONTAINERS; i++) {
		x = scenario_new_process(NULL, NEW_CONTAINER);
		if (!x)
			return;
		actor_kill(x);
	}
	snprintf(before, sizeof(before), "%s", host_read_text(MAX_NAMESPACES));
	ret = write_text(MAX_NAMESPACES, FEW_NAMESPACES);
	check(!ret, MAX_NAMESPACES ": %s", strerror(-ret));
	ret = actor_do(s->host, new_namespace, NULL, 0);
	write_text(MAX_NAMESPACES, before);
	check(!ret, "no new namespace after %u containers have ended: %s",
	      CONTAINERS, strerror(-ret));
}
