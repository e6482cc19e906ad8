// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kprobes by name, as events of tracefs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "event.h"
#include "lib/host.h"

#define TRACEFS	"/sys/kernel/tracing"

/*
 * Calls that may be inside the driver at a time and still be seen returning.
 * The kernel's own choice is two for each CPU, and RM lets callers queue.
 * KRETPROBE_MAXACTIVE_MAX, kernel/trace/trace_kprobe.c.
 */
#define MAXACTIVE	4096

bool event_possible(void)
{
	if (!host_exists(TRACEFS "/trace") && !host_is_other())
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	return host_exists(TRACEFS "/kprobe_events");
}

/* One command to tracefs: appended, for truncating would remove all events. */
static int command(const char *text)
{
	int fd = open(TRACEFS "/kprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

int event_create(char name[EVENT_NAME], const char *function, bool at_return)
{
	static unsigned int number;
	char text[256], kind[16] = "p";

	if (at_return)
		snprintf(kind, sizeof(kind), "r%d", MAXACTIVE);
	snprintf(name, EVENT_NAME, "%s_%d_%u", at_return ? "leave" : "enter",
		 getpid(), number++);
	snprintf(text, sizeof(text), "%s:%s/%s %s\n", kind, EVENT_GROUP, name,
		 function);
	return command(text);
}

void event_remove(const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "-:%s/%.*s\n", EVENT_GROUP, EVENT_NAME,
		 name);
	command(text);
}

int event_remove_all(void)
{
	DIR *dir = host_opendir(TRACEFS "/events/" EVENT_GROUP);
	char names[64][EVENT_NAME];
	struct dirent *one;
	int i, n = 0, left = 0;

	while (dir && n < 64 && (one = readdir(dir)))
		if (!strncmp(one->d_name, "enter_", 6) ||
		    !strncmp(one->d_name, "leave_", 6))
			snprintf(names[n++], EVENT_NAME, "%.60s", one->d_name);
	if (dir)
		closedir(dir);
	for (i = 0; i < n; i++) {
		event_remove(names[i]);
		left += host_exists(TRACEFS "/events/" EVENT_GROUP "/%s",
				    names[i]);
	}
	return left;
}

/* "  enter_123_0   HITS   MISSED" */
u64 event_missed(void)
{
	FILE *file = fopen(TRACEFS "/kprobe_profile", "re");
	unsigned long long n;
	char line[256], name[128];
	u64 missed = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%127s %*u %llu", name, &n) == 2 &&
		    (!strncmp(name, "enter_", 6) || !strncmp(name, "leave_", 6)))
			missed += n;
	if (file)
		fclose(file);
	return missed;
}
