// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same questions on every way into the driver.
 */
#include "tests/conformance/suite.h"

static void by_path(struct scenario *s, u32 path)
{
	static struct question q;
	u32 row;

	if (!actor_has_entry_path(s->host, path)) {
		case_skip("this kernel runs no 32-bit programs");
		return;
	}
	for_each_shared_row(row, s->host) {
		q = (struct question){ .row = row, .path = path };
		question_name_two(s, s->a, &q);
		if (!question_ask(s->a, &q) || !answer_is_the_hosts(s->host, s->a, &q))
			return;
		check(!q.ret, "0x%x: status 0x%x", mpu_rows[row].cmd, q.ret);
	}
}

#define BY_PATH(name, path) IN_SMALL("entry_paths: " name, NEVER, 0) { by_path(s, path); }

BY_PATH("other type and direction bits", ENTRY_BITS)
BY_PATH("high halves of the arguments", ENTRY_HALVES)
BY_PATH("XFER", ENTRY_XFER)
BY_PATH("32-bit program", ENTRY_COMPAT)
BY_PATH("XFER of a 32-bit program", ENTRY_COMPAT_XFER)
