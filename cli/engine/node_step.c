// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps that mpu node takes on a node: programs that it runs, and files of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/engine/internal.h"
#include "lib/process.h"
#include "lib/text_file.h"

static void join_lines(char *text, char *line, size_t size)
{
	char *rest = NULL, *one = strtok_r(text, "\n", &rest);
	size_t len = 0;

	*line = '\0';
	for (; one && len < size; one = strtok_r(NULL, "\n", &rest))
		len += (size_t)snprintf(line + len, size - len, "%s%s", len ? "; " : "", one);
}

/* Runs a program of the node's. @words: end with NULL */
int node_run(const char *const *words, char why[WHY_SIZE])
{
	const int fd[3] = { PROCESS_NULL, STDERR_FILENO, PROCESS_PIPE };
	char text[16384], line[2048];
	int ret = process_read(words, fd, text, sizeof(text));

	if (ret < 0)
		return why_fail(why, ret, "cannot run %s on this node: %s", words[0],
				strerror(-ret));
	join_lines(text, line, sizeof(line));
	return !ret ? 0 : why_fail(why, -EIO, "'%s %s %s' failed: %s", words[0],
				   words[1], words[2] ? words[2] : "", line);
}

/* Reads a property of a unit, without the newline; "" if it has none. */
int node_property(const char *unit, const char *property, char *text, size_t size,
		  char why[WHY_SIZE])
{
	const char *const words[] = { "systemctl", "show", "--value", "--property",
				      property, unit, NULL };
	const int fd[3] = { PROCESS_NULL, PROCESS_PIPE, STDERR_FILENO };
	int ret = process_read(words, fd, text, size);

	text[strcspn(text, "\n")] = '\0';
	if (ret)
		return why_fail(why, ret < 0 ? ret : -EIO, "systemd does not answer on this node: 'systemctl show %s' failed",
				unit);
	return 0;
}

/*
 * Has a file of ours say something. @text: "": there is to be none; @changed: set if it said
 * something else
 */
int node_write(const char *path, const char *text, mode_t mode, bool *changed, char why[WHY_SIZE])
{
	struct text_file file;
	int ret = text_file_read(path, &file, why);
	bool is_other = !ret && strcmp(file.text, text) != 0;

	*changed |= is_other;
	file.stat.st_mode = mode;
	if (is_other && *text)
		ret = text_file_write(path, text, &file.stat, why);
	else if (!ret && file.is_there && !*text && unlink(path))
		ret = why_fail(why, -errno, "cannot remove %s: %s", path, strerror(errno));
	text_file_free(&file);
	return ret;
}

/* Puts a failure behind those in @why. Return: the first one. */
int node_add_failure(int before, int ret, const char *one, char why[WHY_SIZE])
{
	size_t len = before ? strlen(why) : 0;

	if (ret)
		snprintf(why + len, WHY_SIZE - len, "%s%s", len ? "; " : "", one);
	return before ? before : ret;
}
