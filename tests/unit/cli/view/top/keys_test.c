// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of mpu top: keys, the mouse, tags, signals, and settings that stay.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/cli/view/top/world.h"
#include "tests/unit/unit.h"

TEST_EACH(world_start, world_stop)

static void type(const char *text)
{
	while (*text)
		press((unsigned char)*text++);
}

/* --- Keys --- */
TEST("< and > sort by another column that is shown, in this list alone")
{
	enum figure sorts[TOP_COLUMNS];
	int i, n = top_sorts(ROWS_PROCESSES, 80, sorts);

	assert_int_equal(n, 7);
	for (i = 0; i < n; i++)
		press('>');
	assert_int_equal(top.view.order[ROWS_PROCESSES].sort, FIGURE_SM);
	press('<');
	assert_int_equal(top.view.order[ROWS_PROCESSES].sort, FIGURE_CONTAINER);
	press('M');
	assert_int_equal(top.view.order[ROWS_PROCESSES].sort, FIGURE_MEMORY);
	assert_int_equal(top.view.order[ROWS_TREE].sort, FIGURE_SM);
	assert_in_range(top_sorts(ROWS_PROCESSES, 200, sorts), n + 1, TOP_COLUMNS);
}

TEST("Tab goes through all lists, and Shift-Tab goes back")
{
	int i;

	for (i = 0; i < ROWS_MODES; i++) {
		assert_int_equal(top.view.mode, i);
		press(TOP_KEY_TAB);
	}
	assert_int_equal(top.view.mode, 0);
	press(TOP_KEY_BACKTAB);
	assert_int_equal(top.view.mode, ROWS_USERS);
}

TEST("+ and - change the interval in steps, from 0.1 to 60 seconds")
{
	int i;

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

TEST("a search filters the list while it is typed, and Escape ends it")
{
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
	for (size_t i = 0; i < 2 * SEARCH_TEXT; i++)
		press('x');
	assert_int_equal(strlen(top.view.text), SEARCH_TEXT - 1);
	press(TOP_KEY_ESCAPE);
	assert_string_equal(top.view.text, "");
}

TEST("keys of htop and nvtop do what they do there, and others say where help is")
{
	press(TOP_KEY_F0 + 1);
	assert_int_equal(top.prompt, TOP_HELP);
	press('x');
	press(TOP_KEY_F0 + 6);
	assert_int_equal(top.view.order[ROWS_PROCESSES].sort, FIGURE_MEMORY);
	press(TOP_KEY_F0 + 5);
	assert_int_equal(top.view.mode, ROWS_TREE);
	press(TOP_KEY_F0 + 5);
	press(TOP_KEY_F0 + 4);
	assert_int_equal(top.prompt, TOP_ASK_TEXT);
	press(TOP_KEY_ESCAPE);
	press(TOP_KEY_F0 + 2);
	assert_non_null(strstr(top.message, "h lists"));
	top.is_read_only = true;
	type("kW");
	assert_int_equal(top.prompt, TOP_LIST);
	assert_non_null(strstr(top.message, "--read-only: no signal is sent"));
	assert_int_equal(press(TOP_KEY_F0 + 10), TOP_QUIT);
}

TEST("q quits or ends the help, Ctrl-L redraws, and p pauses")
{
	assert_int_equal(press('q'), TOP_QUIT);
	assert_int_equal(press('L' & 0x1f), TOP_REDRAW_ALL);
	press('h');
	assert_int_equal(top.prompt, TOP_HELP);
	assert_int_equal(press('q'), TOP_GO_ON);	/* ends the help */
	assert_int_equal(press('p'), TOP_GO_ON);
	assert_true(top.is_paused);
}

/* --- Signals --- */

/* Have the list be of this one process, as it is now. */
static void show_only(pid_t pid)
{
	struct host_reader *reader = host_reader_open(true);
	const struct host_process *process;

	assert_non_null(reader);
	host_reader_read(reader, &pid, 1, &process);
	world.process[0] = *process;
	world.process[0].owner = &world.owner[WORLD_NOBODY];
	host_reader_close(reader);
	world.usage.n_processes = 1;
	world_take(&world, &top);
}

TEST("a signal is sent after y, and not after n")
{
	pid_t child = world_start_child();
	int status;

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

/* A process is held from the question on. */
TEST("no signal goes to a process that took the PID of an ended one")
{
	pid_t child = world_start_child();

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
TEST("a process that changes its name is still the same one")
{
	show_only(getpid());
	assert_int_equal(prctl(PR_SET_NAME, "busy"), 0);
	press('k');
	assert_int_equal(prctl(PR_SET_NAME, world.process[0].name), 0);
	assert_string_equal(top.message, "");
	assert_int_equal(top.prompt, TOP_ASK_SIGNAL);
}

/* A user without rights may not send PID 1 a signal, which would ignore this one. */
TEST("a signal that is not permitted is reported")
{
	pid_t child;
	int status;

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

TEST("a signal has a name, in capitals or not, or a number")
{
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

/* Process 0 is on two GPUs. */
TEST("a signal goes once to each tagged process; an ended one has no tag")
{
	pid_t child[] = { world_start_child(), world_start_child(), world_start_child() };
	struct host_reader *reader = host_reader_open(true);
	const struct host_process *process[3];
	int i, status;

	assert_non_null(reader);
	host_reader_read(reader, child, 3, process);
	for (i = 0; i < 3; i++) {
		world.process[i] = *process[i];
		world.process[i].owner = &world.owner[i ? WORLD_DOCKER : WORLD_UNIT];
	}
	host_reader_close(reader);
	world.usage.processes[3].process = &world.process[0];
	world_take(&world, &top);
	top.view.order[ROWS_PROCESSES].sort = FIGURE_GPU;
	top_update(&top);
	press(TOP_KEY_HOME);
	type("  ");
	assert_int_equal(top.selected, 2);
	assert_int_equal(top.tags.n, 2);
	type("u ");
	press(TOP_KEY_HOME);
	press(' ');
	assert_int_equal(top.tags.n, 2);
	type("kkill");
	assert_int_equal(top.n_targets, 2);
	assert_string_equal(top.targets[0].whose, "render.service");
	assert_string_equal(top.targets[1].whose, "trainer");
	press(TOP_KEY_ENTER);
	press('y');
	assert_non_null(strstr(top.message, "SIGKILL sent to 2 of 2 processes"));
	assert_int_equal(top.tags.n, 0);
	for (i = 0; i < 3; i += 2) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(WTERMSIG(status), SIGKILL);
	}
	assert_int_equal(kill(child[1], SIGKILL), 0);
	assert_int_equal(waitpid(child[1], &status, 0), child[1]);
	press(TOP_KEY_HOME);
	press(' ');
	world.process[0].started_us++;
	world_take(&world, &top);
	assert_int_equal(top.tags.n, 0);
}

TEST("a click selects the row that it meets, and the wheel moves by rows")
{
	top.page = 6;
	top.list_line = 10;
	press(TOP_KEY_CLICK + 13);
	assert_int_equal(top.selected, 2);
	press(TOP_KEY_CLICK + 10);
	press(TOP_KEY_CLICK + 17);
	press(TOP_KEY_CLICK);
	assert_int_equal(top.selected, 2);
	press(TOP_KEY_WHEEL_DOWN);
	assert_int_equal(top.selected, 5);
	press(TOP_KEY_WHEEL_UP);
	assert_int_equal(top.selected, 2);
	press('m');
	assert_false(top.has_mouse);
}

/* --- Settings --- */

TEST("settings are kept for the next start, and unusable ones reported")
{
	char folder[] = "/tmp/mpu-toprc-XXXXXX", command[128];
	struct top other;
	FILE *file;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
	top_read_settings(&top);
	assert_string_equal(top.message, "");
	type("3M+Rm");
	press('W');
	assert_non_null(strstr(top.message, "settings are kept in /tmp/mpu-toprc-"));
	top_begin(&other, 1);
	top_read_settings(&other);
	assert_string_equal(other.message, "");
	assert_int_equal(other.view.mode, ROWS_CONTAINERS);
	assert_memory_equal(other.view.order, top.view.order, sizeof(top.view.order));
	assert_true(other.interval == 2 && !other.has_mouse);

	snprintf(command, sizeof(command), "%s/mpu/toprc", folder);
	file = fopen(command, "w");
	assert_non_null(file);
	fputs("list users\nlist parents\nsort parents sm\nsort tree user,-memory\ninterval 0\ninterval\n\n# x\nmouse on\n",
	      file);
	fclose(file);
	top_read_settings(&other);
	assert_non_null(strstr(other.message, "/mpu/toprc: line 2 says nothing known"));
	assert_int_equal(other.view.mode, ROWS_USERS);
	assert_int_equal(other.view.order[ROWS_TREE].sort, FIGURE_SM);
	assert_true(other.interval == 2 && other.has_mouse);
	assert_int_equal(unlink(command), 0);
	assert_int_equal(mkdir(command, 0700), 0);
	top_read_settings(&other);
	assert_non_null(strstr(other.message, "your settings are not read: "));
	top_keep_settings(&other);
	assert_non_null(strstr(other.message, "settings are not kept: "));
	top_free(&other);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
	assert_int_equal(unsetenv("HOME"), 0);
	press('W');
	assert_non_null(strstr(top.message, "set HOME or XDG_CONFIG_HOME"));
}

TEST("a signal or a tag for a row that is no process is refused")
{
	press('t');
	press(' ');
	assert_non_null(strstr(top.message, "a tag is for"));
	press(TOP_KEY_HOME);
	press('k');
	assert_int_equal(top.prompt, TOP_LIST);
	assert_non_null(strstr(top.message, "select it first"));
}
