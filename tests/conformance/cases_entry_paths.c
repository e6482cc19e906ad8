// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same questions on every way into the driver.
 */
#include "tests/conformance/suite.h"

static struct question q, host;

static void by_path(u32 path)
{
	struct scenario s;
	u32 row;

	if (!scenario_open_small(&s))
		return;
	if (!actor_has_entry_path(s.host, path)) {
		case_skip("this kernel runs no 32-bit programs");
		return;
	}
	for_each_row(row) {
		q = (struct question){ .row = row, .path = path };
		question_name_two(&s, s.a, &q);
		if (mpu_rows[row].cmd == 0x607 || !row_answered(s.host, row))
			continue;
		if (!question_ask(s.a, &q) || !question_ask_host(s.host, s.a, &q, &host) ||
		    !answer_hides_strangers(s.a, &q) || !answer_is_right(s.a, &q, &host))
			return;
		check(!q.ret, "0x%x: status 0x%x", mpu_rows[row].cmd, q.ret);
	}
}

ALONE("entry_paths: other type and direction bits", NEVER, 0)
{
	by_path(ENTRY_BITS);
}

ALONE("entry_paths: high halves of the arguments", NEVER, 0)
{
	by_path(ENTRY_HALVES);
}

ALONE("entry_paths: XFER", NEVER, 0)
{
	by_path(ENTRY_XFER);
}

ALONE("entry_paths: 32-bit program", NEVER, 0)
{
	by_path(ENTRY_COMPAT);
}

ALONE("entry_paths: XFER of a 32-bit program", NEVER, 0)
{
	by_path(ENTRY_COMPAT_XFER);
}
