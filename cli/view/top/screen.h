/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen of characters in memory: what mpu top draws into, what a terminal shows,
 * and what tests read as text.
 */
#ifndef MPU_CLI_VIEW_TOP_SCREEN_H
#define MPU_CLI_VIEW_TOP_SCREEN_H

#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

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
 * struct screen_cell - one place on it
 * @glyph:	0: the right half of the wide character to the left
 */
struct screen_cell {
	wchar_t glyph;
	enum screen_style style;
};

/**
 * struct screen - a screen
 * @is_ascii:	no glyphs but those of ASCII can be shown
 * @cell:	@rows x @columns of them
 */
struct screen {
	int rows, columns;
	bool is_ascii;
	struct screen_cell *cell;
};

/** screen_resize() - give it a size; it is blank then. Return: 0 or -ENOMEM. */
int screen_resize(struct screen *screen, int rows, int columns);

void screen_free(struct screen *screen);

/** screen_clear() - blank all of it */
void screen_clear(struct screen *screen);

/**
 * screen_put() - write text into a field of @width columns
 *
 * Text that does not fit is cut, and the last column says so. Control characters and bytes
 * that are no text of the locale become '?': names are those of strangers. Text
 * outside of the screen is left out.
 *
 * Return: how many columns it took.
 */
int screen_put(struct screen *screen, int row, int column, int width,
	       enum screen_style style, const char *text);

/** screen_put_right() - likewise, at the right end of the field */
void screen_put_right(struct screen *screen, int row, int column, int width,
		      enum screen_style style, const char *text);

/** screen_put_glyph() - one character that is a column wide */
void screen_put_glyph(struct screen *screen, int row, int column,
		      enum screen_style style, wchar_t glyph);

/** screen_paint() - give a style to a field, whatever it says */
void screen_paint(struct screen *screen, int row, int column, int width,
		  enum screen_style style);

/**
 * screen_print() - write it as plain text, without the blanks at ends of lines
 *
 * Return: 0, or negative errno of the stream.
 */
int screen_print(const struct screen *screen, FILE *stream);

#endif /* MPU_CLI_VIEW_TOP_SCREEN_H */
