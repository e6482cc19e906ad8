// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table on a terminal: see table.h.
 */
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "cli/view/table.h"

#define GAP		2	/* blanks between columns */
#define LAST_WIDTH	12	/* minimum width of the last column */

/*
 * Columns that a terminal of UTF-8 takes for a character, whatever the user's locale is.
 * Where the C library lacks the one that knows, it takes one.
 */
static size_t measure_wide(const char *character, size_t bytes)
{
	static locale_t utf8;
	locale_t before;
	wchar_t wide;
	int width = -1;

	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	before = uselocale(utf8);
	if (mbtowc(&wide, character, bytes) == (int)bytes)
		width = wcwidth(wide);
	uselocale(before);
	return width < 0 ? 1 : (size_t)width;
}

/* @bytes: receives those of the first character. Return: its columns. */
static size_t measure_one(const char *text, size_t *bytes)
{
	for (*bytes = 1; ((unsigned char)text[*bytes] & 0xc0) == 0x80;)
		++*bytes;
	return *bytes == 1 ? 1 : measure_wide(text, *bytes);
}

static size_t measure(const char *text)
{
	size_t n = 0, bytes;

	for (; *text; text += bytes)
		n += measure_one(text, &bytes);
	return n;
}

/* Bytes of what fits into @n columns. */
static size_t measure_bytes(const char *text, size_t n)
{
	const char *at = text;
	size_t bytes, width;

	for (; *at; at += bytes, n -= width) {
		width = measure_one(at, &bytes);
		if (width > n)
			break;
	}
	return (size_t)(at - text);
}

static bool make_room(struct table *table, size_t size)
{
	size_t room = table->room ? table->room : 4096;
	char *text;

	while (room - table->length < size)
		room *= 2;
	if (room == table->room)
		return true;
	text = realloc(table->text, room);
	if (!text) {
		table->no_memory = true;
		return false;
	}
	table->text = text;
	table->room = room;
	return true;
}

void table_add_text(struct table *table, const char *text)
{
	size_t *width = &table->width[table->cells++ % table->columns];
	size_t size = strlen(text) + 1, n;

	if (table->no_memory || !make_room(table, size))
		return;
	memcpy(table->text + table->length, text, size);
	table->length += size;
	n = measure(text);
	*width = n > *width ? n : *width;
}

void table_add(struct table *table, const char *fmt, ...)
{
	char cell[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(cell, sizeof(cell), fmt, args);
	va_end(args);
	table_add_text(table, cell);
}

/* Columns with something in them get room for their title, too. */
static size_t add_titles(struct table *table)
{
	size_t total = 0, i, n;

	for (i = 0; i < table->columns; i++) {
		n = measure(table->column[i].title);
		if (table->width[i] && table->width[i] < n)
			table->width[i] = n;
		if (i < table->columns - 1 && table->width[i])
			total += table->width[i] + GAP;
	}
	return total;
}

/* The column to leave out first, or table->columns: there is none. */
static size_t find_least(const struct table *table)
{
	size_t least = table->columns, i;

	for (i = 0; i < table->columns; i++)
		if (table->width[i] && table->column[i].rank &&
		    (least == table->columns ||
		     table->column[i].rank > table->column[least].rank))
			least = i;
	return least;
}

/* Return: how wide the last column may be. */
static size_t fit_columns(struct table *table, size_t width)
{
	size_t last = table->width[table->columns - 1];
	size_t total = add_titles(table), least;
	size_t need = last < LAST_WIDTH ? last : LAST_WIDTH;

	if (!width)
		return (size_t)-1;
	while (total + need > width &&
	       (least = find_least(table)) < table->columns) {
		total -= table->width[least] + GAP;
		table->width[least] = 0;
	}
	return total < width ? width - total : need;
}

static void print_blanks(size_t n)
{
	while (n-- > 0)
		putchar_unlocked(' ');
}

/* Columns in which nothing stands have no width, and are not there. */
static void print_row(const struct table *table, const char *const *cells, size_t room)
{
	bool is_first = true;
	size_t i, pad;

	for (i = 0; i < table->columns; i++) {
		const char *cell = *cells[i] ? cells[i] : "-";

		if (!table->width[i])
			continue;
		pad = table->width[i] - measure(cell);
		print_blanks(is_first ? 0 : GAP);
		if (i == table->columns - 1) {
			fwrite(cell, 1, measure_bytes(cell, room), stdout);
		} else if (table->column[i].right) {
			print_blanks(pad);
			fputs(cell, stdout);
		} else {
			fputs(cell, stdout);
			print_blanks(pad);
		}
		is_first = false;
	}
	putchar('\n');
}

bool table_print(struct table *table, size_t width)
{
	const char *cells[TABLE_COLUMNS], *next = table->text;
	size_t room = fit_columns(table, width), at, i;
	bool ok = !table->no_memory;

	for (i = 0; i < table->columns; i++)
		cells[i] = table->column[i].title;
	if (ok)
		print_row(table, cells, room);
	for (at = 0; ok && at < table->cells; at += table->columns) {
		for (i = 0; i < table->columns; i++, next += strlen(next) + 1)
			cells[i] = next;
		print_row(table, cells, room);
	}
	free(table->text);
	table->text = NULL;
	return ok;
}

size_t table_find_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && atoi(columns) > 0)
		return (size_t)atoi(columns);
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}
