/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of cli/view/top alone: a screen in memory, rows and histories that are
 * drawn into it, and the state of mpu top at a moment.
 */
#ifndef MPU_CLI_VIEW_TOP_INTERNAL_H
#define MPU_CLI_VIEW_TOP_INTERNAL_H

#include <stdio.h>
#include <wchar.h>

#include "cli/view/view.h"
#include "lib/recent.h"

/* The meaning of a character; a terminal decides how it looks. */
enum screen_style {
	STYLE_PLAIN,
	STYLE_TITLE,		/* a bar across the screen */
	STYLE_LABEL,
	STYLE_FAINT,
	STYLE_USE,		/* bars and histories of utilisation */
	STYLE_FULL,		/* ... of 90 % or more */
	STYLE_MEMORY,		/* ... of memory */
	STYLE_WARNING,
	STYLE_SELECTED,
	SCREEN_STYLES,
};

/**
 * struct screen - what mpu top draws into, a terminal shows, and tests read as text
 * @is_ascii:	no glyphs but those of ASCII can be shown
 * @cell:	@rows x @columns of them; @glyph 0: the right half of the wide character to
 *		the left
 */
struct screen {
	int rows, columns;
	bool is_ascii;
	struct screen_cell { wchar_t glyph; enum screen_style style; } *cell;
};

#define SCREEN_PART	1024	/* bytes of a line of text at most */

/* screen.c */
void screen_resize(struct screen *screen, int rows, int columns);
void screen_free(struct screen *screen);
void screen_clear(struct screen *screen);
size_t screen_take(const struct screen *screen, char part[SCREEN_PART], const char *text, int width);
int screen_put(struct screen *screen, int row, int column, int width,
	       enum screen_style style, const char *text);
void screen_put_right(struct screen *screen, int row, int column, int width,
		      enum screen_style style, const char *text);
void screen_put_glyph(struct screen *screen, int row, int column,
		      enum screen_style style, wchar_t glyph);
void screen_paint(struct screen *screen, int row, int column, int width, enum screen_style style);
int screen_print(const struct screen *screen, FILE *stream);

/* terminal.c */
void terminal_set_locale(struct screen *screen);
int terminal_open(char why[WHY_SIZE]);
void terminal_close(void);
void terminal_fit(struct screen *screen);
void terminal_take_mouse(bool take);
void terminal_show(const struct screen *screen);
void terminal_forget(void);
bool terminal_read_key(unsigned int *key);

#define HISTORY_SAMPLES	128
#define HISTORY_NONE	UINT32_MAX	/* a sample that nobody took */

/* The figures of a sample. */
enum history_value {
	HISTORY_SM,		/* hundredths of a percent of a GPU */
	HISTORY_MEMORY,		/* MiB */
	HISTORY_VALUES,
};

/* history.c */
void history_begin(struct recent *all);
void history_add(struct recent *all, uint64_t id, const uint32_t value[HISTORY_VALUES]);
uint32_t history_get(const struct recent *all, uint64_t id, enum history_value value,
		     unsigned int age);

#define GRAPH_TEXT	32	/* room for a figure */
#define GRAPH_FULL	9000	/* hundredths of a percent, from which a GPU is full */
#define GRAPH_ALL	10000	/* ... which all of it is */

/* graph.c */
void graph_bar(struct screen *screen, int row, int column, int width,
	       enum screen_style style, double part);
void graph_history(struct screen *screen, int row, int column, int width, int height,
		   const struct recent *histories, uint64_t id,
		   enum history_value value, uint32_t scale);
void graph_percent(char text[GRAPH_TEXT], uint64_t hundredths);
void graph_bytes(char text[GRAPH_TEXT], uint64_t bytes);

#define SEARCH_TEXT	64

/* search.c */
bool search_matches(const struct usage *usage, const struct usage_process *process,
		    const char *text);

/* The kinds of rows. */
enum rows_mode {
	ROWS_PROCESSES,
	ROWS_TREE,		/* GPUs, in them containers, in them processes */
	ROWS_CONTAINERS,
	ROWS_PODS,
	ROWS_USERS,
	ROWS_MODES,
};

struct rows_order {
	enum figure sort;
	bool is_reversed;
};

/* In this order they stand in one another in the tree. */
enum row_kind { ROW_GPU, ROW_GROUP, ROW_PROCESS };

/**
 * struct row - one row
 * @is_folded:	its inner rows are not shown
 * @group:	in the tree, the place of the group that it is, or stands in
 * @id:		the same in the next reading, and of the history of a sum
 * @gpu:	index; USAGE_ALL_GPUS: a sum over all
 * @process:	of a group, one of its processes; NULL: a GPU that nobody uses
 * @sum:	of a GPU or a group, else NULL
 */
struct row {
	enum row_kind kind;
	bool is_folded;
	uint64_t id;
	size_t gpu, group;
	const struct usage_process *process;
	const struct usage_sum *sum;
};

/* Ids of rows. */
struct rows_ids {
	uint64_t *id;
	size_t n;
};

/**
 * struct rows_view - what the user wants to see
 * @order:	for each mode its own
 * @text:	as search_matches() takes it
 * @filter:	only these processes
 * @folded:	rows of a tree whose inner rows are not shown
 * @usage:	that the rows are of
 */
struct rows_view {
	enum rows_mode mode;
	struct rows_order order[ROWS_MODES];
	char text[SEARCH_TEXT];
	struct usage_filter filter;
	struct rows_ids folded;
	const struct usage *usage;
};

/**
 * struct rows - all rows
 * @matching:	the reading, with the processes alone that the user wants to see
 */
struct rows {
	struct row *row;
	size_t n;
	struct usage matching;
	struct usage_sum *sums, *gpu_sums;
};

/* rows.c */
bool rows_ids_have(const struct rows_ids *ids, uint64_t id);
void rows_ids_turn(struct rows_ids *ids, uint64_t id);
struct figure_of row_figures(const struct usage *usage, const struct row *row);
const char *row_text(const struct usage *usage, const struct row *row, enum figure figure,
		     char text[FIGURE_TEXT]);
void rows_make(struct rows *rows, const struct usage *usage, const struct rows_view *view);
void rows_free(struct rows *rows);

/**
 * struct target - a process that a signal is for, held from the moment that the user is
 * asked, so that no other one that takes its number meanwhile gets the signal
 * @pidfd:	0: there is none
 * @whose:	its container, job or unit, "" if it is in none
 */
struct target {
	int pidfd;
	pid_t pid;
	char name[16];
	char whose[64];
};

/* target.c */
int target_hold(struct target *target, struct host_reader *reader,
		const struct host_process *process);
int target_find_signal(const char *text);
const char *target_signal_name(int number);
int target_send(const struct target *target, int number);
void target_release(struct target *target);

/* The meaning of keys now. */
enum top_prompt {
	TOP_LIST,
	TOP_HELP,
	TOP_ASK_TEXT,		/* that processes must have */
	TOP_ASK_SIGNAL,
	TOP_ASK_SURE,		/* to send it */
	TOP_DETAIL,
};

#define TOP_MESSAGE	512

/**
 * struct top - all of it
 * @usage:	the last reading; NULL: the driver does not answer
 * @why:	why it does not
 * @history:	of GPUs, containers, pods and users
 * @interval:	seconds between two readings
 * @is_paused:	no readings are made
 * @is_printed:	nobody selects rows
 * @is_read_only: no signals are sent, and no settings written
 * @selected:	index of a row; @selected_id: its id, by which it is found again
 * @first:	index of the row on top
 * @page:	how many rows the screen has had for the list
 * @input:	what the user has typed
 * @is_offered:	it is what is typed mostly, and the first character takes its place
 * @tags:	of processes that a signal is to be for
 * @targets:	of the question; @signal: what they are to get
 * @detail:	PID of the process that is shown with all that is known; 0: the GPUs are,
 *		from @detail_gpu on
 * @skip:	lines of the help, or of a process, that are above the screen
 * @shift:	characters of commands that are to the left of their column
 * @list_line:	of the list's titles on the screen
 * @has_mouse:	it selects rows; else it is the terminal's
 * @message:	the answer to the last key, "" if there is none
 * @reader:	by which the process that a signal is for is found again
 */
struct top {
	const struct usage *usage;
	char why[WHY_SIZE];
	struct rows_view view;
	struct rows rows;
	struct recent history;
	double interval;
	bool is_paused, is_printed, is_read_only;
	size_t selected, first, page;
	uint64_t selected_id;
	enum top_prompt prompt;
	char input[SEARCH_TEXT];
	bool is_offered;
	struct rows_ids tags;
	struct target *targets;
	size_t n_targets;
	int signal;
	pid_t detail;
	size_t detail_gpu;
	int skip;
	int shift;
	int list_line;
	bool has_mouse;
	char message[TOP_MESSAGE];
	struct host_reader *reader;
};

/* The columns of the list that rows can be sorted by, from left to right. */
#define TOP_COLUMNS	24

/* Keys that are no characters. */
enum top_key {
	TOP_KEY_UP = 0x110000, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_BACKSPACE,
	TOP_KEY_BACKTAB, TOP_KEY_WHEEL_UP, TOP_KEY_WHEEL_DOWN,
	TOP_KEY_F0,		/* plus the number of a function key */
	TOP_KEY_CLICK = 0x200000,	/* plus the line of the screen */
};

#define TOP_KEY_ENTER	'\n'
#define TOP_KEY_TAB	'\t'
#define TOP_KEY_ESCAPE	'\033'

/* The step to take after a key. */
enum top_step { TOP_GO_ON, TOP_REDRAW_ALL, TOP_QUIT };

/* top.c */
extern const char *const rows_mode_names[ROWS_MODES];
void top_begin(struct top *top, double interval);
void top_take(struct top *top, const struct usage *usage);
void top_lose(struct top *top, const char *why);
void top_update(struct top *top);
void top_select(struct top *top, long rows);
void top_edit(char input[SEARCH_TEXT], unsigned int key);
uint32_t top_memory_scale(const struct top *top, size_t gpu);
uint64_t top_tag_id(const struct host_process *process);
void top_free(struct top *top);

/* settings.c */
void top_read_settings(struct top *top);
void top_keep_settings(struct top *top);

/* gpus.c */
int top_draw_gpus(const struct top *top, struct screen *screen, int row, int rows, int *samples);
void top_format_time(const struct top *top, int samples, char text[GRAPH_TEXT]);

/* list.c */
int top_sorts(enum rows_mode mode, int columns, enum figure sort[TOP_COLUMNS]);
void top_draw_list(struct top *top, struct screen *screen, int row, int rows);

#define PAGE_SKIP	200	/* no page has more lines above the screen */

/**
 * struct page - a screen that is filled with labels and texts
 * @row:	the next one
 * @skip:	lines that are above the screen still
 */
struct page {
	struct screen *screen;
	int row;
	int skip;
};

/* detail.c */
void page_put(struct page *page, const char *label, const char *text);
void page_put_title(struct page *page, const char *text);
void top_draw_detail(const struct top *top, struct screen *screen);

/* signal.c */
void top_ask_signal(struct top *top);
void top_draw_question(const struct top *top, struct screen *screen);
void top_draw_text(struct screen *screen, const char *text);
void top_press_signal(struct top *top, unsigned int key);
void top_press_sure(struct top *top, unsigned int key);

/* keys.c */
enum top_step top_press(struct top *top, unsigned int key, int columns);
void top_draw_help(const struct top *top, struct screen *screen);

/* frame.c */
void top_draw(struct top *top, struct screen *screen);
void top_draw_all(struct top *top, struct screen *screen, int columns);

#endif /* MPU_CLI_VIEW_TOP_INTERNAL_H */
