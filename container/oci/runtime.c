// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu-runtime: stands where containerd, docker or podman expect runc or crun.
 * Before a container is made it edits the bundle's config.json; then, and for
 * everything else, it becomes the runtime behind it, with the same words.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "container/oci/edit.h"
#include "container/oci/runtime.h"
#include "engines/notify/filter.h"
#include "lib/process.h"

#define LOG_SPELLING \
	(JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/*
 * Options of runc and crun before the sub-command, and of those sub-commands
 * that are looked at: create, run, checkpoint and restore.
 */
static const char *const global_with_value[] = {
	"cgroup-manager", "criu", "log", "log-format", "log-level", "root",
	"rootless", NULL
};
static const char *const global_without[] = {
	"debug", "systemd-cgroup", "help", "h", "?", "usage", "version", "v",
	"V", NULL
};
static const char *const own_with_value[] = {
	"b", "bundle", "config", "console-socket", "empty-ns", "f",
	"image-path", "lsm-mount-context", "lsm-profile",
	"manage-cgroups-mode", "network-lock", "page-server", "parent-path",
	"pid-file", "pidfd-socket", "preserve-fds", "status-fd", "user-log",
	"work-path", NULL
};
static const char *const own_without[] = {
	"auto-dedup", "d", "detach", "ext-unix-sk", "file-locks", "h", "help",
	"?", "keep", "lazy-pages", "leave-running", "link-remap",
	"no-new-keyring", "no-pivot", "no-subreaper", "pre-dump", "shell-job",
	"tcp-close", "tcp-established", "tcp-skip-in-flight", "usage", NULL
};

/* An option: -name or --name, and what follows an equals sign. */
struct option {
	const char *name;
	size_t len;
	const char *value;
};

static FILE *open_log(const char *path)
{
	if (path && !strncmp(path, "file:", 5))
		path += 5;
	/* crun knows syslog:NAME and journald:NAME, too. */
	return path && (*path == '/' || !strchr(path, ':')) ?
	       fopen(path, "ae") : NULL;
}

void oci_runtime_log(const struct oci_runtime *runtime, const char *level,
		     const char *text)
{
	FILE *out = open_log(runtime->log);
	struct json_object *line;
	char msg[WHY_SIZE + sizeof(OCI_RUNTIME_NAME)], when[32];
	time_t now = time(NULL);
	struct tm tm;

	if (!out)
		return;
	snprintf(msg, sizeof(msg), OCI_RUNTIME_NAME ": %s", text);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&now, &tm));
	line = json_object_new_object();
	json_object_object_add(line, "level", json_object_new_string(level));
	json_object_object_add(line, "msg", json_object_new_string(msg));
	json_object_object_add(line, "time", json_object_new_string(when));
	if (runtime->log_json)
		fputs(json_object_to_json_string_ext(line, LOG_SPELLING), out);
	else
		fprintf(out, "time=\"%s\" level=%s msg=%s", when, level,
			json_object_to_json_string_ext(
				json_object_object_get(line, "msg"),
				LOG_SPELLING));
	putc('\n', out);
	json_object_put(line);
	fclose(out);
}

static bool is_in(const struct option *option, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == option->len &&
		    !strncmp(*list, option->name, option->len))
			return true;
	return false;
}

static struct option split_option(const char *text)
{
	struct option option = { .name = text + 1 };
	const char *equals;

	option.name += *option.name == '-';
	equals = strchr(option.name, '=');
	option.len = equals ? (size_t)(equals - option.name) : strlen(option.name);
	option.value = equals ? equals + 1 : NULL;
	return option;
}

static bool is_named(const struct option *option, const char *name)
{
	const char *const list[] = { name, NULL };

	return is_in(option, list);
}

/*
 * Is it clear where an option ends? One that is not known here may take the
 * next word for its value, or be the beginning of an option that is looked for,
 * which crun takes for the whole.
 */
static bool is_clear(const struct option *option,
		     const char *const *with_value,
		     const char *const *without)
{
	if (is_in(option, with_value) || is_in(option, without))
		return true;
	if (!option->value)
		return false;
	for (; *with_value; with_value++)
		if (!strncmp(*with_value, option->name, option->len))
			return false;
	return true;
}

/*
 * Read the option at words[@i] and, if it stands apart, its value. Return:
 * index of the last word read, or -EINVAL and a sentence in @why.
 */
static int read_option(char **words, int i, struct option *option,
		       const char *const *with_value,
		       const char *const *without, char why[WHY_SIZE])
{
	const char *text = words[i];

	*option = split_option(text);
	if (!is_clear(option, with_value, without))
		return why_fail(why, -EINVAL, "%s is not known here: write it in full and, if it takes a value, as %.*s=VALUE",
				text, (int)(option->name + option->len - text),
				text);
	if (!option->value && is_in(option, with_value) && words[i + 1])
		option->value = words[++i];
	return i;
}

/* Options before the sub-command. */
static int read_global(struct oci_runtime *runtime, char why[WHY_SIZE])
{
	char **words = runtime->words;
	struct option option;
	int i;

	for (i = 1; words[i] && words[i][0] == '-'; i++) {
		if (!strcmp(words[i], "--")) {
			i++;
			break;
		}
		i = read_option(words, i, &option, global_with_value,
				global_without, why);
		if (i < 0)
			return i;
		if (is_named(&option, "log"))
			runtime->log = option.value;
		else if (is_named(&option, "log-format") && option.value)
			runtime->log_json = !strcmp(option.value, "json");
	}
	runtime->at = i;
	runtime->command = words[i] ? words[i] : "";
	return 0;
}

/* crun takes -bDIR and -fFILE. */
static bool is_letter_with_value(const char *text)
{
	struct option option = split_option(text);

	return text[1] && text[1] != '-' && strchr("bf", text[1]) &&
	       text[2] && text[2] != '=' && !is_named(&option, "bundle");
}

/* What follows the sub-command. */
static int read_own(struct oci_runtime *runtime, char why[WHY_SIZE])
{
	char **words = runtime->words;
	bool options = true;
	struct option option;
	int i;

	for (i = runtime->at + 1; words[i]; i++) {
		if (options && !strcmp(words[i], "--")) {
			options = false;
			continue;
		}
		if (!options || words[i][0] != '-' || !words[i][1]) {
			runtime->id = words[i];
			continue;
		}
		if (is_letter_with_value(words[i]))
			option = (struct option){ words[i] + 1, 1, words[i] + 2 };
		else
			i = read_option(words, i, &option, own_with_value,
					own_without, why);
		if (i < 0)
			return i;
		if (is_named(&option, "b") || is_named(&option, "bundle"))
			runtime->bundle = option.value;
		else if (is_named(&option, "f") || is_named(&option, "config"))
			runtime->config = option.value;
	}
	return 0;
}

static bool is_command(const struct oci_runtime *runtime, const char *name)
{
	return !strcmp(runtime->command, name);
}

bool oci_runtime_creates(const struct oci_runtime *runtime)
{
	return is_command(runtime, "create") || is_command(runtime, "run");
}

static bool moves_container(const struct oci_runtime *runtime)
{
	return is_command(runtime, "checkpoint") ||
	       is_command(runtime, "restore");
}

int oci_runtime_read(struct oci_runtime *runtime, char **words,
		     char why[WHY_SIZE])
{
	int ret;

	*runtime = (struct oci_runtime){ .words = words, .command = "" };
	ret = read_global(runtime, why);
	if (!ret && (oci_runtime_creates(runtime) || moves_container(runtime)))
		ret = read_own(runtime, why);
	return ret;
}

static int install_filter(void *unused)
{
	int fd;

	(void)unused;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	fd = filter_install();
	return fd < 0 ? fd : 0;
}

/*
 * The container's listener would be the second, of which the runtime only says
 * that a device is busy. Tried in a child, since a filter cannot be taken away.
 */
static bool has_listener(void)
{
	return process_try(install_filter, NULL) == -EBUSY;
}

static int find_config(const struct oci_runtime *runtime, const char *bundle,
		       char path[PATH_MAX], char why[WHY_SIZE])
{
	const char *config = runtime->config ? runtime->config : "config.json";
	bool absolute = config[0] == '/';
	int n = snprintf(path, PATH_MAX, "%s%s%s",
			 absolute ? "" : bundle ? bundle : ".",
			 absolute ? "" : "/", config);

	return n < PATH_MAX ? 0 :
	       why_fail(why, -ENAMETOOLONG, "the path of the bundle is too long");
}

static int edit_config(const struct oci_runtime *runtime, const char *listener,
		char why[WHY_SIZE])
{
	struct oci_supervision want = { .listener = listener };
	struct oci_features features;
	char path[PATH_MAX];
	int ret = find_config(runtime, runtime->bundle, path, why);

	if (ret)
		return ret;
	if (has_listener())
		return why_fail(why, -EBUSY, "this is inside of a container that has a seccomp listener, and the kernel allows one: call the runtime itself; if that listener is MPU's, it looks after what is started here, too");
	oci_runtime_examine(runtime->path, &features);
	if (!features.notify)
		return why_fail(why, -EOPNOTSUPP, "%s cannot notify of calls (its features lack SCMP_ACT_NOTIFY): its containers cannot be supervised",
				runtime->path);
	want.flag = features.flag;
	ret = oci_edit_config(path, &want, why);
	return ret == OCI_PRESENT ? 0 : ret;
}

/* Ask the runtime: the words before the sub-command, then "state ID". */
static bool find_bundle(const struct oci_runtime *runtime,
			char bundle[PATH_MAX])
{
	const char **state = calloc((size_t)runtime->at + 3, sizeof(*state));
	bool found = false;

	if (state && runtime->id) {
		memcpy(state, runtime->words,
		       (size_t)runtime->at * sizeof(*state));
		state[0] = runtime->path;
		state[runtime->at] = "state";
		state[runtime->at + 1] = runtime->id;
		found = oci_runtime_bundle(state, bundle);
	}
	free(state);
	return found;
}

/*
 * A restored filter has no listener, and every call that it notifies of ends
 * with ENOSYS (seen with CRIU 3.17): no checkpoint of such a container, either.
 */
static int refuse_supervised(const struct oci_runtime *runtime,
			     const char *listener, char why[WHY_SIZE])
{
	bool restores = is_command(runtime, "restore");
	char path[PATH_MAX], bundle[PATH_MAX];
	int ret;

	if (!restores && !find_bundle(runtime, bundle))
		return 0;
	ret = find_config(runtime, restores ? runtime->bundle : bundle, path,
			  why);
	if (ret || oci_edit_is_supervised(path, listener) != 1)
		return ret;
	return why_fail(why, -EPERM, "cannot %s %s: it is supervised, and a checkpoint does not keep that: after a restore its calls of the driver would fail",
			runtime->command, runtime->id ? runtime->id : "it");
}

int oci_runtime_prepare(const struct oci_runtime *runtime,
			const char *listener, char why[WHY_SIZE])
{
	if (!listener)
		return 0;
	if (oci_runtime_creates(runtime))
		return edit_config(runtime, listener, why);
	if (moves_container(runtime))
		return refuse_supervised(runtime, listener, why);
	return 0;
}

int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE])
{
	int ret;

	runtime->words[0] = (char *)runtime->path;
	execv(runtime->path, runtime->words);
	ret = -errno;
	return why_fail(why, ret, "cannot start %s: %s", runtime->path,
			strerror(-ret));
}
