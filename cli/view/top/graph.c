// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bars, histories and figures.
 */
#include <inttypes.h>

#include "cli/view/top/internal.h"

/* Unicode's blocks: the left K eighths of a column, the lower K eighths of a line. */
#define LEFT_EIGHTHS(k)		((wchar_t)(0x2590 - (k)))
#define LOWER_EIGHTHS(k)	((wchar_t)(0x2580 + (k)))
#define MIDDLE_DOT		L'\u00b7'

/* The same, poorer, in ASCII. */
static const char ascii_heights[] = "_.-:=+*#";

void graph_bar(struct screen *screen, int row, int column, int width,
	       enum screen_style style, double part)
{
	double eighths = part < 0 ? 0 : part > 1 ? 8.0 * width : part * 8.0 * width;
	int all = (int)(eighths + 0.5), i;

	for (i = 0; i < width; i++) {
		int here = all - 8 * i;

		if (here <= 0 || (screen->is_ascii && here < 4))
			screen_put_glyph(screen, row, column + i, STYLE_FAINT,
					 screen->is_ascii ? L'.' : MIDDLE_DOT);
		else
			screen_put_glyph(screen, row, column + i, style, screen->is_ascii ? L'#' :
					 LEFT_EIGHTHS(here < 8 ? here : 8));
	}
}

/* The greatest of the newest samples, @least at least. */
static uint32_t greatest(const struct recent *histories, uint64_t id,
			 enum history_value value, int samples, uint32_t least)
{
	uint32_t most = least;
	int age;

	for (age = 0; age < samples; age++) {
		uint32_t one = history_get(histories, id, value, (unsigned int)age);

		if (one != HISTORY_NONE && one > most)
			most = one;
	}
	return most;
}

/* Draws one sample, from the lowest line on. @eighths: of a line, all lines together */
static void draw_sample(struct screen *screen, int lowest, int column, enum screen_style style,
			int eighths)
{
	for (; eighths > 0; lowest--, eighths -= 8) {
		int here = eighths < 8 ? eighths : 8;

		screen_put_glyph(screen, lowest, column, style, screen->is_ascii ?
				 (wchar_t)ascii_heights[here - 1] : LOWER_EIGHTHS(here));
	}
}

/* @scale: the value that is as high as @height lines, if none that is shown is greater; not 0 */
void graph_history(struct screen *screen, int row, int column, int width, int height,
		   const struct recent *histories, uint64_t id,
		   enum history_value value, uint32_t scale)
{
	uint32_t most = greatest(histories, id, value, width, scale);
	int all = 8 * height, i;

	for (i = 0; i < width; i++) {
		uint32_t one = history_get(histories, id, value, (unsigned int)(width - 1 - i));
		bool is_full = value == HISTORY_SM && one >= GRAPH_FULL;

		if (one == HISTORY_NONE)
			continue;
		draw_sample(screen, row + height - 1, column + i, value == HISTORY_MEMORY ?
			    STYLE_MEMORY : is_full ? STYLE_FULL : STYLE_USE, one >= most ? all :
			    (int)((uint64_t)one * (uint64_t)all / most) + 1);
	}
}

void graph_percent(char text[GRAPH_TEXT], uint64_t hundredths)
{
	uint64_t tenths = (hundredths + 5) / 10;

	snprintf(text, GRAPH_TEXT, "%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
}

void graph_bytes(char text[GRAPH_TEXT], uint64_t bytes)
{
	if (bytes >> 30)
		snprintf(text, GRAPH_TEXT, "%.1f GiB", (double)bytes / (1ull << 30));
	else
		snprintf(text, GRAPH_TEXT, "%" PRIu64 " MiB", bytes >> 20);
}
