// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table on a terminal: columns as wide as what stands in them, those that say nothing left
 * out. Or as CSV, for programs.
 */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "cli/view/internal.h"
#include "lib/xalloc.h"

#define GAP		2	/* blanks between columns */
#define LAST_WIDTH	12	/* of the last column, before another one is left out for it */
#define CUT_WIDTH	5	/* minimum width of texts that are cut */

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

/* Returns the columns of the first character. @bytes: receives its bytes */
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

/* Returns the bytes of what fits into @n columns; there stay those that are left. */
static size_t measure_bytes(const char *text, size_t *n)
{
	const char *at = text;
	size_t bytes, width;

	for (; *at; at += bytes, *n -= width) {
		width = measure_one(at, &bytes);
		if (width > *n)
			break;
	}
	return (size_t)(at - text);
}

/* --- Names of columns --- */

static void name_column(const struct table_column *column, char name[32])
{
	const char *at = column->title;
	size_t n = 0;

	for (; *at && n < 31; at++)
		if (*at != '%')
			name[n++] = *at == ' ' ? '_' : (char)tolower((unsigned char)*at);
	name[n] = '\0';
}

/* Return: CLI_DONE, or as command_fail_usage(). */
static enum cli_exit find_column(const struct command_call *call, const struct table_kind *kind,
				 const char *word, size_t *column)
{
	char names[TABLE_COLUMNS * 34] = "", name[32];
	size_t i, used = 0;

	for (i = 0; i < kind->columns; i++) {
		name_column(&kind->column[i], name);
		if (!strcmp(name, word)) {
			*column = i;
			return CLI_DONE;
		}
		used += (size_t)sprintf(names + used, "%s%s", i ? ", " : "", name);
	}
	return command_fail_usage(call, "there is no column '%.40s' here: there are %s", word, names);
}

/* Adds the names by which columns are chosen, each with its title. */
void table_add_names(const struct table_kind *kind, struct strv *names)
{
	char name[32];
	size_t i;

	for (i = 0; i < kind->columns; i++) {
		name_column(&kind->column[i], name);
		strv_add_format(names, "%s\t%s", name, kind->column[i].title);
	}
}

/* Returns the columns of the terminal that stdout is; COLUMNS goes before it; or 0. */
static size_t find_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && atoi(columns) > 0)
		return (size_t)atoi(columns);
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

/*
 * Takes what a command line says of a table; in the order of columns a "-" turns a key round. JSON
 * has all of it, and orders nothing: what reads it does. Return: as find_column()
 */
enum cli_exit table_read_view(const struct command_call *call, const struct table_kind *kind,
			      struct table_view *view)
{
	static const char *const of_tables[] = { "sort", "columns", "csv" };
	struct strv columns = { 0 }, keys = { 0 };
	enum cli_exit status = CLI_DONE;
	size_t i;

	for (i = 0; command_wants_json(call) && i < 3; i++)
		if (command_value(call, of_tables[i]))
			return command_fail_usage(call, "--%s is not for --json, which has all of it: leave one of them out",
						  of_tables[i]);
	view->is_csv = command_is_on(call, "csv");
	view->width = view->is_csv ? 0 : find_width();
	command_values(call, "columns", &columns);
	command_values(call, "sort", &keys);
	for (i = 0; !status && i < columns.n && i < TABLE_COLUMNS; i++)
		status = find_column(call, kind, columns.word[i], &view->shown[view->n_shown++]);
	for (i = 0; !status && i < keys.n && i < TABLE_COLUMNS; i++) {
		view->key[i].falls = *keys.word[i] == '-';
		status = find_column(call, kind, keys.word[i] + view->key[i].falls,
				     &view->key[view->n_keys++].column);
	}
	strv_free(&columns);
	strv_free(&keys);
	return status;
}

/* --- Cells --- */

static void add_string(struct table *table, const char *text)
{
	size_t size = strlen(text) + 1, room = table->room ? table->room : 4096;

	while (room - table->length < size)
		room *= 2;
	if (room != table->room)
		table->text = xreallocarray(table->text, room, 1);
	table->room = room;
	memcpy(table->text + table->length, text, size);
	table->length += size;
}

/* Adds the next cell, as people see it and as CSV has it. */
void table_add_cell(struct table *table, const char *shown, const char *raw)
{
	size_t *width = &table->width[table->cells++ % table->kind->columns];
	size_t n = measure(shown);

	add_string(table, shown);
	add_string(table, raw);
	*width = n > *width ? n : *width;
}

void table_add_text(struct table *table, const char *text)
{
	table_add_cell(table, text, text);
}

void table_add_index(struct table *table, size_t index)
{
	char text[24];

	snprintf(text, sizeof(text), "%zu", index);
	table_add_text(table, text);
}

/* Adds a number that is shown with its unit, or rounded. */
void table_add_number(struct table *table, double number, const char *shown)
{
	char raw[32];

	snprintf(raw, sizeof(raw), "%.15g", number);
	table_add_cell(table, shown, raw);
}

/* --- Rows --- */

struct cell {
	const char *shown, *raw;
};

struct order {
	const struct table_kind *kind;
	const struct table_view *view;
};

/* Rows that are equal stay as they were added: their cells lie so. */
static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct cell *const *x = a, *const *y = b;
	const struct order *order = arg;
	int result = 0;
	size_t i;

	for (i = 0; !result && i < order->view->n_keys; i++) {
		size_t column = order->view->key[i].column;
		const char *m = (*x)[column].raw, *n = (*y)[column].raw;
		double p = *m ? strtod(m, NULL) : -1, q = *n ? strtod(n, NULL) : -1;

		result = order->kind->column[column].right ? (p > q) - (p < q) : strverscmp(m, n);
		if (order->view->key[i].falls)
			result = -result;
	}
	return result ? result : (*x > *y) - (*x < *y);
}

/* Returns the rows as they are to stand, each with @cells behind it. */
static const struct cell **sort_rows(const struct table *table,
				     const struct table_view *view, struct cell *cells)
{
	size_t columns = table->kind->columns, n = table->cells / columns, i;
	const struct cell **rows = xcalloc(n + 1, sizeof(*rows));
	struct order order = { table->kind, view };
	const char *at = table->text;

	for (i = 0; i < table->cells; i++) {
		cells[i].shown = at;
		at += strlen(at) + 1;
		cells[i].raw = at;
		at += strlen(at) + 1;
		if (i % columns == 0)
			rows[i / columns] = &cells[i];
	}
	if (view->n_keys && n > view->last)
		qsort_r(rows, n - view->last, sizeof(*rows), compare_rows, &order);
	return rows;
}

/* --- As text --- */

/* The columns that are shown. */
struct layout {
	size_t column[TABLE_COLUMNS], n;
	size_t width[TABLE_COLUMNS];
};

static void take_columns(struct layout *layout, const struct table *table,
			 const struct table_view *view)
{
	const struct table_kind *kind = table->kind;
	size_t i, title;

	for (i = 0; i < view->n_shown; i++)
		layout->column[layout->n++] = view->shown[i];
	for (i = 0; !view->n_shown && i < kind->columns; i++)
		if (view->is_csv || (table->width[i] && !kind->column[i].is_extra &&
				     !(kind->end && i == kind->end)))
			layout->column[layout->n++] = i;
	if (!view->n_shown && !view->is_csv && kind->end && table->width[kind->end])
		layout->column[layout->n++] = kind->end;
	for (i = 0; i < layout->n; i++) {
		layout->width[i] = table->width[layout->column[i]];
		title = measure(kind->column[layout->column[i]].title);
		if (layout->width[i] < title)
			layout->width[i] = title;
	}
}

/* The column to leave out first, or the widest one of texts to cut; layout->n: there is none. */
static size_t find_least(const struct layout *layout, const struct table_kind *kind, bool cuts)
{
	size_t least = layout->n, most = cuts ? CUT_WIDTH : 0, n, i;

	for (i = 0; i < layout->n; i++) {
		const struct table_column *column = &kind->column[layout->column[i]];

		n = !cuts ? column->rank : column->right ? 0 : layout->width[i];
		if (n > most) {
			most = n;
			least = i;
		}
	}
	return least;
}

static void leave_out(struct layout *layout, size_t at)
{
	for (layout->n--; at < layout->n; at++) {
		layout->column[at] = layout->column[at + 1];
		layout->width[at] = layout->width[at + 1];
	}
}

/*
 * The last text is cut before a column is left out; others, as names, where that is not enough, or
 * the columns are those that were asked for.
 */
static void fit_columns(struct layout *layout, const struct table *table,
			const struct table_view *view)
{
	bool cuts = view->n_shown, is_text;
	size_t total, last, i;

	take_columns(layout, table, view);
	while (view->width && layout->n) {
		last = layout->n - 1;
		is_text = !table->kind->column[layout->column[last]].right;
		for (total = i = 0; i < last; i++)
			total += layout->width[i] + GAP;
		i = layout->width[last];
		if (total + (is_text && i > LAST_WIDTH ? LAST_WIDTH : i) <= view->width) {
			layout->width[last] = is_text ? view->width - total : i;
			return;
		}
		i = find_least(layout, table->kind, cuts);
		if (i == layout->n && cuts)
			return;
		if (i == layout->n)
			cuts = true;
		else if (cuts)
			layout->width[i]--;
		else
			leave_out(layout, i);
	}
}

static void print_blanks(size_t n)
{
	while (n-- > 0)
		putchar_unlocked(' ');
}

/* Numbers are not cut. */
static void print_cell(const struct layout *layout, size_t i, bool right, const char *text)
{
	const char *cell = *text ? text : "-";
	size_t wide = measure(cell), width = layout->width[i], pad = width > wide ? width - wide : 0;

	print_blanks((i ? GAP : 0) + (right ? pad : 0));
	if (right || wide <= width) {
		fputs(cell, stdout);
	} else {
		pad = width - 1;
		fwrite(cell, 1, measure_bytes(cell, &pad), stdout);
		putchar('~');
	}
	if (i + 1 == layout->n)
		putchar('\n');
	else
		print_blanks(right ? 0 : pad);
}

/* RFC 4180, but for its CR at the end of a line, which pipes do without. */
static void print_csv(const struct layout *layout, size_t i, const char *text)
{
	bool is_quoted = strpbrk(text, ",\"\r\n");

	if (is_quoted)
		putchar('"');
	if (strspn(text, "=+-@"))	/* a spreadsheet takes others' names for formulas */
		putchar('\'');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	if (is_quoted)
		putchar('"');
	putchar(i + 1 < layout->n ? ',' : '\n');
}

static void print_titles(const struct table_kind *kind, const struct table_view *view,
			 const struct layout *layout)
{
	char name[32];
	size_t i;

	for (i = 0; i < layout->n; i++) {
		const struct table_column *column = &kind->column[layout->column[i]];

		name_column(column, name);
		if (view->is_csv)
			print_csv(layout, i, name);
		else
			print_cell(layout, i, column->right, column->title);
	}
}

static void print_html(const struct table *table, const struct layout *layout,
		       const struct cell *const *rows, FILE *page)
{
	const size_t n = table->cells / table->kind->columns;
	size_t row, i;

	fputs("<div><table>", page);
	for (row = 0; row <= n; row++) {
		fputs("<tr>", page);
		for (i = 0; i < layout->n; i++) {
			const struct table_column *column = &table->kind->column[layout->column[i]];

			fprintf(page, "<t%c%s>", row ? 'd' : 'h', column->right ? " class=n" : "");
			page_add_text(page, row ? rows[row - 1][layout->column[i]].shown :
				      column->title);
		}
		fputs("\n", page);
	}
	fputs("</table></div>\n", page);
}

/* Prints it, and frees it. */
void table_print(struct table *table, const struct table_view *view)
{
	struct cell *cells = xcalloc(table->cells + 1, sizeof(*cells));
	const struct cell **rows = sort_rows(table, view, cells);
	struct layout layout = { 0 };
	size_t row, i;

	fit_columns(&layout, table, view);
	if (view->html)
		print_html(table, &layout, rows, view->html);
	else if (!view->no_titles)
		print_titles(table->kind, view, &layout);
	for (row = 0; !view->html && row < table->cells / table->kind->columns -
	     (view->is_csv ? view->last : 0); row++)
		for (i = 0; i < layout.n; i++) {
			const struct cell *cell = &rows[row][layout.column[i]];

			if (view->is_csv)
				print_csv(&layout, i, cell->raw);
			else
				print_cell(&layout, i, table->kind->column[layout.column[i]].right,
					   cell->shown);
		}
	free(rows);
	free(cells);
	free(table->text);
	table->text = NULL;
}

/* Returns an array of its rows, as CSV has them: what is not known is null. */
struct json_object *table_describe(const struct table *table)
{
	const struct table_view plain = { 0 };
	struct cell *cells = xcalloc(table->cells + 1, sizeof(*cells));
	const struct cell **rows = sort_rows(table, &plain, cells);
	struct json_object *list = json_object_new_array(), *one = NULL;
	const struct table_column *column;
	char name[32];
	size_t i;

	for (i = 0; i < table->cells; i++) {
		column = &table->kind->column[i % table->kind->columns];
		if (column == table->kind->column)
			json_object_array_add(list, one = json_object_new_object());
		name_column(column, name);
		json_object_object_add(one, name, !*cells[i].raw ? NULL : column->right ?
			json_object_new_double_s(strtod(cells[i].raw, NULL), cells[i].raw) :
			json_object_new_string(cells[i].raw));
	}
	free(rows);
	free(cells);
	return list;
}
