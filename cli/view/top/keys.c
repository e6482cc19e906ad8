// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys and their actions: one table, which the help is printed from.
 */
#include <stdio.h>
#include <string.h>

#include "cli/view/top/internal.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define WHEEL		3	/* rows */
#define SIDEWAYS	8	/* characters */
#define SIDEWAYS_MOST	128

static const double intervals[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60 };

static void show_mode(struct top *top, enum rows_mode mode)
{
	top->view.mode = mode;
	top->selected = top->first = 0;
	top->selected_id = 0;
	top_update(top);
}

static void move(struct top *top, unsigned int key)
{
	long page = (long)top->page, all = (long)top->rows.n;

	top_select(top, key == TOP_KEY_UP ? -1 : key == TOP_KEY_DOWN ? 1 : key == TOP_KEY_WHEEL_UP ?
		   -WHEEL : key == TOP_KEY_WHEEL_DOWN ? WHEEL : key == TOP_KEY_PAGE_UP ? -page :
		   key == TOP_KEY_PAGE_DOWN ? page : key == TOP_KEY_HOME ? -all : all);
}

static void scroll_sideways(struct top *top, unsigned int key)
{
	top->shift += key == TOP_KEY_RIGHT ? SIDEWAYS : -SIDEWAYS;
	if (top->shift < 0)
		top->shift = 0;
	if (top->shift > SIDEWAYS_MOST)
		top->shift = SIDEWAYS_MOST;
}

/* Selects the row on that line of the screen. */
static void click(struct top *top, int line)
{
	long row = (long)top->first + line - top->list_line - 1;

	if (line > top->list_line && row < (long)(top->first + top->page) &&
	    row < (long)top->rows.n)
		top_select(top, row - (long)top->selected);
}

static void choose_mode(struct top *top, unsigned int key)
{
	int mode = (int)top->view.mode;

	if (key == TOP_KEY_TAB)
		mode = (mode + 1) % ROWS_MODES;
	else if (key == TOP_KEY_BACKTAB)
		mode = (mode + ROWS_MODES - 1) % ROWS_MODES;
	else if (key == 't' || key == TOP_KEY_F0 + 5)
		mode = mode == ROWS_TREE ? ROWS_PROCESSES : ROWS_TREE;
	else
		mode = (int)(key - '1');
	show_mode(top, (enum rows_mode)mode);
}

static void choose_sort(struct top *top, unsigned int key, int columns)
{
	struct rows_order *order = &top->view.order[top->view.mode];
	enum figure *sort = &order->sort, sorts[TOP_COLUMNS];
	int n = top_sorts(top->view.mode, columns, sorts), i = 0;

	while (i < n && sorts[i] != *sort)
		i++;
	if (key == '<')
		*sort = sorts[(i + n - 1) % n];
	else if (key == '>' || key == TOP_KEY_F0 + 6)
		*sort = sorts[(i + 1) % n];
	else if (key == 'P' || key == 'M')
		*sort = key == 'P' ? FIGURE_SM : FIGURE_MEMORY;
	else
		order->is_reversed ^= true;
	top_update(top);
}

/* Shows all that is known of a process; in the tree it folds what has rows inside. */
static void open_row(struct top *top)
{
	const struct row *row = top->rows.n ? &top->rows.row[top->selected] : NULL;

	if (row && row->kind == ROW_PROCESS) {
		top->detail = row->process->process->pid;
		top->prompt = TOP_DETAIL;
		top->skip = 0;
	}
	if (!row || row->kind == ROW_PROCESS || top->view.mode != ROWS_TREE)
		return;
	rows_ids_turn(&top->view.folded, row->id);
	top_update(top);
}

static void change_interval(struct top *top, unsigned int key)
{
	size_t i = 0, last = COUNT(intervals) - 1;

	while (i < last && intervals[i] < top->interval)
		i++;
	if (key == '+' && i < last && intervals[i] <= top->interval)
		i++;
	if (key == '-' && i)
		i--;
	top->interval = intervals[i];
}

static void tag(struct top *top)
{
	const struct row *row = top->rows.n ? &top->rows.row[top->selected] : NULL;

	if (row && row->kind == ROW_PROCESS)
		rows_ids_turn(&top->tags, top_tag_id(row->process->process));
	else
		snprintf(top->message, sizeof(top->message),
			 "a tag is for a process that uses a GPU");
	top_select(top, 1);
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
	unsigned int keys[9];
	enum { DO_QUIT, DO_HELP, DO_MOVE, DO_MODE, DO_SORT, DO_FOLD, DO_TEXT, DO_ALL,
	       DO_SIGNAL, DO_TAG, DO_UNTAG, DO_PAUSE, DO_INTERVAL, DO_REDRAW, DO_GPUS,
	       DO_MOUSE, DO_KEEP, DO_SHIFT } act;
} keys[] = {
	{ "h ? F1", "this help; up, down: more of it; any other key ends it",
	  { 'h', '?', TOP_KEY_F0 + 1 }, DO_HELP },
	{ "q F10, Ctrl-C", "quit", { 'q', TOP_KEY_F0 + 10 }, DO_QUIT },
	{ "up, down, PgUp", "select a row, as PgDn, Home, End and the mouse do",
	  { TOP_KEY_UP, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN, TOP_KEY_HOME,
	    TOP_KEY_END, TOP_KEY_WHEEL_UP, TOP_KEY_WHEEL_DOWN }, DO_MOVE },
	{ "left, right", "the rest of a long command", { TOP_KEY_LEFT, TOP_KEY_RIGHT },
	  DO_SHIFT },
	{ "1 2 3 4 5", "processes, tree, containers, pods, users",
	  { '1', '2', '3', '4', '5' }, DO_MODE },
	{ "Tab, t F5", "the next of these; the tree",
	  { TOP_KEY_TAB, TOP_KEY_BACKTAB, 't', TOP_KEY_F0 + 5 }, DO_MODE },
	{ "Enter", "all of a process; in a tree: fold, unfold what has others in it",
	  { TOP_KEY_ENTER }, DO_FOLD },
	{ "g", "all of the GPUs: temperature, power, errors", { 'g' }, DO_GPUS },
	{ "< >, F6", "sort by the column to the left, the right: * marks it",
	  { '<', '>', TOP_KEY_F0 + 6 }, DO_SORT },
	{ "P M R", "sort by SM, by memory; the other way round", { 'P', 'M', 'R' }, DO_SORT },
	{ "/ F3 F4", "only processes with all of these words: gpu=1 user= container= pod= type= pid=, or part of a name",
	  { '/', TOP_KEY_F0 + 3, TOP_KEY_F0 + 4 }, DO_TEXT },
	{ "Esc", "all rows again", { TOP_KEY_ESCAPE }, DO_ALL },
	{ "space, u", "tag a process (+), or not; take all tags away", { ' ' }, DO_TAG },
	{ "k F9", "send a signal to the tagged processes, or to the selected one",
	  { 'k', TOP_KEY_F0 + 9 }, DO_SIGNAL },
	{ "p", "pause, go on", { 'p' }, DO_PAUSE },
	{ "+ -", "a longer interval, a shorter one", { '+', '-' }, DO_INTERVAL },
	{ "m", "leave the mouse to the terminal, or take it", { 'm' }, DO_MOUSE },
	{ "W F12", "keep list, order, interval and mouse in ~/.config/mpu/toprc",
	  { 'W', TOP_KEY_F0 + 12 }, DO_KEEP },
	{ "Ctrl-L", "draw the screen anew", { 'L' & 0x1f }, DO_REDRAW },
	{ NULL, NULL, { 'u' }, DO_UNTAG },
};

static const char *const notes[][2] = {
	{ "SM %", "how much of the time the GPU computes; all of two GPUs is 200 %" },
	{ "histories", "the newest reading at the right end; a full line is one GPU; on top: how long those of GPUs are" },
	{ "tx, rx, enc, dec", "of a GPU: sent and received over PCIe, its encoders and decoders" },
	{ "TYPE", "C compute, G graphics, M a client of MPS" },
	{ "CONTAINER", "namespace/pod/container, container, Slurm's job or systemd's unit" },
	{ "CPU %, RAM", "of the process on the host, where there is room; 100 % is one processor" },
	{ "-", "what the driver, or the host, does not say" },
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

void top_draw_help(const struct top *top, struct screen *screen)
{
	struct page page = { .screen = screen, .skip = top->skip };
	size_t i;

	page_put_title(&page, "mpu top: its keys, and what it shows");
	for (i = 0; keys[i].shown; i++)
		page_put(&page, keys[i].shown, keys[i].what);
	for (i = 0; i < COUNT(notes); i++)
		page_put(&page, notes[i][0], notes[i][1]);
}

static enum top_step press_in_list(struct top *top, unsigned int key, int columns)
{
	const struct key *found = find_key(key);

	if (!key)	/* not the user's: the screen has another size */
		return TOP_GO_ON;
	top->message[0] = '\0';
	if (key >= TOP_KEY_CLICK)
		click(top, (int)(key - TOP_KEY_CLICK));
	else if (!found)
		snprintf(top->message, sizeof(top->message), "that key does nothing here: h lists those that do");
	if (!found)
		return TOP_GO_ON;
	if (top->is_read_only && (found->act == DO_SIGNAL || found->act == DO_KEEP)) {
		snprintf(top->message, sizeof(top->message), "--read-only: no signal is sent, and nothing written");
		return TOP_GO_ON;
	}
	switch (found->act) {
	case DO_QUIT:
		return TOP_QUIT;
	case DO_REDRAW:
		return TOP_REDRAW_ALL;
	case DO_HELP:
		top->prompt = TOP_HELP;
		top->skip = 0;
		break;
	case DO_PAUSE:
		top->is_paused ^= true;
		break;
	case DO_MOVE:
		move(top, key);
		break;
	case DO_MODE:
		choose_mode(top, key);
		break;
	case DO_SORT:
		choose_sort(top, key, columns);
		break;
	case DO_FOLD:
		open_row(top);
		break;
	case DO_GPUS:
		top->detail = 0;
		top->prompt = TOP_DETAIL;
		break;
	case DO_TEXT:
		top->prompt = TOP_ASK_TEXT;
		snprintf(top->input, sizeof(top->input), "%s", top->view.text);
		break;
	case DO_ALL:
		top->view.text[0] = '\0';
		top_update(top);
		break;
	case DO_SIGNAL:
		top_ask_signal(top);
		break;
	case DO_SHIFT:
		scroll_sideways(top, key);
		break;
	case DO_TAG:
		tag(top);
		break;
	case DO_UNTAG:
		top->tags.n = 0;
		break;
	case DO_MOUSE:
		top->has_mouse ^= true;
		snprintf(top->message, sizeof(top->message), top->has_mouse ?
			 "the mouse selects rows" : "the mouse is the terminal's");
		break;
	case DO_KEEP:
		top_keep_settings(top);
		break;
	case DO_INTERVAL:
		change_interval(top, key);
	}
	return TOP_GO_ON;
}

/* --- Questions --- */

/* Every character that is typed counts at once. */
static void press_in_text(struct top *top, unsigned int key)
{
	if (key == TOP_KEY_ENTER || key == TOP_KEY_ESCAPE)
		top->prompt = TOP_LIST;
	if (key == TOP_KEY_ENTER)
		return;
	if (key == TOP_KEY_ESCAPE)
		top->input[0] = '\0';
	top_edit(top->input, key);
	snprintf(top->view.text, sizeof(top->view.text), "%s", top->input);
	top_update(top);
}

/* Lines go up and down. Return: false: the key is none for that. */
static bool scroll_page(struct top *top, unsigned int key)
{
	int by = key == TOP_KEY_DOWN ? 1 : key == TOP_KEY_UP ? -1 :
		 key == TOP_KEY_WHEEL_DOWN || key == TOP_KEY_PAGE_DOWN ? WHEEL :
		 key == TOP_KEY_WHEEL_UP || key == TOP_KEY_PAGE_UP ? -WHEEL : 0;

	top->skip += by;
	if (top->skip < 0)
		top->skip = 0;
	if (top->skip > PAGE_SKIP)
		top->skip = PAGE_SKIP;
	return by;
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
	else if (top->detail ? !scroll_page(top, key) : key != TOP_KEY_UP && key != TOP_KEY_DOWN)
		top->prompt = TOP_LIST;
}

/* @key: enum top_key, or a character; 0: it means nothing */
enum top_step top_press(struct top *top, unsigned int key, int columns)
{
	switch (top->prompt) {
	case TOP_HELP:
		if (key && !scroll_page(top, key))
			top->prompt = TOP_LIST;
		break;
	case TOP_DETAIL:
		press_in_detail(top, key);
		break;
	case TOP_ASK_TEXT:
		press_in_text(top, key);
		break;
	case TOP_ASK_SIGNAL:
		top_press_signal(top, key);
		break;
	case TOP_ASK_SURE:
		top_press_sure(top, key);
		break;
	case TOP_LIST:
		return press_in_list(top, key, columns);
	}
	return TOP_GO_ON;
}
