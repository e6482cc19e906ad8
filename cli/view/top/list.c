// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list: its columns, as many as the screen has room for, and the rows in sight.
 */
#include <stdio.h>
#include <string.h>

#include "cli/view/top/internal.h"

#define LINE_TEXT	(2 * USAGE_NAME + 2)

/* --- What stands in a column --- */

/* Names the owner of a process: NAMESPACE/POD/CONTAINER, container, job, unit; "": none. */
static void format_owner(const struct owner *owner, char text[LINE_TEXT])
{
	char pod[USAGE_NAME], container[USAGE_NAME];

	usage_name_pod(pod, owner);
	usage_name_container(container, owner);
	snprintf(text, LINE_TEXT, "%s%s%s", pod, *pod && *container ? "/" : "",
		 container);
}

static void format_pod(const struct owner *owner, char text[LINE_TEXT])
{
	usage_name_pod(text, owner);
	if (!*text)
		usage_name_outside(text, owner);
}

static void format_command(const struct usage_process *process, char text[LINE_TEXT])
{
	snprintf(text, LINE_TEXT, "%s", process->process->is_gone ?
		 usage_gone_text() : process->process->command);
}

/* The first column of sums, and of the tree. */
static void format_name(const struct top *top, const struct row *row,
			char text[LINE_TEXT])
{
	char mark = row->is_folded ? '+' : '-';
	int indent = (int)row->depth * 2;
	char name[LINE_TEXT] = "";

	if (row->kind == ROW_GPU)
		snprintf(name, sizeof(name), "GPU %zu %s", row->gpu,
			 top->usage->gpus[row->gpu].gpu.name);
	else if (row->kind >= ROW_PARENT)
		format_command(row->process, name);
	else if (top->view.mode == ROWS_PODS)
		format_pod(row->process->process->owner, name);
	else if (top->view.mode != ROWS_USERS)
		format_owner(row->process->process->owner, name);
	if (!*name)
		snprintf(name, sizeof(name), top->view.mode == ROWS_USERS ? "%s" :
			 "user %s", row->process->process->user);
	if (top->view.mode != ROWS_TREE && top->view.mode != ROWS_PARENTS)
		snprintf(text, LINE_TEXT, "%s", name);
	else if (row->kind == ROW_PROCESS)
		snprintf(text, LINE_TEXT, "%*s%.900s", indent + 2, "", name);
	else
		snprintf(text, LINE_TEXT, "%*s%c %.900s", indent, "", mark, name);
}

/* Days and hours, or hours, minutes and seconds. */
static void format_age(const struct top *top, const struct row *row,
		       char text[LINE_TEXT])
{
	uint64_t started = row->process->process->started_us, now = top->usage->time_us;
	uint64_t seconds = now > started ? (now - started) / 1000000 : 0;
	unsigned int hours = (unsigned int)(seconds / 3600);
	unsigned int minutes = (unsigned int)(seconds / 60 % 60);

	if (!started)
		strcpy(text, "-");
	else if (hours >= 100)
		snprintf(text, LINE_TEXT, "%ud%02uh", hours / 24, hours % 24);
	else
		snprintf(text, LINE_TEXT, "%u:%02u:%02u", hours, minutes,
			 (unsigned int)(seconds % 60));
}

/* Formats the use: for a GPU the device's own figure; without samples there is none. */
static void format_use(const struct top *top, const struct row *row,
		       enum rm_engine engine, char text[LINE_TEXT])
{
	char figure[GRAPH_TEXT] = "-";

	if (row->gpu == USAGE_ALL_GPUS || top->usage->gpus[row->gpu].has_utilisation)
		graph_percent(figure, rows_value(row, engine));
	snprintf(text, LINE_TEXT, "%s", figure);
}

/* Formats what a process takes of the host, read for the rows in sight alone. */
static void format_host(const struct top *top, const struct row *row, bool is_cpu,
			char text[LINE_TEXT])
{
	const struct host_use *use = host_uses_get(top->view.host, row->process->process->pid);
	char figure[GRAPH_TEXT] = "-";

	if (use->is_there && is_cpu && use->has_cpu)
		graph_percent(figure, use->cpu);
	else if (use->is_there && !is_cpu)
		graph_bytes(figure, use->memory);
	snprintf(text, LINE_TEXT, "%s", figure);
}

static void format_memory(const struct row *row, char text[LINE_TEXT])
{
	char figure[GRAPH_TEXT] = "-";

	if (row->sum || row->process->has_memory)
		graph_bytes(figure, row->sum ? row->sum->memory : row->process->memory);
	snprintf(text, LINE_TEXT, "%s", figure);
}

enum column_kind {
	COLUMN_GPU, COLUMN_PID, COLUMN_OWN_PID, COLUMN_USER, COLUMN_OWNER, COLUMN_NAME,
	COLUMN_PROCESSES, COLUMN_SM, COLUMN_SM_BAR, COLUMN_SM_HISTORY, COLUMN_BANDWIDTH,
	COLUMN_ENCODER, COLUMN_DECODER, COLUMN_MEMORY, COLUMN_MEMORY_BAR,
	COLUMN_MEMORY_HISTORY, COLUMN_CPU, COLUMN_RAM, COLUMN_AGE, COLUMN_COMMAND, COLUMN_KINDS,
};

/* Formats a column that only a process has; @kind is one of these. */
static void format_process(const struct top *top, const struct row *row,
			   enum column_kind kind, char text[LINE_TEXT])
{
	const struct host_process *process = row->process->process;

	if (kind == COLUMN_PID)
		snprintf(text, LINE_TEXT, "%d", process->pid);
	else if (process->is_gone)
		snprintf(text, LINE_TEXT, "-");
	else if (kind == COLUMN_OWN_PID)
		snprintf(text, LINE_TEXT, "%d", process->own_pid);
	else if (kind == COLUMN_USER)
		snprintf(text, LINE_TEXT, "%s", process->user);
	else if (kind != COLUMN_AGE)
		format_host(top, row, kind == COLUMN_CPU, text);
	else if (row->kind == ROW_PROCESS)
		format_age(top, row, text);
}

static void format_column(const struct top *top, const struct row *row,
			  enum column_kind kind, char text[LINE_TEXT])
{
	text[0] = '\0';
	switch (kind) {
	case COLUMN_GPU:
		if (row->gpu != USAGE_ALL_GPUS)
			snprintf(text, LINE_TEXT, "%zu", row->gpu);
		break;
	case COLUMN_OWNER:
		format_owner(row->process->process->owner, text);
		if (!*text && row->kind == ROW_PROCESS)
			strcpy(text, "-");
		break;
	case COLUMN_NAME:
		format_name(top, row, text);
		break;
	case COLUMN_PROCESSES:
		snprintf(text, LINE_TEXT, "%zu", row->sum ? row->sum->processes : 1);
		break;
	case COLUMN_SM:
		format_use(top, row, RM_ENGINE_SM, text);
		break;
	case COLUMN_BANDWIDTH:
		format_use(top, row, RM_ENGINE_MEMORY, text);
		break;
	case COLUMN_ENCODER:
		format_use(top, row, RM_ENGINE_ENCODER, text);
		break;
	case COLUMN_DECODER:
		format_use(top, row, RM_ENGINE_DECODER, text);
		break;
	case COLUMN_MEMORY:
		format_memory(row, text);
		break;
	case COLUMN_COMMAND:
		format_command(row->process, text);
		break;
	default:
		if (row->kind >= ROW_PARENT)
			format_process(top, row, kind, text);
	}
}

/* --- Columns --- */

/**
 * struct column - a kind of column
 * @width:	0: a part of what the others leave, in proportion to its share
 * @sort:	ROWS_SORTS: rows are not sorted by it
 */
struct column {
	const char *title;
	int width;
	bool is_right;
	enum rows_sort sort;
};

static const struct column columns[COLUMN_KINDS] = {
	[COLUMN_GPU] = { "GPU", 4, true, ROWS_BY_GPU },
	[COLUMN_PID] = { "PID", 7, true, ROWS_BY_PID },
	[COLUMN_OWN_PID] = { "OWN PID", 7, true, ROWS_SORTS },
	[COLUMN_USER] = { "USER", 8, false, ROWS_BY_USER },
	[COLUMN_OWNER] = { "CONTAINER", 0, false, ROWS_BY_NAME },
	[COLUMN_NAME] = { "NAME", 0, false, ROWS_BY_NAME },
	[COLUMN_PROCESSES] = { "PROCS", 6, true, ROWS_BY_PROCESSES },
	[COLUMN_SM] = { "SM %", 6, true, ROWS_BY_SM },
	[COLUMN_SM_BAR] = { "", 0, false, ROWS_SORTS },
	[COLUMN_SM_HISTORY] = { "", 0, false, ROWS_SORTS },
	[COLUMN_BANDWIDTH] = { "MEM %", 6, true, ROWS_BY_BANDWIDTH },
	[COLUMN_ENCODER] = { "ENC %", 6, true, ROWS_BY_ENCODER },
	[COLUMN_DECODER] = { "DEC %", 6, true, ROWS_BY_DECODER },
	[COLUMN_MEMORY] = { "MEMORY", 9, true, ROWS_BY_MEMORY },
	[COLUMN_MEMORY_BAR] = { "", 0, false, ROWS_SORTS },
	[COLUMN_MEMORY_HISTORY] = { "", 0, false, ROWS_SORTS },
	[COLUMN_CPU] = { "CPU %", 6, true, ROWS_BY_CPU },
	[COLUMN_RAM] = { "RAM", 9, true, ROWS_BY_RAM },
	[COLUMN_AGE] = { "AGE", 8, true, ROWS_BY_AGE },
	[COLUMN_COMMAND] = { "COMMAND", 0, false, ROWS_BY_COMMAND },
};

/**
 * struct place - a column in a list
 * @from:	columns that a screen must have to show it
 * @share:	of what is left
 */
struct place {
	enum column_kind kind;
	int from, share;
};

static const struct place process_places[] = {
	{ COLUMN_GPU, 0, 0 }, { COLUMN_PID, 0, 0 }, { COLUMN_OWN_PID, 120, 0 },
	{ COLUMN_USER, 60, 0 }, { COLUMN_OWNER, 0, 2 }, { COLUMN_SM, 0, 0 },
	{ COLUMN_BANDWIDTH, 150, 0 }, { COLUMN_ENCODER, 130, 0 },
	{ COLUMN_DECODER, 130, 0 }, { COLUMN_MEMORY, 0, 0 }, { COLUMN_CPU, 90, 0 },
	{ COLUMN_RAM, 100, 0 }, { COLUMN_AGE, 110, 0 },
	{ COLUMN_COMMAND, 60, 2 }, { COLUMN_KINDS, 0, 0 },
};

static const struct place tree_places[] = {
	{ COLUMN_NAME, 0, 4 }, { COLUMN_PID, 60, 0 }, { COLUMN_USER, 60, 0 },
	{ COLUMN_SM, 0, 0 }, { COLUMN_SM_BAR, 110, 1 }, { COLUMN_SM_HISTORY, 60, 1 },
	{ COLUMN_ENCODER, 130, 0 }, { COLUMN_DECODER, 130, 0 }, { COLUMN_MEMORY, 0, 0 },
	{ COLUMN_MEMORY_BAR, 110, 1 }, { COLUMN_MEMORY_HISTORY, 60, 1 },
	{ COLUMN_CPU, 120, 0 }, { COLUMN_RAM, 120, 0 }, { COLUMN_AGE, 130, 0 },
	{ COLUMN_KINDS, 0, 0 },
};

static const struct place parent_places[] = {
	{ COLUMN_NAME, 0, 4 }, { COLUMN_PID, 0, 0 }, { COLUMN_GPU, 60, 0 },
	{ COLUMN_USER, 90, 0 }, { COLUMN_OWNER, 100, 2 }, { COLUMN_SM, 0, 0 },
	{ COLUMN_MEMORY, 0, 0 }, { COLUMN_CPU, 70, 0 }, { COLUMN_RAM, 70, 0 },
	{ COLUMN_AGE, 130, 0 }, { COLUMN_KINDS, 0, 0 },
};

static const struct place sum_places[] = {
	{ COLUMN_NAME, 0, 3 }, { COLUMN_PROCESSES, 0, 0 }, { COLUMN_SM, 0, 0 },
	{ COLUMN_SM_BAR, 60, 1 }, { COLUMN_SM_HISTORY, 60, 1 }, { COLUMN_ENCODER, 130, 0 },
	{ COLUMN_DECODER, 130, 0 }, { COLUMN_MEMORY, 0, 0 }, { COLUMN_MEMORY_BAR, 60, 1 },
	{ COLUMN_MEMORY_HISTORY, 60, 1 }, { COLUMN_KINDS, 0, 0 },
};

static const struct place *places_of(enum rows_mode mode)
{
	return mode == ROWS_PROCESSES ? process_places : mode == ROWS_PARENTS ? parent_places :
	       mode == ROWS_TREE ? tree_places : sum_places;
}

/* The title that tells what the names of a list are. */
static const char *title_of(enum column_kind kind, enum rows_mode mode)
{
	static const char *const names[ROWS_MODES] = {
		[ROWS_TREE] = "GPU, CONTAINER, PROCESS",
		[ROWS_CONTAINERS] = "CONTAINER", [ROWS_PODS] = "POD",
		[ROWS_USERS] = "USER", [ROWS_PARENTS] = "PROCESS",
	};

	return kind == COLUMN_NAME ? names[mode] : columns[kind].title;
}

int top_sorts(enum rows_mode mode, int width, enum rows_sort sort[TOP_COLUMNS])
{
	const struct place *place;
	int n = 0;

	for (place = places_of(mode); place->kind != COLUMN_KINDS; place++)
		if (place->from <= width && columns[place->kind].sort != ROWS_SORTS)
			sort[n++] = columns[place->kind].sort;
	return n;
}

/**
 * struct layout - the columns of a list on this screen
 */
struct layout {
	int n;
	struct { enum column_kind kind; int at, width; } column[TOP_COLUMNS];
};

static void lay_out(struct layout *layout, enum rows_mode mode, int width)
{
	const struct place *place, *places = places_of(mode);
	int left = width - 1, shares = 0, at = 1;

	layout->n = 0;
	for (place = places; place->kind != COLUMN_KINDS; place++)
		if (place->from <= width) {
			left -= columns[place->kind].width + 1;
			shares += place->share;
		}
	for (place = places; place->kind != COLUMN_KINDS; place++) {
		int wide = columns[place->kind].width;

		if (place->from > width)
			continue;
		if (place->share) {
			wide = left * place->share / shares;
			left -= wide;
			shares -= place->share;
		}
		layout->column[layout->n].kind = place->kind;
		layout->column[layout->n].at = at;
		layout->column[layout->n++].width = wide;
		at += wide + 1;
	}
}

/* --- Drawing --- */

/* Returns the sign of a column that rows are sorted by, as not every terminal has styles. */
static const char *sign_of(const struct rows_order *order, enum rows_sort sort)
{
	static const char *const signs[ROWS_KEYS] = { "*", "2", "3" };
	size_t i;

	for (i = 0; i < order->n; i++)
		if (order->key[i].sort == sort)
			return signs[i];
	return "";
}

static void draw_titles(const struct top *top, struct screen *screen, int row,
			const struct layout *layout)
{
	int i;

	screen_paint(screen, row, 0, screen->columns, STYLE_TITLE);
	for (i = 0; i < layout->n; i++) {
		enum column_kind kind = layout->column[i].kind;
		char text[64];

		snprintf(text, sizeof(text), "%s%s",
			 sign_of(&top->view.order[top->view.mode], columns[kind].sort),
			 title_of(kind, top->view.mode));
		if (columns[kind].is_right)
			screen_put_right(screen, row, layout->column[i].at,
					 layout->column[i].width, STYLE_TITLE, text);
		else
			screen_put(screen, row, layout->column[i].at,
				   layout->column[i].width, STYLE_TITLE, text);
	}
}

static bool is_graph(enum column_kind kind)
{
	return kind == COLUMN_SM_BAR || kind == COLUMN_SM_HISTORY ||
	       kind == COLUMN_MEMORY_BAR || kind == COLUMN_MEMORY_HISTORY;
}

/*
 * Draws the graph of a GPU or a sum; those of processes would be as many as nobody
 * reads.
 */
static void draw_graph(const struct top *top, struct screen *screen, int line, int at,
		       int width, enum column_kind kind, const struct row *row)
{
	uint32_t memory = top_memory_scale(top, row->gpu);
	uint64_t sm;

	if (!row->sum || row->kind == ROW_PARENT)
		return;
	sm = rows_value(row, RM_ENGINE_SM);
	if (kind == COLUMN_SM_BAR)
		graph_bar(screen, line, at, width, sm >= GRAPH_FULL ? STYLE_FULL : STYLE_USE,
			  (double)sm / GRAPH_ALL);
	else if (kind == COLUMN_MEMORY_BAR)
		graph_bar(screen, line, at, width, STYLE_MEMORY,
			  (double)(row->sum->memory >> 20) / memory);
	else if (kind == COLUMN_SM_HISTORY)
		graph_history(screen, line, at, width, 1, &top->history, row->history,
			      HISTORY_SM, GRAPH_ALL);
	else
		graph_history(screen, line, at, width, 1, &top->history, row->history,
			      HISTORY_MEMORY, memory);
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
		enum column_kind kind = layout->column[i].kind;
		int at = layout->column[i].at, width = layout->column[i].width;

		if (is_graph(kind)) {
			draw_graph(top, screen, line, at, width, kind, row);
			continue;
		}
		format_column(top, row, kind, text);
		if (kind == COLUMN_COMMAND || (kind == COLUMN_NAME && row->kind == ROW_PROCESS))
			shift(text, top->shift);
		if (columns[kind].is_right)
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
			   !top->usage->n_processes ? "no process uses a GPU" :
			   top->view.text[0] ?
			   "no process is as you want them: Esc shows all again" :
			   "no process is one of those that you asked for");
}
