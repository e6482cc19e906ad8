// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of cli/view/figures.c: each figure has what its forms need.
 */
#include "cli/view/internal.h"
#include "cli/view/top/internal.h"
#include "tests/unit/unit.h"

TEST("a figure with a name in a form has what that form shows")
{
	enum figure figure;

	for (figure = 0; figure < FIGURES; figure++) {
		const struct figure_forms *one = &figures[figure];

		assert_non_null(one->help);
		if (one->column.title && one->column.right)
			assert_non_null(one->number);
		else if (one->column.title)
			assert_true(one->text || one->show);
		if (one->member)
			assert_true(one->number || one->text || one->describe);
		if (one->metric)
			assert_non_null(one->number);
		if (one->top.title)
			assert_true(one->number || one->text || one->show);
		assert_true(one->column.title || one->member || one->metric || one->top.title);
	}
}

TEST("no two figures have one name in one form")
{
	enum figure a, b;

	for (a = 0; a < FIGURES; a++)
		for (b = 0; b < a; b++) {
			const struct figure_forms *x = &figures[a], *y = &figures[b];

			if (x->column.title && y->column.title)
				assert_string_not_equal(x->column.title, y->column.title);
			if (x->member && y->member)
				assert_string_not_equal(x->member, y->member);
			if (x->top.key && y->top.key)
				assert_string_not_equal(x->top.key, y->top.key);
		}
}

TEST("every figure that mpu top has a title for is a column of one of its lists")
{
	enum figure figure, sort[TOP_COLUMNS];
	enum rows_mode mode;
	bool is_sorted_by;
	int i, n;

	for (figure = 0; figure < FIGURES; figure++) {
		is_sorted_by = false;
		for (mode = 0; mode < ROWS_MODES; mode++) {
			n = top_sorts(mode, 1000, sort);
			assert_in_range(n, 1, TOP_COLUMNS);
			for (i = 0; i < n; i++)
				is_sorted_by |= sort[i] == figure;
		}
		assert_int_equal(is_sorted_by, figures[figure].top.key != NULL);
		assert_true(!figures[figure].top.key || figures[figure].top.title);
	}
}

TEST("a figure is read at each reading if it changes, and only then")
{
	static const struct owner nobody = { .uid = (uid_t)-1 };
	const struct host_process self = { .pid = getpid(), .own_pid = 1, .owner = &nobody };
	const struct usage_process process = { .process = &self };
	struct usage usage = { .n_gpus = 1 };
	enum figure figure;

	for (figure = 0; figure < FIGURES; figure++) {
		const struct figure_forms *one = &figures[figure];
		const struct figure_of of = { .usage = &usage, .process = &process };
		struct recent uses = { 0 };
		char text[FIGURE_TEXT];

		usage.uses = &uses;
		host_uses_begin(&uses);
		if (one->number)
			one->number(&of);
		if (one->text)
			one->text(&of);
		if (one->show)
			one->show(&of, text);
		if (one->describe)
			json_object_put(one->describe(&of));
		assert_int_equal(uses.used, one->changes);
		recent_free(&uses);
	}
}
