// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu-runtime: stands where containerd, docker or podman expect runc or crun.
 * Before a container is made it edits the bundle's config.json; then, and for
 * everything else, it becomes the runtime behind it, with the same words.
 *
 * Of the command line it understands what it takes to find the bundle, and
 * where errors are to be logged.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/runtime.h"
#include "container/oci/edit.h"
#include "engines/engine.h"
#include "engines/notify/agent_message.h"
#include "engines/notify/agent_client.h"
#include "engines/notify/filter.h"
#include "lib/process.h"

#define NAME "mpu-runtime"

/* A wrapper that calls us is not the runtime; one in a hook may call us. */
#define DEEPEST	4

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

/**
 * struct line - what we understood
 * @command:	the sub-command, "" if there is none
 * @at:		its index
 * @id:		the last word that is no option, NULL if there is none
 */
struct line {
	const char *command;
	int at;
	const char *id;
	const char *log;
	bool log_json;
	const char *bundle;
	const char *config;
};

/* An option: -name or --name, and what follows an equals sign. */
struct word {
	const char *name;
	size_t len;
	const char *value;
};

bool runtime_is_called(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	return argv0 && !strcmp(slash ? slash + 1 : argv0, NAME);
}

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
	}
}

/* As runc does it; whoever called us shows the last error it finds here. */
static void log_line(const struct line *line, const char *level,
		     const char *text)
{
	const char *path = line->log;
	time_t now = time(NULL);
	char when[32];
	struct tm tm;
	FILE *out;

	if (path && !strncmp(path, "file:", 5))
		path += 5;
	/* crun knows syslog:NAME and journald:NAME, too. */
	out = path && (*path == '/' || !strchr(path, ':')) ?
	      fopen(path, "ae") : NULL;
	if (!out)
		return;
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&now, &tm));
	if (line->log_json) {
		fprintf(out, "{\"level\":\"%s\",\"msg\":\"" NAME ": ", level);
		put_escaped(out, text);
		fprintf(out, "\",\"time\":\"%s\"}\n", when);
	} else {
		fprintf(out, "time=\"%s\" level=%s msg=\"" NAME ": ", when,
			level);
		put_escaped(out, text);
		fputs("\"\n", out);
	}
	fclose(out);
}

static int fail(const struct line *line, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(const struct line *line, const char *fmt, ...)
{
	char text[PATH_MAX + 1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, NAME ": %s\n", text);
	log_line(line, "error", text);
	return CLI_FAILED;
}

static bool is_in(const struct word *word, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == word->len &&
		    !strncmp(*list, word->name, word->len))
			return true;
	return false;
}

static struct word split(const char *text)
{
	struct word word = { .name = text + 1 };
	const char *equals;

	word.name += *word.name == '-';
	equals = strchr(word.name, '=');
	word.len = equals ? (size_t)(equals - word.name) : strlen(word.name);
	word.value = equals ? equals + 1 : NULL;
	return word;
}

static bool is(const struct word *word, const char *name)
{
	const char *const list[] = { name, NULL };

	return is_in(word, list);
}

/*
 * One that we do not know may take the next word for its value, or be the
 * beginning of one that we look for, which crun takes for the whole.
 */
static bool is_clear(const struct word *word, const char *const *with_value,
		     const char *const *without)
{
	if (is_in(word, with_value) || is_in(word, without))
		return true;
	if (!word->value)
		return false;
	for (; *with_value; with_value++)
		if (!strncmp(*with_value, word->name, word->len))
			return false;
	return true;
}

/*
 * Read one option and, if it stands apart, its value. Return: index of the
 * last word read, or -1: not clear, which was said.
 */
static int read_option(const struct line *line, char **argv, int i,
		       struct word *word, const char *const *with_value,
		       const char *const *without)
{
	*word = split(argv[i]);
	if (!is_clear(word, with_value, without)) {
		fail(line, "%s is not known here: write it in full and, if it takes a value, as %.*s=VALUE",
		     argv[i], (int)(word->name - argv[i] + (ptrdiff_t)word->len),
		     argv[i]);
		return -1;
	}
	if (!word->value && is_in(word, with_value))
		word->value = argv[++i];
	return i;
}

/* Return: index of the sub-command, or -1 for an option that is not clear. */
static int read_global(struct line *line, int argc, char **argv)
{
	struct word word;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--"))
			return i + 1;
		i = read_option(line, argv, i, &word, global_with_value,
				global_without);
		if (i < 0)
			return -1;
		if (is(&word, "log"))
			line->log = word.value;
		else if (is(&word, "log-format") && word.value)
			line->log_json = !strcmp(word.value, "json");
	}
	return i;
}

/* crun takes -bDIR and -fFILE. */
static bool is_letter_with_value(const char *text)
{
	struct word word = split(text);

	return text[1] && text[1] != '-' && strchr("bf", text[1]) &&
	       text[2] && text[2] != '=' && !is(&word, "bundle");
}

/* What follows the sub-command. Return: 0, or -1 as above. */
static int read_own(struct line *line, int argc, char **argv)
{
	bool options = true;
	struct word word;
	int i;

	for (i = 0; i < argc; i++) {
		if (options && !strcmp(argv[i], "--")) {
			options = false;
			continue;
		}
		if (!options || argv[i][0] != '-' || !argv[i][1]) {
			line->id = argv[i];
			continue;
		}
		if (is_letter_with_value(argv[i]))
			word = (struct word){ argv[i] + 1, 1, argv[i] + 2 };
		else
			i = read_option(line, argv, i, &word, own_with_value,
					own_without);
		if (i < 0)
			return -1;
		if (is(&word, "b") || is(&word, "bundle"))
			line->bundle = word.value;
		else if (is(&word, "f") || is(&word, "config"))
			line->config = word.value;
	}
	return 0;
}

static bool is_command(const struct line *line, const char *a, const char *b)
{
	return !strcmp(line->command, a) || !strcmp(line->command, b);
}

static const char *listener_path(void)
{
	const char *path = getenv("MPU_AGENT");

	return path && *path ? path : AGENT_SOCKET;
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
 * The listener would be the second, of which the runtime only says that a
 * device is busy. Tried in a child, since a filter cannot be taken away.
 */
static bool has_listener(void)
{
	return process_try(install_filter, NULL) == -EBUSY;
}

/*
 * Is there somebody to take the listener? @needless: no, and there need not be,
 * for another engine is in front of every container.
 *
 * Return: as fail(), or CLI_DONE.
 */
static int check_agent(const struct line *line, const char *path,
		       bool *needless)
{
	const struct engine *engine;
	int sock;

	*needless = false;
	if (path[0] != '/')
		return fail(line, "MPU_AGENT says '%s': it must be the absolute path of the agent's socket",
			    path);
	sock = agent_connect(path);
	if (sock >= 0) {
		close(sock);
		return CLI_DONE;
	}
	engine = engine_current();
	*needless = engine && engine->everywhere;
	if (*needless)
		return CLI_DONE;
	if (sock == -EACCES || sock == -EPERM)
		return fail(line, "this user may not connect to the agent at %s: start the container as root, or an agent of this user's, and name its socket in MPU_AGENT",
			    path);
	if (sock == -EAGAIN)
		return fail(line, "the agent at %s does not answer: see 'mpu status'",
			    path);
	return fail(line, "no agent listens at %s: start it with 'systemctl start mpu-agent.socket', or 'mpu agent'",
		    path);
}

static int find_config(const struct line *line, char path[PATH_MAX])
{
	const char *bundle = line->bundle ? line->bundle : ".";
	const char *config = line->config ? line->config : "config.json";
	int n = snprintf(path, PATH_MAX, "%s%s%s",
			 config[0] == '/' ? "" : bundle,
			 config[0] == '/' ? "" : "/", config);

	return n < PATH_MAX ? CLI_DONE :
	       fail(line, "the path of the bundle is too long");
}

static int edit(const struct line *line, const char *runtime)
{
	struct oci_supervision want = { .listener = listener_path() };
	char path[PATH_MAX], why[OCI_WHY];
	struct runtime_knows knows;
	bool needless;
	int ret = check_agent(line, want.listener, &needless);

	if (!ret && !needless)
		ret = find_config(line, path);
	if (ret || needless)
		return ret;
	if (has_listener())
		return fail(line, "this is inside of a container that has a seccomp listener, and the kernel allows one: call the runtime itself; if that listener is MPU's, it looks after what is started here, too");
	runtime_examine(runtime, &knows);
	if (!knows.notify)
		return fail(line, "%s cannot notify of calls (its features lack SCMP_ACT_NOTIFY): its containers cannot be supervised",
			    runtime);
	want.flag = knows.flag;
	ret = oci_edit_config(path, &want, why);
	if (ret < 0)
		return fail(line, "%s", why);
	if (ret == OCI_FOREIGN || ret == OCI_CLOSED) {
		fprintf(stderr, NAME ": %s\n", why);
		log_line(line, "warning", why);
	}
	return CLI_DONE;
}

/* Ask the runtime: the words before the sub-command, then "state ID". */
static bool find_bundle(const struct line *line, const char *runtime,
			char **argv, char bundle[PATH_MAX])
{
	char **state = calloc((size_t)line->at + 3, sizeof(*state));
	bool found = false;

	if (state && line->id) {
		memcpy(state, argv, (size_t)line->at * sizeof(*state));
		state[0] = (char *)runtime;
		state[line->at] = "state";
		state[line->at + 1] = (char *)line->id;
		found = runtime_bundle(state, bundle);
	}
	free(state);
	return found;
}

/*
 * A restored filter has no listener, and every call that it notifies of ends
 * with ENOSYS (seen with CRIU 3.17): no checkpoint of such a container, either.
 */
static int refuse_supervised(struct line *line, const char *runtime,
			     char **argv)
{
	char path[PATH_MAX], bundle[PATH_MAX];
	int ret;

	if (!strcmp(line->command, "checkpoint")) {
		if (!find_bundle(line, runtime, argv, bundle))
			return CLI_DONE;
		line->bundle = bundle;
	}
	ret = find_config(line, path);
	if (ret || oci_edit_is_supervised(path, listener_path()) != 1)
		return ret;
	return fail(line, "cannot %s %s: it is supervised, and a checkpoint does not keep that: after a restore its calls of the driver would fail",
		    line->command, line->id ? line->id : "it");
}

/* A wrapper around us that is named as the runtime would be called for ever. */
static bool comes_back(void)
{
	static const char name[] = "MPU_RUNTIME_DEPTH";
	const char *last = getenv(name);
	int depth = last ? atoi(last) : 0;
	char text[16];

	snprintf(text, sizeof(text), "%d", depth + 1);
	setenv(name, text, 1);
	return depth >= DEEPEST;
}

enum cli_exit cmd_runtime(const struct cli *cli)
{
	int words = 0;

	while (cli->words && cli->words[words])
		words++;
	if (!words)
		return cli_fail(cli, CLI_USAGE,
				"no command line of a runtime given; see 'mpu help runtime'");
	/* In front of its words stands the command itself. */
	return (enum cli_exit)runtime_main(words + 1, cli->words - 1);
}

int runtime_main(int argc, char **argv)
{
	struct line line = { .command = "" };
	char runtime[PATH_MAX], why[2 * PATH_MAX];
	bool makes, moves;

	line.at = read_global(&line, argc, argv);
	if (line.at < 0)
		return CLI_FAILED;
	if (line.at < argc)
		line.command = argv[line.at];
	makes = is_command(&line, "create", "run");
	moves = is_command(&line, "checkpoint", "restore");
	if ((makes || moves) &&
	    read_own(&line, argc - line.at - 1, argv + line.at + 1))
		return CLI_FAILED;
	if (runtime_find(runtime, why, sizeof(why)))
		return fail(&line, "%s", why);
	if (comes_back())
		return fail(&line, "%s calls mpu-runtime again: name the real runtime in /etc/mpu/runtime",
			    runtime);
	if ((makes && edit(&line, runtime)) ||
	    (moves && refuse_supervised(&line, runtime, argv)))
		return CLI_FAILED;
	argv[0] = runtime;
	execv(runtime, argv);
	return fail(&line, "cannot start %s: %s", runtime, strerror(errno));
}
