// SPDX-License-Identifier: GPL-2.0-only
/*
 * A screen of characters in memory.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/view/top/internal.h"
#include "lib/xalloc.h"

#define CUT_MARK	L'\u2026'

void screen_resize(struct screen *screen, int rows, int columns)
{
	free(screen->cell);
	screen->cell = xcalloc((size_t)rows * (size_t)columns + 1, sizeof(*screen->cell));
	screen->rows = rows;
	screen->columns = columns;
	screen_clear(screen);
}

void screen_free(struct screen *screen)
{
	free(screen->cell);
	*screen = (struct screen){ 0 };
}

void screen_clear(struct screen *screen)
{
	size_t i, n = (size_t)screen->rows * (size_t)screen->columns;

	for (i = 0; i < n; i++)
		screen->cell[i] = (struct screen_cell){ L' ', STYLE_PLAIN };
}

static struct screen_cell *cell_at(const struct screen *screen, int row, int column)
{
	if (row < 0 || row >= screen->rows || column < 0 || column >= screen->columns)
		return NULL;
	return &screen->cell[(size_t)row * (size_t)screen->columns + (size_t)column];
}

void screen_put_glyph(struct screen *screen, int row, int column,
		      enum screen_style style, wchar_t glyph)
{
	struct screen_cell *cell = cell_at(screen, row, column);

	if (cell)
		*cell = (struct screen_cell){ glyph, style };
}

/*
 * Takes the next character off @text: its stand-in here, and its width. A character
 * that has no width of its own, an accent to be put on the one before, is left out.
 */
static int take_glyph(const struct screen *screen, const char **text, wchar_t *glyph)
{
	mbstate_t begin = { 0 };
	size_t bytes = mbrtowc(glyph, *text, MB_LEN_MAX, &begin);
	int width;

	if (bytes == (size_t)-1 || bytes == (size_t)-2) {
		*glyph = L'?';
		bytes = 1;
	}
	*text += bytes;
	width = wcwidth(*glyph);
	if (width < 0 || (screen->is_ascii && *glyph > 0x7e)) {
		*glyph = L'?';
		width = 1;
	}
	return width;
}

static int width_of(const struct screen *screen, const char *text)
{
	wchar_t glyph;
	int width = 0;

	while (*text)
		width += take_glyph(screen, &text, &glyph);
	return width;
}

/* Copies what a line of that width holds, one character at least. Return: its bytes in @text */
size_t screen_take(const struct screen *screen, char part[SCREEN_PART], const char *text, int width)
{
	const char *end = text, *next = text;
	wchar_t glyph;

	while (*next) {
		width -= take_glyph(screen, &next, &glyph);
		if (end > text && (width < 0 || next - text >= SCREEN_PART))
			break;
		end = next;
	}
	snprintf(part, SCREEN_PART, "%.*s", (int)(end - text), text);
	return (size_t)(end - text);
}

int screen_put(struct screen *screen, int row, int column, int width,
	       enum screen_style style, const char *text)
{
	bool is_cut = width_of(screen, text) > width;
	int room = is_cut ? width - 1 : width, at = 0;

	while (*text) {
		wchar_t glyph;
		int wide = take_glyph(screen, &text, &glyph);

		if (at + wide > room)
			break;
		if (!wide)
			continue;
		screen_put_glyph(screen, row, column + at, style, glyph);
		if (wide == 2)
			screen_put_glyph(screen, row, column + at + 1, style, 0);
		at += wide;
	}
	if (is_cut && width > 0)
		screen_put_glyph(screen, row, column + at++, style,
				 screen->is_ascii ? L'~' : CUT_MARK);
	return at;
}

void screen_put_right(struct screen *screen, int row, int column, int width,
		      enum screen_style style, const char *text)
{
	int wide = width_of(screen, text);
	int left = wide < width ? width - wide : 0;

	screen_put(screen, row, column + left, width - left, style, text);
}

void screen_paint(struct screen *screen, int row, int column, int width, enum screen_style style)
{
	int i;

	for (i = 0; i < width; i++) {
		struct screen_cell *cell = cell_at(screen, row, column + i);

		if (cell)
			cell->style = style;
	}
}

/* The column behind the last that is not blank. */
static int end_of(const struct screen *screen, int row)
{
	int column = screen->columns;

	while (column && cell_at(screen, row, column - 1)->glyph == L' ')
		column--;
	return column;
}

int screen_print(const struct screen *screen, FILE *stream)
{
	int row, column;

	for (row = 0; row < screen->rows; row++) {
		int end = end_of(screen, row);

		for (column = 0; column < end; column++) {
			wchar_t glyph = cell_at(screen, row, column)->glyph;

			if (glyph && fprintf(stream, "%lc", (wint_t)glyph) < 0)
				return -errno;
		}
		if (putc('\n', stream) == EOF)
			return -errno;
	}
	return 0;
}
