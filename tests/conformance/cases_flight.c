// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that stay in the driver for a while, and many of them at once.
 *
 * The driver copies all params in before it does anything. All of them but the
 * first bytes lie on pages that are not there yet: it waits for the first of
 * these as long as we please.
 */
#include <linux/userfaultfd.h>
#include <sched.h>

#include "sim/interface.h"
#include "tests/conformance/suite.h"

#define PAGE		host_page_size()
#define FIRST_BYTES	128u	/* a question of one number is within them */
#define PAGES		8u
#define FOREVER		600000u	/* ms */

#define HELD	"/tmp/held"	/* is there once the driver waits for a page */
#define GO	"/tmp/go"	/* while it is not there, they stay inside */

/* A call that stays in the driver: @question says which, but for its params. */
struct held {
	u32 ms;			/* maximum time until GO is there */
	u32 block;		/* is it the argument block that the driver waits for? */
	struct question question;
};

static struct {
	int fd;
	u8 *map;
	u32 missing;	/* pages */
	u32 ms;
	u8 content[PAGES * LARGEST_PAGE];	/* of the map */
} hold;

static void appear(const char *file)
{
	close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

/* The driver waits: say so, and let it. */
static void keep_waiting(u32 ms)
{
	u32 waited;

	appear(HELD);
	for (waited = 0; waited < ms && access(GO, F_OK); waited += 10)
		usleep(10000);
}

static void *bring_pages(void *unused)
{
	struct uffd_msg msg;
	struct uffdio_copy copy;
	unsigned long at;
	u32 i;

	for (i = 0; i < hold.missing; i++) {
		if (read(hold.fd, &msg, sizeof(msg)) != sizeof(msg))
			break;
		if (!i)
			keep_waiting(hold.ms);
		at = (msg.arg.pagefault.address - (unsigned long)hold.map) &
		     ~(PAGE - 1ul);
		copy = (struct uffdio_copy){
			.dst = (unsigned long)hold.map + at,
			.src = (unsigned long)hold.content + at,
			.len = PAGE,
		};
		ioctl(hold.fd, UFFDIO_COPY, &copy);
	}
	return unused;
}

static int ask_held(void *arg)
{
	struct held *h = arg;
	struct question *q = &h->question;
	const struct mpu_row *row = &mpu_rows[q->row];
	struct nv_control block;
	pthread_t thread;
	size_t first;
	u8 *params;

	hold.ms = h->ms;
	hold.missing = h->block ? 1 : (row->size - FIRST_BYTES + PAGE - 1) / PAGE;
	hold.map = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	first = (h->block ? PAGES - 1 : 1) * PAGE;
	params = h->block ? hold.map : hold.map + first - FIRST_BYTES;
	question_compose(q, q->sent, q->array);
	memcpy(params, q->sent, h->block ? row->size : FIRST_BYTES);
	memcpy(hold.content + PAGE, q->sent + FIRST_BYTES, row->size - FIRST_BYTES);
	block = question_block(q, params);
	if (h->block)
		memcpy(hold.content + first, &block, sizeof(block));
	hold.fd = pages_watch(hold.map + first, PAGES * PAGE - first);
	if (hold.fd < 0)
		return hold.fd;
	pthread_create(&thread, NULL, bring_pages, NULL);
	if (!h->block)
		q->ret = rm_control(gpu_client(), block.object, row->cmd, params, row->size);
	else if (!ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_CONTROL, block), hold.map + first))
		q->ret = (int)((struct nv_control *)(hold.map + first))->status;
	else
		q->ret = -errno;
	pthread_join(thread, NULL);
	close(hold.fd);
	memcpy(q->params, params, row->size);
	munmap(hold.map, PAGES * PAGE);
	return 0;
}

static bool can_be_held(struct scenario *s, u32 row)
{
	return mpu_rows[row].size > FIRST_BYTES &&
	       mpu_rows[row].size < (PAGES - 1) * PAGE &&
	       mpu_rows[row].ptr == MPU_NO_OFFSET &&
	       mpu_rows[row].cmd != 0x607 && row_answered(s->host, row);
}

static void hold_begin(struct scenario *s, struct held *h, u32 row, u32 ms, bool block)
{
	memset(h, 0, sizeof(*h));
	h->ms = ms;
	h->block = block;
	h->question.row = row;
	if (mpu_rows[row].dir == MPU_IN)
		h->question.pids[h->question.count++] = 1;
	unlink(HELD);
	unlink(GO);
	actor_begin(s->a, ask_held, h, sizeof(*h));
	while (actor_busy(s->a) && access(HELD, F_OK))
		usleep(1000);
}

/* The answer is what it would be at any other time. */
static bool hold_end(struct scenario *s, struct held *h)
{
	int ret = actor_end(s->a, h, sizeof(*h));

	check_or(false, !ret, "no userfaultfd: %s", strerror(-ret));
	check_or(false, !h->question.ret, "0x%x: status 0x%x",
		 mpu_rows[h->question.row].cmd, h->question.ret);
	return answer_is_the_hosts(s->host, s->a, &h->question);
}

IN_SMALL("flight: answered late", NEVER, 0)
{
	static struct held h;
	u32 row;

	for_each_row(row) {
		if (!can_be_held(s, row))
			continue;
		hold_begin(s, &h, row, FOREVER, false);
		check(actor_busy(s->a), "0x%x was not held", mpu_rows[row].cmd);
		appear(GO);
		if (!hold_end(s, &h))
			return;
	}
}

/* A question and a list: what takes an engine longer is not tried for all. */
static bool is_of_two(u32 row)
{
	u32 cmd = mpu_rows[row].cmd;

	return cmd == 0x2080018d || cmd == 0x2080018e || cmd == 0x00800202 || cmd == 0x00800203;
}

/* An engine that is stopped still answers the calls that began under it. */
IN_SMALL("flight: engine stopped meanwhile", MAYBE, ON_MODULE | ON_BPF)
{
	static struct held h;
	u32 row;

	for_each_row(row) {
		if (!is_of_two(row) || !can_be_held(s, row))
			continue;
		hold_begin(s, &h, row, 1500, false);
		check(engine_calls() == 1, "%ld calls in flight", engine_calls());
		check(actor_busy(s->a), "0x%x was not held", mpu_rows[row].cmd);
		if (!engine_must_stop())
			return;
		check(!actor_busy(s->a), "0x%x: the engine did not wait", mpu_rows[row].cmd);
		if (!hold_end(s, &h) || !engine_must_start())
			return;
	}
}

static u32 list_row(struct scenario *s)
{
	u32 row;

	for_each_row(row)
		if (mpu_rows[row].cmd == NV_CTRL_GPU_GET_PIDS && can_be_held(s, row))
			break;
	return row;
}

/* Returns whether rmmod is refused, and at once. */
static bool rmmod_is_refused(void)
{
	pid_t pid = fork();
	int status = 0, i;

	if (!pid)
		_exit(-host_unload_module("mpu"));
	for (i = 0; i < 300 && waitpid(pid, &status, WNOHANG) != pid; i++)
		usleep(10000);
	check_or(false, i < 300, "rmmod waits for a call of a container");
	check_or(false, WEXITSTATUS(status) == EAGAIN, "rmmod: %s", strerror(WEXITSTATUS(status)));
	return true;
}

static FILE *down(const char *options)
{
	char command[64];

	snprintf(command, sizeof(command), "/mpu down %s 2>&1", options);
	return popen(command, "re");
}

/* Waits until it has ended, with @status and a sentence that names a process. */
static bool down_says(FILE *f, int status, pid_t pid)
{
	char text[1024], name[32];
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	int ended = pclose(f);

	text[n] = '\0';
	snprintf(name, sizeof(name), "PID %d has been in one for", pid);
	check_or(false, WEXITSTATUS(ended) == status && strstr(text, name),
		 "mpu down, status %d: %s", WEXITSTATUS(ended), text);
	return true;
}

static void forced_out(struct scenario *s, u32 row)
{
	static struct held h;
	FILE *f;

	hold_begin(s, &h, row, FOREVER, false);
	f = down("--force");
	while (actor_busy(s->a) && strcmp(host_read_text("/sys/kernel/mpu/hook"), "off\n"))
		usleep(10000);
	check(actor_busy(s->a), "--force: it goes with a call inside");
	/* Reading it does not wait for the call. */
	check(!strcmp(engine_driver(), driver_name()) && engine_calls() == 1,
	      "driver %s, %ld calls", engine_driver(), engine_calls());
	sleep(2);
	appear(GO);
	if (hold_end(s, &h) && down_says(f, 0, s->a->pid))
		engine_must_start();
}

/* Keeps the engine as it is, for all others, too. */
IN_SMALL("flight: a call is not let end by its container", MAYBE, ON_MODULE)
{
	static struct held h;
	u32 row = list_row(s), block;
	FILE *f;

	if (row == MPU_ROWS) {
		case_skip("this driver has no list that can be held");
		return;
	}
	for (block = 0; block < 2; block++) {
		hold_begin(s, &h, row, 30000, block);
		check(actor_busy(s->a), "it was not held");
		if (!rmmod_is_refused() || !actor_sees_itself(s->d))
			return;
		f = down("");
		sleep(2);
		/* A call meanwhile waits, and is told what is right. */
		if (!actor_sees_itself(s->d) || !down_says(f, 1, s->a->pid))
			return;
		if (!down_says(down("--dry-run"), 1, s->a->pid))
			return;
		appear(GO);
		if (!hold_end(s, &h) || !engine_must_stop() || !engine_must_start())
			return;
	}
	forced_out(s, row);
}

ALONE("flight: caller killed meanwhile", MAYBE, ON_MODULE | ON_BPF)
{
	static struct held h;
	struct scenario s;
	u32 row;

	for_each_row(row) {
		if (!is_of_two(row))
			continue;
		if (!scenario_open_small(&s))
			return;
		if (can_be_held(&s, row)) {
			hold_begin(&s, &h, row, FOREVER, false);
			check(engine_calls() == 1, "%ld calls in flight", engine_calls());
			actor_kill(s.a);
			check(!engine_calls(), "%ld calls in flight", engine_calls());
		}
		fixture_close();
		fixture_open();
	}
}

/* --- many at once --- */

#define THREADS		6
#define ROWS		3

/* Every thread asks the same over and over, and must be told the same. */
struct crowd {
	u32 rows[ROWS];		/* MPU_ROWS: none */
	u32 loops;
	u32 one_cpu;
	u32 calls;
	u32 wrong;		/* the control that was answered differently */
};

struct answer {
	int ret;
	u8 params[MPU_PARAMS_MAX];
};

static struct {
	struct crowd crowd;
	struct answer first[ROWS];
	struct member {
		pthread_t thread;
		struct answer answer;
		u32 calls;
		u32 wrong;
	} member[THREADS];
} together;

static void ask_alone(u32 row, struct answer *answer)
{
	static const struct question about_self = { .count = 1, .pids = { 1 } };
	struct question question = about_self;

	question.row = row;
	question_compose(&question, answer->params, NULL);
	answer->ret = rm_control(gpu_client(), gpu_object(mpu_rows[row].cmd), mpu_rows[row].cmd,
				 answer->params, mpu_rows[row].size);
}

static void *ask_often(void *arg)
{
	struct member *me = arg;
	const struct answer *want;
	u32 i, j, row;

	for (i = 0; i < together.crowd.loops; i++)
		for (j = 0; j < ROWS; j++) {
			row = together.crowd.rows[j];
			if (row == MPU_ROWS)
				continue;
			want = &together.first[j];
			ask_alone(row, &me->answer);
			me->calls++;
			if (me->answer.ret != want->ret ||
			    memcmp(me->answer.params, want->params, mpu_rows[row].size))
				me->wrong = mpu_rows[row].cmd;
		}
	return NULL;
}

static int ask_together(void *arg)
{
	struct crowd *crowd = arg;
	cpu_set_t cpus;
	u32 i;

	memset(&together, 0, sizeof(together));
	together.crowd = *crowd;
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (!crowd->one_cpu)
		CPU_SET(1, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	for (i = 0; i < ROWS; i++)
		if (crowd->rows[i] != MPU_ROWS)
			ask_alone(crowd->rows[i], &together.first[i]);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&together.member[i].thread, NULL, ask_often,
				   &together.member[i]))
			return -EAGAIN;
	for (i = 0; i < THREADS; i++) {
		pthread_join(together.member[i].thread, NULL);
		crowd->calls += together.member[i].calls;
		if (together.member[i].wrong)
			crowd->wrong = together.member[i].wrong;
	}
	return 0;
}

static void crowds(struct scenario *s, bool one_cpu)
{
	struct actor *const who[] = { s->a, s->d, s->host };
	struct crowd crowd[3], all = {
		.loops = 60, .one_cpu = one_cpu,
		.rows = { row_find_answered(s->host, 0x2080018d, 0x2080018d),
			  row_find_answered(s->host, 0x2080018e, 0x2080018e),
			  row_find_answered(s->host, 0xb04, 0xb04) },
	};
	u32 i;
	int ret;

	for (i = 0; i < 3; i++) {
		crowd[i] = all;
		actor_begin(who[i], ask_together, &crowd[i], sizeof(all));
	}
	for (i = 0; i < 3; i++) {
		ret = actor_end(who[i], &crowd[i], sizeof(all));
		check(!ret, "no threads: %s", strerror(-ret));
		check(crowd[i].calls, "no calls");
		check(!crowd[i].wrong, "0x%x was answered differently", crowd[i].wrong);
	}
}

IN_SMALL("flight: many threads on one CPU", R0_UP, 0) { crowds(s, true); }
IN_SMALL("flight: many threads on all CPUs", R0_UP, 0) { crowds(s, false); }

/* --- thousands inside --- */

#define INSIDE	2000

static void *wait_inside(void *params)
{
	return (void *)(long)gpu_sleep(params);
}

/* INSIDE threads are in the driver, which waits for the same page for all of them. */
static int many_inside(void *unused)
{
	static pthread_t threads[INSIDE];
	static u8 zeros[LARGEST_PAGE];
	struct uffdio_copy copy = { .src = (unsigned long)zeros, .len = PAGE };
	u8 *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = pages_watch(map, PAGE), ret = 0;
	pthread_attr_t small;
	void *one;
	u32 i, n;

	if (fd < 0)
		return fd;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (n = 0; n < INSIDE; n++)
		if (pthread_create(&threads[n], &small, wait_inside, map))
			break;
	while (access(GO, F_OK))
		usleep(10000);
	copy.dst = (unsigned long)map;
	ioctl(fd, UFFDIO_COPY, &copy);
	for (i = 0; i < n; i++) {
		pthread_join(threads[i], &one);
		ret = ret ? ret : (int)(long)one;
	}
	close(fd);
	return n < INSIDE ? -EAGAIN : ret;
}

IN_SMALL("flight: thousands of threads inside", MAYBE, ON_MODULE)
{
	long n = 0;
	int ret;

	unlink(GO);
	actor_begin(s->a, many_inside, NULL, 0);
	while (actor_busy(s->a) && n < INSIDE && n >= 0) {
		usleep(20000);
		n = engine_calls();
	}
	actor_sees_itself(s->d);
	appear(GO);
	ret = actor_end(s->a, NULL, 0);
	check(n == INSIDE, "%ld calls in flight", n);
	check(!ret, "a call failed: %d", ret);
	check(!engine_calls(), "%ld calls in flight after all", engine_calls());
}
