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
#include "lib/text.h"
#include "lib/xalloc.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define HOUR		3600
#define BAR		20	/* columns of a bar that is 100 % */

/* Ways to add hours up: @title: of the columns that name a sum, which SQL finds by @name */
static const struct way {
	const char *by, *title[2], *name[2], *group, *order;
} ways[] = {
	{ "user", { "USER" }, { "coalesce(nullif(user, ''), '(' || kind || ')')", "''" },
	  "2", "s DESC, a" },
	{ "container", { "CONTAINER", "KIND" },
	  { "coalesce(nullif(owner, ''), nullif(user, ''), '(' || kind || ')')", "kind" },
	  "2, 3", "s DESC, a" },
	{ "pod", { "POD" }, { "coalesce(nullif(pod, ''), '(none)')", "''" }, "2", "s DESC, a" },
	{ "job", { "JOB", "USER" },
	  { "coalesce(nullif(job, ''), '(none)')", "CASE job WHEN '' THEN '' ELSE user END" },
	  "2, 3", "s DESC, a" },
	{ "gpu", { "GPU", "UUID" },
	  { "(SELECT number FROM gpu WHERE gpu.gpu = usage.gpu ORDER BY hour DESC LIMIT 1)",
	    "usage.gpu" }, "usage.gpu", "a" },
	{ "day", { "DAY" }, { "date(hour, 'unixepoch', 'localtime')", "''" }, "2", "a" },
};

/* Figures of a sum: s held, sm computed, bs memory, j energy, i idle, ib memory then. */
static const struct {
	struct table_column column;
	const char *sql;
	int decimals;
} numbers[] = {
	{ { "GPU HOURS", true, 0, false }, "s / 3600", 2 },
	{ { "SM HOURS", true, 0, false }, "sm / 3600", 2 },
	{ { "USE%", true, 3, false }, "100 * sm / s", 0 },
	{ { "GIB HOURS", true, 4, false }, "bs / 3600 / 1073741824", 2 },
	{ { "MOST GIB", true, 5, true }, "most / 1073741824", 2 },
	{ { "KWH", true, 2, false }, "j / 3.6e6", 2 },
	{ { "IDLE HOURS", true, 0, true }, "i / 3600", 2 },
	{ { "IDLE%", true, 3, true }, "100 * i / s", 0 },
	{ { "IDLE GIB HOURS", true, 4, true }, "ib / 3600 / 1073741824", 2 },
	{ { "SHARE", true, 1, false }, "CASE place WHEN 0 THEN 100 * s / (SELECT sum(s) FROM sums) END", 0 },
};

/* A GPU's number is that of its last hour: of all others it may have been another's. */
#define WHEN " WHERE hour >= ?1 AND hour < ?2 AND " \
	"(?3 IS NULL OR gpu IN (SELECT gpu FROM (SELECT gpu, number, max(hour) FROM gpu WHERE hour < ?2" \
	" GROUP BY gpu) WHERE instr(?3, ',' || number || ',') OR instr(lower(?3), ',' || lower(gpu) || ',')))"

/*
 * Nobody: what the GPUs took while none held them, and of processes that no reading met. Sums of
 * what is not known are NULL.
 */
#define QUESTION \
	"WITH sums AS (SELECT 0 AS place, %s AS a, %s AS b, sum(seconds) AS s, sum(sm_seconds) AS sm," \
	" sum(byte_seconds) AS bs, max(most_bytes) AS most, sum(joules) AS j, sum(idle_seconds) AS i," \
	" sum(idle_byte_seconds) AS ib FROM usage" WHEN " GROUP BY %s)," \
	" rest AS (SELECT total(sm_seconds) - (SELECT total(sm) FROM sums) AS sm," \
	" total(joules) - (SELECT total(j) FROM sums) AS j FROM gpu" WHEN ")," \
	" parts AS (SELECT * FROM sums UNION ALL SELECT 1, '(nobody)', '', NULL," \
	" CASE WHEN sm > 1 THEN sm END, NULL, NULL, CASE WHEN j > 1 THEN j END, NULL, NULL FROM rest" \
	" WHERE sm > 1 OR j > 1)," \
	" rows AS (SELECT * FROM parts UNION ALL SELECT 2, 'total', '', sum(s), sum(sm), sum(bs)," \
	" NULL, sum(j), sum(i), sum(ib) FROM parts)" \
	"SELECT place, (SELECT sum(min(m, 3600)) FROM (SELECT max(seconds) AS m FROM gpu" WHEN \
	" GROUP BY hour)), a, b"

/* --- times --- */

bool duration_parse(const char *text, double *seconds)
{
	static const char letters[] = "smhdw";
	static const double units[] = { 1, 60, HOUR, 24 * HOUR, 7 * 24 * HOUR };
	char *end = NULL;
	const char *unit;

	*seconds = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	unit = end && *end && !end[1] ? strchr(letters, *end) : NULL;
	if (unit)
		*seconds *= units[unit - letters];
	return unit && *seconds <= 1e9;
}

/* Reads how long ago, or a day of this machine's calendar, or a minute of it. */
static bool read_time(const char *text, int64_t now, int64_t *time)
{
	static const char *const forms[] = { "%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M" };
	double seconds;
	size_t i;

	*time = duration_parse(text, &seconds) ? now - (int64_t)seconds : -1;
	for (i = 0; *time < 0 && i < COUNT(forms); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &tm);

		*time = end && !*end ? mktime(&tm) : -1;
	}
	return *time >= 0;
}

/* Whole hours, but that the last one may not be over yet. */
static enum cli_exit read_times(const struct command_call *call, int64_t *since, int64_t *until)
{
	static const char *const names[] = { "since", "until" };
	const int64_t now = time(NULL);
	int64_t *const times[] = { since, until };
	size_t i;

	*since = now - 7 * 24 * HOUR;
	*until = now;
	for (i = 0; i < COUNT(names); i++) {
		const char *value = command_value(call, names[i]);

		if (value && !read_time(value, now, times[i]))
			return command_fail_usage(call, "invalid value '%s' for --%s: use 12h, 3d, 2w, or a time as 2026-11-28 or '2026-11-28 17:00'",
						  value, names[i]);
	}
	*since -= *since % HOUR;
	*until += (HOUR - *until % HOUR) % HOUR;
	*until = *until < now ? *until : now;
	return *since < *until ? CLI_DONE :
	       command_fail_usage(call, "--since is not before --until, or has not come yet");
}

/* --- sums --- */

static const struct way *find_way(const char *by)
{
	const struct way *way = ways;

	while (by && strcmp(way->by, by))
		way++;
	return way;
}

static const struct table_kind *usage_table(const struct way *way)
{
	static struct table_column columns[2 + COUNT(numbers)];
	static struct table_kind kind = { .column = columns };
	size_t i;

	for (i = kind.columns = 0; i < 2 && way->title[i]; i++)
		columns[kind.columns++] = (struct table_column){ way->title[i], false, i * 6, false };
	for (i = 0; i < COUNT(numbers); i++)
		columns[kind.columns++] = numbers[i].column;
	return &kind;
}

static void add_number(struct table *table, sqlite3_stmt *row, int at, size_t i)
{
	const double number = sqlite3_column_double(row, at);
	char text[BAR * sizeof("█")] = "", raw[32];
	int n;

	snprintf(raw, sizeof(raw), "%.15g", number);
	if (i + 1 < COUNT(numbers))
		snprintf(text, sizeof(text), "%.*f", numbers[i].decimals, number);
	else
		for (n = 0; n < BAR && isatty(STDOUT_FILENO); n++)
			strcat(text, n * 100 < number * BAR ? "█" : "░");
	/* JSON has no infinity; nor does a history that mpu metrics has written. */
	if (sqlite3_column_type(row, at) == SQLITE_NULL || !isfinite(number))
		table_add_text(table, "");
	else
		table_add_cell(table, text, raw);
}

/*
 * Adds the sums of these hours to a table, the total last. @gpus: only of these; NULL: of all;
 * @recorded: receives for how many seconds there is a record
 */
int usage_sum_up(struct table *table, const char *by, const char *path, int64_t since,
		 int64_t until, const char *gpus, double *recorded, char why[WHY_SIZE])
{
	const struct way *way = find_way(by);
	struct history history = { 0 };
	char *wanted, *question, *longer, name[OWNER_FULL];
	sqlite3_stmt *row = NULL;
	int ret = history_open(&history, path, false, why), i;

	if (ret)
		return ret;
	wanted = gpus ? xasprintf(",%s,", gpus) : NULL;
	question = xasprintf(QUESTION, way->name[0], way->name[1], way->group);
	for (i = 0; i < (int)COUNT(numbers); i++) {
		longer = xasprintf("%s, %s", question, numbers[i].sql);
		free(question);
		question = longer;
	}
	longer = xasprintf("%s FROM rows ORDER BY place, %s", question, way->order);
	table->kind = usage_table(way);
	ret = sqlite3_prepare_v2(history.db, longer, -1, &row, NULL);
	sqlite3_bind_int64(row, 1, since);
	sqlite3_bind_int64(row, 2, until);
	sqlite3_bind_text(row, 3, wanted, -1, SQLITE_STATIC);
	while (!ret && sqlite3_step(row) == SQLITE_ROW) {
		*recorded = sqlite3_column_double(row, 1);
		for (i = 0; i < 2 && way->title[i]; i++) {	/* the file may be anybody's */
			text_copy(name, sizeof(name), (const char *)sqlite3_column_text(row, 2 + i),
				  (size_t)sqlite3_column_bytes(row, 2 + i));
			table_add_text(table, name);
		}
		for (i = 0; i < (int)COUNT(numbers); i++)
			add_number(table, row, 4 + i, (size_t)i);
	}
	if (sqlite3_finalize(row) || ret)
		ret = why_fail(why, -EIO, "%s: %s", path, sqlite3_errmsg(history.db));
	free(longer);
	free(question);
	free(wanted);
	history_close(&history);
	return ret;
}

/* --- the command --- */

/* Says of how much of the time all this is. */
static void say_recorded(const struct command_call *call, int64_t since, int64_t until,
			 double recorded, bool is_csv)
{
	const double all = (double)(until - since), lacks = all - recorded;
	const time_t times[2] = { (time_t)since, (time_t)until };
	char text[2][20], sentence[256];
	struct tm tm;
	int i;

	for (i = 0; i < 2; i++)
		strftime(text[i], sizeof(text[i]), "%Y-%m-%d %H:%M", localtime_r(&times[i], &tm));
	snprintf(sentence, sizeof(sentence), "%s to %s: %.1f of %.1f hours were recorded%s", text[0],
		 text[1], recorded / HOUR, all / HOUR, lacks < all / 100 ? "" :
		 "; in the others mpu metrics did not run, or the driver did not answer");
	if (!is_csv)
		puts(sentence);
	else if (lacks >= all / 100)
		command_warn(call, "%s", sentence);
}

static void print_json(const struct table *table, const char *by, int64_t since, int64_t until,
		       double recorded)
{
	struct json_object *answer = json_object_new_object(), *sums = table_describe(table);
	const size_t last = json_object_array_length(sums) - 1;

	member_add_text(answer, "by", by);
	member_add_number(answer, "since", since);
	member_add_number(answer, "until", until);
	member_add_number(answer, "recorded_seconds", (int64_t)recorded);
	json_object_object_add(answer, "total",
			       json_object_get(json_object_array_get_idx(sums, last)));
	json_object_array_del_idx(sums, last, 1);
	json_object_object_add(answer, "sums", sums);
	command_print_json(answer);
}

static enum cli_exit read_view(const struct command_call *call, const struct way *way,
			       struct table_view *view)
{
	static const size_t of_idle[] = { 0, 6, 7, 8 };
	const enum cli_exit status = table_read_view(call, usage_table(way), view);
	const size_t names = way->title[1] ? 2 : 1;
	const bool idle = command_is_on(call, "idle");
	size_t i;

	view->last = 1;
	for (i = 0; idle && !view->is_csv && i < names + COUNT(of_idle); i++)
		view->shown[view->n_shown++] = i < names ? i : names + of_idle[i - names];
	if (idle && !view->n_keys) {
		view->key[0].column = names + of_idle[1];
		view->key[view->n_keys++].falls = true;
	}
	return status;
}

static int run_usage(const struct command_call *call)
{
	const char *by = command_value(call, "by"), *path = command_value(call, "history");
	const char *gpus = command_value(call, "gpu");
	const struct way *way = find_way(by);
	struct table_view view = { 0 };
	struct table table = { 0 };
	char own[PATH_MAX], why[WHY_SIZE];
	int64_t since, until;
	double recorded = 0;
	enum cli_exit status;

	status = read_times(call, &since, &until);
	if (!status)
		status = read_view(call, way, &view);
	if (status)
		return status;
	if (host_path(own, sizeof(own), HISTORY) ||
	    usage_sum_up(&table, by, path ? path : own, since, until, gpus, &recorded, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	if (gpus && recorded <= 0)
		return command_fail(call, CLI_FAILED, "--gpu %s: nothing was recorded of it", gpus);
	if (command_wants_json(call))
		print_json(&table, way->by, since, until, recorded);
	else if (recorded > 0 || view.is_csv)
		table_print(&table, &view);
	if (!command_wants_json(call))
		say_recorded(call, since, until, recorded, view.is_csv);
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
