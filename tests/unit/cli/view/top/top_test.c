// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of mpu top: rows and histories. keys_test.c has keys, frame_test.c what is
 * drawn.
 */
#include "lib/clock.h"
#include "tests/unit/cli/view/top/world.h"
#include "tests/unit/unit.h"

TEST_EACH(world_start, world_stop)

/* PIDs of the rows from the top, as far as they are processes; 0 ends them. */
static void expect_pids(const pid_t *pid)
{
	size_t i = 0;

	for (; i < top.rows.n && pid[i]; i++)
		assert_int_equal(top.rows.row[i].process->process->pid, pid[i]);
	assert_int_equal(i, top.rows.n);
	assert_int_equal(pid[i], 0);
}

#define EXPECT_PIDS(...) expect_pids((const pid_t[]){ __VA_ARGS__, 0 })

/* --- Rows --- */
TEST("processes with the most SM use come first")
{
	EXPECT_PIDS(1004, 1001, 1002, 1006, 1005, 1003);
}

TEST("processes can be sorted by each column")
{
	static const struct { enum figure sort; pid_t first, last; } want[] = {
		{ FIGURE_GPU, 1001, 1006 }, { FIGURE_PID, 1001, 1006 },
		{ FIGURE_USER, 1003, 1006 }, { FIGURE_CONTAINER, 1003, 1002 },
		{ FIGURE_MEMORY, 1004, 1003 }, { FIGURE_MEMORY_PART, 1004, 1003 },
		{ FIGURE_USE, 1001, 1006 }, { FIGURE_COMMAND, 1006, 1004 },
	};

	each_row(one, want) {
		top.view.order[ROWS_PROCESSES].sort = one->sort;
		top_update(&top);
		assert_int_equal(top.rows.row[0].process->process->pid, one->first);
		assert_int_equal(top.rows.row[5].process->process->pid, one->last);
	}
}

TEST("sums are sorted by the names that they show")
{
	static const enum rows_mode modes[] = { ROWS_CONTAINERS, ROWS_PODS, ROWS_USERS };
	char text[2][FIGURE_TEXT];
	enum figure sort[TOP_COLUMNS];
	size_t i;

	world.process[4].owner = &world.owner[WORLD_NAMELESS];
	each_row(mode, modes) {
		press('1' + *mode);
		top_sorts(*mode, 80, sort);
		top.view.order[*mode].sort = sort[0];
		top_update(&top);
		for (i = 1; i < top.rows.n; i++)
			assert_true(strcmp(row_text(&world.usage, &top.rows.row[i - 1], sort[0],
						    text[0]),
					   row_text(&world.usage, &top.rows.row[i], sort[0],
						    text[1])) < 0);
	}
}

TEST("processes can be sorted by age, the youngest first")
{
	world.process[2].started_us -= 1000000;
	world.process[4].started_us += 1000000;
	top.view.order[ROWS_PROCESSES].sort = FIGURE_STARTED;
	top_update(&top);
	EXPECT_PIDS(1005, 1001, 1002, 1004, 1006, 1003);
}

TEST("a reversed order leaves equal rows in their order")
{
	world.usage.processes[4].utilisation[RM_ENGINE_SM] = 0;
	press('R');
	EXPECT_PIDS(1003, 1005, 1006, 1002, 1001, 1004);
	press('R');
	EXPECT_PIDS(1004, 1001, 1002, 1006, 1003, 1005);
}

TEST("a search finds words in all names, and NAME=VALUE in one field")
{
	static const struct { const char *text; size_t rows; } want[] = {
		{ "PYTHON", 2 }, { "anna", 1 }, { "trainer", 2 }, { "llama", 2 },
		{ "ml", 2 }, { "render", 1 }, { "1111", 2 }, { "1004", 1 }, { "100", 0 },
		{ "no such", 0 }, { "python load", 1 }, { " python  1002 ", 1 },
		{ "gpu=0", 3 }, { "gpu=1 pod=llama", 2 }, { "pod=ml", 2 }, { "pod=", 6 },
		{ "user=ann", 1 }, { "container=TRAIN gpu=0", 2 }, { "container=1111", 2 },
		{ "type=g", 1 }, { "type=comp", 6 }, { "type=x", 0 }, { "pid=1004", 1 },
		{ "gpu=7", 0 }, { "--x=1", 1 },
	};

	world.usage.processes[5].use |= GPU_GRAPHICS;
	strcat(world.process[5].command, " --x=1");
	each_row(row, want) {
		strcpy(top.view.text, row->text);
		top_update(&top);
		assert_int_equal(top.rows.n, row->rows);
	}
}

TEST("a filter by pod and container shows only what fits both")
{
	top.view.filter.pod = "ml/llama-0";
	top_update(&top);
	EXPECT_PIDS(1004, 1005);
	top.view.filter.container = "side";
	top_update(&top);
	EXPECT_PIDS(1005);
}

TEST("the tree has each process once, in its container, with sums above")
{
	static const pid_t pids[] = { 1001, 1002, 1003, 1004, 1006, 1005 };
	uint64_t memory[2] = { 0 };
	size_t i, seen = 0;

	press('t');
	assert_int_equal(top.rows.n, 2 + 5 + 6);
	for (i = 0; i < top.rows.n; i++) {
		const struct row *row = &top.rows.row[i];

		if (row->kind == ROW_GROUP)
			memory[row->gpu] += row->sum->memory;
		if (row->kind == ROW_PROCESS)
			assert_int_equal(row->process->process->pid, pids[seen++]);
		if (row->kind != ROW_PROCESS || top.rows.row[i - 1].kind != ROW_GROUP)
			continue;
		assert_ptr_equal(row->process->process->owner,
				 top.rows.row[i - 1].process->process->owner);
	}
	assert_int_equal(seen, 6);
	assert_int_equal(memory[0], world.usage.gpus[0].memory_used);
	assert_int_equal(memory[1], world.usage.gpus[1].memory_used);
	assert_int_equal(top.rows.row[0].sum->utilisation[RM_ENGINE_SM], 6500);
}

TEST("a row of the tree hides and shows again what is below it")
{
	press('t');
	press(TOP_KEY_ENTER);		/* GPU 0 */
	assert_int_equal(top.rows.n, 1 + 1 + 3 + 3);
	assert_true(top.rows.row[0].is_folded);
	assert_int_equal(top.rows.row[1].kind, ROW_GPU);
	press(TOP_KEY_DOWN);
	press(TOP_KEY_DOWN);		/* a container of GPU 1 */
	press(TOP_KEY_ENTER);
	assert_int_equal(top.rows.n, 1 + 1 + 3 + 2);
	press(TOP_KEY_ENTER);
	press(TOP_KEY_HOME);
	press(TOP_KEY_ENTER);
	assert_int_equal(top.rows.n, 2 + 5 + 6);
	press(TOP_KEY_DOWN);
	press(TOP_KEY_DOWN);
	press(TOP_KEY_ENTER);		/* a process has nothing to fold */
	assert_int_equal(top.rows.n, 2 + 5 + 6);
}

TEST("processes are summed up by container, by pod and by user")
{
	press('3');
	assert_int_equal(top.rows.n, 5);
	assert_int_equal(top.rows.row[0].sum->utilisation[RM_ENGINE_SM], 9000);
	press('4');
	assert_int_equal(top.rows.n, 1);	/* what is in no pod is not shown there */
	assert_int_equal(top.rows.row[0].sum->processes, 2);
	press('5');
	assert_int_equal(top.rows.n, 2);
	press('1');
	assert_int_equal(top.rows.n, 6);
}

TEST("sums that are told apart have histories of their own")
{
	struct usage_sum *sums;
	size_t i, k, n;
	int by;

	world.process[1].is_gone = true;
	world.process[1].owner = &world.owner[WORLD_NOBODY];
	for (by = 0; by < USAGE_BY_KINDS; by++) {
		sums = usage_sum(&world.usage, (enum usage_by)by, true, &n);
		for (i = 0; i < n; i++)
			for (k = 0; k < i; k++)
				assert_true(usage_find_id((enum usage_by)by, sums[i].gpu, sums[i].example) !=
					    usage_find_id((enum usage_by)by, sums[k].gpu, sums[k].example));
		free(sums);
	}
}

TEST("the CPU use of a process is known from the second reading on")
{
	struct recent uses = { 0 };
	const struct host_use *use;
	uint64_t begin = clock_ms();
	int i;

	host_uses_begin(&uses);
	use = host_uses_get(&uses, getpid());
	assert_true(use->is_there && !use->has_cpu);
	assert_int_equal(use->stat.parent, getppid());
	assert_true(use->stat.pages > 256);
	while (clock_ms() - begin < 200)
		;
	assert_false(host_uses_get(&uses, getpid())->has_cpu);
	host_uses_begin(&uses);
	use = host_uses_get(&uses, getpid());
	assert_true(use->has_cpu && use->cpu > 0);
	for (i = 1; i <= 1000; i++)	/* most are nobody's */
		assert_int_equal(host_uses_get(&uses, 1000000000 + i)->thing.id, 1000000000 + i);
	host_uses_begin(&uses);
	host_uses_begin(&uses);
	assert_false(host_uses_get(&uses, getpid())->has_cpu);
	recent_free(&uses);
	top.view.order[ROWS_PROCESSES].sort = FIGURE_RAM;
	world.process[4].pid = getpid();
	world_take(&world, &top);
	assert_int_equal(top.rows.row[0].process->process->pid, getpid());
}

/* --- Selection --- */

TEST("the selection stays on its process when the order changes")
{
	press(TOP_KEY_DOWN);
	assert_int_equal(top.rows.row[top.selected].process->process->pid, 1001);
	world.usage.processes[0].utilisation[RM_ENGINE_SM] = 9900;
	world_take(&world, &top);
	assert_int_equal(top.selected, 0);
	world.usage.processes[0].utilisation[RM_ENGINE_SM] = 0;
	world_take(&world, &top);
	assert_int_equal(top.rows.row[top.selected].process->process->pid, 1001);
}

TEST("the selection stays valid when rows vanish, even all of them")
{
	struct usage empty = world.usage;

	press(TOP_KEY_END);
	assert_int_equal(top.selected, 5);
	empty.n_processes = 2;
	top_take(&top, &empty);
	assert_int_equal(top.selected, 1);
	empty.n_processes = 0;
	top_take(&top, &empty);
	assert_int_equal(top.selected, 0);
	press(TOP_KEY_DOWN);
	press(TOP_KEY_ENTER);
	press('k');
	assert_int_equal(top.selected, 0);
	assert_int_equal(top.prompt, TOP_LIST);
}

TEST("keys do no harm while the driver is away, and the list comes back")
{
	press(TOP_KEY_DOWN);
	top_lose(&top, "no driver");
	assert_int_equal(top.rows.n, 0);
	press(TOP_KEY_DOWN);
	press('t');
	press('t');
	press('k');
	world_take(&world, &top);
	assert_int_equal(top.rows.n, 6);
}

/* --- Histories --- */

static void add(struct recent *table, uint64_t id, uint32_t sm)
{
	const uint32_t value[] = { [HISTORY_SM] = sm, [HISTORY_MEMORY] = 2 * sm };

	history_add(table, id, value);
}

TEST("a history keeps the newest values, as many as it has room for")
{
	struct recent table = { 0 };
	unsigned int i;

	assert_int_equal(history_get(&table, 1, HISTORY_SM, 0), HISTORY_NONE);
	for (i = 1; i <= 300; i++) {
		history_begin(&table);
		add(&table, 1, i);
		if (i == 3 || i == 5)
			add(&table, 2, i);
	}
	for (i = 0; i < HISTORY_SAMPLES; i++)
		assert_int_equal(history_get(&table, 1, HISTORY_MEMORY, i), 2 * (300 - i));
	assert_int_equal(history_get(&table, 1, HISTORY_SM, HISTORY_SAMPLES), HISTORY_NONE);
	assert_int_equal(history_get(&table, 2, HISTORY_SM, 0), HISTORY_NONE);
	add(&table, 2, 7);
	assert_int_equal(history_get(&table, 2, HISTORY_SM, 0), 7);
	assert_int_equal(history_get(&table, 2, HISTORY_SM, HISTORY_SAMPLES - 1), 0);
	recent_free(&table);
}

/* Nobody knows what was before the first reading. */
TEST("a reading without a process counts as 0 in its history")
{
	struct recent table = { 0 };
	int i;

	for (i = 0; i < 6; i++) {
		history_begin(&table);
		if (i == 2 || i == 4)
			add(&table, 9, 50);
	}
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 0), HISTORY_NONE);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 1), 50);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 2), 0);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 3), 50);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 4), 0);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 6), HISTORY_NONE);
	recent_free(&table);
}

TEST("containers that come and go leave no histories behind")
{
	struct recent table = { 0 };
	uint64_t i;

	for (i = 1; i <= 5000; i++) {
		history_begin(&table);
		add(&table, i * 64, (uint32_t)i);	/* all meant for one slot */
		add(&table, 1, 1);
	}
	assert_in_range(table.size, 1, 2048);
	assert_int_equal(history_get(&table, 1, HISTORY_SM, 100), 1);
	recent_free(&table);
}

/* Whatever a process has in common with the one before it on the list. */
TEST("the history of a group has the sum of all its processes")
{
	static const enum rows_mode modes[] = {
		ROWS_TREE, ROWS_CONTAINERS, ROWS_PODS, ROWS_USERS,
	};
	struct host_process *process = world.process;
	const struct row *row;
	size_t i, k, groups;

	process[1].uid = process[2].uid;	/* not that of [0], whose container is the same */
	for (i = 4; i < 6; i++) {	/* [3] is in a pod */
		process[i].owner = process[2].owner;
		process[i].uid = process[2].uid;
	}
	process[5].is_gone = true;
	world_take(&world, &top);
	each_row(one, modes) {
		press('1' + *one);
		assert_int_equal(top.view.mode, *one);
		for (groups = 0, k = 0; k < top.rows.n; k++) {
			row = &top.rows.row[k];
			if (row->kind != ROW_GROUP)
				continue;
			groups++;
			assert_int_equal(history_get(&top.history, row->id, HISTORY_SM, 0),
					 row->sum->utilisation[RM_ENGINE_SM]);
			assert_int_equal(history_get(&top.history, row->id, HISTORY_MEMORY, 0),
					 row->sum->memory >> 20);
		}
		assert_true(groups > (*one != ROWS_PODS));
	}
}
