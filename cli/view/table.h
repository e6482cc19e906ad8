/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table on a terminal: columns as wide as what stands in them, those that say
 * nothing left out.
 */
#ifndef MPU_CLI_VIEW_TABLE_H
#define MPU_CLI_VIEW_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct table_column - a column
 * @title:	above it
 * @right:	its cells are numbers: their ends stand below each other
 * @rank:	where there is no room for all, the one of the highest rank is left out
 *		first; 0: never
 */
struct table_column {
	const char *title;
	bool right;
	unsigned int rank;
};

#define TABLE_COLUMNS	20

/**
 * struct table - a table
 * @column:	the columns; the last one is cut where the terminal ends
 * @text:	cells, row by row, each with a NUL behind it
 * @width:	of the widest cell of each column, 0: all are empty
 */
struct table {
	const struct table_column *column;
	size_t columns;
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

/**
 * table_print() - print it, and free it
 * @width:	of the terminal, 0: as wide as it is
 *
 * Return: false: there was no memory for all cells, and nothing is printed.
 */
bool table_print(struct table *table, size_t width);

/** table_find_width() - of the terminal that stdout is; COLUMNS goes before it; or 0 */
size_t table_find_width(void);

#endif /* MPU_CLI_VIEW_TABLE_H */
