// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that is laid out so that an answer, or a part of it, reaches it and
 * the call all the same fails, or looks as if there had been nothing to answer.
 * No second thread is needed: the container does one thing after the other.
 *
 * All of it lies in one file in memory, mapped three times: to write, to write
 * without ever having been touched, and to read only. The same byte has three
 * addresses then. The page before the end of a mapping is the last one there.
 */
#include "tests/conformance/suite.h"

#define PAGE	host_page_size()
#define ROOM	(24 * PAGE)	/* the largest params, and pages around them */

/* The positions of block, params and array in memory. */
enum layout {
	BLOCK_READ_ONLY,	/* nobody can write the status */
	BLOCK_TORN,		/* nor its second half */
	PARAMS_TORN,		/* the second half of the params is read only */
	TABLE_TORN,		/* the buffer's tail is not there */
	TABLE_OVER_PAST,	/* the same, and it lies over the params */
	STATUS_IS_COUNT,	/* the status is written where the count stands */
	STATUS_IS_COUNT_TWICE,	/* at another address of the same byte */
	COUNT_IS_LATER,		/* params whose pages are all the same one */
	XFER_IN_PARAMS,		/* nobody has seen the outer block before */
	BLOCK_IN_PARAMS,	/* nor the block itself, which is read only */
	LAYOUTS,
};

static const char *const layouts[LAYOUTS] = {
	"block read only", "block half read only", "params half read only",
	"buffer without its tail", "buffer over its params",
	"status where the count is", "status where the count is, mapped twice",
	"one page, mapped many times", "outer block in the params",
	"block in the params",
};

/**
 * struct fault - a question, and where it stands
 * @amount:	memory of a stranger, which must not be seen
 * @self:	the caller's own number outside
 * @done:	the call returned to its caller
 * @saw:	what it must not
 * @question:	as it came back
 */
struct fault {
	enum layout layout;
	u64 amount;
	u32 self;
	bool done;
	u64 saw;
	struct question question;
};

static struct {
	int fd;
	u8 *write, *fresh, *read;
} arena;

static u8 *map_arena(int protection)
{
	u8 *map = mmap(NULL, ROOM + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return NULL;
	return mmap(map, ROOM, protection, MAP_SHARED | MAP_FIXED, arena.fd, 0);
}

static bool open_arena(void)
{
	arena.fd = memfd_create("fault", MFD_CLOEXEC);
	if (arena.fd < 0 || ftruncate(arena.fd, ROOM))
		return false;
	arena.write = map_arena(PROT_READ | PROT_WRITE);
	arena.fresh = map_arena(PROT_READ | PROT_WRITE);
	arena.read = map_arena(PROT_READ);
	memset(arena.write, FILL, ROOM);
	return arena.write && arena.fresh && arena.read;
}

/* Returns the block's position if it overlaps nothing, and the XFER that wraps it. */
#define BLOCK_AT	(ROOM - 2 * PAGE)
#define XFER_AT		(ROOM - PAGE)

/**
 * struct spots - offsets into the arena, and through which mapping
 */
struct spots {
	u32 params, table, block, xfer;
	u8 *params_map, *block_map;
	bool by_xfer;
};

static struct spots spots_of(enum layout layout, const struct mpu_row *row)
{
	struct spots at = {
		.params = 64, .table = 8 * PAGE, .block = BLOCK_AT,
		.xfer = XFER_AT, .params_map = arena.write,
		.block_map = arena.write,
	};

	switch (layout) {
	case BLOCK_READ_ONLY:
		at.block_map = arena.read;
		break;
	case BLOCK_TORN:
		at.block = BLOCK_AT + PAGE - 16;
		break;
	case PARAMS_TORN:
		at.params = 2 * PAGE - row->size / 2 % PAGE;
		break;
	case TABLE_TORN:
		at.table = ROOM - 2 * row->stride;
		break;
	case TABLE_OVER_PAST:
		at.table = ROOM - 4 * row->stride;
		at.params = at.table + 2 * row->stride;
		break;
	case STATUS_IS_COUNT:
		at.params = 2 * PAGE;
		at.block = at.params + row->count - 28;
		break;
	case STATUS_IS_COUNT_TWICE:
		at.params = 2 * PAGE;
		at.block = at.params + row->count - 28;
		at.block_map = arena.fresh;
		/* Touched: nobody has to wait for it. */
		*(volatile u8 *)&arena.fresh[at.block];
		break;
	case XFER_IN_PARAMS:
		at.by_xfer = true;
		at.xfer = at.params + row->count;
		break;
	case BLOCK_IN_PARAMS:
		at.block = at.params + row->base + 4;
		break;
	default:
		break;
	}
	return at;
}

/* Returns whether a layout can be made of this row, so that something would show. */
static bool makes(enum layout layout, const struct mpu_row *row)
{
	bool counted = row->count != MPU_NO_OFFSET &&
		       row->ptr == MPU_NO_OFFSET && row->dir == MPU_OUT;

	switch (layout) {
	case PARAMS_TORN:
		return row->size > 64;
	case TABLE_TORN:
		return row->ptr != MPU_NO_OFFSET;
	case TABLE_OVER_PAST:
		return row->ptr != MPU_NO_OFFSET && row->stride >= row->size;
	case STATUS_IS_COUNT:
	case STATUS_IS_COUNT_TWICE:
		return counted;
	case COUNT_IS_LATER:
		return row->dir == MPU_IN && row->size > PAGE;
	case XFER_IN_PARAMS:
	case BLOCK_IN_PARAMS:
		/* RM refuses what the block puts into the params of other controls. */
		return counted && row->stride == 4;
	default:
		return true;
	}
}

/* Map the same page @pages times in a row: the last word written to it stays. */
static u8 *fold(u32 pages)
{
	u8 *map = mmap(NULL, pages * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u32 i;

	for (i = 0; i < pages; i++)
		mmap(map + i * PAGE, PAGE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED, arena.fd, 0);
	return map;
}

static void fold_question(const struct question *q, u8 *params)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 i;

	memset(params, 0, PAGE);
	for (i = 0; i < row->cap; i++)
		mpu_put32(params, row_pid_offset(row, i, 0), q->pids[0]);
	mpu_put32(params, row->count, row->cap);
}

static void protect(enum layout layout, const struct spots *at)
{
	if (layout == BLOCK_TORN)
		mprotect(arena.write + at->block + 16, PAGE, PROT_READ);
	if (layout == PARAMS_TORN)
		mprotect(arena.write + 2 * PAGE, ROOM - 2 * PAGE - 2 * PAGE, PROT_READ);
}

static int issue(const struct question *q, const struct spots *at, u8 *params)
{
	struct nv_control ctl = question_block(q, params);
	struct nv_xfer xfer = {
		NV_ESC_RM_CONTROL, sizeof(ctl),
		(uintptr_t)(at->block_map + at->block),
	};
	int ret;

	ctl.status = mpu_get32(arena.write, at->block + 28);
	memcpy(arena.write + at->block, &ctl, sizeof(ctl));
	if (at->by_xfer)
		memcpy(arena.write + at->xfer, &xfer, sizeof(xfer));
	if (at->by_xfer)
		ret = ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_XFER, struct nv_xfer), arena.fresh +
			    at->xfer);
	else
		ret = ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_CONTROL, ctl),
			    at->block_map + at->block);
	return ret ? -errno : (int)mpu_get32(arena.write, at->block + 28);
}

/* A stranger's memory, or the number of one's own that only others know. */
static u64 look_at_question(const struct fault *f)
{
	u32 off;

	for (off = 0; off + 8 <= ROOM; off += 4) {
		if (mpu_get64(arena.write, off) == f->amount)
			return f->amount;
		if (mpu_get32(arena.write, off) == f->self)
			return f->self;
	}
	return 0;
}

static void in_child(struct fault *f)
{
	const struct mpu_row *row = &mpu_rows[f->question.row];
	struct spots at;
	u8 *params, *table;

	if (!open_arena())
		return;
	at = spots_of(f->layout, row);
	params = at.params_map + at.params;
	table = arena.write + at.table;
	question_compose(&f->question, f->question.sent, table);
	memcpy(params, f->question.sent, row->size);
	if (f->layout == COUNT_IS_LATER) {
		params = fold((row->size + PAGE - 1) / PAGE);
		fold_question(&f->question, params);
	}
	if (f->layout == BLOCK_IN_PARAMS)
		at.block_map = arena.read;
	protect(f->layout, &at);
	f->question.ret = issue(&f->question, &at, params);
	memcpy(f->question.params, params, row->size);
	memcpy(f->question.array, table, ROOM - at.table < sizeof(f->question.array) ?
	       ROOM - at.table : sizeof(f->question.array));
	f->saw = row->dir == MPU_IN ? look_at_question(f) : 0;
	f->done = true;
}

/* Runs in a child: a process that is killed for the fault has seen nothing either. */
static int make_fault(void *arg)
{
	struct fault *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED |
				    MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (shared == MAP_FAILED)
		return -ENOMEM;
	memcpy(shared, arg, sizeof(*shared));
	pid = fork();
	if (!pid) {
		in_child(shared);
		_exit(0);
	}
	while (pid > 0 && (waitpid(pid, NULL, 0) == pid || errno == EINTR))
		;
	memcpy(arg, shared, sizeof(*shared));
	munmap(shared, sizeof(*shared));
	return pid < 0 ? -EAGAIN : 0;
}

static void one_fault(struct scenario *s, enum layout layout, u32 row)
{
	static struct fault f;

	memset(&f, 0, sizeof(f));
	f.layout = layout;
	f.question.row = row;
	f.amount = (u64)s->d->mib << 20;
	f.self = s->a->pid;
	if (mpu_rows[row].dir == MPU_IN) {
		f.question.count = mpu_rows[row].cap > 1 ? mpu_rows[row].cap : 1;
		f.question.pids[0] = s->d->pid;
		if (layout != COUNT_IS_LATER && f.question.count > 1)
			f.question.pids[1] = 1;
	}
	check(!actor_do(s->a, make_fault, &f, sizeof(f)), "no child");
	if (!f.done)
		return;
	check(!f.saw, "0x%x, %s: saw %llu", mpu_rows[row].cmd, layouts[layout],
	      (unsigned long long)f.saw);
	if (!answer_hides_strangers(s->a, &f.question))
		printf("note 0x%08x %u: %s, ended with %d\n", mpu_rows[row].cmd, mpu_rows[row].size,
		       layouts[layout], f.question.ret);
}

static void faults(enum layout from, enum layout to)
{
	enum layout layout;
	struct scenario s;
	u32 row;

	if (!scenario_open(&s))
		return;
	for_each_shared_row(row, s.host)
		for (layout = from; layout <= to && !case_failed(); layout++)
			if (makes(layout, &mpu_rows[row]))
				one_fault(&s, layout, row);
}

#define FAULTS(name, from, to) ALONE("faults: " name, NEVER, 0) { faults(from, to); }

FAULTS("argument block that cannot be written", BLOCK_READ_ONLY, BLOCK_TORN)
FAULTS("half of the params can be written", PARAMS_TORN, PARAMS_TORN)

ALONE("faults: buffers whose tail is not there", NEVER, 0)
{
	struct scenario s;

	if (scenario_open_small(&s) && !row_names_process(s.host, row_find(0x2080016e, 0)) &&
	    !row_names_process(s.host, row_find(0x20802083, 0)) &&
	    !row_names_process(s.host, row_find(0x2080a083, 0))) {
		case_skip("this driver has nobody in such a buffer");
		return;
	}
	fixture_close();
	fixture_open();
	faults(TABLE_TORN, TABLE_OVER_PAST);
}

FAULTS("memory that is several things at once", STATUS_IS_COUNT, COUNT_IS_LATER)

ALONE("faults: arguments nobody has touched", R3_EARLY, 0)
{
	long missed = engine_missed();

	faults(XFER_IN_PARAMS, BLOCK_IN_PARAMS);
	check(engine_missed() == missed, "the engine says that it missed %ld calls",
	      engine_missed() - missed);
}
