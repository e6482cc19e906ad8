/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The rule: what happens to the PIDs of one RM control on its way in and out.
 *
 * Freestanding: no libc, no memory of its own, no loop without a bound from the table. An
 * engine that includes this header defines the functions of view.h.
 *
 * Buffers handed in belong to the engine and must not change under the rule:
 * a caller's memory is never worked on in place.
 */
#ifndef MPU_CORE_RULE_H
#define MPU_CORE_RULE_H

#include "counters.h"
#include "table.h"
#include "view.h"

/*
 * A number that no process has: the driver is asked about it when the caller
 * names a process that is not in its namespace, and it marks the places of
 * hidden PIDs until mpu_answer_fill_column() fills them. Above PID_MAX_LIMIT
 * (4194304) on every kernel, and not 0xffffffff, which RM reads as "kernel"
 * (KERNEL_PID).
 */
#define MPU_PID_NOBODY 0x7fffffffu

/**
 * mpu_question_translate_element() - a step of mpu_question_translate(), with its
 * parameters, for engines that must bring a loop of their own
 * @i:		which element, below mpu_elements_count()
 *
 * Return: the caller's own number.
 */
static __always_inline u32
mpu_question_translate_element(const struct mpu_row *row, void *params, u32 i,
			       struct mpu_view *view, struct mpu_tally *tally)
{
	u32 off = mpu_pid_offset(row, i);
	u32 local = mpu_get32(params, off);
	u32 global;

	if (!local)
		return 0;	/* RM's own error for pid 0 stays */
	tally->seen++;
	global = mpu_view_global(view, local);
	if (!global) {
		tally->hidden++;
		global = MPU_PID_NOBODY;
	}
	mpu_put32(params, off, global);
	return local;
}

/**
 * mpu_question_translate() - translate the PIDs of a question into global ones
 * @row:	layout with @row->dir == MPU_IN
 * @params:	params as the driver will read them, @row->size bytes
 * @saved:	room for @row->cap numbers; takes the caller's own
 *
 * Return: number of elements translated, for mpu_question_restore() after the call.
 */
static __always_inline u32 mpu_question_translate(const struct mpu_row *row,
						  void *params, u32 *saved,
						  struct mpu_view *view,
						  struct mpu_tally *tally)
{
	u32 n = mpu_elements_count(row, params, row->size);
	u32 i;

	for (i = 0; i < n; i++)
		saved[i] = mpu_question_translate_element(row, params, i, view, tally);
	return n;
}

/**
 * mpu_record_check() - clear a record that is not of the process asked about
 * @params:	params as the driver left them
 * @local:	the caller's number
 *
 * RM keeps records by number, and the kernel gives the number of a process that
 * has ended to another. RM says itself whose record it found: lookupPid()
 * (570.86.15 and later) may take a number for that of another process.
 *
 * Return: true, also if the row has no records; false: nothing of it is left,
 * and the caller is to be told NV_ERR_OBJECT_NOT_FOUND.
 */
static __always_inline bool mpu_record_check(const struct mpu_row *row,
					     void *params, u32 local,
					     struct mpu_view *view,
					     struct mpu_tally *tally)
{
	u32 off = mpu_pid_offset(row, 0);

	if (row->time == MPU_NO_OFFSET ||
	    mpu_view_lived(view, local, mpu_get32(params, off),
			   mpu_get64(params, row->base + row->time)))
		return true;
	tally->hidden++;
	mpu_zero(params, off + row->blank_off, row->blank_len);
	return false;
}

/**
 * mpu_question_restore() - give the caller its own numbers back
 * @params:	params as the driver left them
 * @saved, @n:	what mpu_question_translate() filled, and returned
 *
 * RM echoes the number it was given, or puts the global one in its place
 * (accounting record, 570.86.15 and later): neither is the caller's.
 *
 * Return: as mpu_record_check().
 */
static __always_inline bool mpu_question_restore(const struct mpu_row *row,
						 void *params, const u32 *saved,
						 u32 n, struct mpu_view *view,
						 struct mpu_tally *tally)
{
	bool found = !n || mpu_record_check(row, params, saved[0], view, tally);
	u32 i;

	for (i = 0; i < n; i++)
		mpu_put32(params, mpu_pid_offset(row, i), saved[i]);
	return found;
}

/* Translate one PID of an answer, @off bytes into @array. Return: may its element stay? */
static __always_inline bool mpu_field_translate(const struct mpu_row *row,
						void *array, u32 off,
						struct mpu_view *view,
						struct mpu_tally *tally)
{
	u32 global = mpu_get32(array, off);
	u64 left = 0;
	u32 local;

	if (row->pointer != MPU_NO_OFFSET) {
		left = mpu_get64(array, off + row->pointer);
		mpu_put64(array, off + row->pointer, 0);
	}
	if (!global || global == row->none)
		return !row->drop;
	tally->seen++;
	local = mpu_view_local(view, global, left);
	if (local) {
		mpu_put32(array, off, local);
		return true;
	}
	tally->hidden++;
	if (row->drop)
		return false;
	mpu_zero(array, off + row->blank_off, row->blank_len);
	/* mpu_answer_fill_column() looks for it. */
	mpu_put32(array, off, MPU_PID_NOBODY);
	return true;
}

/**
 * struct mpu_pass - how far the rule is through one array
 * @n:		elements in all
 * @kept:	of those met so far, how many stay
 * @substitute:	what the places of hidden PIDs of a column get
 * @newest:	time stamp of the sample that @substitute is taken from
 */
struct mpu_pass {
	u32 n;
	u32 kept;
	u32 substitute;
	u64 newest;
};

/**
 * mpu_answer_begin() - the first step of mpu_answer_translate(), with its parameters, for
 * engines that must bring a loop of their own
 */
static __always_inline void mpu_answer_begin(const struct mpu_row *row,
					     const void *params, void *array,
					     u32 array_size,
					     struct mpu_pass *pass)
{
	u32 end = row->base + mpu_elements_fit(row, array_size) * row->stride;

	pass->n = mpu_elements_count(row, params, array_size);
	pass->kept = 0;
	if (row->ptr != MPU_NO_OFFSET && end < array_size)
		mpu_zero(array, end, array_size - end);
}

/** mpu_answer_translate_element() - the next step, once for each @i below @pass->n, in order */
static __always_inline void
mpu_answer_translate_element(const struct mpu_row *row, void *array, u32 i,
			     struct mpu_pass *pass, struct mpu_view *view,
			     struct mpu_tally *tally)
{
	u32 from = row->base + i * row->stride;
	u32 to = row->base + pass->kept * row->stride;
	bool stays = true;
	u32 f;

	for (f = 0; f < MPU_FIELDS_MAX && f < row->fields; f++)
		stays &= mpu_field_translate(row, array,
					     from + row->pid + f * row->step,
					     view, tally);
	if (!stays)
		return;
	if (to != from)
		mpu_move(array, to, from, row->stride);
	pass->kept++;
}

/** mpu_answer_has_gaps() - is there work for mpu_answer_fill_column()? */
static __always_inline bool mpu_answer_has_gaps(const struct mpu_row *row,
						const struct mpu_tally *tally)
{
	return !row->drop && tally->hidden;
}

/*
 * Choose the process that hidden samples of a column name; its first PID is at @pid.
 *
 * A client computes a process's utilisation from its samples, and from how many
 * samples name any process. So a hidden sample must go on naming a process, idle: one
 * of the caller's own. Clients ask for samples since some time: if one of the
 * caller's own is among them, so is the newest, and no process appears that was not
 * there.
 */
static __always_inline void mpu_column_choose(const struct mpu_row *row,
					      const void *array,
					      struct mpu_pass *pass, u32 pid)
{
	u32 time = row->base + row->time;
	u32 i;

	for (i = 0; i < MPU_PLACES_MAX && i < pass->n; i++) {
		u32 own = mpu_get32(array, pid + i * row->stride);
		u64 when;

		if (!own || own == row->none || own == MPU_PID_NOBODY)
			continue;
		when = mpu_get64(array, time + i * row->stride);
		if (when < pass->newest)
			continue;
		pass->newest = when;
		pass->substitute = own;
	}
}

/** mpu_answer_fill_column() - fill the places of hidden PIDs, after the last element */
static __always_inline void mpu_answer_fill_column(const struct mpu_row *row,
						   void *array, u32 f,
						   struct mpu_pass *pass)
{
	u32 pid = row->base + row->pid + f * row->step;
	u32 i;

	pass->substitute = row->none;
	pass->newest = 0;
	if (row->time != MPU_NO_OFFSET)
		mpu_column_choose(row, array, pass, pid);
	for (i = 0; i < MPU_PLACES_MAX && i < pass->n; i++)
		if (mpu_get32(array, pid + i * row->stride) == MPU_PID_NOBODY)
			mpu_put32(array, pid + i * row->stride, pass->substitute);
}

/** mpu_answer_end() - clear what was behind the elements that stay, and count them */
static __always_inline void mpu_answer_end(const struct mpu_row *row,
					   void *params, void *array,
					   const struct mpu_pass *pass)
{
	u32 kept = pass->kept;

	if (kept == pass->n)
		return;
	mpu_zero(array, row->base + kept * row->stride, (pass->n - kept) * row->stride);
	if (row->count != MPU_NO_OFFSET)
		mpu_put32(params, row->count, kept);
}

/**
 * mpu_answer_translate() - translate the PIDs of an answer into local ones
 * @row:	layout with @row->dir == MPU_OUT
 * @params:	params as the driver filled them, @row->size bytes
 * @array:	buffer that holds the array: @params itself, or the driver's
 *		copy of what goes to the user buffer at @row->ptr
 * @array_size:	its size in bytes
 *
 * Elements whose PIDs are visible stay in their order; in a list (@drop) the
 * others leave no trace: neither a gap, nor a count, nor stale bytes. Bytes of a
 * user buffer behind its last whole element are zeroed.
 */
static __always_inline void mpu_answer_translate(const struct mpu_row *row,
						 void *params, void *array,
						 u32 array_size,
						 struct mpu_view *view,
						 struct mpu_tally *tally)
{
	struct mpu_pass pass;
	u32 i;

	mpu_answer_begin(row, params, array, array_size, &pass);
	for (i = 0; i < pass.n; i++)
		mpu_answer_translate_element(row, array, i, &pass, view, tally);
	for (i = 0; mpu_answer_has_gaps(row, tally) && i < row->fields; i++)
		mpu_answer_fill_column(row, array, i, &pass);
	mpu_answer_end(row, params, array, &pass);
}

#endif /* MPU_CORE_RULE_H */
