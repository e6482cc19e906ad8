// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways past an engine that take no second thread: what a process is, and where
 * its arguments are, so that whoever looks after it fails to read the one or
 * the other. Each call ends in one of two ways. It is answered, and the answer
 * is what the caller may see; or it is refused, and nothing is in its memory
 * that it had not sent.
 */
#include <grp.h>
#include <linux/mman.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/conformance/storm.h"
#include "tests/conformance/suite.h"

#ifndef SYS_memfd_secret
#define SYS_memfd_secret	447
#endif

#define GROUPS_MAX	65536	/* NGROUPS_MAX */
#define PAGE		host_page_size()
#define ROOM		(1u << 21)	/* a huge page; any part has room there */

/* --- how a call ended --- */

/* Engine bpf clears what a driver may have written before it failed. */
static bool nothing_new(const struct question *q)
{
	u32 size = mpu_rows[q->row].size, i;

	for (i = 0; i < size; i++)
		if (q->params[i] && q->params[i] != q->sent[i])
			return false;
	return true;
}

/* Return: false if the case is failed. */
static bool answered_or_refused(struct scenario *s, struct actor *seer, const struct question *q)
{
	if (!q->ret)
		return answer_is_the_hosts(s->host, seer, q);
	if (!answer_hides_strangers(seer, q))
		return false;
	check_or(false, nothing_new(q), "0x%x: refused with 0x%x, and answered",
		 mpu_rows[q->row].cmd, q->ret);
	return true;
}

/* Everything is asked by @fn in @seer, on a struct question. */
static void everything(struct scenario *s, struct actor *seer, actor_fn fn)
{
	static struct question q;
	u32 row;
	int ret;

	for_each_shared_row(row, s->host) {
		q = (struct question){ .row = row };
		question_name_two(s, seer, &q);
		ret = actor_do(seer, fn, &q, sizeof(q));
		check(!ret, "0x%x cannot be asked: %s", mpu_rows[row].cmd, strerror(-ret));
		if (!answered_or_refused(s, seer, &q))
			return;
	}
}

/* --- what a process is --- */

/* Its /proc/PID/status is 720 KB then. The name is nobody's number. */
static int take_groups(void *unused)
{
	static gid_t groups[GROUPS_MAX];
	u32 i;

	for (i = 0; i < GROUPS_MAX; i++)
		groups[i] = 4000000000u + i;
	if (prctl(PR_SET_NAME, "x\nNStgid:\t1\t1"))
		return -errno;
	return setgroups(GROUPS_MAX, groups) ? -errno : 0;
}

IN_SMALL("evasion: 65536 groups", NEVER, 0)
{
	struct actor *other = scenario_new_process(s->a, SAME_NAMESPACE);
	int ret;

	if (!other)
		return;
	ret = actor_do(other, take_groups, NULL, 0);
	check(!ret, "cannot take groups: %s", strerror(-ret));
	/* The process with many groups is in others' lists, and gets lists itself. */
	if (actor_sees_right(s, s->a))
		actor_sees_right(s, other);
}

static int hide_from_debuggers(void *unused)
{
	return prctl(PR_SET_DUMPABLE, 0) ? -errno : 0;
}

IN_SMALL("evasion: not dumpable", NEVER, 0)
{
	struct actor *rootless = scenario_new_process(NULL, NEW_ROOTLESS);

	if (!rootless)
		return;
	check(!actor_do(s->a, hide_from_debuggers, NULL, 0) &&
	      !actor_do(rootless, hide_from_debuggers, NULL, 0), "cannot become undumpable");
	if (actor_sees_right(s, s->a))
		actor_sees_right(s, rootless);
}

/* cases_lifecycle.c says which engines must answer. */
IN_SMALL("evasion: main thread gone", NEVER, 0)
{
	check(!actor_do(s->a, actor_leave_main_thread, NULL, 0), "the main thread stays");
	everything(s, s->a, gpu_ask);
}

/* --- whose files they are --- */

static struct {
	struct question *question;
	bool reverse;
	int nothing;
	atomic_int stage;
	int ret;
} files;

static void *ask_with_own_files(void *unused)
{
	int fd = gpu_client()->fd;

	files.ret = unshare(CLONE_FILES) ? -errno : 0;
	if (!files.ret && files.reverse && dup2(files.nothing, fd) < 0)
		files.ret = -errno;
	files.stage = 1;
	while (files.stage != 2)
		usleep(1000);
	if (!files.ret)
		files.ret = gpu_ask(files.question);
	return unused;
}

/*
 * A thread asks whose descriptor is another file than the main thread's of that
 * number: one is the driver's, the other is of no use.
 */
static int ask_in_thread(struct question *q, bool reverse)
{
	int fd = gpu_client()->fd, own = dup(fd);
	pthread_t thread;

	files.question = q;
	files.reverse = reverse;
	files.stage = 0;
	files.nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (own < 0 || files.nothing < 0 || pthread_create(&thread, NULL, ask_with_own_files, NULL))
		return -EAGAIN;
	while (files.stage != 1)
		usleep(1000);
	if (!reverse)
		dup2(files.nothing, fd);
	files.stage = 2;
	pthread_join(thread, NULL);
	dup2(own, fd);
	close(own);
	close(files.nothing);
	return files.ret;
}

static int driver_is_the_threads(void *question)
{
	return ask_in_thread(question, false);
}

static int driver_is_the_main_threads(void *question)
{
	struct question *q = question;
	int ret = ask_in_thread(q, true);

	/* Nothing has such a request. */
	return ret || q->ret < 0 ? ret : -EPROTO;
}

IN_SMALL("evasion: thread with files of its own", NEVER, 0)
{
	everything(s, s->a, driver_is_the_threads);
	if (!case_failed())
		everything(s, s->a, driver_is_the_main_threads);
}

/* --- where its arguments are --- */

enum part { BLOCK, XFER, PARAMS, TABLE, PARTS };

enum memory { SECRET, SHARED_ZERO, HUGE, LAST, CUT, MEMORIES };

/* The amount of the block or the params that is behind the end of that memory. */
enum over { NOTHING, HALF, ALL };

/* Each maps ROOM bytes at @at, and nothing behind them. */
static u8 *map_secret(u8 *at)
{
	int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
	u8 *map = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, ROOM))
		map = mmap(at, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (fd >= 0)
		close(fd);
	return map;
}

static u8 *map_shared_zero(u8 *at)
{
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	u8 *map = mmap(at, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);

	if (fd >= 0)
		close(fd);
	return map;
}

static u8 *map_huge(u8 *at)
{
	return mmap(at, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		    MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_2MB | MAP_FIXED, -1, 0);
}

static u8 *map_cut(u8 *at)
{
	return mmap(at, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		    MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/*
 * The last pages of user space but one, which x86-64 keeps: there it has 56 or 47 bits of
 * address, on arm64 52, 48 or 47.
 */
static u8 *map_last(u8 *unused)
{
	static const u32 bits[] = { 56, 52, 48, 47 };
	u8 *map = MAP_FAILED;
	u32 i;

	for (i = 0; i < sizeof(bits) / sizeof(bits[0]) && map == MAP_FAILED; i++)
		map = mmap((void *)((1ul << bits[i]) - PAGE - ROOM), ROOM, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	return map;
}

static u8 *(*const maps[MEMORIES])(u8 *at) = {
	map_secret, map_shared_zero, map_huge, map_last, map_cut,
};

/* The address behind its last byte; NULL and errno: there is no such memory. */
static u8 *end_of(enum memory memory)
{
	static u8 *ends[MEMORIES];
	u8 *room, *at;

	if (ends[memory])
		return ends[memory];
	room = mmap(NULL, 3 * ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return NULL;
	at = (u8 *)(((uintptr_t)room + ROOM - 1) & ~((uintptr_t)ROOM - 1));
	at = maps[memory](at);
	if (at != MAP_FAILED)
		ends[memory] = at + ROOM;
	return ends[memory];
}

/**
 * struct evasion - a question, a part of which is in such memory
 * @answered:	it must be, the driver has no trouble with it
 */
struct evasion {
	enum memory memory;
	enum part part;
	enum over over;
	bool answered;
	struct question question;
};

/**
 * struct spot - where a part is
 * @there:	bytes that can be reached
 */
struct spot {
	u8 *at;
	u32 there;
};

static struct spot spot_of(const struct evasion *t, enum part part, u8 *end)
{
	static u8 plain[PARTS][sizeof(((struct question *)NULL)->array)];
	const struct mpu_row *row = &mpu_rows[t->question.row];
	const u32 size[PARTS] = {
		sizeof(struct nv_control), sizeof(struct nv_xfer), row->size,
		sizeof(plain[TABLE]),
	};
	const u32 over = t->over * size[part] / ALL;

	if (part != t->part)
		return (struct spot){ plain[part], size[part] };
	return (struct spot){ end + over - size[part], size[part] - over };
}

static int issue(const struct evasion *t, const struct spot *spot)
{
	struct question q = t->question;
	struct nv_control block = question_block(&q, spot[PARAMS].at);
	struct nv_xfer xfer = {
		NV_ESC_RM_CONTROL, sizeof(block), (uintptr_t)spot[BLOCK].at,
	};
	int fd = gpu_client()->fd, ret;

	memcpy(spot[BLOCK].at, &block, spot[BLOCK].there);
	memcpy(spot[XFER].at, &xfer, spot[XFER].there);
	if (t->part == XFER)
		ret = ioctl(fd, _IOWR('F', NV_ESC_XFER, struct nv_xfer), spot[XFER].at);
	else
		ret = ioctl(fd, _IOWR('F', NV_ESC_RM_CONTROL, struct nv_control), spot[BLOCK].at);
	if (ret)
		return -errno;
	memcpy(&block, spot[BLOCK].at, spot[BLOCK].there);
	return (int)block.status;
}

static int ask_from_there(void *arg)
{
	struct evasion *t = arg;
	struct question *q = &t->question;
	struct spot spot[PARTS];
	u8 *end = end_of(t->memory);
	enum part part;

	if (!end)
		return -errno;
	for (part = 0; part < PARTS; part++)
		spot[part] = spot_of(t, part, end);
	memset(spot[TABLE].at, FILL, spot[TABLE].there);
	question_compose(q, q->sent, spot[TABLE].at);
	memcpy(spot[PARAMS].at, q->sent, spot[PARAMS].there);
	q->ret = issue(t, spot);
	memcpy(q->params, q->sent, mpu_rows[q->row].size);
	memcpy(q->params, spot[PARAMS].at, spot[PARAMS].there);
	memcpy(q->array, spot[TABLE].at, spot[TABLE].there);
	return 0;
}

/* Return: false if there is no such memory, or the case is failed. */
static bool one_evasion(struct scenario *s, struct evasion *t)
{
	struct question *q = &t->question;
	u32 cmd = mpu_rows[q->row].cmd;
	int ret;

	question_name_two(s, s->a, q);
	ret = actor_do(s->a, ask_from_there, t, sizeof(*t));
	if (ret) {
		case_skip("this kernel has no such memory: %s", strerror(-ret));
		return false;
	}
	check_or(false, !t->answered || !q->ret, "0x%x, part %u: status 0x%x",
		 cmd, t->part, q->ret);
	check_or(false, t->over == NOTHING || q->ret,
		 "0x%x, part %u: answered without its arguments", cmd, t->part);
	return answered_or_refused(s, s->a, q);
}

static void arguments_in(struct scenario *s, struct evasion evasion, enum part to)
{
	static struct evasion t;
	u32 row;

	for_each_shared_row(row, s->host) {
		for (evasion.part = BLOCK; evasion.part <= to; evasion.part++) {
			if (evasion.part == TABLE && mpu_rows[row].ptr == MPU_NO_OFFSET)
				continue;
			t = evasion;
			t.question.row = row;
			if (!one_evasion(s, &t))
				return;
		}
	}
}

#define ARGUMENTS_IN(name, ...) \
	IN_SMALL("evasion: arguments " name, NEVER, 0) \
	{ arguments_in(s, (struct evasion){ __VA_ARGS__ }, TABLE); }

ARGUMENTS_IN("only their owner may touch", .memory = SECRET)
ARGUMENTS_IN("in shared memory", .memory = SHARED_ZERO, .answered = true)

static int reserve_huge_page(void *unused)
{
	int fd = open("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
		      O_WRONLY | O_CLOEXEC);
	ssize_t n = write(fd, "1", 1);

	close(fd);
	return n == 1 ? 0 : -errno;
}

IN_SMALL("evasion: arguments in a huge page", NEVER, 0)
{
	check(!actor_do(s->host, reserve_huge_page, NULL, 0), "no huge page can be reserved");
	arguments_in(s, (struct evasion){ .memory = HUGE, .answered = true }, TABLE);
}

ARGUMENTS_IN("at the last address", .memory = LAST, .answered = true)

IN_SMALL("evasion: arguments half there, or not at all", R0_UP, 0)
{
	static const enum memory memory[] = { LAST, CUT };
	struct evasion t = { 0 };
	u32 i;

	for (i = 0; i < 4 && !case_failed(); i++) {
		t.memory = memory[i / 2];
		t.over = i % 2 ? ALL : HALF;
		arguments_in(s, t, PARAMS);
	}
}

/* --- what happens to it meanwhile --- */

static int ask_under_signals(void *question)
{
	struct question *q = question;
	int ret = storm_begin();

	if (ret)
		return ret;
	ret = gpu_ask(q);
	storm_end();
	/* Whoever has asked the kernel to restart calls sees none end so. */
	return ret || q->ret != -EINTR ? ret : -EPROTO;
}

IN_SMALL("evasion: signals", NEVER, 0)
{
	everything(s, s->a, ask_under_signals);
}
