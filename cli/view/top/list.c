// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list: its columns, as many as the screen has room for, and the rows in sight.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/view/top/internal.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define LINE_TEXT	FIGURE_TEXT

/* --- What stands in a column --- */

/* The figure that names the rows of a list. */
static const enum figure names[ROWS_MODES] = {
	[ROWS_PROCESSES] = FIGURE_COMMAND, [ROWS_TREE] = FIGURE_CONTAINER,
	[ROWS_CONTAINERS] = FIGURE_CONTAINER, [ROWS_PODS] = FIGURE_POD,
	[ROWS_USERS] = FIGURE_USER,
};

/* The first column of sums, and of the tree. */
static void format_name(const struct top *top, const struct row *row, char text[LINE_TEXT])
{
	char mark = row->is_folded ? '+' : '-';
	int indent = (int)row->kind * 2;
	char own[LINE_TEXT];
	const char *name = own;

	if (row->kind == ROW_GPU)
		snprintf(own, sizeof(own), "GPU %zu %s", row->gpu,
			 top->usage->gpus[row->gpu].gpu.name);
	else
		name = row_text(top->usage, row, row->kind == ROW_PROCESS ? FIGURE_COMMAND :
				names[top->view.mode], own);
	if (top->view.mode != ROWS_TREE)
		snprintf(text, LINE_TEXT, "%s", name);
	else if (row->kind == ROW_PROCESS)
		snprintf(text, LINE_TEXT, "%*s%.900s", indent + 2, "", name);
	else
		snprintf(text, LINE_TEXT, "%*s%c %.900s", indent, "", mark, name);
}

/* Days and hours, or hours, minutes and seconds. */
static void format_age(const struct top *top, uint64_t started, char text[LINE_TEXT])
{
	uint64_t now = top->usage->time_us, seconds = now > started ? (now - started) / 1000000 : 0;
	unsigned int hours = (unsigned int)(seconds / 3600);
	unsigned int minutes = (unsigned int)(seconds / 60 % 60);

	if (hours >= 100)
		snprintf(text, LINE_TEXT, "%ud%02uh", hours / 24, hours % 24);
	else
		snprintf(text, LINE_TEXT, "%u:%02u:%02u", hours, minutes,
			 (unsigned int)(seconds % 60));
}

static void format_number(const struct top *top, const struct row *row, enum figure figure,
			  char text[LINE_TEXT])
{
	const struct figure_of of = row_figures(top->usage, row);
	const struct figure_number number = figures[figure].number(&of);

	strcpy(text, "-");
	if (!number.is_known)
		return;
	switch (figures[figure].unit) {
	case FIGURE_BYTES:
		graph_bytes(text, number.n);
		break;
	case FIGURE_PERCENT:
	case FIGURE_PERCENT_IF_ANY:
		graph_percent(text, number.n);
		break;
	case FIGURE_SECONDS:
		duration_format(text, number.n);
		break;
	case FIGURE_CLOCK:
	case FIGURE_SINCE:
		format_age(top, number.n, text);
		break;
	case FIGURE_PLAIN:
		snprintf(text, LINE_TEXT, "%" PRIu64, number.n);
	}
}

/* Formats a figure; a sum of several has those alone that add up. */
static void format_figure(const struct top *top, const struct row *row, enum figure figure,
			  char text[LINE_TEXT])
{
	const struct figure_of of = row_figures(top->usage, row);
	char own[LINE_TEXT];

	text[0] = '\0';
	if (of.sum && !figures[figure].adds_up)
		return;
	if (figures[figure].number) {
		format_number(top, row, figure, text);
		return;
	}
	if (figure != FIGURE_USER || !row->process->process->is_gone)
		snprintf(text, LINE_TEXT, "%s", row_text(top->usage, row, figure, own));
	if (!*text && row->kind == ROW_PROCESS)
		strcpy(text, "-");
}

/* --- Columns --- */

/* Columns that are no figure of a process. */
enum { COLUMN_NAME = FIGURES, COLUMN_SM_BAR, COLUMN_SM_HISTORY, COLUMN_MEMORY_BAR,
       COLUMN_MEMORY_HISTORY };

#define NEVER	INT_MAX

/*
 * The columns of each list from left to right: a figure or one of these, from how many
 * columns of the screen on it is there, and its share of what those with a width leave.
 */
static const struct place {
	int column;
	struct { int from, share; } in[3];	/* processes, tree, sums: list_of() */
} places[] = {
	{ COLUMN_NAME,		{ { NEVER, 0 }, { 0, 4 }, { 0, 3 } } },
	{ FIGURE_PROCESSES,	{ { NEVER, 0 }, { NEVER, 0 }, { 0, 0 } } },
	{ FIGURE_GPU,		{ { 0, 0 }, { NEVER, 0 }, { NEVER, 0 } } },
	{ FIGURE_PID,		{ { 0, 0 }, { 60, 0 }, { NEVER, 0 } } },
	{ FIGURE_OWN_PID,	{ { 120, 0 }, { NEVER, 0 }, { NEVER, 0 } } },
	{ FIGURE_USE,		{ { 125, 0 }, { NEVER, 0 }, { NEVER, 0 } } },
	{ FIGURE_USER,		{ { 60, 0 }, { 60, 0 }, { NEVER, 0 } } },
	{ FIGURE_CONTAINER,	{ { 0, 2 }, { NEVER, 0 }, { NEVER, 0 } } },
	{ FIGURE_SM,		{ { 0, 0 }, { 0, 0 }, { 0, 0 } } },
	{ COLUMN_SM_BAR,	{ { NEVER, 0 }, { 110, 1 }, { 60, 1 } } },
	{ COLUMN_SM_HISTORY,	{ { NEVER, 0 }, { 60, 1 }, { 60, 1 } } },
	{ FIGURE_BANDWIDTH,	{ { 150, 0 }, { NEVER, 0 }, { NEVER, 0 } } },
	{ FIGURE_ENCODER,	{ { 130, 0 }, { 130, 0 }, { 130, 0 } } },
	{ FIGURE_DECODER,	{ { 130, 0 }, { 130, 0 }, { 130, 0 } } },
	{ FIGURE_MEMORY,	{ { 0, 0 }, { 0, 0 }, { 0, 0 } } },
	{ FIGURE_MEMORY_PART,	{ { 140, 0 }, { NEVER, 0 }, { NEVER, 0 } } },
	{ COLUMN_MEMORY_BAR,	{ { NEVER, 0 }, { 110, 1 }, { 60, 1 } } },
	{ COLUMN_MEMORY_HISTORY, { { NEVER, 0 }, { 60, 1 }, { 60, 1 } } },
	{ FIGURE_CPU,		{ { 90, 0 }, { 120, 0 }, { NEVER, 0 } } },
	{ FIGURE_RAM,		{ { 100, 0 }, { 120, 0 }, { NEVER, 0 } } },
	{ FIGURE_IDLE,		{ { 120, 0 }, { 130, 0 }, { 90, 0 } } },
	{ FIGURE_STARTED,	{ { 110, 0 }, { 130, 0 }, { NEVER, 0 } } },
	{ FIGURE_COMMAND,	{ { 60, 2 }, { NEVER, 0 }, { NEVER, 0 } } },
};

static int list_of(enum rows_mode mode)
{
	return mode == ROWS_PROCESSES ? 0 : mode == ROWS_TREE ? 1 : 2;
}

static int width_of(int column)
{
	return column < FIGURES ? figures[column].top.width : 0;
}

static bool is_right(int column)
{
	return column < FIGURES && figures[column].number;
}

/* The title that tells what the names of a list are; graphs have none. */
static const char *title_of(int column, enum rows_mode mode)
{
	if (column == COLUMN_NAME)
		return mode == ROWS_TREE ? "GPU, CONTAINER, PROCESS" :
		       figures[names[mode]].top.title;
	return column < FIGURES ? figures[column].top.title : "";
}

/* Return: the figure that rows are sorted by; FIGURES: by none. */
static enum figure sort_of(int column, enum rows_mode mode)
{
	if (column == COLUMN_NAME)
		return names[mode];
	return column < FIGURES && figures[column].top.key ? (enum figure)column : FIGURES;
}

/* Return: how many columns the list can be sorted by; @sort: from left to right */
int top_sorts(enum rows_mode mode, int width, enum figure sort[TOP_COLUMNS])
{
	const int list = list_of(mode);
	size_t i;
	int n = 0;

	for (i = 0; i < COUNT(places); i++)
		if (places[i].in[list].from <= width && sort_of(places[i].column, mode) != FIGURES)
			sort[n++] = sort_of(places[i].column, mode);
	return n;
}

/* The columns of a list on this screen. */
struct layout {
	int n;
	struct { int kind, at, width; } column[TOP_COLUMNS];
};

static void lay_out(struct layout *layout, enum rows_mode mode, int width)
{
	const int list = list_of(mode);
	int left = width - 1, shares = 0, at = 1, wide, share;
	size_t i;

	layout->n = 0;
	for (i = 0; i < COUNT(places); i++)
		if (places[i].in[list].from <= width) {
			left -= width_of(places[i].column) + 1;
			shares += places[i].in[list].share;
		}
	for (i = 0; i < COUNT(places); i++) {
		if (places[i].in[list].from > width)
			continue;
		wide = width_of(places[i].column);
		share = places[i].in[list].share;
		if (share) {
			wide = left * share / shares;
			left -= wide;
			shares -= share;
		}
		layout->column[layout->n].kind = places[i].column;
		layout->column[layout->n].at = at;
		layout->column[layout->n++].width = wide;
		at += wide + 1;
	}
}

/* --- Drawing --- */

/* The column that rows are sorted by has a sign, as not every terminal has styles. */
static void draw_titles(const struct top *top, struct screen *screen, int row,
			const struct layout *layout)
{
	const enum rows_mode mode = top->view.mode;
	int i;

	screen_paint(screen, row, 0, screen->columns, STYLE_TITLE);
	for (i = 0; i < layout->n; i++) {
		int kind = layout->column[i].kind;
		char text[64];

		snprintf(text, sizeof(text), "%s%s", sort_of(kind, mode) ==
			 top->view.order[mode].sort ? "*" : "", title_of(kind, mode));
		if (is_right(kind))
			screen_put_right(screen, row, layout->column[i].at,
					 layout->column[i].width, STYLE_TITLE, text);
		else
			screen_put(screen, row, layout->column[i].at,
				   layout->column[i].width, STYLE_TITLE, text);
	}
}

/*
 * Draws the graph of a GPU or a sum; those of processes would be as many as nobody
 * reads.
 */
static void draw_graph(const struct top *top, struct screen *screen, int line, int at,
		       int width, int kind, const struct row *row)
{
	bool is_memory = kind == COLUMN_MEMORY_BAR || kind == COLUMN_MEMORY_HISTORY;
	uint32_t scale = is_memory ? top_memory_scale(top, row->gpu) : GRAPH_ALL;
	uint64_t value;

	if (!row->sum)
		return;
	value = is_memory ? row->sum->memory >> 20 : row->sum->utilisation[RM_ENGINE_SM];
	if (kind == COLUMN_SM_BAR || kind == COLUMN_MEMORY_BAR)
		graph_bar(screen, line, at, width, is_memory ? STYLE_MEMORY : value >= GRAPH_FULL ?
			  STYLE_FULL : STYLE_USE, (double)value / scale);
	else
		graph_history(screen, line, at, width, 1, &top->history, row->id,
			      is_memory ? HISTORY_MEMORY : HISTORY_SM, scale);
}

/* Leaves out what the user has scrolled to the left of the column. */
static void shift(char text[LINE_TEXT], int characters)
{
	char *at = text;

	for (; characters > 0 && *at; characters--)
		do
			at++;
		while (((unsigned char)*at & 0xc0) == 0x80);
	memmove(text, at, strlen(at) + 1);
}

static void draw_row(const struct top *top, struct screen *screen, int line,
		     const struct layout *layout, const struct row *row)
{
	enum screen_style style = row->kind == ROW_GPU ? STYLE_LABEL : STYLE_PLAIN;
	char text[LINE_TEXT];
	int i;

	for (i = 0; i < layout->n; i++) {
		int kind = layout->column[i].kind;
		int at = layout->column[i].at, width = layout->column[i].width;

		if (kind > COLUMN_NAME) {
			draw_graph(top, screen, line, at, width, kind, row);
			continue;
		}
		if (kind == COLUMN_NAME)
			format_name(top, row, text);
		else
			format_figure(top, row, (enum figure)kind, text);
		if (kind == FIGURE_COMMAND || (kind == COLUMN_NAME && row->kind == ROW_PROCESS))
			shift(text, top->shift);
		if (is_right(kind))
			screen_put_right(screen, line, at, width, style, text);
		else
			screen_put(screen, line, at, width, style, text);
	}
}

/* Keep the selection in sight, and the page full. */
static void scroll(struct top *top, size_t page)
{
	top->page = page ? page : 1;
	if (top->first > top->selected)
		top->first = top->selected;
	if (top->first + top->page <= top->selected)
		top->first = top->selected - top->page + 1;
	if (top->first + top->page > top->rows.n)
		top->first = top->rows.n > top->page ? top->rows.n - top->page : 0;
}

/* Draws the sign of a row in the first column: > is selected, + is tagged, * both. */
static void draw_sign(const struct top *top, struct screen *screen, int line,
		      const struct row *row, bool is_selected)
{
	bool is_tagged = top->tags.n && row->kind == ROW_PROCESS &&
			 rows_ids_have(&top->tags, top_tag_id(row->process->process));

	if (is_selected)
		screen_paint(screen, line, 0, screen->columns, STYLE_SELECTED);
	if (is_selected || is_tagged)
		screen_put_glyph(screen, line, 0, is_selected ? STYLE_SELECTED : STYLE_LABEL,
				 !is_tagged ? L'>' : is_selected ? L'*' : L'+');
}

void top_draw_list(struct top *top, struct screen *screen, int line, int lines)
{
	enum usage_silence silence = usage_silence(top->usage, top->view.filter.gpu);
	struct layout layout;
	size_t i;

	top->list_line = line;
	lay_out(&layout, top->view.mode, screen->columns);
	draw_titles(top, screen, line, &layout);
	scroll(top, lines > 1 ? (size_t)lines - 1 : 1);
	for (i = 0; i < top->page && top->first + i < top->rows.n; i++) {
		size_t index = top->first + i;
		const struct row *row = &top->rows.row[index];
		int at = line + 1 + (int)i;

		draw_row(top, screen, at, &layout, row);
		draw_sign(top, screen, at, row, !top->is_printed && index == top->selected);
	}
	if (!top->rows.n)
		screen_put(screen, line + 1, 1, screen->columns - 2, STYLE_FAINT,
			   silence == SILENT_ALL ?
			   "who uses the GPUs is not known: none has answered" :
			   !top->usage->n_processes ? silence ? "no process uses a GPU that has answered" :
			   "no process uses a GPU" : top->view.text[0] ?
			   "no process is as you want them: Esc shows all again" :
			   top->view.mode == ROWS_PODS ? "no process in a pod uses a GPU" :
			   "no process is one of those that you asked for");
}
