/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of cli/view alone.
 */
#ifndef MPU_CLI_VIEW_INTERNAL_H
#define MPU_CLI_VIEW_INTERNAL_H

#include <sqlite3.h>

#include "cli/view/view.h"
#include "lib/exposition.h"
#include "lib/json.h"

#define TABLE_COLUMNS	40
_Static_assert(FIGURES <= TABLE_COLUMNS, "each may be a column");

/**
 * struct table_kind - the columns that there are
 * @end:	the one that ends the line where CSV has others behind it; 0: none
 */
struct table_kind {
	const struct table_column *column;
	size_t columns, end;
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
 * @html:	write HTML there, and no text to stdout
 * @last:	rows at the end that stay there, totals; CSV has none
 */
struct table_view {
	size_t width;
	bool is_csv, no_titles;
	size_t shown[TABLE_COLUMNS], n_shown;
	struct { size_t column; bool falls; } key[TABLE_COLUMNS];
	size_t n_keys, last;
	FILE *html;
};

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
};

/* table.c */
enum cli_exit table_read_view(const struct command_call *call, const struct table_kind *kind,
			      struct table_view *view);
void table_add_names(const struct table_kind *kind, struct strv *names);
void table_add_cell(struct table *table, const char *shown, const char *raw);
void table_add_text(struct table *table, const char *text);
void table_add_index(struct table *table, size_t index);
void table_add_number(struct table *table, double number, const char *shown);
void table_print(struct table *table, const struct table_view *view);
struct json_object *table_describe(const struct table *table);

/* gpu_usage_text.c */
const struct table_kind *usage_processes_table(void);
extern const struct table_kind usage_sums_tables[USAGE_BY_KINDS];
bool usage_sees_all(void);
void usage_add_time(struct table *table, const struct usage *usage);
void usage_print_processes(const struct usage *usage, const struct table_view *view);
void usage_print_sums(const struct usage *usage, enum usage_by by, const struct usage_sum *sums,
		      size_t n, const struct table_view *view);

/* gpu_usage_json.c */
void usage_add_gpu(struct json_object *one, const struct rm_gpu *gpu);
void usage_add_percent(struct json_object *object, enum rm_engine engine, uint64_t hundredths);
/* @gpu: the GPUs that are asked for, or NULL; null in place of a list where none has answered. */
struct json_object *usage_describe(const struct usage *usage, const char *gpu);
struct json_object *usage_describe_sums(const struct usage *usage, const char *gpu,
					enum usage_by by, const struct usage_sum *sums, size_t n);

/**
 * struct metrics_extent - how much is said
 * @processes:	of each process, too
 * @limit:	of containers at most, of pods, units, jobs, users and processes likewise; each
 *		counts once for each GPU that it uses
 */
struct metrics_extent {
	bool processes;
	size_t limit;
};

/* gpu_usage_metrics.c */
void usage_add_metrics(struct exposition *exposition, const struct usage *usage,
		       const struct metrics_extent *extent);

/**
 * struct gpu_value_name - names of a value of nvidia/nvidia.h, in JSON and in metrics alike
 * @metric:	"mpu_gpu_power_watts"
 * @help:	a sentence
 * @times:	what it is multiplied by to be in the unit of its name
 * @decimals:	how many of its digits are then behind the point
 * @counts:	it only grows
 */
struct gpu_value_name {
	const char *metric, *help;
	u32 times;
	u8 decimals;
	bool counts;
};

/* GPU_THROTTLE has none: it is a set. */
extern const struct gpu_value_name gpu_value_names[GPU_VALUES];

/* gpu_state.c */
extern const struct table_kind usage_gpus_table;
const char *gpu_value_key(enum gpu_value value);
void usage_print_gpus(const struct usage *usage, const char *wanted, const struct table_view *view);

/* Where mpu metrics remembers who used the GPUs, and for how many days. */
#define HISTORY		"/var/lib/mpu/usage.db"
#define HISTORY_DAYS	35

/**
 * struct history - that file
 * @db:		NULL: it is not open
 * @version:	of its tables, 0: it has none
 * @days:	for which rows are kept
 * @hour:	in which old rows have been looked for
 * @is_damaged:	it is no file of SQLite's any more
 * @lock:	descriptor that keeps others from recording in it, if it could be made
 */
struct history {
	sqlite3 *db;
	int version;
	unsigned int days;
	int64_t hour;
	bool is_damaged;
	int lock;
};

/* history.c */
int history_open(struct history *history, const char *path, bool writes, char why[WHY_SIZE]);
int history_record(struct history *history, const char *path, const struct usage *usage,
		   double seconds, char why[WHY_SIZE]);
void history_close(struct history *history);

/* page.c */
void page_add_text(FILE *page, const char *text);
int page_make(const struct usage *usage, const char *history, char **text, size_t *length);

/* usage.c */
int usage_sum_up(struct table *table, const char *by, const char *path, int64_t since,
		 int64_t until, const char *gpus, double *recorded, char why[WHY_SIZE]);

/* ps_raw.c */
int ps_print_raw(const struct command_call *call);

#endif /* MPU_CLI_VIEW_INTERNAL_H */
