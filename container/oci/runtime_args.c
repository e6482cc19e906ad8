// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of an OCI runtime, as far as it says what container is to be made.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "container/oci/internal.h"
#include "lib/text.h"

/*
 * Options of runc and crun before the sub-command, and of those sub-commands
 * that are looked at: create, run, checkpoint and restore. A bundle before the
 * sub-command neither of them takes; NVIDIA's wrapper does.
 */
static const char *const global_with_value[] = {
	"b", "bundle", "cgroup-manager", "criu", "log", "log-format",
	"log-level", "root", "rootless", NULL
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

static const char *const commands[] = {
	"checkpoint", "create", "delete", "events", "exec", "features", "help",
	"init", "kill", "list", "mounts", "pause", "ps", "restore", "resume",
	"run", "spec", "start", "state", "update", "version", NULL
};

/* An option: -name or --name, and what follows an equals sign. */
struct option {
	const char *name;
	size_t len;
	const char *value;
};

static bool is_in(const struct option *option, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == option->len && !strncmp(*list, option->name, option->len))
			return true;
	return false;
}

static struct option split_option(const char *text)
{
	struct option option = { .name = text + strspn(text, "-") };
	const char *equals;

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

/* Has it not been switched off? runc's are Go's: --help=false. */
static bool is_on(const struct option *option)
{
	return !option->value || text_truth(option->value);
}

/*
 * May crun read an option that is not known here otherwise than as one word by
 * itself? It takes the beginning of an option for the whole, and letters behind
 * one dash for options each, the last of them with a value.
 */
static bool is_doubtful(const char *text, const struct option *option,
			const char *const *with_value)
{
	if (text[1] != '-' && option->len > 1 &&
	    (memchr(option->name, 'b', option->len) || memchr(option->name, 'f', option->len)))
		return true;
	for (; *with_value; with_value++)
		if (!strncmp(*with_value, option->name, option->len))
			return true;
	return false;
}

/*
 * Reads the option at words[@i] and, if it stands apart, its value. Return: index of the last
 * word read, or -EINVAL and a sentence in @why.
 */
static int read_option(struct oci_runtime *runtime, int i,
		       struct option *option, const char *const *with_value,
		       const char *const *without, char why[WHY_SIZE])
{
	char **words = runtime->words;
	const char *text = words[i];

	*option = split_option(text);
	if (!is_in(option, with_value) && !is_in(option, without)) {
		if (is_doubtful(text, option, with_value))
			return why_fail(why, -EINVAL, "%s is not known here: write it in full and, if it takes a value, as %.*s=VALUE",
					text,
					(int)(option->name + option->len - text),
					text);
		runtime->guessed = true;
	} else if (!option->value && is_in(option, with_value)) {
		if (!words[i + 1])
			return why_fail(why, -EINVAL, "%s needs a value, and nothing follows it",
					text);
		option->value = words[++i];
	}
	return i;
}

/* Takes an option that may stand before and behind the sub-command. */
static void take_option(struct oci_runtime *runtime, const struct option *option)
{
	if (is_named(option, "b") || is_named(option, "bundle"))
		runtime->bundle = option->value;
	else if (is_on(option) &&
		 (is_named(option, "help") || is_named(option, "h") ||
		  is_named(option, "?") || is_named(option, "usage")))
		runtime->asks = true;
}

static int read_global(struct oci_runtime *runtime, char why[WHY_SIZE])
{
	char **words = runtime->words;
	struct option option;
	int i;

	for (i = words[0] ? 1 : 0; words[i] && words[i][0] == '-'; i++) {
		if (!strcmp(words[i], "--")) {
			i++;
			break;
		}
		i = read_option(runtime, i, &option, global_with_value, global_without, why);
		if (i < 0)
			return i;
		take_option(runtime, &option);
		if (is_named(&option, "log"))
			runtime->log = option.value;
		else if (is_named(&option, "log-format") && option.value)
			runtime->log_json = !strcmp(option.value, "json");
		else if (is_named(&option, "debug"))
			runtime->debug = is_on(&option);
		else if (is_on(&option) && (is_named(&option, "version") ||
			 is_named(&option, "v") || is_named(&option, "V")))
			runtime->asks = runtime->version = true;
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
			i = read_option(runtime, i, &option, own_with_value, own_without, why);
		if (i < 0)
			return i;
		take_option(runtime, &option);
		if (is_named(&option, "f") || is_named(&option, "config"))
			runtime->config = option.value;
	}
	return 0;
}

bool oci_runtime_creates(const struct oci_runtime *runtime)
{
	return !runtime->asks && (!strcmp(runtime->command, "create") ||
				  !strcmp(runtime->command, "run"));
}

bool oci_runtime_deletes(const struct oci_runtime *runtime)
{
	return !runtime->asks && !strcmp(runtime->command, "delete");
}

bool oci_runtime_moves(const struct oci_runtime *runtime)
{
	return !runtime->asks && (!strcmp(runtime->command, "checkpoint") ||
				  !strcmp(runtime->command, "restore"));
}

/* Is it -b, --bundle, -bundle, and the value follows? */
static bool is_bare_bundle(const char *word)
{
	const char *name = word + strspn(word, "-");

	return *word == '-' && (!strcmp(name, "b") || !strcmp(name, "bundle"));
}

/* Goes by any word "create", and the last bundle, as NVIDIA's wrapper does. */
void oci_runtime_guess(struct oci_runtime *runtime, char **words)
{
	int i;

	*runtime = (struct oci_runtime){ .words = words, .command = "" };
	for (i = words[0] ? 1 : 0; words[i]; i++) {
		const char *name = words[i] + strspn(words[i], "-");
		size_t len = strcspn(name, "=");

		if (*words[i] == '-' && name[len] == '=' &&
		    ((len == 1 && *name == 'b') || (len == 6 && !strncmp(name, "bundle", len)))) {
			runtime->bundle = name + len + 1;
		} else if (is_bare_bundle(words[i])) {
			if (words[i + 1])
				runtime->bundle = words[++i];
		} else if (!strcmp(words[i], "create")) {
			runtime->at = i;
			runtime->command = words[i];
		}
	}
}

/* A word that follows an unknown option may have been taken for the sub-command. */
static void find_command(struct oci_runtime *runtime)
{
	const struct option option = { runtime->command, strlen(runtime->command), NULL };
	struct oci_runtime guess;

	if (!runtime->guessed || is_in(&option, commands))
		return;
	oci_runtime_guess(&guess, runtime->words);
	runtime->command = guess.command;
	runtime->at = guess.at;
	if (guess.bundle)
		runtime->bundle = guess.bundle;
}

int oci_runtime_read(struct oci_runtime *runtime, char **words, char why[WHY_SIZE])
{
	char **word;
	int ret;

	*runtime = (struct oci_runtime){ .words = words, .command = "" };
	ret = read_global(runtime, why);
	if (!ret)
		find_command(runtime);
	if (!ret && (oci_runtime_creates(runtime) || oci_runtime_moves(runtime)))
		ret = read_own(runtime, why);
	/* delete has no option with a value, and -f is to force it. */
	if (!ret && oci_runtime_deletes(runtime)) {
		for (word = words + runtime->at + 1; *word && **word == '-'; word++)
			;
		runtime->id = *word;
	}
	return ret;
}

int oci_runtime_config(const struct oci_runtime *runtime, const char *bundle,
		       char path[PATH_MAX], char why[WHY_SIZE])
{
	const char *config = runtime->config ? runtime->config : "config.json";
	size_t len = bundle && config[0] != '/' ? strlen(bundle) : 0;
	const char *slash;

	while (len > 1 && bundle[len - 1] == '/')
		len--;
	slash = len && bundle[len - 1] != '/' ? "/" : "";
	return snprintf(path, PATH_MAX, "%.*s%s%s", (int)len,
			bundle ? bundle : "", slash, config) < PATH_MAX ? 0 :
	       why_fail(why, -ENAMETOOLONG, "the path of the bundle is too long");
}
