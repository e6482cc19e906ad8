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

static void request_bits(void)
{
	by_path(ENTRY_BITS);
}

static void high_halves(void)
{
	by_path(ENTRY_HALVES);
}

static void xfer(void)
{
	by_path(ENTRY_XFER);
}

static void compat(void)
{
	by_path(ENTRY_COMPAT);
}

static void compat_xfer(void)
{
	by_path(ENTRY_COMPAT_XFER);
}

const struct test_case cases_entry_paths[] = {
	{ "entry_paths: other type and direction bits", ALONE(request_bits), NEVER, 0 },
	{ "entry_paths: high halves of the arguments", ALONE(high_halves), NEVER, 0 },
	{ "entry_paths: XFER", ALONE(xfer), NEVER, 0 },
	{ "entry_paths: 32-bit program", ALONE(compat), NEVER, 0 },
	{ "entry_paths: XFER of a 32-bit program", ALONE(compat_xfer), NEVER, 0 },
	{ 0 },
};
