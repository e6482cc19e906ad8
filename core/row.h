/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One row of the table: where one layout of one RM control keeps PIDs, and what an
 * answer looks like once a process in it is not to be seen.
 */
#ifndef MPU_CORE_ROW_H
#define MPU_CORE_ROW_H

#include "env.h"

/* Offsets that are absent. No field of any row starts there. */
#define MPU_NO_OFFSET 0xffff

enum mpu_dir {
	MPU_OUT,	/* the driver answers with PIDs */
	MPU_IN,		/* the caller asks by PID; its own numbers come back */
};

/*
 * struct mpu_row - one layout, keyed by (cmd, size), and by stride where
 * layouts differ in a user buffer only: see mpu_row_buffer()
 *
 * The PIDs of one answer are an array of @cap elements of @stride bytes,
 * @base bytes into the params, or into a user buffer whose address stands at
 * @ptr in the params. Each element holds @fields PIDs, the first at @pid and
 * each next one @step bytes on. All offsets are in bytes.
 *
 * @cmd:	RM control number (NVOS54_PARAMETERS.cmd)
 * @size:	exact paramsSize; RM refuses any other (resControlLookup_IMPL)
 * @control:	index into mpu_control_names[]: rows that share a control
 * @own:	the answer is about the process that issues the call: nobody
 *		can issue it for another
 * @drop:	an element with an invisible PID leaves the list, the rest
 *		moves up and the count goes down; else the field is blanked
 * @count:	where the number of elements stands in the params, u32;
 *		MPU_NO_OFFSET: always @cap, or as many as fit the buffer
 * @ptr:	where the address of the user buffer stands, u64;
 *		MPU_NO_OFFSET: the array is inside the params
 * @bytes:	where its size in bytes stands, u32; MPU_NO_OFFSET: it has the
 *		size of the elements at @count
 * @blank_off:	what is zeroed around a blanked PID, or beside that of a record
 *		that is not the caller's, relative to it
 * @blank_len:	its length, the PID itself included if it is inside
 * @pointer:	u64 that holds a kernel address, relative to the PID: zeroed
 *		in every field of the answer; MPU_NO_OFFSET: there is none
 * @time:	where the time stamp of an element stands, u64. MPU_IN: the answer
 *		is a record, and this is when its process came to the GPU, in us
 *		since the epoch. MPU_OUT: the elements are samples, averages are
 *		made of their columns (the same PID of every element); a blanked
 *		PID is then one of the caller's own, and @none only where the
 *		column has none. MPU_NO_OFFSET: neither
 * @ended:	its PIDs may be of processes that have ended: an engine that
 *		remembers them answers for these, too
 * @native:	open drivers of today answer it in the caller's own numbers by themselves
 * @none:	the control's own number for "no process"
 * @since:	first driver branch (the number before the first dot) where the
 *		layout was seen
 */
struct mpu_row {
	u32 cmd;
	u32 size;
	u8 control;
	u8 dir;
	u8 own;
	u8 drop;
	u8 fields;
	u16 count;
	u16 ptr;
	u16 bytes;
	u16 base;
	u16 stride;
	u16 cap;
	u16 pid;
	u16 step;
	s16 blank_off;
	u16 blank_len;
	u16 pointer;
	u16 time;
	u8 ended;
	u8 native;
	u16 since;
	u32 none;
};

#endif /* MPU_CORE_ROW_H */
