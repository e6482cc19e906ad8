// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of cli/view/history.c: readings become rows of an SQLite file, whatever happens to it.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cli/view/internal.h"
#include "tests/unit/unit.h"

#define GIB	(1ull << 30)
#define HOUR	3600ull
#define BEGIN	(1795284000ull)		/* of an hour */
#define DAY	(24 * HOUR)

static const struct owner web = { .kind = OWNER_DOCKER, .id = "aaaa", .container = "it's \"web\"" };
static const struct owner pod = {
	.kind = OWNER_CONTAINERD, .id = "bbbb", .container = "main", .pod = "train-0",
	.namespace = "ml", .pod_uid = "11-22",
};
static const struct owner job = { .kind = OWNER_SLURM, .job = "42", .step = "0", .uid = 5 };
static const struct owner nobody;
static const struct host_process process[] = {
	{ .pid = 100, .own_pid = 1, .user = "root", .owner = &web },
	{ .pid = 101, .own_pid = 7, .user = "root", .owner = &pod },
	{ .pid = 102, .own_pid = 102, .uid = 5, .user = "jo", .owner = &job },
	{ .pid = 103, .uid = -1, .owner = &nobody, .is_gone = true },
	{ .pid = 104, .uid = -1, .owner = &nobody },	/* hidden by /proc */
};

#define USE(who, mib, sm) { .gpu = 0, .gpu_instance = RM_NO_INSTANCE, \
	.compute_instance = RM_NO_INSTANCE, .has_memory = true, .memory = (mib) << 20, \
	.utilisation = { [RM_ENGINE_SM] = sm }, .process = &process[who] }

static struct usage_process uses[] = {
	USE(0, 1024ull, 6000), USE(1, 2048ull, 2000), USE(2, 512ull, 0), USE(3, 1ull, 0),
};
static struct usage usage;
static char folder[] = "/tmp/mpu-history-XXXXXX", path[64], why[WHY_SIZE];
static struct history history;

static int before(void)
{
	strcpy(strrchr(folder, '-'), "-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/usage.db", folder);
	history = (struct history){ .days = 35 };
	usage = (struct usage){
		.time_us = (BEGIN + 60) * 1000000, .n_gpus = 1, .processes = uses, .n_processes = 4,
		.gpus = { { .gpu = { .uuid = "GPU-a" }, .has_memory = true,
			    .memory_total = 80 * GIB, .memory_used = 4 * GIB,
			    .has_utilisation = true, .utilisation = { [RM_ENGINE_SM] = 9000 },
			    .state = { 1 << GPU_POWER, { [GPU_POWER] = 400000 } } } },
	};
	return 0;
}

static int after(void)
{
	char command[128];

	history_close(&history);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static int record(double seconds)
{
	why[0] = '\0';
	return history_record(&history, path, &usage, seconds, why);
}

/* Returns all rows that a question has, with | between columns and a blank behind each row. */
static const char *answer(const char *question)
{
	static char text[4096];
	sqlite3_stmt *rows;
	sqlite3 *db;
	int i;

	text[0] = '\0';
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, question, -1, &rows, NULL), SQLITE_OK);
	while (sqlite3_step(rows) == SQLITE_ROW)
		for (i = 0; i < sqlite3_column_count(rows); i++) {
			const char *cell = (const char *)sqlite3_column_text(rows, i);

			strncat(text, cell ? cell : "null", sizeof(text) - strlen(text) - 2);
			strcat(text, i + 1 < sqlite3_column_count(rows) ? "|" : " ");
		}
	sqlite3_finalize(rows);
	sqlite3_close(db);
	return text;
}

TEST_EACH(before, after)

TEST("a reading is a row of its hour for each owner, and one for the GPU")
{
	struct stat file;

	assert_int_equal(record(10), 0);
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT hour, gpu, number, seconds, sm_seconds,"
				   " byte_seconds / 1073741824, most_bytes / 1073741824, joules"
				   " FROM gpu"), "1795284000|GPU-a|0|20.0|18.0|80.0|4.0|8000.0 ");
	assert_string_equal(answer("SELECT kind, owner, pod, job, user, seconds, sm_seconds,"
				   " byte_seconds / 1073741824, joules, idle_seconds,"
				   " idle_byte_seconds / 1073741824 FROM usage ORDER BY most_bytes DESC"),
			    "containerd|ml/train-0/main|ml/train-0||root|20.0|4.0|40.0|2000.0|0.0|0.0 "
			    "docker|it's \"web\"|||root|20.0|12.0|20.0|6000.0|0.0|0.0 "
			    "slurm|job 42.0||42|jo|20.0|0.0|10.0|0.0|20.0|10.0 "
			    "ended|||||20.0|0.0|0.01953125|0.0|20.0|0.01953125 ");
	uses[3].process = &process[4];
	assert_int_equal(record(10), 0);
	uses[3].process = &process[3];
	assert_string_equal(answer("SELECT seconds FROM usage WHERE kind = 'hidden'"), "10.0 ");
	assert_int_equal(stat(path, &file), 0);
	assert_int_equal(file.st_mode & 0777, file.st_gid == getgid() && getuid() ? 0600 : 0640);
}

TEST("energy goes to those who hold memory where nobody computes, and to nobody if there is none")
{
	size_t i;

	for (i = 0; i < 4; i++)
		uses[i].utilisation[RM_ENGINE_SM] = 0;
	assert_int_equal(record(10), 0);
	uses[0].utilisation[RM_ENGINE_SM] = 6000;
	uses[1].utilisation[RM_ENGINE_SM] = 2000;
	assert_string_equal(answer("SELECT round(joules) FROM usage ORDER BY most_bytes DESC"),
			    "2285.0 1143.0 571.0 1.0 ");
	usage.n_processes = 0;
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT sum(seconds), sum(joules) FROM gpu"), "20.0|8000.0 ");
}

TEST("what the driver does not say is null and no 0; said later, it counts from then on")
{
	usage.gpus[0].has_utilisation = false;
	usage.gpus[0].state.known = 0;
	uses[1].has_memory = false;
	assert_int_equal(record(10), 0);
	uses[1].has_memory = true;
	assert_string_equal(answer("SELECT sm_seconds, joules, idle_seconds, byte_seconds FROM usage"
				   " WHERE owner LIKE '%main'"), "null|null|null|null ");
	assert_string_equal(answer("SELECT sm_seconds, joules FROM gpu"), "null|null ");
	usage.gpus[0].has_utilisation = true;
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT seconds, sm_seconds, byte_seconds / 1073741824 FROM usage"
				   " WHERE owner LIKE '%main'"), "20.0|2.0|20.0 ");
	usage.gpus[0].error = -EIO;
	usage.n_processes = 0;
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT seconds FROM gpu"), "20.0 ");
}

TEST("above 1,000 rows in an hour, who is new is one of the others")
{
	static struct owner owners[1200];
	static struct host_process many[1200];
	static struct usage_process using[1200];
	size_t i;

	for (i = 0; i < 1200; i++) {
		owners[i] = web;
		snprintf(owners[i].id, sizeof(owners[i].id), "%064zu", i);
		snprintf(owners[i].container, sizeof(owners[i].container), "c%zu", i);
		many[i] = (struct host_process){ .pid = (pid_t)(200 + i), .own_pid = 1,
						 .user = "root", .owner = &owners[i] };
		using[i] = uses[0];
		using[i].process = &many[i];
	}
	usage.processes = using;
	usage.n_processes = 1000;
	assert_int_equal(record(10), 0);
	usage.n_processes = 1200;
	assert_int_equal(record(10), 0);
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT count(*), sum(seconds) FROM usage"), "1001|34000.0 ");
	assert_string_equal(answer("SELECT owner, user, seconds, sm_seconds, most_bytes / 1073741824"
				   " FROM usage WHERE kind = 'others'"), "||4000.0|2400.0|1.0 ");
	/* The next hour has room for others. */
	usage.time_us += HOUR * 1000000;
	usage.processes += 600;
	usage.n_processes = 600;
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT count(*) FROM usage WHERE hour > 1795284000 AND kind <> 'others'"),
			    "600 ");
}

TEST("rows are kept for so many days, and a clock that is wrong for some hours makes none old")
{
	size_t i;

	for (i = 0; i < 40 * 24; i++) {
		usage.time_us = (BEGIN + i * HOUR) * 1000000;
		assert_int_equal(record(10), 0);
	}
	assert_string_equal(answer("SELECT count(DISTINCT hour), min(hour) - 1795284000 FROM usage"),
			    "841|428400 ");	/* 119 hours */
	assert_string_equal(answer("SELECT count(*) FROM gpu"), "841 ");
	/* 1970, as where the battery is empty, and 2038; then it is right again. */
	for (i = 0; i < 20; i++) {
		usage.time_us = (i < 10 ? i * HOUR : 2147483647ull + i * HOUR) * 1000000;
		assert_int_equal(record(10), 0);
	}
	assert_string_equal(answer("SELECT count(*) FROM gpu"), "861 ");
	usage.time_us = (BEGIN + 40 * DAY) * 1000000;
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT count(*), min(hour) - 1795284000 FROM gpu"), "841|432000 ");
}

TEST("a file that has reached its bound records again when its first rows are of age")
{
	int i;

	assert_int_equal(record(10), 0);
	assert_int_equal(sqlite3_exec(history.db, "PRAGMA max_page_count = 20", NULL, NULL, NULL), 0);
	for (i = 0; i < 500 && !record(10); i++)
		usage.time_us += HOUR * 1000000;
	assert_in_range(i, 50, 499);
	assert_non_null(strstr(why, "no room is left for it"));
	usage.time_us = (BEGIN + 35 * DAY + 20 * HOUR) * 1000000;
	assert_int_equal(record(10), 0);
}

TEST("a file that is damaged is set aside; one of a newer mpu or another program is left alone")
{
	struct stat file;
	char aside[80];
	int fd;

	assert_int_equal(record(10), 0);
	history_close(&history);
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "SQLite format 3\0, and nothing else of a database in it ..", 55), 55);
	close(fd);
	snprintf(aside, sizeof(aside), "%s-wal", path);
	unlink(aside);
	assert_int_equal(record(10), 0);
	assert_non_null(strstr(why, "/usage.db.damaged now, and a new one begins"));
	assert_string_equal(answer("SELECT seconds FROM gpu"), "10.0 ");
	snprintf(aside, sizeof(aside), "%s.damaged", path);
	assert_int_equal(stat(aside, &file), 0);
	assert_int_equal(file.st_size, 55);
	answer("PRAGMA user_version = 7");
	history_close(&history);
	assert_int_equal(record(10), -EINVAL);
	assert_non_null(strstr(why, "was made by a newer mpu"));
	assert_string_equal(answer("SELECT seconds FROM gpu"), "10.0 ");
	answer("PRAGMA user_version = 0");
	assert_int_equal(record(10), -EINVAL);
	assert_non_null(strstr(why, "has tables of another program"));
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "root:x:0:0:", 11), 11);
	close(fd);
	assert_int_equal(record(10), -EIO);
	assert_int_equal(stat(path, &file), 0);
	assert_int_equal(file.st_size, 11);
}

TEST("a file that is removed while it is written begins anew, as one of a restart goes on")
{
	assert_int_equal(record(10), 0);
	history_close(&history);
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT seconds FROM gpu"), "20.0 ");
	unlink(path);
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("SELECT seconds FROM gpu"), "10.0 ");
	assert_int_equal(history_open(&(struct history){ 0 }, "/proc/nonexistent/a", true, why), -ENOENT);
}

TEST("of two that would record in one file one does, and the other when that has ended")
{
	struct history other = { .days = 35 };

	assert_int_equal(record(10), 0);
	assert_int_equal(history_record(&other, path, &usage, 10, why), -EBUSY);
	assert_string_equal(answer("SELECT seconds FROM gpu"), "10.0 ");
	history_close(&history);
	assert_int_equal(history_record(&other, path, &usage, 10, why), 0);
	history_close(&other);
	assert_string_equal(answer("SELECT seconds FROM gpu"), "20.0 ");
}

TEST("a writer that is killed at any time loses one reading at most")
{
	unsigned int i, told[2], read_back = 0;
	int pipes[2], status;
	char byte;

	assert_int_equal(pipe(pipes), 0);
	for (i = 0; i < 20; i++) {	/* while the file is made, too */
		pid_t maker = fork();

		if (!maker)
			_exit(record(0) != 0);
		usleep(i * 300);
		kill(maker, SIGKILL);
		assert_int_equal(waitpid(maker, &status, 0), maker);
	}
	assert_int_equal(record(0), 0);
	history_close(&history);
	for (i = 0; i < 10; i++) {
		pid_t writer = fork();

		if (!writer) {
			while (!record(1) && write(pipes[1], "", 1) == 1)
				;
			_exit(1);
		}
		/* It has recorded at least twice, however slow the host is. */
		fcntl(pipes[0], F_SETFL, 0);
		read_back += (unsigned int)read(pipes[0], &byte, 1);
		read_back += (unsigned int)read(pipes[0], &byte, 1);
		usleep(i * 7000);
		kill(writer, SIGKILL);
		assert_int_equal(waitpid(writer, &status, 0), writer);
		assert_true(WIFSIGNALED(status));
		told[0] = (unsigned int)atoi(answer("SELECT seconds FROM gpu"));
		assert_string_equal(answer("PRAGMA integrity_check"), "ok ");
		fcntl(pipes[0], F_SETFL, O_NONBLOCK);
		while (read(pipes[0], &byte, 1) == 1)
			read_back++;
		assert_in_range(told[0], read_back, read_back + i + 1);
	}
	assert_true(read_back >= 20);
	close(pipes[0]);
	close(pipes[1]);
}

TEST("where the disk is full it says so and goes on, and records again when there is room")
{
	char many[64];
	int i, fd;

	if (geteuid() || mount("tmpfs", folder, "tmpfs", 0, "size=1m")) {
		skip();
		return;
	}
	snprintf(many, sizeof(many), "%s/other", folder);
	assert_int_equal(record(10), 0);
	fd = open(many, O_WRONLY | O_CREAT, 0600);
	for (i = 0; write(fd, folder, 4) == 4 || i < 2; i++)
		lseek(fd, 4092, SEEK_CUR);
	close(fd);
	for (i = 0; i < 500; i++, usage.time_us += HOUR * 1000000)
		if (record(10))
			break;
	assert_in_range(i, 0, 499);
	assert_non_null(strstr(why, "no room is left for it"));
	assert_int_not_equal(record(10), 0);
	unlink(many);
	assert_int_equal(record(10), 0);
	assert_string_equal(answer("PRAGMA integrity_check"), "ok ");
	history_close(&history);
	umount2(folder, MNT_DETACH);
	/* Says so in the same words, whichever of its files has no room. */
	for (i = 4; i < 64; i += 4) {
		snprintf(many, sizeof(many), "size=%dk", i);
		assert_int_equal(mount("tmpfs", folder, "tmpfs", 0, many), 0);
		assert_true(!record(10) || strstr(why, "no room is left for it"));
		history_close(&history);
		umount2(folder, MNT_DETACH);
	}
}
