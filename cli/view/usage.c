// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu usage: who held the GPUs for how long, and used how much of them, as mpu metrics has
 * recorded it.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/view/internal.h"
#include "lib/host.h"
#include "lib/xalloc.h"

#define HOUR		3600
#define GIB		(1ull << 30)
#define KWH		3.6e6	/* joules */
#define BAR		20	/* columns of the longest bar */
#define NAMES		2

/**
 * struct way - a way to add hours up
 * @title:	of the columns that say what a sum is of, the second NULL: there is one
 * @name:	how SQL finds these
 * @group:	whose rows are one sum
 * @falls:	the largest comes first; else the order is that of the names
 */
static const struct way {
	const char *by, *title[NAMES], *name[NAMES], *group;
	bool falls;
} ways[] = {
	{ "user", { "USER" }, { "coalesce(nullif(user, ''), '(' || kind || ')')" }, "1", true },
	{ "container", { "CONTAINER", "KIND" },
	  { "coalesce(nullif(owner, ''), nullif(user, ''), '(' || kind || ')')", "kind" }, "1, 2",
	  true },
	{ "pod", { "POD" }, { "coalesce(nullif(pod, ''), '(none)')" }, "1", true },
	{ "job", { "JOB", "USER" },
	  { "coalesce(nullif(job, ''), '(none)')", "CASE job WHEN '' THEN '' ELSE user END" },
	  "1, 2", true },
	{ "gpu", { "GPU", "UUID" },
	  { "(SELECT number FROM gpu WHERE gpu.gpu = usage.gpu ORDER BY hour DESC LIMIT 1)",
	    "usage.gpu" }, "usage.gpu", false },
	{ "day", { "DAY" }, { "date(hour, 'unixepoch', 'localtime')" }, "1", false },
};

enum { SECONDS, SM_SECONDS, BYTE_SECONDS, MOST_BYTES, JOULES, IDLE_SECONDS, IDLE_BYTE_SECONDS,
       NUMBERS };

/* Names of a sum's numbers in JSON, and the sums themselves in SQL. */
static const char *const members[NUMBERS] = {
	"gpu_seconds", "sm_seconds", "byte_seconds", "most_bytes", "joules", "idle_seconds",
	"idle_byte_seconds",
};

#define SUMS \
	"sum(seconds), sum(sm_seconds), sum(byte_seconds), max(most_bytes), sum(joules)"
#define WHEN "WHERE hour >= ?1 AND hour < ?2 AND " \
	"(?3 IS NULL OR gpu IN (SELECT gpu FROM gpu WHERE hour >= ?1 AND hour < ?2 AND" \
	" (instr(?3, ',' || number || ',') OR instr(lower(?3), ',' || lower(gpu) || ','))))"

/* A number that is not known is NAN. */
struct sum {
	char *name[NAMES];
	double number[NUMBERS];
};

/**
 * struct report - all that is told
 * @since, @until: whole hours, but that the last one may not be over yet
 * @recorded:	seconds of these
 * @gpus:	sums of the GPUs themselves, used or not
 * @total:	of @sum
 */
struct report {
	const struct way *way;
	int64_t since, until;
	double recorded;
	double gpus[NUMBERS];
	struct sum *sum, total;
	size_t n;
};

/* --- times --- */

bool duration_parse(const char *text, double *seconds)
{
	static const struct { char letter; double seconds; } units[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', HOUR }, { 'd', 24 * HOUR }, { 'w', 7 * 24 * HOUR },
	};
	char *end;
	size_t i;

	*seconds = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	for (i = 0; *seconds >= 0 && i < sizeof(units) / sizeof(units[0]); i++)
		if (end[0] == units[i].letter && !end[1]) {
			*seconds *= units[i].seconds;
			return *seconds <= 1e9;
		}
	return false;
}

/* Reads how long ago, or a day of this machine's calendar, or a minute of it. */
static bool read_time(const char *text, int64_t now, int64_t *time)
{
	static const char *const forms[] = { "%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M" };
	double seconds;
	size_t i;

	if (duration_parse(text, &seconds)) {
		*time = now - (int64_t)seconds;
		return true;
	}
	for (i = 0; i < 3; i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &tm);

		*time = end && !*end ? mktime(&tm) : -1;
		if (*time >= 0)
			return true;
	}
	return false;
}

static enum cli_exit read_times(const struct command_call *call, struct report *report)
{
	static const char *const names[] = { "since", "until" };
	const int64_t now = time(NULL);
	int64_t *const times[] = { &report->since, &report->until };
	size_t i;

	report->since = now - 7 * 24 * HOUR;
	report->until = now;
	for (i = 0; i < 2; i++) {
		const char *value = command_value(call, names[i]);

		if (value && !read_time(value, now, times[i]))
			return command_fail_usage(call, "invalid value '%s' for --%s: use 12h, 3d, 2w, or a time as 2026-11-28 or '2026-11-28 17:00'",
						  value, names[i]);
	}
	report->since -= report->since % HOUR;
	if (report->until % HOUR)
		report->until += HOUR - report->until % HOUR;
	if (report->until > now)
		report->until = now;
	return report->since < report->until ? CLI_DONE :
	       command_fail_usage(call, "--since is not before --until, or has not come yet");
}

/* --- the file --- */

static void read_numbers(sqlite3_stmt *row, int at, int n, double number[NUMBERS])
{
	int i;

	for (i = 0; i < NUMBERS; i++)
		number[i] = i < n && sqlite3_column_type(row, at + i) != SQLITE_NULL ?
			    sqlite3_column_double(row, at + i) : NAN;
}

static void add_number(double *to, double number)
{
	*to = isnan(*to) ? number : isnan(number) ? *to : *to + number;
}

static void take_sum(struct report *report, sqlite3_stmt *row)
{
	struct sum *sum;
	int i;

	report->sum = xreallocarray(report->sum, report->n + 2, sizeof(*report->sum));
	sum = &report->sum[report->n++];
	for (i = 0; i < NAMES; i++)
		sum->name[i] = xstrdup(sqlite3_column_type(row, i) == SQLITE_NULL ? "" :
				       (const char *)sqlite3_column_text(row, i));
	read_numbers(row, NAMES, NUMBERS, sum->number);
	for (i = 0; i < NUMBERS; i++)
		if (i != MOST_BYTES)
			add_number(&report->total.number[i], sum->number[i]);
}

static void take_gpus(struct report *report, sqlite3_stmt *row)
{
	report->recorded = sqlite3_column_double(row, 0);
	read_numbers(row, 1, JOULES + 1, report->gpus);
}

/* Asks for rows, and has each taken. Return: 0, or an error of SQLite's. */
static int ask(const struct history *history, struct report *report, const char *gpus,
	       const char *sql, void (*take)(struct report *report, sqlite3_stmt *row))
{
	sqlite3_stmt *statement;
	int ret = sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL);

	if (ret)
		return ret;
	sqlite3_bind_int64(statement, 1, report->since);
	sqlite3_bind_int64(statement, 2, report->until);
	sqlite3_bind_text(statement, 3, gpus, -1, SQLITE_STATIC);
	while (sqlite3_step(statement) == SQLITE_ROW)
		take(report, statement);
	return sqlite3_finalize(statement);
}

/* Adds what the GPUs took while nobody held them, and of processes that no reading met. */
static void add_nobody(struct report *report)
{
	const struct sum *total = &report->total;
	struct sum nobody = { .name = { "(nobody)", "" } };
	int i;

	for (i = 0; i < NUMBERS; i++)
		nobody.number[i] = NAN;
	for (i = SM_SECONDS; i <= JOULES; i += JOULES - SM_SECONDS) {
		double rest = report->gpus[i] - (isnan(total->number[i]) ? 0 : total->number[i]);

		if (rest > report->gpus[i] / 1e6)
			nobody.number[i] = rest;
	}
	if (isnan(nobody.number[SM_SECONDS]) && isnan(nobody.number[JOULES]))
		return;
	report->sum = xreallocarray(report->sum, report->n + 1, sizeof(*report->sum));
	report->sum[report->n++] = nobody;
	add_number(&report->total.number[SM_SECONDS], nobody.number[SM_SECONDS]);
	add_number(&report->total.number[JOULES], nobody.number[JOULES]);
}

static int report_read(struct report *report, const char *path, const char *gpus, char why[WHY_SIZE])
{
	const struct way *way = report->way;
	struct history history = { 0 };
	char *sums, *wanted = gpus ? xasprintf(",%s,", gpus) : NULL;
	int ret = history_open(&history, path, false, why), i;

	if (ret)
		return ret;
	report->total.name[0] = "total";
	for (i = 0; i < NUMBERS; i++)
		report->total.number[i] = NAN;
	sums = xasprintf("SELECT %s, %s, " SUMS ", sum(idle_seconds), sum(idle_byte_seconds)"
			 " FROM usage " WHEN " GROUP BY %s ORDER BY %s", way->name[0],
			 way->name[1] ? way->name[1] : "''", way->group,
			 way->falls ? "3 DESC, 1" : "1");
	ret = ask(&history, report, wanted, sums, take_sum);
	if (!ret)
		ret = ask(&history, report, wanted,
			  "SELECT sum(min(most, 3600)), sum(a), sum(b), sum(c), max(d), sum(e) FROM"
			  " (SELECT max(seconds) AS most, sum(seconds) AS a, sum(sm_seconds) AS b,"
			  " sum(byte_seconds) AS c, max(most_bytes) AS d, sum(joules) AS e"
			  " FROM gpu " WHEN " GROUP BY hour)", take_gpus);
	if (ret)
		ret = why_fail(why, -EIO, "%s: %s", path, sqlite3_errmsg(history.db));
	else if (gpus && isnan(report->gpus[SECONDS]))
		ret = why_fail(why, -ENOENT, "--gpu %s: nothing was recorded of it", gpus);
	else
		add_nobody(report);
	free(sums);
	free(wanted);
	history_close(&history);
	return ret;
}

/* --- as text --- */

#define TOTAL_COLUMNS	(NAMES + 11)

static const struct table_column number_columns[] = {
	{ "GPU HOURS", true, 0, false }, { "SM HOURS", true, 0, false },
	{ "USE%", true, 3, false }, { "GIB HOURS", true, 4, false },
	{ "MOST", true, 5, true }, { "KWH", true, 2, false },
	{ "IDLE HOURS", true, 0, true }, { "IDLE%", true, 3, true },
	{ "IDLE GIB HOURS", true, 4, true }, { "SHARE", false, 1, false },
};

static const struct table_kind *usage_table(const struct way *way)
{
	static struct table_column columns[TOTAL_COLUMNS];
	static struct table_kind kind = { columns, 0 };
	size_t i;

	for (i = kind.columns = 0; i < NAMES && way->title[i]; i++)
		columns[kind.columns++] = (struct table_column){ way->title[i], false, i * 6, false };
	for (i = 0; i < sizeof(number_columns) / sizeof(number_columns[0]); i++)
		columns[kind.columns++] = number_columns[i];
	return &kind;
}

static void add_rounded(struct table *table, double number, int decimals)
{
	char text[32] = "";

	if (isnan(number)) {
		table_add_text(table, "");
		return;
	}
	snprintf(text, sizeof(text), "%.*f", decimals, number);
	table_add_number(table, number, text);
}

/**
 * struct bars - what the last column shows
 * @of:		which number
 * @most:	the largest one; 0: this is no terminal
 */
struct bars {
	int of;
	double most;
};

static void add_bar(struct table *table, double number, double all, const struct bars *bars)
{
	char bar[BAR * sizeof("█")] = "", raw[32] = "";
	int i, n = bars->most > 0 && number > 0 ? (int)ceil(BAR * number / bars->most) : 0;

	for (i = 0; i < n && i < BAR; i++)
		strcat(bar, "█");
	if (number > 0)
		snprintf(raw, sizeof(raw), "%.2f", 100 * number / all);
	table_add_cell(table, bar, raw);
}

static void add_sum(struct table *table, const struct report *report, const struct sum *sum,
		    const struct bars *bars)
{
	const double *number = sum->number;
	size_t i;

	for (i = 0; i < NAMES && report->way->title[i]; i++)
		table_add_text(table, sum->name[i] ? sum->name[i] : "");
	add_rounded(table, number[SECONDS] / HOUR, 2);
	add_rounded(table, number[SM_SECONDS] / HOUR, 2);
	add_rounded(table, 100 * number[SM_SECONDS] / number[SECONDS], 0);
	add_rounded(table, number[BYTE_SECONDS] / HOUR / GIB, 2);
	add_rounded(table, number[MOST_BYTES] / GIB, 2);
	add_rounded(table, number[JOULES] / KWH, 2);
	add_rounded(table, number[IDLE_SECONDS] / HOUR, 2);
	add_rounded(table, 100 * number[IDLE_SECONDS] / number[SECONDS], 0);
	add_rounded(table, number[IDLE_BYTE_SECONDS] / HOUR / GIB, 2);
	add_bar(table, sum == &report->total ? 0 : number[bars->of],
		report->total.number[bars->of], bars);
}

static void print_table(const struct report *report, const struct table_view *view, bool idle)
{
	struct table table = { .kind = usage_table(report->way), .last = !view->is_csv };
	struct bars bars = { idle ? IDLE_SECONDS : SECONDS, 0 };
	size_t i;

	for (i = 0; i < report->n && isatty(STDOUT_FILENO); i++)
		bars.most = fmax(bars.most, report->sum[i].number[bars.of]);
	for (i = 0; i < report->n; i++)
		add_sum(&table, report, &report->sum[i], &bars);
	if (!view->is_csv)
		add_sum(&table, report, &report->total, &bars);
	table_print(&table, view);
}

/* Says of how much of the time all this is. */
static void say_recorded(const struct command_call *call, const struct report *report, bool is_csv)
{
	const double all = (double)(report->until - report->since), lacks = all - report->recorded;
	const time_t times[2] = { (time_t)report->since, (time_t)report->until };
	char text[2][20], sentence[256];
	struct tm tm;
	int i;

	for (i = 0; i < 2; i++)
		strftime(text[i], sizeof(text[i]), "%Y-%m-%d %H:%M", localtime_r(&times[i], &tm));
	snprintf(sentence, sizeof(sentence), "%s to %s: %.1f of %.1f hours were recorded%s", text[0],
		 text[1], report->recorded / HOUR, all / HOUR, lacks < all / 100 ? "" :
		 "; in the others mpu metrics did not run, or the driver did not answer");
	if (!is_csv)
		puts(sentence);
	else if (lacks >= all / 100)
		command_warn(call, "%s", sentence);
}

/* --- as JSON --- */

static void add_double(struct json_object *object, const char *key, double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", number);
	json_object_object_add(object, key, isnan(number) ? NULL :
			       json_object_new_double_s(number, text));
}

static struct json_object *describe_sum(const struct report *report, const struct sum *sum)
{
	struct json_object *one = json_object_new_object();
	char key[32];
	size_t i, k;

	for (i = 0; i < NAMES && report->way->title[i] && sum != &report->total; i++) {
		for (k = 0; report->way->title[i][k]; k++)
			key[k] = (char)tolower((unsigned char)report->way->title[i][k]);
		key[k] = '\0';
		member_add_text(one, key, sum->name[i][0] ? sum->name[i] : NULL);
	}
	for (i = 0; i < NUMBERS; i++)
		add_double(one, members[i], sum->number[i]);
	return one;
}

static void print_json(const struct report *report)
{
	struct json_object *answer = json_object_new_object(), *sums = json_object_new_array();
	size_t i;

	member_add_number(answer, "since", report->since);
	member_add_number(answer, "until", report->until);
	add_double(answer, "recorded_seconds", report->recorded);
	member_add_text(answer, "by", report->way->by);
	for (i = 0; i < report->n; i++)
		json_object_array_add(sums, describe_sum(report, &report->sum[i]));
	json_object_object_add(answer, "sums", sums);
	json_object_object_add(answer, "total", describe_sum(report, &report->total));
	command_print_json(answer);
}

/* --- the command --- */

static enum cli_exit read_view(const struct command_call *call, const struct way *way,
			       struct table_view *view)
{
	const char *sort = command_value(call, "sort");
	const bool idle = command_is_on(call, "idle");
	char columns[128], why[WHY_SIZE];

	view->is_csv = command_is_on(call, "csv");
	if (command_wants_json(call) && (sort || view->is_csv))
		return command_fail_usage(call, "--%s is not for --json, which has all of it: leave one of them out",
					  sort ? "sort" : "csv");
	view->width = view->is_csv ? 0 : table_find_width();
	snprintf(columns, sizeof(columns), "%s%s%s,gpu_hours,idle_hours,idle,idle_gib_hours%s",
		 way->by, way->title[1] ? "," : "", way->title[1] ? way->title[1] : "",
		 isatty(STDOUT_FILENO) ? ",share" : "");
	for (char *at = columns; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	if (table_choose(view, usage_table(way), idle && !view->is_csv ? columns : NULL,
			 sort || !idle ? sort : "-idle_hours", why))
		return command_fail_usage(call, "%s", why);
	return CLI_DONE;
}

static int run_usage(const struct command_call *call)
{
	const char *by = command_value(call, "by"), *path = command_value(call, "history");
	struct report report = { .way = ways };
	struct table_view view = { 0 };
	char own[PATH_MAX], why[WHY_SIZE];
	enum cli_exit status;

	while (by && strcmp(report.way->by, by))
		report.way++;
	status = read_times(call, &report);
	if (!status)
		status = read_view(call, report.way, &view);
	if (status)
		return status;
	if (host_path(own, sizeof(own), HISTORY) ||
	    report_read(&report, path ? path : own, command_value(call, "gpu"), why))
		return command_fail(call, CLI_FAILED, "%s", why);
	if (command_wants_json(call)) {
		print_json(&report);
		return CLI_DONE;
	}
	if (report.n || view.is_csv)
		print_table(&report, &view, command_is_on(call, "idle"));
	say_recorded(call, &report, view.is_csv);
	return CLI_DONE;
}

static const struct command_option options[] = {
	{ "since", 0, "TIME", NULL, "from then on: 12h, 3d, 2w, or a day (default: 1w)" },
	{ "until", 0, "TIME", NULL, "up to then (default: now)" },
	{ "by", 'b', "user|container|pod|job|gpu|day", NULL, "add hours up (default: by user)" },
	{ "gpu", 'g', "GPU[,GPU]", NULL, "only these GPUs: number or UUID" },
	{ "idle", 0, NULL, NULL, "who held memory and used no engine, and for how long" },
	{ "sort", 'k', "KEY[,KEY]", NULL, "in this order: names of columns, -KEY the largest first" },
	{ "csv", 0, NULL, NULL, "comma-separated, all columns, numbers without units" },
	{ "history", 0, "FILE", NULL, "what mpu metrics has recorded (default: " HISTORY ")" },
	{ .name = NULL },
};

const struct command command_usage = {
	.name = "usage", .options = { options }, .run = run_usage,
	.what = "say who held the GPUs in the last days, and who used how much",
};
