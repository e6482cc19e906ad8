// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hostile threads: one that watches the buffer during the call, one that
 * rewrites the arguments. Both run in the container, in the caller's process.
 *
 * Global numbers are recognised by their size: host_set_next_pid() keeps them
 * above FOREIGN_MIN, and nothing else in these buffers comes near.
 */
#include <stdatomic.h>

#include "nvidia/internal.h"
#include "sim/interface.h"
#include "tests/conformance/suite.h"

#define FOREIGN_MIN	19000u
#define FOREIGN_MAX	40000u
#define FILL32		0xeeeeeeeeu

static bool foreign(u32 value)
{
	return value >= FOREIGN_MIN && value < FOREIGN_MAX;
}

/* --- a reader --- */

struct watched {
	u32 row;
	u32 loops;
	u32 foreign;	/* a number the reader saw */
	u64 pointer;	/* a kernel address the reader saw */
	u32 exposed;	/* calls with either */
	u32 passes;	/* passes of the reader over the buffer */
	u32 calls;	/* answered calls */
};

static struct {
	const struct mpu_row *row;
	volatile u8 *array;
	atomic_int leave;
	atomic_int sight;	/* something was seen since this was last 0 */
	struct watched *seen;
} reader;

static void sight(u32 number, u64 pointer)
{
	if (number)
		reader.seen->foreign = number;
	if (pointer)
		reader.seen->pointer = pointer;
	reader.sight = 1;
}

static u32 peek32(u32 off)
{
	return *(volatile u32 *)(reader.array + off);
}

static void *read_all(void *unused)
{
	const struct mpu_row *row = reader.row;
	u32 i, f, off, value;

	while (!reader.leave) {
		for (i = 0; i < row->cap && !reader.leave; i++)
			for (f = 0; f < row->fields; f++) {
				off = row_pid_offset(row, i, f);
				value = peek32(off);
				if (foreign(value))
					sight(value, 0);
				if (row->pointer == MPU_NO_OFFSET)
					continue;
				/* The upper half of any kernel address. */
				off += row->pointer;
				value = peek32(off + 4);
				if (value >> 16 == 0xffff)
					sight(0, (u64)value << 32);
			}
		reader.seen->passes++;
	}
	return unused;
}

static int watch_buffer(void *arg)
{
	struct watched *w = arg;
	const struct mpu_row *row = &mpu_rows[w->row];
	struct question question = { .row = w->row, .count = 1, .pids = { 1 } };
	u32 size = row->ptr == MPU_NO_OFFSET ? row->size : (u32)row->cap * row->stride;
	u8 *params = malloc(row->size), *array = calloc(1, size);
	u8 *fresh = malloc(row->size);
	pthread_t thread;
	u32 i;

	question_compose(&question, fresh, array);
	memcpy(params, fresh, row->size);
	reader.row = row;
	reader.array = row->ptr == MPU_NO_OFFSET ? params : array;
	reader.leave = 0;
	reader.sight = 0;
	reader.seen = w;
	pthread_create(&thread, NULL, read_all, NULL);
	while (!*(volatile u32 *)&w->passes)
		usleep(1000);
	for (i = 0; i < w->loops; i++) {
		memcpy(params, fresh, row->size);
		if (rm_control(gpu_client(), gpu_object(row->cmd), row->cmd, params, row->size))
			continue;
		w->calls++;
		w->exposed += atomic_exchange(&reader.sight, 0);
	}
	reader.leave = 1;
	pthread_join(thread, NULL);
	free(params);
	free(array);
	free(fresh);
	return 0;
}

IN_SMALL("races: a thread reads the buffer", NEVER, 0)
{
	struct watched w;
	u32 row;

	for_each_shared_row(row, s->host) {
		w = (struct watched){ .row = row,
			.loops = mpu_rows[row].size < 5000 ? 400 : 100 };
		check(!actor_do(s->a, watch_buffer, &w, sizeof(w)), "no reader");
		check(w.calls && w.passes, "0x%x: %u calls, %u passes",
		      mpu_rows[row].cmd, w.calls, w.passes);
		if (engine_on(ON_BPF)) {
			printf("note 0x%08x %u: in %u of %u calls a second thread read what is not the caller's\n",
			       mpu_rows[row].cmd, mpu_rows[row].size,
			       w.exposed, w.calls);
			continue;
		}
		check(!w.foreign, "0x%x: the reader saw %u", mpu_rows[row].cmd, w.foreign);
		check(!w.pointer, "0x%x: the reader saw 0x%llx",
		      mpu_rows[row].cmd, (unsigned long long)w.pointer);
	}
	if (engine_on(ON_BPF))
		case_skip("not with this engine: answers are rewritten where the caller can read them; how often is measured");
}

/* --- a writer --- */

/* Ten samples of the largest kind, and any list of this little scenario. */
#define BUFFER_USED 8192
#define SAMPLES_ASKED 10
#define BUFFER_STEP 0x10000

/*
 * The variants of the argument block: object, cmd and size belong together, but nothing
 * keeps the driver from reading a mixture.
 */
struct guise {
	u32 object, cmd, size;
};

struct rewritten {
	u32 loops;
	u64 bytes;		/* of memory the caller has */
	u32 list, info, samples;	/* rows; MPU_ROWS: this driver has none */
	u32 numbers[8];		/* global ones, that must not be seen */
	u32 answered;
	u32 foreign;
	u64 wrong;		/* an amount of memory that is not the caller's */
};

static struct {
	struct nv_control arg;
	u8 *buffer[2];
	struct guise guise[4];
	u32 guises;
	atomic_int leave;
} writer;

static void *rewrite_all(void *unused)
{
	volatile struct nv_control *arg = &writer.arg;
	u32 noise = 12345, i;

	while (!writer.leave) {
		const struct guise *g;

		noise = noise * 1103515245 + 12345;
		g = &writer.guise[(noise >> 16) % writer.guises];
		arg->cmd = g->cmd;
		arg->object = g->object;
		arg->size = g->size;
		arg->params = (uintptr_t)writer.buffer[noise >> 30 & 1];
		/* Composes like compose_all(). */
		for (i = 0; i < 2; i++)
			*(volatile u32 *)writer.buffer[i] = noise >> 20 & 1;
	}
	return unused;
}

static void add_guise(u32 row)
{
	const struct mpu_row *r = &mpu_rows[row];

	if (row < MPU_ROWS)
		writer.guise[writer.guises++] = (struct guise){
			gpu_object(r->cmd), r->cmd, r->size };
}

/*
 * A question that is one for all: idType (0: ids by class) or count (1: one entry)
 * at 0, class or bytes of samples at 4 (8320: SAMPLES_ASKED at least), and at 8 one's
 * own number.
 */
static void compose_all(u8 *buffer, u32 first)
{
	memset(buffer, FILL, BUFFER_USED);
	mpu_put32(buffer, 0, first);
	mpu_put32(buffer, 4, RM_CLASS_SUBDEVICE);
	mpu_put32(buffer, 8, 1);
	mpu_put32(buffer, 12, 0);
}

/*
 * An echo inverts: a number translated for it would come back inverted. By
 * value this time, since the buffer holds time stamps now and then.
 */
static void look(struct rewritten *w, const u8 *buffer)
{
	u32 off, value, i;

	for (off = 8; off + 4 <= BUFFER_USED; off += 4) {
		value = mpu_get32(buffer, off);
		for (i = 0; i < 8 && w->numbers[i]; i++)
			if (value == w->numbers[i] || ~value == w->numbers[i])
				w->foreign = value;
	}
}

/* Kernel addresses, where samples have them: the upper half shows. */
static void look_at_pointers(struct rewritten *w, const u8 *buffer)
{
	const struct mpu_row *row = &mpu_rows[w->samples];
	u32 i, f, value;

	if (w->samples == MPU_ROWS || row->pointer == MPU_NO_OFFSET)
		return;
	for (i = 0; i < SAMPLES_ASKED; i++)
		for (f = 0; f < row->fields; f++) {
			value = mpu_get32(buffer, row_pid_offset(row, i, f) + row->pointer + 4);
			if (value >> 16 == 0xffff)
				w->foreign = value;
		}
}

/* Amounts, where nothing but PID_INFO and the echo write: at offset 32. */
static void look_at_amount(struct rewritten *w, const u8 *buffer)
{
	u64 bytes = mpu_get64(buffer, 8 + 24);
	u64 fill = (u64)FILL32 << 32 | FILL32;

	if (bytes != fill && bytes != ~fill && bytes != w->bytes)
		w->wrong = bytes + 1;
}

/*
 * The driver may read an address while it is being rewritten. The two buffers
 * differ in one bit of theirs, so that a torn address is one of them; and no
 * torn size goes beyond the step.
 */
static u8 *buffers(void)
{
	u8 *map = mmap(NULL, 4 * BUFFER_STEP, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u8 *start;

	if (map == MAP_FAILED)
		return NULL;
	start = (u8 *)(((uintptr_t)map + 2 * BUFFER_STEP - 1) & ~(uintptr_t)(2 * BUFFER_STEP - 1));
	munmap(map, start - map);
	munmap(start + 2 * BUFFER_STEP, map + 4 * BUFFER_STEP - (start + 2 * BUFFER_STEP));
	return start;
}

static int rewrite_arguments(void *arg)
{
	struct rewritten *w = arg;
	pthread_t thread;
	u32 i, b;
	u8 *map;

	writer.guises = 0;
	writer.guise[writer.guises++] = (struct guise){
		gpu_client()->client, SIM_CTRL_ECHO,
		mpu_rows[w->info < MPU_ROWS ? w->info : w->list].size };
	add_guise(w->info);
	if (!w->bytes) {
		add_guise(w->list);
		add_guise(w->samples);
	}
	map = buffers();
	if (!map)
		return -ENOMEM;
	for (b = 0; b < 2; b++) {
		writer.buffer[b] = map + b * BUFFER_STEP;
		compose_all(writer.buffer[b], 0);
	}
	writer.arg = (struct nv_control){ .client = gpu_client()->client,
		.params = (uintptr_t)writer.buffer[0] };
	writer.leave = 0;
	pthread_create(&thread, NULL, rewrite_all, NULL);
	for (i = 0; i < w->loops && !w->foreign && !w->wrong; i++) {
		for (b = 0; b < 2; b++)
			compose_all(writer.buffer[b], i & 1);
		writer.arg.status = 0xffff;
		ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_CONTROL,
					      struct nv_control), &writer.arg);
		w->answered += writer.arg.status == NV_OK;
		for (b = 0; b < 2; b++) {
			look(w, writer.buffer[b]);
			look_at_pointers(w, writer.buffer[b]);
			if (w->bytes)
				look_at_amount(w, writer.buffer[b]);
		}
	}
	writer.leave = 1;
	pthread_join(thread, NULL);
	munmap(map, 2 * BUFFER_STEP);
	return 0;
}

/* --- arguments that change at a known moment --- */

/*
 * The argument block lies across two pages, of which one is not there yet. Whoever
 * reads it stops there; then the command, on the other, is changed, and the page comes.
 *
 * Where it is the second that comes late, with address and size, one reading has the
 * old command, and every further one the new: an engine that reads for itself, before
 * or after the driver, is certain to be deceived. Where it is the first, with client and
 * object, a look at nothing but the command has the old one, and the driver the new.
 */
struct torn {
	u32 row;
	u32 xfer;		/* through NV_ESC_XFER */
	u32 echo_first;		/* the order of the two commands */
	u32 late_head;		/* the first page is the one that comes late */
	int ret;
	u32 status;
	struct question question;	/* sent, and as it came back */
};

static struct late_page late;

static int issue_torn(const struct torn *t, struct nv_control *arg)
{
	struct nv_xfer xfer = { NV_ESC_RM_CONTROL, sizeof(*arg), (uintptr_t)arg };
	int ret;

	if (t->xfer)
		ret = ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_XFER, struct nv_xfer), &xfer);
	else
		ret = ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_CONTROL,
						    struct nv_control), arg);
	return ret ? -errno : 0;
}

static int torn_arguments(void *asked)
{
	struct torn *t = asked;
	const struct mpu_row *row = &mpu_rows[t->row];
	struct guise named = { gpu_object(row->cmd), row->cmd, row->size };
	struct guise echo = { named.object, SIM_CTRL_ECHO, row->size };
	struct guise first, later;
	struct nv_control block, *arg;
	u32 page = host_page_size();
	u8 *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (!named.object)
		named.object = echo.object = gpu_client()->client;
	question_compose(&t->question, t->question.sent, t->question.array);
	memcpy(t->question.params, t->question.sent, row->size);
	later = t->echo_first ? named : echo;
	first = t->echo_first ? echo : named;
	block = (struct nv_control){ gpu_client()->client, first.object, first.cmd, 0,
				   (uintptr_t)t->question.params, row->size, 0xffff };
	/* Client and object; or client to flags, and address to status behind them. */
	late = (struct late_page){ .at = t->late_head ? map : map + page };
	ret = late_page_open(&late);
	if (ret)
		return ret;
	if (t->late_head) {
		arg = (struct nv_control *)(map + page - 8);
		memcpy(late.content + page - 8, &block, 8);
		mpu_put32(late.content, page - 4, later.object);
		memcpy(map + page, (u8 *)&block + 8, sizeof(block) - 8);
	} else {
		arg = (struct nv_control *)(map + page - 16);
		late.word[1] = &arg->object;
		late.value[1] = later.object;
		memcpy(arg, &block, 16);
		memcpy(late.content, (u8 *)&block + 16, sizeof(block) - 16);
	}
	late.word[0] = &arg->cmd;
	late.value[0] = later.cmd;
	t->ret = issue_torn(t, arg);
	late_page_close(&late);
	t->status = arg->status;
	t->question.ret = t->status;
	munmap(map, 2 * page);
	return 0;
}

/* The driver read one command: the outcome is that one's, or nothing. */
static bool torn_outcome(struct scenario *s, struct torn *t)
{
	const u8 *sent = t->question.sent, *got = t->question.params;
	u32 size = mpu_rows[t->row].size, i;

	if (t->ret || t->status)
		return question_is_unchanged(s->a, &t->question);
	for (i = 0; i < size && (sent[i] ^ got[i]) == 0xff; i++)
		;
	if (i == size)
		return true;	/* an echo, untouched */
	return answer_is_the_hosts(s->host, s->a, &t->question);
}

IN_SMALL("races: arguments change while they are read", NEVER, 0)
{
	static struct torn t;
	u32 row, i;
	int ret;

	for_each_shared_row(row, s->host) {
		/* A user buffer would be the echo's, too. */
		if (mpu_rows[row].ptr != MPU_NO_OFFSET)
			continue;
		for (i = 0; i < 8; i++) {
			memset(&t, 0, sizeof(t));
			t.row = t.question.row = row;
			t.xfer = i & 1;
			t.echo_first = i & 2;
			t.late_head = i & 4;
			if (mpu_rows[row].dir == MPU_IN)
				t.question.pids[t.question.count++] = 1;
			ret = actor_do(s->a, torn_arguments, &t, sizeof(t));
			check(!ret, "no userfaultfd: %s", strerror(-ret));
			if (!torn_outcome(s, &t))
				return;
		}
	}
}

static void race_writer(struct scenario *s, bool amounts)
{
	struct rewritten w = {
		.loops = 2000, .bytes = amounts ? (u64)s->a->mib << 20 : 0,
		.list = row_find_answered(s->host, 0x2080018d, 0x00800202),
		.info = row_find_answered(s->host, 0x2080018e, 0x00800203),
		.samples = row_find_answered(s->host, 0x20802096, 0x20802096),
		.numbers = { s->host->pid, s->a->pid, s->d->pid },
	};

	check(w.list < MPU_ROWS && w.info < MPU_ROWS, "no process list");
	check(!actor_do(s->a, rewrite_arguments, &w, sizeof(w)), "no writer");
	check(!w.foreign, "the caller was given %u", w.foreign);
	check(!w.wrong, "the caller has %llu bytes, was told %llu",
	      (unsigned long long)w.bytes, (unsigned long long)w.wrong - 1);
	check(w.answered > w.loops / 20, "only %u of %u calls were answered", w.answered, w.loops);
}

IN_SMALL("races: a thread rewrites the arguments", NEVER, 0) { race_writer(s, false); }
IN_SMALL("races: rewritten questions about memory", R2_UP, 0) { race_writer(s, true); }
