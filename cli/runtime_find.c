// SPDX-License-Identifier: GPL-2.0-only
/*
 * The runtime behind mpu-runtime: where it is, and what it says about itself.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/runtime.h"
#include "lib/host.h"
#include "lib/jsontext.h"

#define CONFIGURATION "/etc/mpu/runtime"

extern char **environ;

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

int runtime_find(char path[PATH_MAX], char *why, size_t size)
{
	char line[PATH_MAX] = "";
	const char *name = getenv("MPU_RUNTIME");
	const char *from = "MPU_RUNTIME";

	if ((!name || !*name) && host_read(line, sizeof(line), CONFIGURATION) > 0) {
		line[strcspn(line, "\n")] = '\0';
		name = line;
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
		snprintf(why, size, "%s says %s, which is not in PATH", from,
			 name);
		return -ENOENT;
	}
	snprintf(path, PATH_MAX, "%s", name);
	if (is_program(path) && !is_us(path))
		return 0;
	snprintf(why, size, "%s says %s, which is %s", from, name,
		 is_us(path) ? "mpu itself: name the runtime behind it" :
			       "no program");
	return -ENOENT;
}

/* What `path features` prints, cut off at @size. */
static size_t ask_features(const char *path, char *text, size_t size)
{
	char *argv[] = { (char *)path, "features", NULL };
	posix_spawn_file_actions_t actions;
	int pipes[2], status;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(pipes))
		return 0;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
	posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
	posix_spawn_file_actions_addclose(&actions, pipes[0]);
	posix_spawn_file_actions_addclose(&actions, pipes[1]);
	status = posix_spawn(&pid, path, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipes[1]);
	while (!status && len < size) {
		n = read(pipes[0], text + len, size - len);
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		len += n > 0 ? (size_t)n : 0;
	}
	close(pipes[0]);
	if (status)
		return 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return len;
}

bool runtime_has_flag(const char *path, const char *flag)
{
	static const char *const way[] = { "linux", "seccomp",
					   "supportedFlags" };
	static char text[256 << 10];
	size_t len = ask_features(path, text, sizeof(text)), i;
	struct jsontext value, rest, key;
	char why[128];

	if (jsontext_check(text, len, &value, why, sizeof(why)))
		return false;
	for (i = 0; i < 3; i++)
		if (!jsontext_is(value, '{') ||
		    jsontext_member(value, way[i], &value))
			return false;
	if (!jsontext_is(value, '['))
		return false;
	rest = jsontext_inside(value);
	while (jsontext_next(&rest, &key, &value))
		if (jsontext_equal(value, flag))
			return true;
	return false;
}
