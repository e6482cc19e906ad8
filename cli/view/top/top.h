/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of mpu top at a moment: the last reading, how the user wants to see it, and
 * what the user is being asked.
 */
#ifndef MPU_CLI_VIEW_TOP_TOP_H
#define MPU_CLI_VIEW_TOP_TOP_H

#include "cli/view/top/history.h"
#include "cli/view/top/rows.h"
#include "cli/view/top/screen.h"
#include "cli/view/top/target.h"

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
 * @interval:	seconds between two readings
 * @is_paused:	no readings are made
 * @is_printed:	nobody selects rows
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
	struct history_table history;
	struct host_uses host;
	double interval;
	bool is_paused, is_printed;
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
#define TOP_COLUMNS	16

/** top_begin() - what is shown at first */
void top_begin(struct top *top, double interval);

/** top_take() - there is a new reading. Return: 0 or -ENOMEM. */
int top_take(struct top *top, const struct usage *usage);

/** top_lose() - the driver does not answer; @why: a sentence */
void top_lose(struct top *top, const char *why);

/** top_update() - the user wants to see it otherwise. Return: 0 or -ENOMEM. */
int top_update(struct top *top);

/** top_select() - move the selection by @rows */
void top_select(struct top *top, long rows);

/**
 * top_memory_scale() - how high histories of memory are: that of a GPU, or of the
 * largest (USAGE_ALL_GPUS); MiB, not 0
 */
uint32_t top_memory_scale(const struct top *top, size_t gpu);

/** top_draw() - draw it */
void top_draw(struct top *top, struct screen *screen);

/** top_draw_all() - draw all rows, on as many lines as they take. Return: 0 or -ENOMEM. */
int top_draw_all(struct top *top, struct screen *screen, int columns);

/** top_draw_gpus() - draw the GPUs from @row on, in at most @rows. Return: how many. */
int top_draw_gpus(const struct top *top, struct screen *screen, int row, int rows);

/** top_draw_list() - draw the list and its titles, in @rows */
void top_draw_list(struct top *top, struct screen *screen, int row, int rows);

/** top_draw_detail() - draw one process, or GPUs, with all that is known of them */
void top_draw_detail(const struct top *top, struct screen *screen);

/** top_draw_help() - draw what the keys do */
void top_draw_help(const struct top *top, struct screen *screen);

/** top_tag_id() - the same for each of its rows, and not for another with its PID later */
uint64_t top_tag_id(const struct host_process *process);

/** top_ask_signal() - ask which signal is for the tagged processes, or the selected one */
int top_ask_signal(struct top *top);

/** top_draw_question() - draw what is asked of the signal, on the last lines */
void top_draw_question(const struct top *top, struct screen *screen);

/** top_draw_text() - draw text on as many of the last lines as it takes */
void top_draw_text(struct screen *screen, const char *text);

/** top_press_signal() - a key, while it is asked which signal */
void top_press_signal(struct top *top, unsigned int key);

/** top_press_sure() - a key, while it is asked whether that is sure */
void top_press_sure(struct top *top, unsigned int key);

/** top_edit() - put a character to the end of what is typed, or one off it */
void top_edit(char input[SEARCH_TEXT], unsigned int key);

/**
 * top_read_settings() - take what the user has kept: ~/.config/mpu/toprc. Lines that say
 * nothing known are named in @top->message.
 */
void top_read_settings(struct top *top);

/** top_keep_settings() - write it, and say so in @top->message */
void top_keep_settings(struct top *top);

/**
 * top_sorts() - what the list can be sorted by
 * @columns:	of the screen
 * @sort:	receives it, from left to right
 *
 * Return: how many.
 */
int top_sorts(enum rows_mode mode, int columns, enum rows_sort sort[TOP_COLUMNS]);

/* Keys that are no characters. */
enum top_key {
	TOP_KEY_UP = 0x110000, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_BACKSPACE,
	TOP_KEY_BACKTAB, TOP_KEY_WHEEL_UP, TOP_KEY_WHEEL_DOWN,
	TOP_KEY_CLICK = 0x200000,	/* plus the line of the screen */
};

#define TOP_KEY_ENTER	'\n'
#define TOP_KEY_TAB	'\t'
#define TOP_KEY_ESCAPE	'\033'

/* The step to take after a key. */
enum top_step { TOP_GO_ON, TOP_REDRAW_ALL, TOP_QUIT };

/**
 * top_press() - the user has pressed a key
 * @key:	enum top_key, or a character
 * @columns:	of the screen
 * @step:	receives what is to be done
 *
 * Return: 0 or -ENOMEM.
 */
int top_press(struct top *top, unsigned int key, int columns, enum top_step *step);

void top_free(struct top *top);

#endif /* MPU_CLI_VIEW_TOP_TOP_H */
