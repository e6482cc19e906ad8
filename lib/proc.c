// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads /proc's files of a process: see proc.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/host.h"
#include "lib/proc.h"
#include "lib/text.h"

int proc_open(uint32_t pid)
{
	char path[32];
	int dir;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return dir < 0 ? -errno : dir;
}

/*
 * A line that is wanted has room: one of 33 numbers of 7 digits is the longest.
 * "Groups:" may be of any length, 65536 groups take 720 KB.
 */
#define ROOM	4096

/**
 * struct reading - of a status, piece by piece
 * @used:	bytes of @text, the beginning of a line
 * @skip:	the line began before @text, and is too long to be wanted
 */
struct reading {
	struct proc_status *status;
	uint32_t found;
	size_t used;
	bool skip;
	char text[ROOM];
};

static uint32_t parse_numbers(const char *at, uint32_t *number)
{
	char *end;
	uint32_t n = 0;

	for (; n < PROC_LEVELS && *at == '\t'; at = end)
		number[n++] = (uint32_t)strtoul(at + 1, &end, 10);
	return n;
}

static bool begins_with(const char *line, const char *key, const char **rest)
{
	size_t len = strlen(key);

	*rest = line + len;
	return !strncmp(line, key, len);
}

static bool is_wanted(struct proc_status *status, const char *line)
{
	const char *rest;

	if (begins_with(line, "Tgid:", &rest))
		return sscanf(rest, "%u", &status->tgid) == 1;
	if (begins_with(line, "Uid:", &rest))
		return sscanf(rest, "%*u %u", &status->euid) == 1;
	if (begins_with(line, "CapEff:", &rest))
		return sscanf(rest, "%" SCNx64, &status->caps) == 1;
	if (!begins_with(line, "NStgid:", &rest))
		return false;
	status->level = parse_numbers(rest, status->number);
	return status->level > 0;
}

#define WANTED	4

static void take_lines(struct reading *r)
{
	char *line = r->text, *end;

	while ((end = memchr(line, '\n', r->used))) {
		*end = '\0';
		r->found += !r->skip && is_wanted(r->status, line);
		r->skip = false;
		r->used -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	if (r->used == sizeof(r->text)) {
		r->skip = true;
		r->used = 0;
	}
	memmove(r->text, line, r->used);
}

int proc_status_read(int fd, struct proc_status *status)
{
	struct reading r = { .status = status };
	ssize_t n = 1;

	if (lseek(fd, 0, SEEK_SET))
		return -errno;
	while (r.found < WANTED && n > 0) {
		n = read(fd, r.text + r.used, sizeof(r.text) - r.used);
		if (n < 0)
			n = -errno;
		if (n > 0) {
			r.used += (size_t)n;
			take_lines(&r);
		}
	}
	if (r.found == WANTED)
		return 0;
	return n < 0 ? (int)n : -EPROTO;
}

int proc_status(int dir, struct proc_status *status)
{
	int fd = openat(dir, "status", O_RDONLY | O_CLOEXEC);
	int ret = fd < 0 ? -errno : proc_status_read(fd, status);

	if (fd >= 0)
		close(fd);
	return ret;
}

/*
 * "PID (NAME) STATE ...": a name may hold parentheses itself. Times are the 14th and 15th
 * word, threads the 20th, the start is the 22nd, pages the 24th.
 */
int proc_stat(int dir, struct proc_stat *stat)
{
	char text[1024], *from, *to;
	uint64_t user, kernel;

	host_read_at(dir, "stat", text, sizeof(text));
	from = strchr(text, '(');
	to = strrchr(text, ')');
	if (!from || !to || to < from ||
	    sscanf(to + 1, " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
			   " %*s %*s %*s %*s %d %*s %" SCNu64 " %*s %" SCNu64, &stat->state,
		   &stat->parent, &user, &kernel, &stat->threads, &stat->start, &stat->pages) != 7)
		return -ESRCH;
	stat->ticks = user + kernel;
	*to = '\0';
	text_copy(stat->name, sizeof(stat->name), from + 1, (size_t)(to - from - 1));
	return 0;
}

int proc_stat_of(pid_t pid, struct proc_stat *stat)
{
	char path[256];
	int dir = host_path(path, sizeof(path), "/proc/%d", pid) ? -1 :
		  open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ret = dir < 0 ? -ESRCH : proc_stat(dir, stat);

	if (dir >= 0)
		close(dir);
	return ret;
}
