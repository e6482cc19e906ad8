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
#include <unistd.h>

#include "container/oci/internal.h"
#include "engines/notify/notify.h"
#include "lib/host.h"
#include "lib/process.h"
#include "lib/xalloc.h"

#define CONFIGURATION "/etc/mpu/runtime"

/* A wrapper that calls mpu-runtime is not the runtime, but one in a hook may call it. */
#define DEEPEST	4

bool oci_runtime_is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Looks through folders that colons divide. @other: for a program that is not mpu itself */
bool oci_find_program(const char *folders, const char *name, bool other, char path[PATH_MAX])
{
	size_t len;

	for (; *folders; folders += len + (folders[len] == ':')) {
		len = strcspn(folders, ":");
		if (folders[0] == '/' &&
		    snprintf(path, PATH_MAX, "%.*s/%s", (int)len, folders, name) < PATH_MAX &&
		    oci_runtime_is_program(path) && !(other && process_is_self(path)))
			return true;
	}
	return false;
}

/* Returns the first line that says something, without blanks around it, in place; or NULL. */
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

/* A name with a slash in it is a path. */
static bool find_candidate(const char *name, char path[PATH_MAX])
{
	const char *folders = getenv("PATH");

	if (!strchr(name, '/'))
		return oci_find_program(folders && *folders ? folders : HOST_USUAL_PATH, name, true,
					path);
	return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX &&
	       oci_runtime_is_program(path) && !process_is_self(path);
}

static int find_runtime(char path[PATH_MAX], const struct strv *candidates, char why[WHY_SIZE])
{
	const char *where = "MPU_RUNTIME", *name = getenv(where);
	char text[2 * PATH_MAX];
	size_t i;

	if (!name || !*name) {
		where = CONFIGURATION;
		name = host_read(text, sizeof(text), CONFIGURATION) > 0 ? first_line(text) : NULL;
	}
	if (name)
		return find_candidate(name, path) ? 0 :
		       why_fail(why, -ENOENT, "%s says '%s', which is %s", where, name,
				!strchr(name, '/') ? "not in PATH" :
				process_is_self(path) ? "mpu itself: name the runtime behind it" :
							"not a program");
	for (i = 0; i < candidates->n; i++)
		if (find_candidate(candidates->word[i], path))
			return 0;
	for (i = 0; i < candidates->n; i++)
		if (oci_find_program(OCI_CRIO_PATH, candidates->word[i], true, path))
			return 0;
	return why_fail(why, -ENOENT, "there is no %s%s%s%s that could run containers: not in PATH, not a program, or mpu itself (no runtime binary found from candidate list): install one, or name a runtime in " CONFIGURATION,
			candidates->n ? candidates->word[0] : "runtime",
			candidates->n > 1 ? " and no " : "",
			candidates->n > 1 ? candidates->word[1] : "",
			candidates->n > 2 ? " and none of the others" : "");
}

/*
 * A wrapper around us that is named as the runtime would be called for ever. Nothing but
 * the environment outlives an exec; containers are not given it.
 */
static bool calls_itself(void)
{
	static const char name[] = "MPU_RUNTIME_DEPTH";
	const char *last = getenv(name);
	int depth = last ? atoi(last) : 0;
	char text[16];

	snprintf(text, sizeof(text), "%d", depth + 1);
	setenv(name, text, 1);
	return depth >= DEEPEST;
}

int oci_runtime_locate(struct oci_runtime *runtime,
		       const struct strv *candidates, char why[WHY_SIZE])
{
	int ret = find_runtime(runtime->path, candidates, why);

	if (!ret && calls_itself())
		ret = why_fail(why, -ELOOP, "%s calls mpu-runtime again: name the real runtime in " CONFIGURATION,
			       runtime->path);
	return ret;
}

/* The answer is valid until the next call. */
static const char *ask_runtime(const char *const *words)
{
	const int fd[3] = { PROCESS_NULL, PROCESS_PIPE, PROCESS_NULL };
	static char text[256 << 10];

	process_read(words, fd, text, sizeof(text));
	return text;
}

/* @path: "/linux/seccomp"; NULL if a member is not there */
static struct json_object *find_value(struct json_object *answer, const char *path)
{
	struct json_object *value = NULL;

	json_pointer_get(answer, path, &value);
	return value;
}

/* crun knows PROFILE_FLAG from 1.7 on (its pull request 1008), and never says so. */
static bool is_new_crun(const char *version)
{
	unsigned int major, minor;

	return sscanf(version, "crun version %u.%u", &major, &minor) == 2 &&
	       (major > 1 || minor >= 7);
}

bool oci_runtime_supervises(const struct oci_runtime *runtime, struct supervision *want)
{
	const char *const features_of[] = { runtime->path, "features", NULL };
	const char *const version_of[] = { runtime->path, "--version", NULL };
	struct json_object *answer = json_tokener_parse(ask_runtime(features_of));
	struct json_object *actions, *flags;
	bool notifies = true, knows_flag;

	if (answer) {
		actions = find_value(answer, "/linux/seccomp/actions");
		flags = find_value(answer, "/linux/seccomp/supportedFlags");
		notifies = !actions || array_has(actions, "SCMP_ACT_NOTIFY");
		knows_flag = array_has(flags, PROFILE_FLAG) ||
			     find_value(answer, "/annotations/run.oci.crun.version");
	} else {
		knows_flag = is_new_crun(ask_runtime(version_of));
	}
	want->flag = knows_flag && filter_can_wait_killable();
	json_object_put(answer);
	return notifies;
}

bool oci_runtime_state(const struct oci_runtime *runtime, struct oci_state *state)
{
	/* The words before the sub-command, then "state ID". */
	const char **words = xcalloc((size_t)runtime->at + 3, sizeof(*words));
	struct json_object *answer = NULL, *bundle;
	const char *status;
	bool found;

	if (runtime->id) {
		memcpy(words, runtime->words, (size_t)runtime->at * sizeof(*words));
		words[0] = runtime->path;
		words[runtime->at] = "state";
		words[runtime->at + 1] = runtime->id;
		answer = json_tokener_parse(ask_runtime(words));
	}
	bundle = find_value(answer, "/bundle");
	found = json_object_is_type(bundle, json_type_string) &&
		snprintf(state->bundle, sizeof(state->bundle), "%s",
			 json_object_get_string(bundle)) < (int)sizeof(state->bundle);
	status = json_object_get_string(find_value(answer, "/status"));
	state->stopped = status && !strcmp(status, "stopped");
	json_object_put(answer);
	free(words);
	return found;
}
