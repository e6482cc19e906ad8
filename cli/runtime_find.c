// SPDX-License-Identifier: GPL-2.0-only
/*
 * The runtime behind mpu-runtime: where it is, and what it says about itself.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/runtime.h"
#include "container/oci/seccomp.h"
#include "engines/notify/kernel.h"
#include "lib/host.h"
#include "lib/process.h"

#define CONFIGURATION "/etc/mpu/runtime"

static bool is_us(const char *path)
{
	struct stat us, it;

	return !stat("/proc/self/exe", &us) && !stat(path, &it) &&
	       us.st_dev == it.st_dev && us.st_ino == it.st_ino;
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* As the shell would, but past ourselves. */
static bool find_in_path(const char *name, char path[PATH_MAX])
{
	const char *dir = getenv("PATH");
	size_t len;
	int n;

	if (!dir || !*dir)
		dir = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	for (; *dir; dir += len + (dir[len] == ':')) {
		len = strcspn(dir, ":");
		if (dir[0] != '/')
			continue;
		n = snprintf(path, PATH_MAX, "%.*s/%s", (int)len, dir, name);
		if (n < PATH_MAX && is_program(path) && !is_us(path))
			return true;
	}
	return false;
}

/*
 * The first line that says something, without blanks around it, in place.
 * Return: NULL if there is none.
 */
static char *first_line(char *text)
{
	static const char blanks[] = " \t\r\v\f";
	char *line, *end;

	while ((line = strsep(&text, "\n"))) {
		line += strspn(line, blanks);
		if (!*line || *line == '#')
			continue;
		for (end = line + strlen(line); strchr(blanks, end[-1]); end--)
			;
		*end = '\0';
		return line;
	}
	return NULL;
}

int runtime_find(char path[PATH_MAX], char *why, size_t size)
{
	char text[2 * PATH_MAX];
	const char *name = getenv("MPU_RUNTIME");
	const char *from = "MPU_RUNTIME";

	if ((!name || !*name) && host_read(text, sizeof(text), CONFIGURATION) > 0) {
		name = first_line(text);
		from = CONFIGURATION;
	}
	if (!name || !*name) {
		if (find_in_path("runc", path) || find_in_path("crun", path))
			return 0;
		snprintf(why, size, "there is no runc and no crun in PATH: install one, or name a runtime in " CONFIGURATION);
		return -ENOENT;
	}
	if (!strchr(name, '/')) {
		if (find_in_path(name, path))
			return 0;
		snprintf(why, size, "%s says '%s', which is not in PATH", from,
			 name);
		return -ENOENT;
	}
	snprintf(path, PATH_MAX, "%s", name);
	if (is_program(path) && !is_us(path))
		return 0;
	snprintf(why, size, "%s says '%s', which is %s", from, name,
		 is_us(path) ? "mpu itself: name the runtime behind it" :
			       "no program");
	return -ENOENT;
}

/* What a program prints, cut off at @size and terminated. */
static void ask(char *const *argv, char *text, size_t size)
{
	const int fd[3] = { PROCESS_NULL, PROCESS_PIPE, PROCESS_NULL };

	process_read((const char *const *)argv, fd, text, size);
}

/* A flag that is known gets as far as to the program that is not there. */
static bool kernel_has_flag(void)
{
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		       SECCOMP_FILTER_FLAG_NEW_LISTENER |
		       SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, NULL) &&
	       errno == EFAULT;
}

/* Down the members of objects: "/linux/seccomp"; NULL if one is not there. */
static struct json_object *find(struct json_object *answer, const char *path)
{
	struct json_object *value = NULL;

	json_pointer_get(answer, path, &value);
	return value;
}

/* crun knows the flag from 1.7 on (its pull request 1008), and never says. */
static bool is_crun(const char *version)
{
	unsigned int major, minor;

	return sscanf(version, "crun version %u.%u", &major, &minor) == 2 &&
	       (major > 1 || minor >= 7);
}

static bool lists(struct json_object *list, const char *string)
{
	size_t i, n = json_object_is_type(list, json_type_array) ?
		      json_object_array_length(list) : 0;
	const char *one;

	for (i = 0; i < n; i++) {
		one = json_object_get_string(json_object_array_get_idx(list, i));
		if (one && !strcmp(one, string))
			return true;
	}
	return false;
}

void runtime_examine(const char *path, struct runtime_knows *knows)
{
	char *features_of[] = { (char *)path, "features", NULL };
	char *version_of[] = { (char *)path, "--version", NULL };
	static char text[256 << 10];
	struct json_object *features, *actions;

	ask(features_of, text, sizeof(text));
	features = json_tokener_parse(text);
	if (!features) {
		ask(version_of, text, sizeof(text));
		knows->notify = true;
		knows->flag = kernel_has_flag() && is_crun(text);
		return;
	}
	actions = find(features, "/linux/seccomp/actions");
	knows->notify = !actions || lists(actions, "SCMP_ACT_NOTIFY");
	knows->flag = kernel_has_flag() &&
		      (find(features, "/annotations/run.oci.crun.version") ||
		       lists(find(features, "/linux/seccomp/supportedFlags"),
			     OCI_FLAG));
	json_object_put(features);
}

bool runtime_bundle(char *const *state, char path[PATH_MAX])
{
	static char text[256 << 10];
	struct json_object *answer, *bundle;
	bool found;

	ask(state, text, sizeof(text));
	answer = json_tokener_parse(text);
	bundle = find(answer, "/bundle");
	found = json_object_is_type(bundle, json_type_string) &&
		snprintf(path, PATH_MAX, "%s", json_object_get_string(bundle)) <
		PATH_MAX;
	json_object_put(answer);
	return found;
}
