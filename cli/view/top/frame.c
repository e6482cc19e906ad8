// SPDX-License-Identifier: GPL-2.0-only
/*
 * The whole screen: the title, GPUs, the list, and the line that answers the user.
 */
#include <string.h>
#include <time.h>

#include "cli/view/top/internal.h"

#define COLUMNS_MIN	40
#define ROWS_MIN	8
#define LINE_TEXT	256

/* @samples: that histories of GPUs have, 0: there are none */
static void draw_title(const struct top *top, struct screen *screen, int samples)
{
	const struct usage *usage = top->usage;
	char text[LINE_TEXT], clock[16] = "", some[32] = "", number[24], right[64] = "PAUSED";
	char time[GRAPH_TEXT];
	struct tm tm;
	time_t now;
	int width;

	screen_paint(screen, 0, 0, screen->columns, STYLE_TITLE);
	if (!usage) {
		screen_put(screen, 0, 1, screen->columns - 2, STYLE_TITLE,
			   "mpu top  the driver does not answer");
		return;
	}
	now = (time_t)(usage->time_us / 1000000);
	if (localtime_r(&now, &tm))
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	if (top->rows.matching.n_processes < usage->n_processes)
		snprintf(some, sizeof(some), "%zu of ", top->rows.matching.n_processes);
	snprintf(number, sizeof(number), "%zu", usage->n_processes);
	if (usage_silence(usage, top->view.filter.gpu) == SILENT_ALL)
		strcpy(number, "?");
	snprintf(text, sizeof(text), "mpu top %s  driver %s  %zu GPU%s  %s%s process%s%s%s", clock,
		 usage->driver[0] ? usage->driver : "of unknown version", usage->n_gpus,
		 usage->n_gpus == 1 ? "" : "s", some, number, usage->n_processes == 1 ?
		 "" : "es", top->view.text[0] ? " with " : "", top->view.text);
	top_format_time(top, samples - 1, time);
	if (!top->is_paused)
		snprintf(right, sizeof(right), "last %s, every %g s", time, top->interval);
	if (!top->is_paused &&
	    (samples < 2 || (int)(strlen(text) + strlen(right)) + 4 > screen->columns))
		snprintf(right, sizeof(right), "every %g s", top->interval);
	width = screen->columns - 3 - (int)strlen(right);
	screen_put(screen, 0, 1, width, STYLE_TITLE, text);
	screen_put_right(screen, 0, width + 2, (int)strlen(right), STYLE_TITLE, right);
}

static void draw_loss(const struct top *top, struct screen *screen)
{
	int row, width = screen->columns - 2;
	const char *why = top->why;
	char text[SCREEN_PART];

	for (row = 2; *why && row < screen->rows - 3; row++) {
		why += screen_take(screen, text, why, width);
		screen_put(screen, row, 1, width, STYLE_WARNING, text);
	}
	snprintf(text, sizeof(text), "It is asked again every %g s.", top->interval);
	screen_put(screen, row, 1, width, STYLE_PLAIN, text);
}

static void draw_prompt(const struct top *top, struct screen *screen, int row)
{
	char text[LINE_TEXT];

	if (top->prompt == TOP_ASK_SIGNAL || top->prompt == TOP_ASK_SURE) {
		top_draw_question(top, screen);
		return;
	}
	if (top->prompt == TOP_ASK_TEXT) {
		snprintf(text, sizeof(text), "Only processes with (Esc: all): %s_", top->input);
		top_draw_text(screen, text);
		return;
	}
	if (top->message[0]) {
		top_draw_text(screen, top->message);
		return;
	}
	snprintf(text, sizeof(text),
		 "q quit  h help  Tab %s  < > sort  / search  Enter more  k signal  space tag",
		 rows_mode_names[(top->view.mode + 1) % ROWS_MODES]);
	screen_put(screen, row, 0, screen->columns - 1, STYLE_FAINT, text);
}

void top_draw(struct top *top, struct screen *screen)
{
	int last = screen->rows - 1, row = 1, samples = 0;

	screen_clear(screen);
	if (screen->columns < COLUMNS_MIN || screen->rows < ROWS_MIN) {
		screen_put(screen, 0, 0, screen->columns, STYLE_WARNING,
			   "mpu top needs 40 columns and 8 lines");
		return;
	}
	if (top->prompt == TOP_HELP) {
		top_draw_help(top, screen);
		return;
	}
	if (top->prompt == TOP_DETAIL && top->usage) {
		top_draw_detail(top, screen);
		return;
	}
	if (!top->usage) {
		draw_loss(top, screen);
	} else {
		/* The list has half of the screen or more. */
		row += top_draw_gpus(top, screen, row, (screen->rows - 2) / 2, &samples);
		top_draw_list(top, screen, row, last - row);
	}
	draw_title(top, screen, samples);
	draw_prompt(top, screen, last);
}

/* Draws all rows, on as many lines as they take. */
void top_draw_all(struct top *top, struct screen *screen, int columns)
{
	int n = (int)top->usage->n_gpus, gpus = n && n <= 4 ? 3 * n : n + !n;
	int list = (int)top->rows.n + 2, row = 1, samples;

	screen_resize(screen, 1 + gpus + list, columns);
	row += top_draw_gpus(top, screen, row, gpus, &samples);
	draw_title(top, screen, samples);
	top_draw_list(top, screen, row, list);
	screen->rows = row + list;
}
