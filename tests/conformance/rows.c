// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of the table, and which of them this driver has.
 */
#include "tests/conformance/suite.h"

void row_report_covered(u32 row)
{
	static bool said[MPU_ROWS];

	if (!said[row])
		printf("covers 0x%08x %u %u\n", mpu_rows[row].cmd,
		       mpu_rows[row].size, mpu_rows[row].stride);
	said[row] = true;
}

u32 row_find(u32 cmd, u32 size)
{
	u32 row;

	for_each_row(row)
		if (mpu_rows[row].cmd == cmd && (!size || mpu_rows[row].size == size))
			return row;
	case_fail("the table has no row for 0x%x, %u bytes", cmd, size);
	return 0;
}

bool row_is_shared(u32 row)
{
	u32 other;

	for_each_row(other)
		if (other != row && mpu_rows[other].cmd == mpu_rows[row].cmd &&
		    mpu_rows[other].size == mpu_rows[row].size)
			return true;
	return false;
}

/* Read by this layout, does the host's answer make sense? */
static bool makes_sense(const struct actor *host, const struct question *q)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 i, f, pid;

	for (i = 0; i < row->cap; i++)
		for (f = 0; f < row->fields; f++) {
			pid = question_pid(q, i, f);
			if (pid != row->none && !truth_local(host, pid))
				return false;
		}
	return true;
}

bool row_answered(struct actor *host, u32 row)
{
	static struct question q;

	q = (struct question){ .row = row, .count = 1, .pids = { host->pid } };
	return question_ask(host, &q) && !q.ret && (!row_is_shared(row) || makes_sense(host, &q));
}

u32 row_find_answered(struct actor *host, u32 cmd, u32 other_cmd)
{
	u32 row;

	for_each_row(row)
		if ((mpu_rows[row].cmd == cmd || mpu_rows[row].cmd == other_cmd) &&
		    row_answered(host, row))
			return row;
	return MPU_ROWS;
}

bool row_names_process(struct actor *host, u32 row)
{
	static struct question q;
	u32 i, f;

	if (!row_answered(host, row))
		return false;
	q = (struct question){ .row = row, .count = 1, .pids = { host->pid } };
	if (!question_ask(host, &q))
		return false;
	for (i = 0; i < question_count(&q); i++)
		for (f = 0; f < mpu_rows[row].fields; f++)
			if (truth_local(host, question_pid(&q, i, f)))
				return true;
	return false;
}

bool row_is_unread(struct actor *host, u32 row)
{
	return mpu_rows[row].ptr != MPU_NO_OFFSET && !row_names_process(host, row);
}
