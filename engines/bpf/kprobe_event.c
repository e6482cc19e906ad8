// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kprobes by name, as events of tracefs: "MODULE:FUNCTION" arms itself each
 * time the module is loaded, before its first call, and holds no reference to
 * it. (A perf event's own kprobe does neither.)
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "engines/bpf/internal.h"
#include "lib/host.h"
#include "lib/clock.h"

#define TRACEFS	"/sys/kernel/tracing"

/*
 * Calls that may be inside the driver at a time and still be seen returning: the most that
 * kernel/trace/trace_kprobe.c takes. Two for each CPU, its choice, are few: callers queue.
 */
#define MAXACTIVE	4096

/* While tracefs is not mounted nobody knows, and the answer is yes. */
bool kprobe_event_possible(void)
{
	return !host_exists(TRACEFS "/trace") || host_exists(TRACEFS "/kprobe_events");
}

/* Writes one command to tracefs: appended, for truncating would remove all events. */
static int command(const char *text)
{
	int fd, err = 0;

	if (!host_exists(TRACEFS "/trace"))
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	fd = open(TRACEFS "/kprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

/*
 * Defines a probe, which fires once a program is attached. @name: receives one that no
 * other process gives. Return: -ENOENT: the module is there and has no such function.
 */
int kprobe_event_create(char name[EVENT_NAME], const char *function, bool at_return)
{
	static unsigned int number;
	char text[256], kind[16] = "p";

	if (at_return)
		snprintf(kind, sizeof(kind), "r%d", MAXACTIVE);
	snprintf(name, EVENT_NAME, "%s_%d_%u", at_return ? "leave" : "enter", getpid(), number++);
	snprintf(text, sizeof(text), "%s:%s/%s %s\n", kind, EVENT_GROUP, name, function);
	return command(text);
}

void kprobe_event_remove(const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "-:%s/%.*s\n", EVENT_GROUP, EVENT_NAME, name);
	command(text);
}

/* Returns 0 if MPU did not define it. */
static int owner_of(const char *name)
{
	char kind[6];
	int pid;

	if (sscanf(name, "%5[a-z]_%d_", kind, &pid) != 2 ||
	    (strcmp(kind, "enter") && strcmp(kind, "leave")))
		return 0;
	return pid;
}

/* Lists the events that other processes of MPU defined. Return: how many. */
static int list_others(char names[][EVENT_NAME], int room)
{
	DIR *dir = host_opendir(TRACEFS "/events/" EVENT_GROUP);
	struct dirent *one;
	int n = 0;

	while (dir && n < room && (one = readdir(dir)))
		if (owner_of(one->d_name) && owner_of(one->d_name) != getpid())
			snprintf(names[n++], EVENT_NAME, "%.60s", one->d_name);
	if (dir)
		closedir(dir);
	return n;
}

bool kprobe_event_exists(void)
{
	char name[1][EVENT_NAME];

	return list_others(name, 1);
}

/* A link whose pin was removed lets go of its event a moment later. */
void kprobe_event_remove_others(void)
{
	struct wait wait = wait_begin(20, 2000);
	char names[64][EVENT_NAME];
	int i, n;

	do {
		n = list_others(names, 64);
		for (i = 0; i < n; i++)
			kprobe_event_remove(names[i]);
	} while (n && wait_moment(&wait));
}
