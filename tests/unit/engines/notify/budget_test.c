// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPU time that one container may take, on a clock made up here.
 */

#include "engines/notify/internal.h"
#include "tests/unit/unit.h"

#define MS	1000000ull

static struct budget budget;
static u64 now;

static int begin(void)
{
	budget = (struct budget){ .percent = 50 };
	now = 5000 * MS;	/* the machine was up before */
	budget_charge(&budget, now, 0);
	return 0;
}

/* So long, of which so much was used. Return: how long it is to rest, in ms. */
static u64 pass(u64 ms, u64 used)
{
	now += ms * MS;
	return budget_charge(&budget, now, used * MS) / MS;
}

TEST_WITH("a container that takes its share never has to rest", begin, NULL)
{
	int i;

	for (i = 0; i < 1000; i++)
		assert_int_equal(pass(40, 20), 0);
}

TEST_WITH("a container above its share rests once its advance is used up", begin, NULL)
{
	assert_int_equal(pass(0, 1000), 0);
	assert_int_equal(pass(20, 20), 2 * 20 - 20);
	/* The slot has rested, and goes on at its share. */
	assert_int_equal(pass(20, 0), 0);
	assert_int_equal(pass(10, 10), 2 * 10 - 10);
}

/* A single call may take long. */
TEST_WITH("one slow call is allowed, and a rest follows the next", begin, NULL)
{
	assert_int_equal(pass(1000, 1000), 0);
	assert_int_equal(pass(2000, 2000), 2 * (500 + 1000 - 1000));
}

TEST_WITH("unused time is saved up to the advance, and not further", begin, NULL)
{
	assert_int_equal(pass(86400000, 0), 0);
	assert_int_equal(pass(10, 1000), 0);
	assert_int_equal(pass(0, 10), 2 * 10 - 10);
}

TEST_WITH("a share of 25 % rests three times as long as it ran", begin, NULL)
{
	budget.percent = 25;
	assert_int_equal(pass(0, 1000), 0);
	assert_int_equal(pass(20, 20), 4 * 20 - 20);
}

TEST_WITH("a share of 100 % never has to rest", begin, NULL)
{
	budget.percent = 100;
	assert_int_equal(pass(1000000, 1000000), 0);
}

/* All have 100 % of two CPUs: five per cent for each of the twenty that call. */
TEST("where all take too much, who takes more than its part rests, and no other")
{
	struct budget flood[19] = { 0 }, *one;
	u64 ms, until[19] = { 0 }, took = 0;

	budget_limit_all(100);
	begin();
	for (ms = 0; ms < 3000; ms += 10, now += 10 * MS) {
		assert_int_equal(budget_charge(&budget, now, MS / 5), 0);
		for (one = flood; one < flood + 19; one++) {
			one->percent = 50;
			if (until[one - flood] > now)
				continue;
			until[one - flood] = now + budget_charge(one, now, MS);
			took++;
		}
	}
	budget_limit_all(0);
	assert_in_range(took, 3000 * 8 / 10, 3000 * 12 / 10);
}

TEST("containers of one name share a budget, and unnamed ones do not")
{
	struct budget *a = budget_join("a", 50), *b = budget_join("b", 50);
	struct budget *unnamed = budget_join("", 50), *another = budget_join("", 50);

	assert_true(a && b && a != b);
	assert_ptr_equal(budget_join("a", 50), a);
	assert_true(unnamed && another && unnamed != another);
	budget_leave(a);
	assert_ptr_equal(budget_join("a", 50), a);
	budget_leave(a);
	budget_leave(another);
	budget_leave(a);
	budget_leave(unnamed);
	budget_leave(b);
	budget_leave(NULL);
}
