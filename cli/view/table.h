/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table on a terminal: columns as wide as what stands in them, those that say
 * nothing left out. Or as CSV, for programs.
 */
#ifndef MPU_CLI_VIEW_TABLE_H
#define MPU_CLI_VIEW_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

#define TABLE_COLUMNS	24

/**
 * struct table_column - a column
 * @title:	above it; in small letters, "_" for a blank and without "%" it is the
 *		column's name
 * @right:	its cells are numbers: their ends stand below each other
 * @rank:	where there is no room for all, the one of the highest rank is left out
 *		first; 0: never
 * @is_extra:	in CSV, and where it is asked for, alone
 */
struct table_column {
	const char *title;
	bool right;
	unsigned int rank;
	bool is_extra;
};

/** struct table_kind - the columns that there are */
struct table_kind {
	const struct table_column *column;
	size_t columns;
};

/* The first column of each kind: the time of the reading, for logs. */
#define TABLE_TIME	{ "TIME", true, 0, true }

/**
 * struct table_view - the way the user wants it
 * @width:	of the terminal, 0: as wide as it is
 * @is_csv:	comma-separated (RFC 4180), with numbers without units
 * @no_titles:	they are there already
 * @shown:	columns from left to right; none: all of which something is to say
 * @key:	columns that rows are sorted by, none: as they were added
 */
struct table_view {
	size_t width;
	bool is_csv, no_titles;
	size_t shown[TABLE_COLUMNS], n_shown;
	struct { size_t column; bool falls; } key[TABLE_COLUMNS];
	size_t n_keys;
};

/**
 * table_choose() - take columns and keys by their names
 * @columns, @sort: names between commas, a "-" before a key turns it round; NULL: none
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int table_choose(struct table_view *view, const struct table_kind *kind,
		 const char *columns, const char *sort, char why[WHY_SIZE]);

/**
 * struct table - a table
 * @kind:	its columns; the last one that is shown is cut where the terminal ends
 * @text:	cells, row by row, each as it is shown and as CSV has it, with a NUL
 *		behind both
 * @width:	of the widest cell of each column, 0: all are empty
 */
struct table {
	const struct table_kind *kind;
	char *text;
	size_t length, room;
	size_t cells;
	size_t width[TABLE_COLUMNS];
	bool no_memory;
};

/** table_add_text() - add the next cell; "" where there is nothing to say */
void table_add_text(struct table *table, const char *text);

/** table_add() - likewise, up to 1023 bytes */
void table_add(struct table *table, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** table_add_number() - likewise, of a number that is shown with its unit, or rounded */
void table_add_number(struct table *table, double number, const char *shown);

/**
 * table_print() - print it, and free it
 *
 * Return: false: there was no memory for all cells, and nothing is printed.
 */
bool table_print(struct table *table, const struct table_view *view);

/** table_find_width() - of the terminal that stdout is; COLUMNS goes before it; or 0 */
size_t table_find_width(void);

#endif /* MPU_CLI_VIEW_TABLE_H */
