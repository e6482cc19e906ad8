// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of core/: every row of the table against a view with known
 * answers.
 *
 * A buffer ends where its allocation ends, so that the address sanitizer sees
 * the first byte too many, and is compared byte by byte with what it held: the
 * rule may touch only what the row names.
 */
#include "core/rule.h"
#include "tests/unit/unit.h"

/*
 * The fixture of the caller: the process it calls n, for n in 1..LAST, is
 * GLOBAL(n) to the initial namespace; SAME has one number in both. Global
 * numbers are never local ones, so a number translated twice, or not at all,
 * cannot pass for a right one.
 */
#define LAST		5000u
#define GLOBAL(n)	(1000000u + 3 * (n))
#define FOREIGN		(1000000u + 1)
#define SAME		7000u

/* When the process that the caller calls n began. */
#define BEGAN(n)	(1700000000000000ull + (n))

struct mpu_view {
	unsigned int asked;
	u64 left;		/* the word beside the last number */
};

static u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	view->left = left;
	view->asked++;
	if (global == SAME)
		return SAME;
	if (global <= GLOBAL(0) || global > GLOBAL(LAST) || (global - GLOBAL(0)) % 3)
		return 0;
	return (global - GLOBAL(0)) / 3;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	view->asked++;
	if (local == SAME)
		return SAME;
	return local && local <= LAST ? GLOBAL(local) : 0;
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when)
{
	return local && mpu_view_global(view, local) == global && when >= BEGAN(local);
}

/*
 * Memory of one call: what the driver left there, and a copy to compare with.
 */
struct call {
	const struct mpu_row *row;
	u8 *params, *array;
	u8 *params_was, *array_was;
	u32 array_size;
	void *owned[4];
	struct mpu_view view;
	struct mpu_tally tally;
};

static u8 *block(struct call *call, int slot, u32 size, u32 skew)
{
	u8 *p = malloc(size + skew);
	u32 i;

	assert_non_null(p);
	call->owned[slot] = p;
	for (i = 0; i < size; i++)
		p[skew + i] = (u8)(0xa1 + 7 * i + (i >> 8));
	return p + skew;
}

/* @array_size matters for rows whose array stands behind a user pointer. */
static void call_open(struct call *call, const struct mpu_row *row, u32 array_size, u32 skew)
{
	memset(call, 0, sizeof(*call));
	call->row = row;
	call->params = block(call, 0, row->size, skew);
	call->params_was = block(call, 1, row->size, 0);
	if (row->ptr == MPU_NO_OFFSET) {
		call->array = call->params;
		call->array_was = call->params_was;
		call->array_size = row->size;
		return;
	}
	call->array = block(call, 2, array_size, skew);
	call->array_was = block(call, 3, array_size, 0);
	call->array_size = array_size;
}

static void call_close(struct call *call)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		free(call->owned[i]);
}

static void call_keep(struct call *call)
{
	memcpy(call->params_was, call->params, call->row->size);
	if (call->array != call->params)
		memcpy(call->array_was, call->array, call->array_size);
}

static void set_count(struct call *call, u32 n)
{
	if (call->row->count != MPU_NO_OFFSET)
		mpu_put32(call->params, call->row->count, n);
}

/* Number of elements that one call of this row can hold. */
static u32 room(const struct mpu_row *row)
{
	u32 n = (row->size - row->base) / row->stride;

	if (row->ptr != MPU_NO_OFFSET || n > row->cap)
		return row->cap;
	return n;
}

static u32 whole_array(const struct mpu_row *row)
{
	return row->base + (u32)row->cap * row->stride;
}

static u32 pid_at(const struct mpu_row *row, u32 i, u32 field)
{
	return row->base + i * row->stride + row->pid + field * row->step;
}

static void set_pids(struct call *call, u32 i, u32 pid)
{
	u32 f;

	for (f = 0; f < call->row->fields; f++)
		mpu_put32(call->array, pid_at(call->row, i, f), pid);
}

static void answer(struct call *call)
{
	call_keep(call);
	mpu_answer_translate(call->row, call->params, call->array,
			     call->array_size, &call->view, &call->tally);
}

/*
 * Checks that everything outside [from, to) of the array, except the count, is
 * as it was.
 */
static void untouched_outside(struct call *call, u32 from, u32 to)
{
	const struct mpu_row *row = call->row;
	u32 end = call->array_size;
	u32 i;

	if (row->ptr != MPU_NO_OFFSET) {
		end -= end % row->stride;
		if (end > whole_array(row))
			end = whole_array(row);
		/*
		 * Bytes at the end of a user buffer that are no whole element
		 * are zeroed.
		 */
		for (i = end; i < call->array_size; i++)
			assert_int_equal(call->array[i], 0);
	}
	for (i = 0; i < end; i++)
		if ((i < from || i >= to) && (call->array != call->params || i - row->count >= 4))
			assert_int_equal(call->array[i], call->array_was[i]);
	if (call->array == call->params)
		return;
	for (i = 0; i < row->size; i++)
		if (i - row->count >= 4)
			assert_int_equal(call->params[i], call->params_was[i]);
}

#define for_each_row(row) \
	for ((row) = mpu_rows; (row) < mpu_rows + MPU_ROWS; (row)++)

#define for_each_row_of(row, way) \
	for_each_row(row) \
		if ((row)->dir == (way))

/* Several alignments of the caller's buffer, 8 being the one RM expects. */
static const u32 skews[] = { 0, 1, 2, 3, 5 };

#define for_each_skew(s) \
	for ((s) = 0; (s) < sizeof(skews) / sizeof(skews[0]); (s)++)

/*
 * Searches the table row by row; with @any, for the first row of the control
 * whatever its size.
 */
static const struct mpu_row *find_slowly(u32 cmd, u32 size, bool any)
{
	const struct mpu_row *row;

	for_each_row(row)
		if (row->cmd == cmd && (any || row->size == size))
			return row;
	return NULL;
}

static void same_row(u32 cmd, u32 size)
{
	assert_ptr_equal(mpu_row_sized(mpu_row_of(cmd), size), find_slowly(cmd, size, false));
	assert_ptr_equal(mpu_row_of(cmd), find_slowly(cmd, size, true));
}

TEST("lookup finds each row by command and size, and nothing else")
{
	static const u32 odd[] = { 0, 1, 16, 24, 0x7fffffff, 0xffffffff };
	const struct mpu_row *row;
	unsigned int i;
	int dc, ds;

	for_each_row(row) {
		for (dc = -1; dc <= 1; dc++)
			for (ds = -1; ds <= 1; ds++)
				same_row(row->cmd + dc, row->size + ds);
		for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
			same_row(row->cmd, odd[i]);
			same_row(odd[i], row->size);
		}
	}
}

/* A list that moved keeps its layout; of accounting and the profiler all is told. */
TEST("a control with a new number is recognised by its size")
{
	const struct mpu_row *row, *like;
	u32 cmd;

	for_each_row(row) {
		cmd = row->cmd ^ 0x40;
		like = mpu_row_at(mpu_index_like(cmd, row->size));
		if (row->size >= MPU_TELLING_SIZE || mpu_names_processes(cmd))
			assert_int_equal(like->size, row->size);
		else
			assert_null(like);
		/* Neighbours' controls have it, and those of other interfaces. */
		like = mpu_row_at(mpu_index_like(cmd, row->size + 8));
		assert_int_equal(like != NULL, mpu_names_processes(cmd));
		assert_int_equal(mpu_index_like(0x20801800 | (u8)cmd, row->size), MPU_ROWS);
		assert_true(mpu_has_relatives(cmd));
	}
	/* These name nobody. */
	for (cmd = 0xb01; cmd <= 0xb05; cmd += cmd == 0xb02 ? 3 : 1)
		assert_int_equal(mpu_index_like(cmd, 12), MPU_ROWS);
}

TEST("the driver's branch decides which layout a buffer has")
{
	const struct mpu_row *row, *other, *want;
	u32 branch, rows;

	for_each_row(row) {
		if (row->ptr == MPU_NO_OFFSET || row != find_slowly(row->cmd, row->size, false))
			continue;
		for (branch = 0; branch < 1000; branch++) {
			rows = 0;
			want = row;
			for_each_row(other) {
				if (other->cmd != row->cmd || other->size != row->size)
					continue;
				rows++;
				if (other->since <= branch && other->since > want->since)
					want = other;
			}
			if (!branch && rows > 1)
				want = NULL;
			assert_ptr_equal(mpu_row_buffer(row, branch), want);
		}
	}
}

static void inside(u32 off, u32 len, u32 size)
{
	assert_true(off <= size && len <= size - off);
}

/* Checks what the rule relies on and does not check again. */
TEST("all fields of a row are inside its params or its element")
{
	const struct mpu_row *row;
	u32 f;

	for_each_row(row) {
		assert_true(row->stride && row->cap && row->fields);
		assert_true(row->fields == 1 || row->step >= 4);
		if (row->ptr == MPU_NO_OFFSET)
			inside(row->base, (u32)row->cap * row->stride, row->size);
		else
			inside(row->ptr, 8, row->size);
		if (row->count != MPU_NO_OFFSET)
			inside(row->count, 4, row->size);
		for (f = 0; f < row->fields; f++) {
			u32 pid = row->pid + f * row->step;

			inside(pid, 4, row->stride);
			if (row->blank_len)
				inside(pid + row->blank_off, row->blank_len, row->stride);
			if (row->pointer != MPU_NO_OFFSET)
				inside(pid + row->pointer, 8, row->stride);
		}
	}
}

TEST("a count is never larger than the array")
{
	static const u32 huge[] = { 0x10000, 0x7fffffff, 0x80000000,
				    0x40000001, 0xffffffff };
	const struct mpu_row *row;
	struct call call;
	u32 i, n, size;

	for_each_row(row) {
		n = room(row);
		call_open(&call, row, whole_array(row), 0);
		if (row->count == MPU_NO_OFFSET) {
			assert_int_equal(n, mpu_elements_count(row, call.params, call.array_size));
		} else {
			for (i = 0; i <= n; i++) {
				set_count(&call, i);
				assert_int_equal(
					i, mpu_elements_count(row, call.params,
							      call.array_size));
			}
			set_count(&call, n + 1);
			assert_int_equal(n, mpu_elements_count(row, call.params, call.array_size));
		}
		for (i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
			set_count(&call, huge[i]);
			assert_int_equal(n, mpu_elements_count(row, call.params, call.array_size));
			/* No multiple of the size may wrap into more room. */
			assert_true(mpu_elements_count(row, call.params, 0xffffffff) <= row->cap);
		}
		/* A short buffer holds the whole elements that fit into it. */
		for (size = 0; size < row->base + 3u * row->stride; size++) {
			u32 whole = size < row->base ? 0 : (size - row->base) / row->stride;

			set_count(&call, 0xffffffff);
			assert_int_equal(whole < row->cap ? whole : row->cap,
					 mpu_elements_count(row, call.params, size));
		}
		call_close(&call);
	}
}

/* RM answers with the record of a process that came to the GPU at that time. */
static void record_is(struct call *call, u32 pid, u64 when)
{
	u32 at = call->row->base + call->row->time;

	set_pids(call, 0, pid);
	mpu_put64(call->params, at, when);
	mpu_put64(call->params_was, at, when);
}

TEST("a question has global PIDs, and the caller's are restored")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, n, *saved;
	unsigned int s;

	for_each_skew(s) for_each_row_of(row, MPU_IN) {
		n = room(row);
		call_open(&call, row, 0, skews[s]);
		saved = malloc(row->cap * sizeof(*saved));
		assert_non_null(saved);
		set_count(&call, 0xffffffff);
		for (i = 0; i < n; i++)
			set_pids(&call, i, i + 1);
		call_keep(&call);
		assert_int_equal(n, mpu_question_translate(row, call.params,
							   saved, &call.view,
							   &call.tally));
		assert_int_equal(n, call.tally.seen);
		assert_int_equal(0, call.tally.hidden);
		for (i = 0; i < n; i++) {
			assert_int_equal(mpu_get32(call.params, pid_at(row, i, 0)), GLOBAL(i + 1));
			mpu_put32(call.params, pid_at(row, i, 0), i + 1);
		}
		assert_memory_equal(call.params, call.params_was, row->size);

		/*
		 * Whatever RM writes over the PIDs, the caller finds its own
		 * again.
		 */
		for (i = 0; i < n && row->time == MPU_NO_OFFSET; i++)
			set_pids(&call, i, FOREIGN);
		if (row->time != MPU_NO_OFFSET)
			record_is(&call, GLOBAL(1), BEGAN(1));
		assert_true(mpu_question_restore(row, call.params, saved, n,
						 &call.view, &call.tally));
		assert_int_equal(0, call.tally.hidden);
		assert_memory_equal(call.params, call.params_was, row->size);
		free(saved);
		call_close(&call);
	}
}

/*
 * Cases of records: the PID asked for, the PID whose record RM found, and its
 * time.
 */
static const struct {
	u32 asked, found;
	u64 when;
	bool own;
} records[] = {
	{ 1, GLOBAL(1), BEGAN(1), true },
	{ 9, GLOBAL(9), BEGAN(9) + 1, true },
	{ SAME, SAME, ~0ull, true },
	{ 9, GLOBAL(9), BEGAN(9) - 1, false },	/* before: a namesake's */
	{ 9, GLOBAL(9), 0, false },
	{ 9, GLOBAL(8), BEGAN(9), false },	/* another own one's */
	{ 9, 9, BEGAN(9), false },		/* its number on the host */
	{ 9, MPU_PID_NOBODY, BEGAN(9), false },
	{ LAST + 1, MPU_PID_NOBODY, ~0ull, false },
	{ 0, 0, ~0ull, false },
};

TEST("a record of another container's process is not found")
{
	const struct mpu_row *row;
	struct call call;
	u32 saved[1], at, tried = 0;
	unsigned int i;

	for_each_row_of(row, MPU_IN) for (i = 0; i < 10; i++) {
		if (row->time == MPU_NO_OFFSET)
			continue;
		tried++;
		assert_int_equal(row->cap, 1);
		call_open(&call, row, 0, i % 4);
		set_pids(&call, 0, records[i].asked);
		call_keep(&call);
		mpu_question_translate(row, call.params, saved, &call.view, &call.tally);
		call.tally.hidden = 0;
		record_is(&call, records[i].found, records[i].when);
		at = pid_at(row, 0, 0) + row->blank_off;
		if (!records[i].own)
			memset(call.params_was + at, 0, row->blank_len);
		assert_int_equal(mpu_question_restore(row, call.params, saved,
						      1, &call.view,
						      &call.tally),
				 records[i].own);
		assert_memory_equal(call.params, call.params_was, row->size);
		assert_int_equal(call.tally.hidden, !records[i].own);
		call_close(&call);
	}
	assert_int_equal(tried, 20);
}

TEST("a question about an invisible PID names no process")
{
	static const struct {
		u32 asked, driver;
	} cases[] = {
		{ 0, 0 },			/* RM answers with its error */
		{ LAST + 1, MPU_PID_NOBODY },
		{ GLOBAL(1), MPU_PID_NOBODY },	/* another's global number */
		{ FOREIGN, MPU_PID_NOBODY },
		{ MPU_PID_NOBODY, MPU_PID_NOBODY },
		{ 0x80000000, MPU_PID_NOBODY },
		{ 0xffffffff, MPU_PID_NOBODY },	/* KERNEL_PID of RM */
		{ SAME, SAME },
		{ 1, GLOBAL(1) },
	};
	const struct mpu_row *row;
	struct call call;
	u32 saved[0x1000];
	unsigned int i;

	for_each_row_of(row, MPU_IN) for (i = 0; i < 9; i++) {
		assert_true(row->cap <= 0x1000);
		call_open(&call, row, 0, 0);
		set_count(&call, 1);
		set_pids(&call, 0, cases[i].asked);
		call_keep(&call);
		assert_int_equal(row->count == MPU_NO_OFFSET ? row->cap : 1,
				 mpu_question_translate(row, call.params, saved,
							&call.view,
							&call.tally));
		assert_int_equal(mpu_get32(call.params, pid_at(row, 0, 0)), cases[i].driver);
		if (row->count != MPU_NO_OFFSET) {
			assert_int_equal(call.tally.seen, !!cases[i].asked);
			assert_int_equal(call.tally.hidden, cases[i].driver == MPU_PID_NOBODY);
		}
		call_close(&call);
	}
	/* Linux: PID_MAX_LIMIT; RM: KERNEL_PID. */
	assert_true(MPU_PID_NOBODY > 4194304u && MPU_PID_NOBODY != 0xffffffff);
}

TEST("bytes behind the PIDs that are asked about stay as they are")
{
	const struct mpu_row *row;
	struct call call;
	u32 saved[0x1000];

	for_each_row_of(row, MPU_IN) {
		if (row->count == MPU_NO_OFFSET || row->cap < 3)
			continue;
		call_open(&call, row, 0, 0);
		set_count(&call, 2);
		set_pids(&call, 0, 5);
		set_pids(&call, 1, 6);
		set_pids(&call, 2, 7);
		assert_int_equal(2, mpu_question_translate(row, call.params,
							   saved, &call.view,
							   &call.tally));
		assert_int_equal(mpu_get32(call.params, pid_at(row, 2, 0)), 7);
		call_close(&call);
	}
}

static void clear_pointers(struct call *call, u8 *array, u32 i)
{
	const struct mpu_row *row = call->row;
	u32 f;

	for (f = 0; f < row->fields && row->pointer != MPU_NO_OFFSET; f++)
		memset(array + pid_at(row, i, f) + row->pointer, 0, 8);
}

TEST("visible PIDs become local ones, and the rest stays as it is")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, f, n;
	unsigned int s;

	for_each_skew(s) for_each_row_of(row, MPU_OUT) {
		n = room(row);
		call_open(&call, row, whole_array(row), skews[s]);
		set_count(&call, n);
		for (i = 0; i < n; i++)
			set_pids(&call, i, GLOBAL(i + 1));
		answer(&call);
		assert_int_equal(call.tally.seen, n * row->fields);
		assert_int_equal(call.tally.hidden, 0);
		for (i = 0; i < n; i++) {
			for (f = 0; f < row->fields; f++)
				mpu_put32(call.array_was, pid_at(row, i, f), i + 1);
			clear_pointers(&call, call.array_was, i);
		}
		assert_memory_equal(call.array, call.array_was, call.array_size);
		assert_memory_equal(call.params, call.params_was, row->size);
		call_close(&call);
	}
}

TEST("a PID that is the same in both namespaces stays, and is shown")
{
	const struct mpu_row *row;
	struct call call;

	for_each_row_of(row, MPU_OUT) {
		call_open(&call, row, whole_array(row), 0);
		set_count(&call, 1);
		set_pids(&call, 0, SAME);
		answer(&call);
		assert_int_equal(mpu_get32(call.array, pid_at(row, 0, 0)), SAME);
		if (row->count != MPU_NO_OFFSET)
			assert_int_equal(call.tally.hidden, 0);
		call_close(&call);
	}
}

/*
 * Patterns of the elements of a list that are shown: with every kind of edge.
 */
static bool shown(int pattern, u32 i, u32 n)
{
	switch (pattern) {
	case 0:
		return false;
	case 1:
		return i % 2;
	case 2:
		return !(i % 2);
	case 3:
		return i == n - 1;
	case 4:
		return i != 0;
	case 5:
		return i == 0;
	default:
		return i % 5 < 2;
	}
}

#define PATTERNS 7

TEST("hidden entries leave a list, and the others move up")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, n, kept, end;
	int pattern;
	u8 *want;

	for_each_row_of(row, MPU_OUT) for (pattern = 0; pattern < PATTERNS; pattern++) {
		if (!row->drop)
			continue;
		/*
		 * If the list is not full, the bytes behind it are not part of
		 * it.
		 */
		n = room(row) > 2 ? room(row) - 2 : room(row);
		if (row->count == MPU_NO_OFFSET)
			n = room(row);
		call_open(&call, row, whole_array(row), pattern & 1);
		set_count(&call, n);
		for (i = 0; i < n; i++)
			set_pids(&call, i, shown(pattern, i, n) ? GLOBAL(i + 1) : i % 3 ? FOREIGN :
				 i % 2 ? 0 : row->none);
		answer(&call);
		for (i = 0, kept = 0; i < n; i++) {
			u32 f;

			if (!shown(pattern, i, n))
				continue;
			want = call.array_was + row->base + i * row->stride;
			for (f = 0; f < row->fields; f++)
				mpu_put32(call.array_was, pid_at(row, i, f), i + 1);
			clear_pointers(&call, call.array_was, i);
			assert_memory_equal(want, call.array + row->base +
					    kept * row->stride, row->stride);
			kept++;
		}
		end = row->base + n * row->stride;
		for (i = row->base + kept * row->stride; i < end; i++)
			assert_int_equal(call.array[i], 0);
		if (row->count != MPU_NO_OFFSET)
			assert_int_equal(kept, mpu_get32(call.params, row->count));
		untouched_outside(&call, row->base, end);
		call_close(&call);
	}
}

TEST("a list without hidden entries keeps its count, even a wrong one")
{
	const struct mpu_row *row;
	struct call call;
	u32 i;

	for_each_row_of(row, MPU_OUT) {
		if (row->count == MPU_NO_OFFSET)
			continue;
		call_open(&call, row, whole_array(row), 0);
		set_count(&call, 0xfffffff0);
		for (i = 0; i < room(row); i++)
			set_pids(&call, i, GLOBAL(1));
		answer(&call);
		assert_int_equal(mpu_get32(call.params, row->count), 0xfffffff0);
		call_close(&call);
	}
}

static void time_at(struct call *call, u32 i, u64 when)
{
	mpu_put64(call->array, call->row->base + i * call->row->stride + call->row->time, when);
}

/* Samples as the driver keeps them: in a ring that may begin anywhere. */
static void set_times(struct call *call, u32 n)
{
	u32 i;

	if (call->row->time == MPU_NO_OFFSET)
		return;
	for (i = 0; i < n; i++)
		time_at(call, i, 1000 + (i + n - n / 3) % n);
}

/* The PID of a process in the caller's namespace; 0: it is not visible. */
static u32 own_number(u32 global)
{
	struct mpu_view view = { 0 };

	return mpu_view_local(&view, global, 0);
}

/*
 * The process that stands in for hidden ones in a column of the driver's
 * answer.
 */
static u32 substitute(const struct call *call, u32 n, u32 f)
{
	const struct mpu_row *row = call->row;
	u32 who = row->none, i;
	u64 newest = 0;

	if (row->time == MPU_NO_OFFSET)
		return who;
	for (i = 0; i < n; i++) {
		u64 when = mpu_get64(call->array_was, row->base + i * row->stride + row->time);
		u32 own = own_number(mpu_get32(call->array_was, pid_at(row, i, f)));

		if (own && when >= newest) {
			newest = when;
			who = own;
		}
	}
	return who;
}

/*
 * Turns what the driver left into what must have become of it. Return: how
 * many are hidden.
 */
static u32 expect_samples(struct call *call, u32 n)
{
	const struct mpu_row *row = call->row;
	u32 i, f, hidden = 0;

	for (i = 0; i < n; i++)
		clear_pointers(call, call->array_was, i);
	for (f = 0; f < row->fields; f++) {
		u32 other = substitute(call, n, f);

		for (i = 0; i < n; i++) {
			u32 off = pid_at(row, i, f);
			u32 pid = mpu_get32(call->array_was, off);
			u32 own = own_number(pid);

			if (!pid || pid == row->none)
				continue;
			if (!own) {
				hidden++;
				memset(call->array_was + off + row->blank_off, 0, row->blank_len);
				own = other;
			}
			mpu_put32(call->array_was, off, own);
		}
	}
	return hidden;
}

static void samples_are(struct call *call, u32 n)
{
	answer(call);
	assert_int_equal(call->tally.hidden, expect_samples(call, n));
	assert_memory_equal(call->array, call->array_was, call->array_size);
	assert_memory_equal(call->params, call->params_was, call->row->size);
}

TEST("samples of hidden processes lose their figures")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, f, n;

	for_each_row_of(row, MPU_OUT) {
		if (row->drop)
			continue;
		n = room(row);
		call_open(&call, row, whole_array(row), 1);
		set_count(&call, n);
		set_times(&call, n);
		/*
		 * Each field of an element is checked alone: fields do not
		 * influence each other.
		 */
		for (i = 0; i < n; i++)
			for (f = 0; f < row->fields; f++)
				mpu_put32(call.array, pid_at(row, i, f), (i + f) % 3 == 0 ?
					  FOREIGN : (i + f) % 3 == 1 ? GLOBAL(i + 1) : row->none);
		samples_are(&call, n);
		call_close(&call);
	}
}

#define for_each_row_of_samples(row) \
	for_each_row_of(row, MPU_OUT) \
		if ((row)->time != MPU_NO_OFFSET)

/*
 * The process that sample @i of column @f names; some columns name none of the
 * caller's own.
 */
static u32 somebody(const struct mpu_row *row, u32 i, u32 f, u32 seed)
{
	u32 n = (i * 7 + f * 5 + seed) * 0x9e3779b1u >> 20;

	switch (n % 5) {
	case 0:
		return 0;
	case 1:
		return row->none;
	case 2:
		return (seed + f) % 4 ? GLOBAL(1 + n % 3) : FOREIGN;
	default:
		return n % 2 ? FOREIGN : MPU_PID_NOBODY;
	}
}

/*
 * A sample of the caller's own stands in every place: first, last, as the only
 * one, or nowhere.
 */
TEST("a hidden process's sample gets the PID of one of the caller's")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, f, n, seed;

	for_each_row_of_samples(row) for (seed = 0; seed < 60; seed++) {
		n = room(row);
		call_open(&call, row, whole_array(row), seed % 4);
		set_times(&call, n);
		for (i = 0; i < n; i++)
			for (f = 0; f < row->fields; f++)
				mpu_put32(call.array, pid_at(row, i, f), seed < 30 ?
					  somebody(row, i, f, seed) : i == (seed - 30) * n / 30 ?
					  SAME : FOREIGN);
		samples_are(&call, n);
		call_close(&call);
	}
}

/* If two are as new, the later in the list. */
TEST("the process with the newest own sample replaces hidden ones")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, n;

	for_each_row_of_samples(row) {
		n = room(row);
		call_open(&call, row, whole_array(row), 0);
		for (i = 0; i < n; i++) {
			set_pids(&call, i, FOREIGN);
			time_at(&call, i, i < 10 ? 1ull << 40 : 5);
		}
		set_pids(&call, 3, GLOBAL(2));
		set_pids(&call, 9, GLOBAL(3));
		set_pids(&call, 20, GLOBAL(4));
		samples_are(&call, n);
		assert_int_equal(mpu_get32(call.array, pid_at(row, 0, 0)), 3);
		assert_int_equal(mpu_get32(call.array, pid_at(row, 3, 0)), 2);
		assert_int_equal(mpu_get32(call.array, pid_at(row, 19, 3)), 3);
		assert_int_equal(mpu_get32(call.array, pid_at(row, 20, 3)), 4);
		call_close(&call);
	}
}

/*
 * Computes a client's figure for a column: the sum of a process's samples, divided by
 * how many name a process.
 */
struct average {
	u64 sum;
	u32 of;
};

static struct average average(const struct mpu_row *row, const u8 *array, u32 n, u32 f, u32 pid)
{
	struct average a = { 0, 0 };
	u32 i;

	for (i = 0; i < n; i++) {
		u32 off = pid_at(row, i, f), who = mpu_get32(array, off);

		a.of += who != row->none;
		if (who == pid)
			a.sum += mpu_get32(array, off + row->blank_off);
	}
	return a;
}

TEST("the average of an own process is the same as on the host")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, f, n, own, pid, seed;
	struct average host, here;

	for_each_row_of_samples(row) for (seed = 0; seed < 30; seed++) {
		n = room(row);
		call_open(&call, row, whole_array(row), 0);
		set_times(&call, n);
		for (i = 0; i < n; i++)
			for (f = 0; f < row->fields; f++)
				mpu_put32(call.array, pid_at(row, i, f), somebody(row, i, f, seed));
		answer(&call);
		for (f = 0; f < row->fields; f++)
			for (own = 1; own <= 3; own++) {
				pid = GLOBAL(own);
				host = average(row, call.array_was, n, f, pid);
				here = average(row, call.array, n, f, own);
				assert_int_equal(here.sum, host.sum);
				if (host.sum)
					assert_int_equal(here.of, host.of);
			}
		call_close(&call);
	}
}

/* The pointer goes all the same. */
TEST("a sample of no process stays one, and is not counted")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, n;
	int zero;

	for_each_row_of(row, MPU_OUT) for (zero = 0; zero < 2; zero++) {
		if (row->drop)
			continue;
		n = room(row);
		call_open(&call, row, whole_array(row), 0);
		set_count(&call, n);
		for (i = 0; i < n; i++)
			set_pids(&call, i, zero ? 0 : row->none);
		answer(&call);
		for (i = 0; i < n; i++)
			clear_pointers(&call, call.array_was, i);
		assert_memory_equal(call.array, call.array_was, call.array_size);
		assert_int_equal(call.tally.seen, 0);
		assert_int_equal(call.view.asked, 0);
		call_close(&call);
	}
}

TEST("kernel addresses are zeroed in every element, shown or not")
{
	const struct mpu_row *row;
	struct call call;
	u32 i, f, n, pointers = 0;
	u32 kinds[4] = { FOREIGN, GLOBAL(9), 0, 0 };

	for_each_row_of(row, MPU_OUT) {
		if (row->pointer == MPU_NO_OFFSET)
			continue;
		kinds[3] = row->none;
		n = room(row);
		call_open(&call, row, whole_array(row), 3);
		set_count(&call, n);
		for (i = 0; i < n; i++)
			for (f = 0; f < row->fields; f++) {
				u32 off = pid_at(row, i, f);

				mpu_put32(call.array, off, kinds[(i + f) % 4]);
				mpu_put64(call.array, off + row->pointer, 0xffff888012345600ull);
			}
		answer(&call);
		assert_int_equal(call.view.left, 0xffff888012345600ull);
		for (i = 0; i < n; i++)
			for (f = 0; f < row->fields; f++, pointers++)
				assert_int_equal(0, mpu_get64(call.array,
					pid_at(row, i, f) + row->pointer));
		call_close(&call);
	}
	/* 72 samples of six engines, at least: 570 and later have them. */
	assert_true(pointers >= 72 * 6);
}

/* The driver may copy anything. */
TEST("arrays of every size are handled up to their end")
{
	const struct mpu_row *row;
	struct call call;
	u32 size, i, whole;

	for_each_row_of(row, MPU_OUT) {
		if (row->ptr == MPU_NO_OFFSET)
			continue;
		for (size = 0; size <= row->base + 3u * row->stride + 1; size++) {
			call_open(&call, row, size, 0);
			set_count(&call, 0xffffffff);
			whole = size < row->base ? 0 : (size - row->base) / row->stride;
			for (i = 0; i < whole && i < row->cap; i++)
				set_pids(&call, i, FOREIGN);
			answer(&call);
			assert_int_equal(call.tally.hidden,
					 (whole < row->cap ? whole : row->cap) * row->fields);
			untouched_outside(&call, row->base, row->base + whole * row->stride);
			call_close(&call);
		}
	}
}

TEST("an empty answer stays as it is")
{
	const struct mpu_row *row;
	struct call call;

	for_each_row_of(row, MPU_OUT) {
		if (row->count == MPU_NO_OFFSET)
			continue;
		call_open(&call, row, whole_array(row), 0);
		set_count(&call, 0);
		set_pids(&call, 0, FOREIGN);
		answer(&call);
		assert_memory_equal(call.params, call.params_was, row->size);
		assert_memory_equal(call.array, call.array_was, call.array_size);
		call_close(&call);
	}
}
