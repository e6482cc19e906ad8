// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys and their actions: one table, which the help is printed from.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/view/gpu_usage_text.h"
#include "cli/view/top/top.h"
#include "lib/host.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static const double intervals[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60 };

static int show_mode(struct top *top, enum rows_mode mode)
{
	top->view.mode = mode;
	top->selected = top->first = 0;
	top->selected_id = 0;
	return top_update(top);
}

static int move(struct top *top, unsigned int key)
{
	long page = (long)top->page, all = (long)top->rows.n;

	top_select(top, key == TOP_KEY_UP ? -1 : key == TOP_KEY_DOWN ? 1 :
		   key == TOP_KEY_PAGE_UP ? -page : key == TOP_KEY_PAGE_DOWN ? page :
		   key == TOP_KEY_HOME ? -all : all);
	return 0;
}

static int choose_mode(struct top *top, unsigned int key)
{
	int mode = (int)top->view.mode;

	if (key == TOP_KEY_TAB)
		mode = (mode + 1) % ROWS_MODES;
	else if (key == TOP_KEY_BACKTAB)
		mode = (mode + ROWS_MODES - 1) % ROWS_MODES;
	else if (key == 't')
		mode = mode == ROWS_TREE ? ROWS_PROCESSES : ROWS_TREE;
	else
		mode = (int)(key - '1');
	return show_mode(top, (enum rows_mode)mode);
}

static int choose_sort(struct top *top, unsigned int key, int columns)
{
	enum rows_sort *sort = &top->view.sort[top->view.mode], sorts[TOP_COLUMNS];
	int n = top_sorts(top->view.mode, columns, sorts), i = 0;

	while (i < n && sorts[i] != *sort)
		i++;
	if (key == '<' || key == TOP_KEY_LEFT)
		*sort = sorts[(i + n - 1) % n];
	else if (key == '>' || key == TOP_KEY_RIGHT)
		*sort = sorts[(i + 1) % n];
	else if (key == 'P' || key == 'M')
		*sort = key == 'P' ? ROWS_BY_SM : ROWS_BY_MEMORY;
	else
		top->view.is_reversed[top->view.mode] ^= true;
	return top_update(top);
}

/* Shows all that is known of a process; in the tree it folds what has rows inside. */
static int open_row(struct top *top)
{
	const struct row *row = top->rows.n ? &top->rows.row[top->selected] : NULL;
	int ret;

	if (row && row->kind == ROW_PROCESS) {
		top->detail = row->process->process->pid;
		top->prompt = TOP_DETAIL;
	}
	if (!row || top->view.mode != ROWS_TREE || row->kind == ROW_PROCESS)
		return 0;
	ret = rows_fold(&top->view, row->id);
	return ret ? ret : top_update(top);
}

static int change_interval(struct top *top, unsigned int key)
{
	size_t i = 0, last = COUNT(intervals) - 1;

	while (i < last && intervals[i] < top->interval)
		i++;
	if (key == '+' && i < last && intervals[i] <= top->interval)
		i++;
	if (key == '-' && i)
		i--;
	top->interval = intervals[i];
	return 0;
}

static int ask_text(struct top *top)
{
	top->prompt = TOP_ASK_TEXT;
	snprintf(top->input, sizeof(top->input), "%s", top->view.text);
	return 0;
}

static int show_all(struct top *top)
{
	top->view.text[0] = '\0';
	return top_update(top);
}

static int ask_signal(struct top *top)
{
	const struct row *row = top->rows.n ? &top->rows.row[top->selected] : NULL;
	const struct host_process *process;
	char name[USAGE_NAME];
	int ret;

	if (!row || row->kind != ROW_PROCESS) {
		snprintf(top->message, sizeof(top->message),
			 "a signal goes to one process: select it first");
		return 0;
	}
	if (host_is_other()) {
		snprintf(top->message, sizeof(top->message),
			 "MPU_ROOT is set: these are processes of another system");
		return 0;
	}
	process = row->process->process;
	ret = target_hold(&top->target, top->reader, process);
	if (ret)
		snprintf(top->message, sizeof(top->message), ret == -ESRCH ?
			 "PID %d has ended, there is nobody to send a signal to" :
			 "cannot hold PID %d: %s", process->pid, strerror(-ret));
	else
		top->prompt = TOP_ASK_SIGNAL;
	snprintf(top->input, sizeof(top->input), "TERM");
	top->is_offered = true;
	usage_name_container(name, process->owner);
	snprintf(top->whose, sizeof(top->whose), "%.63s", name);
	return 0;
}

/* --- The table --- */

/**
 * struct key - keys that do the same
 * @shown:	as the help names them
 * @keys:	what they are, 0 ends them
 */
static const struct key {
	const char *shown;
	const char *what;
	unsigned int keys[8];
	enum { DO_QUIT, DO_HELP, DO_MOVE, DO_MODE, DO_SORT, DO_FOLD, DO_TEXT, DO_ALL,
	       DO_SIGNAL, DO_PAUSE, DO_INTERVAL, DO_REDRAW, DO_GPUS } act;
} keys[] = {
	{ "arrows, PgUp, PgDn, Home, End", "select a row",
	  { TOP_KEY_UP, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN, TOP_KEY_HOME,
	    TOP_KEY_END }, DO_MOVE },
	{ "1 2 3 4 5", "processes, tree, containers, pods, users",
	  { '1', '2', '3', '4', '5' }, DO_MODE },
	{ "Tab, t", "the next of these; the tree",
	  { TOP_KEY_TAB, TOP_KEY_BACKTAB, 't' }, DO_MODE },
	{ "Enter", "all of a process; in the tree: fold, unfold",
	  { TOP_KEY_ENTER }, DO_FOLD },
	{ "g", "all of the GPUs: temperature, power, errors", { 'g' }, DO_GPUS },
	{ "< >", "sort by the column to the left, the right",
	  { '<', '>', TOP_KEY_LEFT, TOP_KEY_RIGHT }, DO_SORT },
	{ "P M R", "sort by SM, by memory; the other way round", { 'P', 'M', 'R' }, DO_SORT },
	{ "/", "only rows with a text in a name, or a PID",
	  { '/' }, DO_TEXT },
	{ "Esc", "all rows again", { TOP_KEY_ESCAPE }, DO_ALL },
	{ "k", "send a signal to the process", { 'k' }, DO_SIGNAL },
	{ "space", "pause, go on", { ' ' }, DO_PAUSE },
	{ "+ -", "a longer interval, a shorter one", { '+', '-' }, DO_INTERVAL },
	{ "Ctrl-L", "draw the screen anew", { 'L' & 0x1f }, DO_REDRAW },
	{ "h ?", "this help; any key ends it", { 'h', '?' }, DO_HELP },
	{ "q, Ctrl-C", "quit", { 'q' }, DO_QUIT },
};

static const struct key *find_key(unsigned int key)
{
	size_t i, k;

	for (i = 0; i < COUNT(keys); i++)
		for (k = 0; keys[i].keys[k]; k++)
			if (keys[i].keys[k] == key)
				return &keys[i];
	return NULL;
}

void top_draw_help(struct screen *screen)
{
	int i, row = 0, width = screen->columns;

	screen_paint(screen, row, 0, width, STYLE_TITLE);
	screen_put(screen, row++, 1, width - 2, STYLE_TITLE,
		   "mpu top: who uses the GPUs, and how much of them");
	for (i = 0; i < (int)COUNT(keys); i++, row++) {
		screen_put(screen, row + 1, 1, 30, STYLE_LABEL, keys[i].shown);
		screen_put(screen, row + 1, 33, width - 34, STYLE_PLAIN, keys[i].what);
	}
	row += 2;
	screen_put(screen, row++, 1, width - 2, STYLE_PLAIN,
		   "SM %: how much of the time the GPU computes; all of two GPUs is 200 %.");
	screen_put(screen, row++, 1, width - 2, STYLE_PLAIN,
		   "Histories: the newest reading at the right end; a full line is one GPU.");
	screen_put(screen, row, 1, width - 2, STYLE_PLAIN,
		   "CONTAINER: namespace/pod/container, container, Slurm's job or systemd's unit.");
}

static int press_in_list(struct top *top, unsigned int key, int columns,
			 enum top_step *step)
{
	const struct key *found = find_key(key);

	top->message[0] = '\0';
	if (!found)
		return 0;
	switch (found->act) {
	case DO_QUIT:
		*step = TOP_QUIT;
		return 0;
	case DO_REDRAW:
		*step = TOP_REDRAW_ALL;
		return 0;
	case DO_HELP:
		top->prompt = TOP_HELP;
		return 0;
	case DO_PAUSE:
		top->is_paused ^= true;
		return 0;
	case DO_MOVE:
		return move(top, key);
	case DO_MODE:
		return choose_mode(top, key);
	case DO_SORT:
		return choose_sort(top, key, columns);
	case DO_FOLD:
		return open_row(top);
	case DO_GPUS:
		top->detail = 0;
		top->prompt = TOP_DETAIL;
		return 0;
	case DO_TEXT:
		return ask_text(top);
	case DO_ALL:
		return show_all(top);
	case DO_SIGNAL:
		return ask_signal(top);
	default:
		return change_interval(top, key);
	}
}

/* --- Questions --- */

static void end_question(struct top *top)
{
	top->prompt = TOP_LIST;
	target_release(&top->target);
}

/* A character to the end, or one off it; names are ASCII mostly. */
static void edit(char input[ROWS_TEXT], unsigned int key)
{
	size_t n = strlen(input);

	if ((key == TOP_KEY_BACKSPACE || key == 0x7f || key == '\b') && n)
		input[n - 1] = '\0';
	else if (key == ('U' & 0x1f))
		input[0] = '\0';
	else if (key >= ' ' && key < 0x7f && n + 1 < ROWS_TEXT)
		snprintf(input + n, ROWS_TEXT - n, "%c", (int)key);
}

/* Every character that is typed counts at once. */
static int press_in_text(struct top *top, unsigned int key)
{
	if (key == TOP_KEY_ENTER || key == TOP_KEY_ESCAPE)
		end_question(top);
	if (key == TOP_KEY_ENTER)
		return 0;
	if (key == TOP_KEY_ESCAPE)
		top->input[0] = '\0';
	edit(top->input, key);
	snprintf(top->view.text, sizeof(top->view.text), "%s", top->input);
	return top_update(top);
}

static void press_in_signal(struct top *top, unsigned int key)
{
	int number;

	if (key == TOP_KEY_ESCAPE) {
		end_question(top);
		return;
	}
	if (key != TOP_KEY_ENTER) {
		if (top->is_offered && key >= ' ' && key < 0x7f)
			top->input[0] = '\0';
		top->is_offered = false;
		edit(top->input, key);
		return;
	}
	number = target_find_signal(top->input);
	if (number > 0) {
		top->target.signal = number;
		top->prompt = TOP_ASK_SURE;
		return;
	}
	snprintf(top->message, sizeof(top->message),
		 "'%s' is no signal: TERM, KILL, 15 are some", top->input);
	end_question(top);
}

static void press_in_sure(struct top *top, unsigned int key)
{
	const struct target *target = &top->target;
	const char *name = target_signal_name(target->signal);
	int ret;

	if (key == 'y' || key == 'Y') {
		ret = target_send(target);
		if (!ret)
			snprintf(top->message, sizeof(top->message), "SIG%s sent to PID %d",
				 name, target->pid);
		else if (ret == -EPERM)
			snprintf(top->message, sizeof(top->message),
				 "not permitted to send a signal to PID %d: it is another user's",
				 target->pid);
		else
			snprintf(top->message, sizeof(top->message),
				 "SIG%s did not reach PID %d: %s", name, target->pid,
				 strerror(-ret));
	} else {
		snprintf(top->message, sizeof(top->message), "no signal sent");
	}
	end_question(top);
}

static void press_in_detail(struct top *top, unsigned int key)
{
	size_t gpus = top->usage ? top->usage->n_gpus : 0;

	if (!key)	/* not the user's: the screen has another size */
		return;
	if (!top->detail && key == TOP_KEY_DOWN && top->detail_gpu + 1 < gpus)
		top->detail_gpu++;
	else if (!top->detail && key == TOP_KEY_UP && top->detail_gpu)
		top->detail_gpu--;
	else if (top->detail || (key != TOP_KEY_UP && key != TOP_KEY_DOWN))
		top->prompt = TOP_LIST;
}

int top_press(struct top *top, unsigned int key, int columns, enum top_step *step)
{
	*step = TOP_GO_ON;
	switch (top->prompt) {
	case TOP_HELP:
		top->prompt = key ? TOP_LIST : TOP_HELP;
		return 0;
	case TOP_DETAIL:
		press_in_detail(top, key);
		return 0;
	case TOP_ASK_TEXT:
		return press_in_text(top, key);
	case TOP_ASK_SIGNAL:
		press_in_signal(top, key);
		return 0;
	case TOP_ASK_SURE:
		press_in_sure(top, key);
		return 0;
	default:
		return press_in_list(top, key, columns, step);
	}
}
