// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wrapper's logs: runc's, which the command line names, and one of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "container/oci/internal.h"
#include "container/request/request.h"
#include "lib/dirtree.h"
#include "lib/text.h"
#include "lib/text_file.h"

#define LOG_SPELLING \
	(JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

static FILE *open_log(const char *path)
{
	char why[WHY_SIZE];
	int fd;

	if (path && !strncmp(path, "file:", 5))
		path += 5;
	/* crun knows syslog:NAME and journald:NAME, too. */
	if (!path || !*path || (*path != '/' && strchr(path, ':')))
		return NULL;
	fd = text_file_append(path);
	if (fd == -ENOENT && !dirtree_make(path, why))
		fd = text_file_append(path);
	return fd < 0 ? NULL : fdopen(fd, "a");
}

static void write_line(FILE *out, bool json, const char *level, const char *when, const char *msg)
{
	struct json_object *line = json_object_new_object();

	json_object_object_add(line, "level", json_object_new_string(level));
	json_object_object_add(line, "msg", json_object_new_string(msg));
	json_object_object_add(line, "time", json_object_new_string(when));
	if (json)
		fputs(json_object_to_json_string_ext(line, LOG_SPELLING), out);
	else
		fprintf(out, "time=\"%s\" level=%s msg=%s", when, level,
			json_object_to_json_string_ext(
				json_object_object_get(line, "msg"),
				LOG_SPELLING));
	putc('\n', out);
	json_object_put(line);
}

void oci_runtime_log(const struct oci_runtime *runtime, const char *level, const char *text)
{
	const char *const paths[] = { runtime->log, runtime->logs };
	char msg[WHY_SIZE + 64], when[32];
	time_t now = time(NULL);
	struct tm tm;
	size_t i;

	if (!runtime->debug && settings_level(level) <
	    settings_level(runtime->level ? runtime->level : SETTINGS_LEVEL))
		return;
	snprintf(msg, sizeof(msg), "%.60s: %s", runtime->name, text);
	text_clean_lines(msg);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	for (i = 0; i < 2; i++) {
		FILE *out = open_log(paths[i]);

		if (!out)
			continue;
		write_line(out, runtime->log_json, level, when, msg);
		fclose(out);
	}
}
