/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The table, read: which row a control of some size has, or a user buffer; and where
 * the row says that PIDs stand. No loop without a bound from the table, no division with
 * a sign: BPF has neither.
 */
#ifndef MPU_CORE_TABLE_H
#define MPU_CORE_TABLE_H

#include "env.h"
#include "nvrm.h"
#include "row.h"
#include "controls.h"

/* The row of an index, NULL beyond the last. */
static __always_inline const struct mpu_row *mpu_row_at(u64 at)
{
	const struct mpu_row *row = 0;

	at = mpu_fixed(at);
	if (at < MPU_ROWS)
		row = &mpu_rows[mpu_fixed(at)];
	return mpu_itself(row);
}

/* BPF has no signed division, as of a difference of pointers. */
static __always_inline u32 mpu_row_index(const struct mpu_row *row)
{
	return (u64)((const u8 *)row - (const u8 *)mpu_rows) / sizeof(*row);
}

/* Index of the first row of a control, MPU_ROWS if there is none. */
static __always_inline u32 mpu_index_of(u32 cmd)
{
	u32 at = 0, n = MPU_ROWS;

	/* The number of steps is the same for all numbers: a verifier sees the end. */
	while (n > 1) {
		u32 half = n / 2;

		if (mpu_rows[at + half - 1].cmd < cmd)
			at += half;
		n -= half;
	}
	return mpu_rows[at].cmd == cmd ? at : MPU_ROWS;
}

/* Index of the row with that size, from the first on; MPU_ROWS: none. */
static __always_inline u32 mpu_index_sized(u32 at, u32 size)
{
	const struct mpu_row *row = mpu_row_at(at);
	u32 cmd = row ? row->cmd : 0;
	u32 i;

	for (i = 0; i < MPU_ROWS; i++) {
		row = mpu_row_at(at + i);
		if (!row || row->cmd != cmd)
			break;
		if (row->size == size)
			return at + i;
	}
	return MPU_ROWS;
}

/** mpu_row_of() - Return: the first row of a control, NULL if it carries no PIDs */
static __always_inline const struct mpu_row *mpu_row_of(u32 cmd)
{
	return mpu_row_at(mpu_index_of(cmd));
}

/** mpu_row_sized() - Return: the row of that size; @row: the first, or NULL; NULL: none */
static __always_inline const struct mpu_row *
mpu_row_sized(const struct mpu_row *row, u32 size)
{
	return row ? mpu_row_at(mpu_index_sized(mpu_row_index(row), size)) : 0;
}

/*
 * Returns whether the interface of a control is about processes and nothing else: the
 * accounting, and who holds the profiler. The names here are those of their controls
 * without PIDs; an unknown control may have some.
 */
static __always_inline bool mpu_names_processes(u32 cmd)
{
	switch (cmd) {
	case 0x00000b01:	/* GPUACCT_SET_ACCOUNTING_STATE */
	case 0x00000b02:	/* GPUACCT_GET_ACCOUNTING_STATE */
	case 0x00000b05:	/* GPUACCT_CLEAR_ACCOUNTING_DATA */
	case 0x90cc0101:	/* HWPM_RESERVE */
	case 0x90cc0102:	/* HWPM_RELEASE */
		return false;
	}
	return cmd >> 8 == 0x00000b || cmd >> 8 == 0x90cc01;
}

/* Params as large as this have but one control of an interface, in all releases. */
#define MPU_TELLING_SIZE	512

/*
 * RM's status of a control whose layout is not known, by the row it is taken for. From
 * 470 to 550 nvidia-smi says "Insufficient Permissions" then, where it has words for it,
 * and for "not supported" N/A, while its pmon waits for ever. With samples pmon does so
 * for the former, and leaves their columns empty for the latter.
 */
static __always_inline u32 mpu_status_unknown(const struct mpu_row *row)
{
	return row->dir == MPU_OUT && row->time != MPU_NO_OFFSET ?
		       NV_ERR_NOT_SUPPORTED : NV_ERR_INSUFFICIENT_PERMISSIONS;
}

/* May a control that has no row be like one, and so mpu_index_like() be worth it? */
static __always_inline bool mpu_has_relatives(u32 cmd)
{
	switch (cmd >> 8) {
#define MPU_CASE(interface) case interface:
	MPU_EACH_INTERFACE(MPU_CASE)
#undef MPU_CASE
		return true;
	}
	return false;
}

/**
 * mpu_index_like() - the PID control that one without a row is taken for
 *
 * Drivers have moved lists of processes to other numbers of the same interface (cmd
 * >> 8), and kept their layout (0x208001a9, 0x208001af).
 *
 * Return: the index of a row, MPU_ROWS: it has nothing to do with processes.
 */
static __always_inline u32 mpu_index_like(u32 cmd, u32 size)
{
	bool any = mpu_names_processes(cmd);
	const struct mpu_row *row;
	u32 i, like = MPU_ROWS;

	if (!any && (size < MPU_TELLING_SIZE || !mpu_has_relatives(cmd)))
		return MPU_ROWS;
	for (i = 0; i < MPU_ROWS; i++) {
		row = mpu_row_at(i);
		if (!row || row->cmd >> 8 != cmd >> 8)
			continue;
		if (row->size == size)
			return i;
		if (any && like == MPU_ROWS)
			like = i;
	}
	return like;
}

/**
 * mpu_row_buffer() - the layout of a user buffer
 * @row:	first row of a (cmd, size) whose array is in a user buffer
 * @branch:	of the driver, 0 if that is not known
 *
 * Drivers changed the element and kept the params, and the caller says how
 * large the buffer is: only the driver's version tells. An engine passes on
 * no buffer that has no layout.
 *
 * Return: the newest row of that key that @branch may have; NULL if there are
 * several and @branch is not known.
 */
static __always_inline const struct mpu_row *
mpu_row_buffer(const struct mpu_row *row, u32 branch)
{
	u32 cmd = row->cmd, size = row->size, at = mpu_row_index(row);
	u32 i;

	for (i = 1; i < MPU_ROWS; i++) {
		const struct mpu_row *next = mpu_row_at(at + i);

		if (!next || next->cmd != cmd || next->size != size)
			break;
		if (!branch)
			return 0;
		if (next->since <= branch)
			row = next;
	}
	return row;
}

/* Returns how many elements fit a buffer of @size bytes. */
static __always_inline u32 mpu_elements_fit(const struct mpu_row *row, u32 size)
{
	u32 room = size > row->base ? (size - row->base) / row->stride : 0;

	return room < row->cap ? room : row->cap;
}

/** mpu_elements_count() - Return: what the params say, at most what fits @array_size bytes */
static __always_inline u32 mpu_elements_count(const struct mpu_row *row,
					      const void *params,
					      u32 array_size)
{
	u32 fit = mpu_elements_fit(row, array_size);
	u32 n = fit;

	if (row->count != MPU_NO_OFFSET)
		n = mpu_get32(params, row->count);
	return n < fit ? n : fit;
}

/* The first PID of element @i in the array. */
static __always_inline u32 mpu_pid_offset(const struct mpu_row *row, u32 i)
{
	return row->base + i * row->stride + row->pid;
}

#endif /* MPU_CORE_TABLE_H */
