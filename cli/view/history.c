// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remembers who used the GPUs, for mpu metrics: each reading is added to the rows of its hour,
 * in an SQLite file that docs/usage.md describes.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/view/internal.h"
#include "lib/dirtree.h"

#define VERSION_OF_FILE	1
#define PATIENCE_MS	2000	/* for others that have the file locked */

/*
 * A reading is in the file before the next one begins, whoever is killed. Only what a crash of
 * the machine leaves behind may lack the last minutes. Its pages of 4 KiB are 512 MiB at most.
 */
static const char settings[] =
	"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA max_page_count = 131072;"
	"PRAGMA journal_size_limit = 8388608;";	/* when a reader that kept it growing has ended */

static const char schema[] = "BEGIN; CREATE TABLE gpu (hour INTEGER, gpu TEXT, number INTEGER,"
	" seconds REAL, sm_seconds REAL, byte_seconds REAL, most_bytes REAL, joules REAL,"
	" PRIMARY KEY (hour, gpu)) WITHOUT ROWID;"
	"CREATE TABLE usage (hour INTEGER, gpu TEXT, kind TEXT, owner TEXT, pod TEXT, job TEXT,"
	" user TEXT, seconds REAL, sm_seconds REAL, byte_seconds REAL, most_bytes REAL, joules REAL,"
	" idle_seconds REAL, idle_byte_seconds REAL,"
	" PRIMARY KEY (hour, gpu, kind, owner, pod, job, user)) WITHOUT ROWID;"
	"PRAGMA user_version = 1; COMMIT;";

/* A sum of what is not known and a number is the number. */
#define ADD(column, n) \
	column " = coalesce(" column " + ?" n ", " column ", ?" n ")"
#define MOST(n) \
	"most_bytes = max(coalesce(most_bytes, ?" n "), coalesce(?" n ", most_bytes))"

static const char add_gpu[] =
	"INSERT INTO gpu VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET"
	" number = ?3, " ADD("seconds", "4") ", " ADD("sm_seconds", "5") ", "
	ADD("byte_seconds", "6") ", " MOST("7") ", " ADD("joules", "8");

/* Adds to a row, or adds one; neither where one more in that hour would be too many. */
static const char add_usage[] =
	"INSERT INTO usage SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14"
	" WHERE ?3 = 'others' OR EXISTS (SELECT 1 FROM usage WHERE hour = ?1 AND gpu = ?2 AND kind = ?3"
	" AND owner = ?4 AND pod = ?5 AND job = ?6 AND user = ?7)"
	" OR (SELECT count(*) FROM usage WHERE hour = ?1) < 1000 ON CONFLICT DO UPDATE SET "
	ADD("seconds", "8") ", " ADD("sm_seconds", "9") ", " ADD("byte_seconds", "10") ", "
	MOST("11") ", " ADD("joules", "12") ", " ADD("idle_seconds", "13") ", "
	ADD("idle_byte_seconds", "14");

/* A clock that was wrong for less than a day makes nothing old. ?1: now, ?2: seconds kept */
static const char *const expire[] = {
	"DELETE FROM usage WHERE abs(hour - ?1) > ?2 AND 24 <="
	" (SELECT count(DISTINCT hour) FROM gpu WHERE abs(hour - ?1) <= ?2)",
	"DELETE FROM gpu WHERE abs(hour - ?1) > ?2 AND 24 <="
	" (SELECT count(DISTINCT hour) FROM gpu WHERE abs(hour - ?1) <= ?2)",
};

#define TEXTS	6	/* of a row, the GPU's UUID first */
#define NUMBERS	7

/* Numbers of a row; one that is not known is NAN, which SQLite takes for NULL. */
enum { SECONDS, SM_SECONDS, BYTE_SECONDS, MOST_BYTES, JOULES, IDLE_SECONDS, IDLE_BYTE_SECONDS };

struct row {
	const char *text[TEXTS];
	double number[NUMBERS];
};

/* --- the file --- */

/* Returns the group of those who may read logs; -1: there is none. */
static gid_t find_group(void)
{
	FILE *groups = fopen("/etc/group", "re");
	const struct group *group = NULL;

	while (groups && (group = fgetgrent(groups)) && strcmp(group->gr_name, "adm"))
		;
	if (groups)
		fclose(groups);
	return group ? group->gr_gid : (gid_t)-1;
}

/* Makes it before SQLite would, whose files beside it get the same mode and group. */
static int make_file(const char *path, char why[WHY_SIZE])
{
	int file = dirtree_make(path, why);

	if (file)
		return file;
	file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	if (file < 0)
		return errno == EEXIST ? 0 :
		       why_fail(why, -errno, "cannot make %s: %s", path, strerror(errno));
	/* A file of another user than root is that user's alone. */
	if (fchown(file, (uid_t)-1, find_group()))
		fchmod(file, 0600);
	else
		fchmod(file, 0640);
	close(file);
	return 0;
}

/* Returns whether it begins as SQLite's files do, or with nothing, as after a crash. */
static bool has_begun_well(const char *path)
{
	char head[16] = "";
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(file, head, sizeof(head));

	close(file);
	return n == sizeof(head) && (!head[0] || !memcmp(head, "SQLite format 3", sizeof(head)));
}

static int fail(struct history *history, const char *path, char why[WHY_SIZE])
{
	int error = sqlite3_errcode(history->db), cause = sqlite3_system_errno(history->db);

	history->is_damaged = error == SQLITE_CORRUPT ||
			      (error == SQLITE_NOTADB && has_begun_well(path));
	/* SQLITE_FULL is of the file alone, and not of those beside it, nor of a quota. */
	return why_fail(why, -EIO, "%s: %s", path, error == SQLITE_FULL ||
			(error == SQLITE_IOERR && (cause == ENOSPC || cause == EDQUOT)) ?
			"no room is left for it" : sqlite3_errmsg(history->db));
}

void history_close(struct history *history)
{
	sqlite3_close_v2(history->db);
	history->db = NULL;
	if (history->lock > 0)
		close(history->lock);
	history->lock = 0;
}

/* Two that record would count all twice. */
static int lock(struct history *history, const char *path, char why[WHY_SIZE])
{
	char beside[PATH_MAX];

	snprintf(beside, sizeof(beside), "%s-lock", path);
	history->lock = open(beside, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return history->lock >= 0 && flock(history->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK ?
	       why_fail(why, -EBUSY, "another mpu metrics records in %s", path) : 0;
}

/* Readers find the file as it is, and change nothing; the only writer is mpu metrics. */
int history_open(struct history *history, const char *path, bool writes, char why[WHY_SIZE])
{
	int flags = writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, persists = 1;
	sqlite3_stmt *version = NULL;
	bool others = false;
	int ret = writes ? make_file(path, why) ?: lock(history, path, why) : 0;

	if (ret)
		goto close;
	if (!writes && access(path, R_OK))
		return why_fail(why, -errno, errno == ENOENT ?
				"nothing has been recorded yet: there is no %s; 'systemctl enable --now mpu-metrics' begins (as root)" :
				"%s may be read by root and the group adm alone", path);
	ret = sqlite3_open_v2(path, &history->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (!ret)
		ret = sqlite3_busy_timeout(history->db, PATIENCE_MS);
	/* A reader that may not write cannot make the files beside it: they stay. */
	if (!ret)
		sqlite3_file_control(history->db, NULL, SQLITE_FCNTL_PERSIST_WAL, &persists);
	if (!ret)
		ret = sqlite3_prepare_v2(history->db, "SELECT * FROM pragma_user_version,"
					 " pragma_schema_version", -1, &version, NULL);
	if (!ret && sqlite3_step(version) != SQLITE_ROW)
		ret = -EIO;
	history->version = ret ? 0 : sqlite3_column_int(version, 0);
	others = !ret && !history->version && sqlite3_column_int(version, 1);
	sqlite3_finalize(version);
	if (others || history->version > VERSION_OF_FILE) {
		ret = why_fail(why, -EINVAL, others ? "%s has tables of another program" :
			       "%s was made by a newer mpu", path);
		goto close;
	}
	if (!ret && writes)
		ret = sqlite3_exec(history->db, settings, NULL, NULL, NULL);
	if (!ret && writes && !history->version)
		ret = sqlite3_exec(history->db, schema, NULL, NULL, NULL);
	if (ret)
		ret = fail(history, path, why);
close:
	if (ret)
		history_close(history);
	return ret;
}

/* --- a reading --- */

/* Return: rows that were changed, or -EIO. */
static int add_row(struct history *history, const char *sql, int64_t hour, size_t texts,
		   size_t numbers, const struct row *row)
{
	sqlite3_stmt *statement;
	size_t i;
	int ret = sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL);

	if (ret)
		return -EIO;
	sqlite3_bind_int64(statement, 1, hour);
	for (i = 0; i < texts; i++)
		sqlite3_bind_text(statement, (int)(2 + i), row->text[i], -1, SQLITE_STATIC);
	for (i = 0; i < numbers; i++)
		sqlite3_bind_double(statement, (int)(2 + texts + i), row->number[i]);
	sqlite3_step(statement);
	ret = sqlite3_finalize(statement);
	return ret ? -EIO : sqlite3_changes(history->db);
}

/* Returns the energy of a GPU in so many seconds, NAN: not known. */
static double joules_of(const struct gpu_processes *gpu, double seconds)
{
	return gpu_state_has(&gpu->state, GPU_POWER) ?
	       (double)gpu->state.value[GPU_POWER] / 1e3 * seconds : NAN;
}

/*
 * Returns the share of a sum in the energy of its GPU: by the time that it computed; where none
 * of them did, by their memory; else they are alike.
 */
static double share_of(const struct usage_sum *sum, const struct usage_sum *sums, size_t n)
{
	double sm = 0, memory = 0, alike = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (sums[i].gpu != sum->gpu)
			continue;
		sm += (double)sums[i].utilisation[RM_ENGINE_SM];
		memory += (double)sums[i].memory;
		alike++;
	}
	return sm > 0 ? (double)sum->utilisation[RM_ENGINE_SM] / sm :
	       memory > 0 ? (double)sum->memory / memory : 1 / alike;
}

static bool is_idle(const struct usage_sum *sum)
{
	size_t i;

	for (i = 0; i < RM_ENGINES; i++)
		if (sum->utilisation[i])
			return false;
	return true;
}

static int add_gpus(struct history *history, int64_t hour, const struct usage *usage,
		    double seconds)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < usage->n_gpus && ret >= 0; i++) {
		const struct gpu_processes *gpu = &usage->gpus[i];
		const double memory = gpu->has_memory ? (double)gpu->memory_used : NAN;
		char number[24];

		snprintf(number, sizeof(number), "%zu", i);
		if (!gpu->error)
			ret = add_row(history, add_gpu, hour, 2, JOULES + 1, &(struct row){
				{ gpu->gpu.uuid, number }, {
				seconds, !gpu->has_utilisation ? NAN :
				gpu->utilisation[RM_ENGINE_SM] / 1e4 * seconds, memory * seconds,
				memory, joules_of(gpu, seconds) } });
	}
	return ret;
}

static int add_sum(struct history *history, int64_t hour, const struct usage *usage,
		   const struct usage_sum *sum, double seconds, double share)
{
	const struct gpu_processes *gpu = &usage->gpus[sum->gpu];
	const struct host_process *process = sum->example->process;
	const double memory = sum->no_memory ? NAN : (double)sum->memory;
	const double idle = !gpu->has_utilisation ? NAN : is_idle(sum) ? seconds : 0;
	char owner[OWNER_FULL], pod[OWNER_FULL];
	struct row row = {
		{ gpu->gpu.uuid, process->is_gone ? "ended" : !process->own_pid ? "hidden" :
		  owner_kind_names[process->owner->kind],
		  owner, pod, process->owner->job, process->user },
		{ seconds, !gpu->has_utilisation ? NAN :
		  (double)sum->utilisation[RM_ENGINE_SM] / 1e4 * seconds, memory * seconds, memory,
		  joules_of(gpu, seconds) * share, idle, memory * idle },
	};
	int ret;

	usage_name(owner, process->owner);
	owner_name_pod(pod, process->owner);
	ret = add_row(history, add_usage, hour, TEXTS, NUMBERS, &row);
	if (ret)
		return ret;
	row.text[1] = "others";
	row.text[2] = row.text[3] = row.text[4] = row.text[5] = "";
	return add_row(history, add_usage, hour, TEXTS, NUMBERS, &row);
}

static int add_reading(struct history *history, const struct usage *usage, double seconds)
{
	const int64_t now = (int64_t)(usage->time_us / 1000000), hour = now - now % 3600;
	const struct row kept = { .number = { (double)history->days * 86400 } };
	struct usage_sum *sums;
	size_t n, i;
	int ret = 0;

	/* First, since a file that has reached its bound has room for nothing before. */
	for (i = 0; i < 2 && ret >= 0 && hour != history->hour; i++)
		ret = add_row(history, expire[i], now, 0, 1, &kept);
	if (ret < 0)
		return ret;
	history->hour = hour;
	ret = add_gpus(history, hour, usage, seconds);
	sums = usage_sum(usage, USAGE_BY_CONTAINER, true, &n);
	for (i = 0; i < n && ret >= 0; i++)
		ret = add_sum(history, hour, usage, &sums[i], seconds, share_of(&sums[i], sums, n));
	free(sums);
	return ret < 0 ? ret : 0;
}

static int record(struct history *history, const char *path, const struct usage *usage,
		  double seconds, char why[WHY_SIZE])
{
	int ret = 0, moved = 0;

	/* Whoever removes the file begins another. */
	if (history->db)
		sqlite3_file_control(history->db, NULL, SQLITE_FCNTL_HAS_MOVED, &moved);
	if (moved)
		history_close(history);
	if (!history->db)
		ret = history_open(history, path, true, why);
	if (ret)
		return ret;
	if (sqlite3_exec(history->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
	    add_reading(history, usage, seconds) ||
	    sqlite3_exec(history->db, "COMMIT", NULL, NULL, NULL)) {
		ret = fail(history, path, why);
		sqlite3_exec(history->db, "ROLLBACK", NULL, NULL, NULL);
	}
	return ret;
}

/*
 * Adds a reading to the rows of its hour. @seconds: since the one before; @why: has a sentence of
 * success, too, where the file was damaged
 */
int history_record(struct history *history, const char *path, const struct usage *usage,
		   double seconds, char why[WHY_SIZE])
{
	char aside[PATH_MAX], beside[PATH_MAX], damage[WHY_SIZE];
	int ret = record(history, path, usage, seconds, why);

	if (!ret || !history->is_damaged)
		return ret;
	history->is_damaged = false;
	history_close(history);
	snprintf(aside, sizeof(aside), "%s.damaged", path);
	if (rename(path, aside))
		return ret;
	snprintf(beside, sizeof(beside), "%s-wal", path);
	unlink(beside);
	snprintf(beside, sizeof(beside), "%s-shm", path);
	unlink(beside);
	snprintf(damage, sizeof(damage), "%s", why);
	ret = record(history, path, usage, seconds, why);
	return ret ? ret : why_fail(why, 0, "%s; it is %s now, and a new one begins", damage, aside);
}
