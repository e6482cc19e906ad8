// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of mpu top: rows, histories, keys and signals. frame_test.c has what is
 * drawn.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/cli/view/top/world.h"

static struct world world;
static struct top top;

static int begin(void **state)
{
	(void)state;
	world_small(&world);
	top_begin(&top, 1);
	return top_take(&top, &world.usage);
}

static int end(void **state)
{
	(void)state;
	top_free(&top);
	world_end(&world);
	return 0;
}

static enum top_step press(unsigned int key)
{
	enum top_step step;

	assert_int_equal(top_press(&top, key, 80, &step), 0);
	return step;
}

static void type(const char *text)
{
	while (*text)
		press((unsigned char)*text++);
}

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

static void processes_by_sm(void **state)
{
	(void)state;
	EXPECT_PIDS(1004, 1001, 1002, 1006, 1005, 1003);
}

static void sorted_by_each_column(void **state)
{
	static const struct { enum rows_sort sort; pid_t first, last; } want[] = {
		{ ROWS_BY_GPU, 1001, 1006 }, { ROWS_BY_PID, 1001, 1006 },
		{ ROWS_BY_USER, 1003, 1006 }, { ROWS_BY_NAME, 1003, 1005 },
		{ ROWS_BY_MEMORY, 1004, 1003 }, { ROWS_BY_COMMAND, 1006, 1004 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		top.view.sort[ROWS_PROCESSES] = want[i].sort;
		assert_int_equal(top_update(&top), 0);
		assert_int_equal(top.rows.row[0].process->process->pid, want[i].first);
		assert_int_equal(top.rows.row[5].process->process->pid, want[i].last);
	}
}

static void sorted_by_age(void **state)
{
	(void)state;
	world.process[2].started_us -= 1000000;
	world.process[4].started_us += 1000000;
	top.view.sort[ROWS_PROCESSES] = ROWS_BY_AGE;
	assert_int_equal(top_update(&top), 0);
	EXPECT_PIDS(1005, 1001, 1002, 1004, 1006, 1003);
}

static void reversed_keeps_ties(void **state)
{
	(void)state;
	world.usage.processes[4].utilisation[RM_ENGINE_SM] = 0;
	press('R');
	EXPECT_PIDS(1003, 1005, 1006, 1002, 1001, 1004);
	press('R');
	EXPECT_PIDS(1004, 1001, 1002, 1006, 1003, 1005);
}

static void searched_in_every_name(void **state)
{
	static const struct { const char *text; size_t rows; } want[] = {
		{ "PYTHON", 2 }, { "anna", 1 }, { "trainer", 2 }, { "llama", 2 },
		{ "ml", 2 }, { "render", 1 }, { "1111", 2 }, { "1004", 1 }, { "100", 0 },
		{ "no such", 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		strcpy(top.view.text, want[i].text);
		assert_int_equal(top_update(&top), 0);
		assert_int_equal(top.rows.n, want[i].rows);
	}
}

static void filtered_as_asked(void **state)
{
	(void)state;
	top.view.filter.pod = "ml/llama-0";
	assert_int_equal(top_update(&top), 0);
	EXPECT_PIDS(1004, 1005);
	top.view.filter.container = "side";
	assert_int_equal(top_update(&top), 0);
	EXPECT_PIDS(1005);
}

/* GPU, container, process: each below what it is in, sums those of what is below. */
static void tree_holds_everything_once(void **state)
{
	static const pid_t pids[] = { 1001, 1002, 1003, 1004, 1006, 1005 };
	uint64_t memory[2] = { 0 };
	size_t i, seen = 0;

	(void)state;
	press('t');
	assert_int_equal(top.rows.n, 2 + 5 + 6);
	for (i = 0; i < top.rows.n; i++) {
		const struct row *row = &top.rows.row[i];

		assert_int_equal(row->depth, (int)row->kind);
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

static void tree_folds(void **state)
{
	(void)state;
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

static void sums_by_container_pod_user(void **state)
{
	(void)state;
	press('3');
	assert_int_equal(top.rows.n, 5);
	assert_int_equal(top.rows.row[0].sum->utilisation[RM_ENGINE_SM], 9000);
	press('4');
	assert_int_equal(top.rows.n, 4);
	assert_int_equal(top.rows.row[0].sum->processes, 2);
	press('5');
	assert_int_equal(top.rows.n, 2);
	press('1');
	assert_int_equal(top.rows.n, 6);
}

/* As the sums are told apart by usage_sum(), so are the ids of their histories. */
static void sums_have_ids_of_their_own(void **state)
{
	struct usage_sum *sums;
	size_t i, k, n;
	int by;

	(void)state;
	world.process[1].is_gone = true;
	world.process[1].owner = &world.owner[WORLD_NOBODY];
	for (by = 0; by < USAGE_BY_KINDS; by++) {
		assert_int_equal(usage_sum(&world.usage, (enum usage_by)by, true, &sums,
					   &n), 0);
		for (i = 0; i < n; i++)
			for (k = 0; k < i; k++)
				assert_true(rows_sum_id((enum usage_by)by, &sums[i]) !=
					    rows_sum_id((enum usage_by)by, &sums[k]));
		free(sums);
	}
}

/* --- Selection --- */

static void selection_follows_its_process(void **state)
{
	(void)state;
	press(TOP_KEY_DOWN);
	assert_int_equal(top.rows.row[top.selected].process->process->pid, 1001);
	world.usage.processes[0].utilisation[RM_ENGINE_SM] = 9900;
	assert_int_equal(top_take(&top, &world.usage), 0);
	assert_int_equal(top.selected, 0);
	world.usage.processes[0].utilisation[RM_ENGINE_SM] = 0;
	assert_int_equal(top_take(&top, &world.usage), 0);
	assert_int_equal(top.rows.row[top.selected].process->process->pid, 1001);
}

static void selection_outlives_rows(void **state)
{
	struct usage empty = world.usage;

	(void)state;
	press(TOP_KEY_END);
	assert_int_equal(top.selected, 5);
	empty.n_processes = 2;
	assert_int_equal(top_take(&top, &empty), 0);
	assert_int_equal(top.selected, 1);
	empty.n_processes = 0;
	assert_int_equal(top_take(&top, &empty), 0);
	assert_int_equal(top.selected, 0);
	press(TOP_KEY_DOWN);
	press(TOP_KEY_ENTER);
	press('k');
	assert_int_equal(top.selected, 0);
	assert_int_equal(top.prompt, TOP_LIST);
}

static void driver_gone_and_back(void **state)
{
	(void)state;
	press(TOP_KEY_DOWN);
	top_lose(&top, "no driver");
	assert_int_equal(top.rows.n, 0);
	press(TOP_KEY_DOWN);
	press('t');
	press('t');
	press('k');
	assert_int_equal(top_take(&top, &world.usage), 0);
	assert_int_equal(top.rows.n, 6);
}

/* --- Histories --- */

static void add(struct history_table *table, uint64_t id, uint32_t sm)
{
	const uint32_t value[] = { [HISTORY_SM] = sm, [HISTORY_MEMORY] = 2 * sm };

	assert_int_equal(history_add(table, id, value), 0);
}

static void history_remembers(void **state)
{
	struct history_table table = { 0 };
	unsigned int i;

	(void)state;
	assert_int_equal(history_get(&table, 1, HISTORY_SM, 0), HISTORY_NONE);
	for (i = 1; i <= 300; i++) {
		assert_int_equal(history_begin(&table), 0);
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
	history_free(&table);
}

/* A process that was not there took nothing; before the first reading nobody knows. */
static void history_fills_gaps(void **state)
{
	struct history_table table = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		assert_int_equal(history_begin(&table), 0);
		if (i == 2 || i == 4)
			add(&table, 9, 50);
	}
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 0), HISTORY_NONE);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 1), 50);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 2), 0);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 3), 50);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 4), 0);
	assert_int_equal(history_get(&table, 9, HISTORY_SM, 6), HISTORY_NONE);
	history_free(&table);
}

/* Containers that come and go for ever leave nothing behind. */
static void history_forgets(void **state)
{
	struct history_table table = { 0 };
	uint64_t i;

	(void)state;
	for (i = 1; i <= 5000; i++) {
		assert_int_equal(history_begin(&table), 0);
		add(&table, i * 64, (uint32_t)i);	/* all meant for one slot */
		add(&table, 1, 1);
	}
	assert_in_range(table.size, 1, 2048);
	assert_int_equal(history_get(&table, 1, HISTORY_SM, 100), 1);
	history_free(&table);
}

/* Whatever a process has in common with the one before it on the list. */
static void histories_have_every_process(void **state)
{
	static const enum rows_mode modes[] = {
		ROWS_TREE, ROWS_CONTAINERS, ROWS_PODS, ROWS_USERS,
	};
	struct host_process *process = world.process;
	const struct row *row;
	size_t i, k, groups;

	(void)state;
	process[1].uid = process[2].uid;	/* not that of [0], whose container is the same */
	for (i = 3; i < 6; i++) {
		process[i].owner = process[2].owner;
		process[i].uid = process[2].uid;
	}
	process[5].is_gone = true;
	assert_int_equal(top_take(&top, &world.usage), 0);
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		press('1' + modes[i]);
		assert_int_equal(top.view.mode, modes[i]);
		for (groups = 0, k = 0; k < top.rows.n; k++) {
			row = &top.rows.row[k];
			if (row->kind != ROW_GROUP)
				continue;
			groups++;
			assert_int_equal(history_get(&top.history, row->history, HISTORY_SM, 0),
					 row->sum->utilisation[RM_ENGINE_SM]);
			assert_int_equal(history_get(&top.history, row->history,
						     HISTORY_MEMORY, 0),
					 row->sum->memory >> 20);
		}
		assert_true(groups > 1);
	}
}

/* --- Keys --- */

static void sort_moves_along_the_columns(void **state)
{
	enum rows_sort sorts[TOP_COLUMNS];
	int i, n = top_sorts(ROWS_PROCESSES, 80, sorts);

	(void)state;
	assert_int_equal(n, 7);
	for (i = 0; i < n; i++)
		press('>');
	assert_int_equal(top.view.sort[ROWS_PROCESSES], ROWS_BY_SM);
	press('<');
	assert_int_equal(top.view.sort[ROWS_PROCESSES], ROWS_BY_NAME);
	press('M');
	assert_int_equal(top.view.sort[ROWS_PROCESSES], ROWS_BY_MEMORY);
	assert_int_equal(top.view.sort[ROWS_TREE], ROWS_BY_SM);
	assert_in_range(top_sorts(ROWS_PROCESSES, 200, sorts), n + 1, TOP_COLUMNS);
}

static void modes_go_round(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < ROWS_MODES; i++) {
		assert_int_equal(top.view.mode, i);
		press(TOP_KEY_TAB);
	}
	assert_int_equal(top.view.mode, 0);
	press(TOP_KEY_BACKTAB);
	assert_int_equal(top.view.mode, ROWS_USERS);
}

static void interval_has_steps(void **state)
{
	int i;

	(void)state;
	press('+');
	assert_true(top.interval == 2);
	top.interval = 3;
	press('-');
	assert_true(top.interval == 2);
	top.interval = 3;
	press('+');
	assert_true(top.interval == 5);
	for (i = 0; i < 20; i++)
		press('+');
	assert_true(top.interval == 60);
	for (i = 0; i < 20; i++)
		press('-');
	assert_true(top.interval == 0.1);
}

static void search_counts_while_it_is_typed(void **state)
{
	(void)state;
	type("/trainz");
	assert_int_equal(top.rows.n, 0);
	press(TOP_KEY_BACKSPACE);
	assert_int_equal(top.rows.n, 2);
	assert_int_equal(press('q'), TOP_GO_ON);	/* a letter of the text */
	press(0x7f);
	press(TOP_KEY_ENTER);
	assert_int_equal(top.prompt, TOP_LIST);
	assert_string_equal(top.view.text, "train");
	press(TOP_KEY_ESCAPE);
	assert_int_equal(top.rows.n, 6);
	press('/');
	for (size_t i = 0; i < 2 * ROWS_TEXT; i++)
		press('x');
	assert_int_equal(strlen(top.view.text), ROWS_TEXT - 1);
	press(TOP_KEY_ESCAPE);
	assert_string_equal(top.view.text, "");
}

static void quits_and_redraws(void **state)
{
	(void)state;
	assert_int_equal(press('q'), TOP_QUIT);
	assert_int_equal(press('L' & 0x1f), TOP_REDRAW_ALL);
	press('h');
	assert_int_equal(top.prompt, TOP_HELP);
	assert_int_equal(press('q'), TOP_GO_ON);	/* ends the help */
	assert_int_equal(press(' '), TOP_GO_ON);
	assert_true(top.is_paused);
}

/* --- Signals --- */

static pid_t start_child(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		for (;;)
			pause();
	}
	return pid;
}

/* Have the list be of this one process, as it is now. */
static void show_only(pid_t pid)
{
	struct host_reader *reader = host_reader_open(true);
	const struct host_process *process;

	assert_non_null(reader);
	assert_int_equal(host_reader_read(reader, &pid, 1, &process), 0);
	world.process[0] = *process;
	world.process[0].owner = &world.owner[WORLD_NOBODY];
	host_reader_close(reader);
	world.usage.n_processes = 1;
	assert_int_equal(top_take(&top, &world.usage), 0);
}

static void signal_is_sent_when_it_is_sure(void **state)
{
	pid_t child = start_child();
	int status;

	(void)state;
	show_only(child);
	type("k");
	assert_string_equal(top.input, "TERM");
	press(TOP_KEY_ENTER);
	assert_int_equal(top.prompt, TOP_ASK_SURE);
	press('n');
	assert_string_equal(top.message, "no signal sent");
	assert_int_equal(kill(child, 0), 0);
	type("kusr1");	/* takes the place of what is offered */
	press(TOP_KEY_ENTER);
	press('y');
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGUSR1);
	assert_int_equal(top.prompt, TOP_LIST);
	assert_non_null(strstr(top.message, "SIGUSR1 sent to PID "));
}

/* Held from the question on: what ends meanwhile gets nothing, nor does who follows. */
static void signal_meets_nobody_else(void **state)
{
	pid_t child = start_child();

	(void)state;
	show_only(child);
	press('k');
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	press(TOP_KEY_ENTER);
	press('y');
	assert_non_null(strstr(top.message, "did not reach PID"));
	press('k');
	assert_non_null(strstr(top.message, "has ended"));
	show_only(getpid());
	world.process[0].started_us -= 10000;
	press('k');
	assert_non_null(strstr(top.message, "has ended"));
	world.process[0].is_gone = true;
	press('k');
	assert_non_null(strstr(top.message, "has ended"));
}

/* Workers say by their name what they do. */
static void signal_meets_who_is_renamed(void **state)
{
	(void)state;
	show_only(getpid());
	assert_int_equal(prctl(PR_SET_NAME, "busy"), 0);
	press('k');
	assert_int_equal(prctl(PR_SET_NAME, world.process[0].name), 0);
	assert_string_equal(top.message, "");
	assert_int_equal(top.prompt, TOP_ASK_SIGNAL);
}

/* To the first process, as nobody: a signal that it would not notice, at that. */
static void signal_is_not_permitted(void **state)
{
	pid_t child;
	int status;

	(void)state;
	show_only(1);
	child = fork();
	if (!child) {
		if (!geteuid() && setresuid(65534, 65534, 65534))
			_exit(1);
		press('k');
		press('U' & 0x1f);
		type("URG");
		press(TOP_KEY_ENTER);
		press('y');
		_exit(!strstr(top.message, "not permitted to send a signal to PID 1:"));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void signals_have_names(void **state)
{
	(void)state;
	assert_int_equal(target_find_signal("TERM"), SIGTERM);
	assert_int_equal(target_find_signal("sigkill"), SIGKILL);
	assert_int_equal(target_find_signal("9"), SIGKILL);
	assert_int_equal(target_find_signal("0"), -1);
	assert_int_equal(target_find_signal(""), -1);
	assert_int_equal(target_find_signal("99999"), -1);
	assert_int_equal(target_find_signal("9x"), -1);
	assert_int_equal(target_find_signal("NOSUCH"), -1);
	press('k');
	press('x');
	assert_int_equal(top.prompt, TOP_LIST);
}

static void signal_needs_a_process(void **state)
{
	(void)state;
	press('t');
	press('k');
	assert_int_equal(top.prompt, TOP_LIST);
	assert_non_null(strstr(top.message, "select it first"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(processes_by_sm), TEST(sorted_by_each_column), TEST(sorted_by_age),
		TEST(reversed_keeps_ties), TEST(searched_in_every_name),
		TEST(filtered_as_asked), TEST(tree_holds_everything_once),
		TEST(tree_folds), TEST(sums_by_container_pod_user),
		TEST(sums_have_ids_of_their_own), TEST(selection_follows_its_process),
		TEST(selection_outlives_rows), TEST(driver_gone_and_back),
		TEST(history_remembers), TEST(history_fills_gaps), TEST(history_forgets),
		TEST(histories_have_every_process),
		TEST(sort_moves_along_the_columns), TEST(modes_go_round),
		TEST(interval_has_steps), TEST(search_counts_while_it_is_typed),
		TEST(quits_and_redraws), TEST(signal_is_sent_when_it_is_sure),
		TEST(signal_meets_nobody_else), TEST(signal_meets_who_is_renamed),
		TEST(signal_is_not_permitted), TEST(signals_have_names), TEST(signal_needs_a_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
