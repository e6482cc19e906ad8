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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/agent.h"
#include "cli/cli.h"
#include "cli/runtime.h"
#include "engines/notify/oci.h"

#define NAME "mpu-runtime"

/* Options of runc and crun before the sub-command, and of create and run. */
static const char *const global_with_value[] = {
	"cgroup-manager", "criu", "log", "log-format", "log-level", "root",
	"rootless", NULL
};
static const char *const global_without[] = {
	"debug", "systemd-cgroup", "help", "h", "?", "usage", "version", "v",
	"V", NULL
};
static const char *const create_with_value[] = {
	"b", "bundle", "config", "console-socket", "f", "pid-file",
	"pidfd-socket", "preserve-fds", NULL
};

/**
 * struct line - what we understood
 * @command:	the sub-command, "" if there is none
 */
struct line {
	const char *command;
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

/* Return: index of the sub-command, or -1 for an option we do not know. */
static int read_global(struct line *line, int argc, char **argv)
{
	struct word word;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--"))
			return i + 1;
		word = split(argv[i]);
		if (!word.value && is_in(&word, global_with_value))
			word.value = argv[++i];
		else if (!word.value && !is_in(&word, global_without)) {
			fail(line, "%s is not known here: if it takes a value, write %s=VALUE",
			     argv[i], argv[i]);
			return -1;
		}
		if (is(&word, "log"))
			line->log = word.value;
		else if (is(&word, "log-format") && word.value)
			line->log_json = !strcmp(word.value, "json");
	}
	return i;
}

static void read_create(struct line *line, int argc, char **argv)
{
	struct word word;
	int i;

	for (i = 0; i < argc && strcmp(argv[i], "--"); i++) {
		if (argv[i][0] != '-')
			continue;
		word = split(argv[i]);
		/* crun takes -bDIR. */
		if (argv[i][1] != '-' && strchr("bf", argv[i][1]) &&
		    word.len > 1 && !is(&word, "bundle")) {
			word.len = 1;
			word.value = argv[i] + 2;
		}
		if (!word.value && is_in(&word, create_with_value))
			word.value = argv[++i];
		if (is(&word, "b") || is(&word, "bundle"))
			line->bundle = word.value;
		else if (is(&word, "f") || is(&word, "config"))
			line->config = word.value;
	}
}

static bool makes_container(const struct line *line)
{
	return !strcmp(line->command, "create") || !strcmp(line->command, "run");
}

static bool is_socket(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISSOCK(st.st_mode);
}

static int edit(const struct line *line, const char *runtime)
{
	const char *bundle = line->bundle ? line->bundle : ".";
	const char *config = line->config ? line->config : "config.json";
	const char *listener = getenv("MPU_AGENT");
	struct oci_want want = {
		.listener = listener && *listener ? listener : AGENT_SOCKET,
	};
	char path[PATH_MAX], why[PATH_MAX + 512];
	int ret;

	if (want.listener[0] != '/')
		return fail(line, "MPU_AGENT says %s: it must be the absolute path of the agent's socket",
			    want.listener);
	if (!is_socket(want.listener))
		return fail(line, "no agent listens at %s: start it with 'systemctl start mpu-agent.socket', or 'mpu agent'",
			    want.listener);
	ret = snprintf(path, sizeof(path), "%s%s%s",
		       config[0] == '/' ? "" : bundle,
		       config[0] == '/' ? "" : "/", config);
	if (ret >= (int)sizeof(path))
		return fail(line, "the path of the bundle is too long");
	if (runtime_has_flag(runtime))
		want.flag = OCI_FLAG;
	ret = oci_edit(path, &want, why, sizeof(why));
	if (ret < 0)
		return fail(line, "%s", why);
	if (ret == OCI_THEIRS || ret == OCI_CLOSED) {
		fprintf(stderr, NAME ": %s\n", why);
		log_line(line, "warning", why);
	}
	return CLI_DONE;
}

/*
 * A script of the runtime's name that calls us would be found by us again,
 * for ever: execve() keeps the PID.
 */
static bool comes_back(void)
{
	static const char name[] = "MPU_RUNTIME_PID";
	const char *last = getenv(name);
	char pid[16];
	bool again;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	again = last && !strcmp(last, pid);
	setenv(name, pid, 1);
	return again;
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
	int at = read_global(&line, argc, argv);

	if (at < 0)
		return CLI_FAILED;
	if (at < argc)
		line.command = argv[at];
	if (runtime_find(runtime, why, sizeof(why)))
		return fail(&line, "%s", why);
	if (comes_back())
		return fail(&line, "%s calls mpu-runtime again: name the real runtime in /etc/mpu/runtime",
			    runtime);
	if (makes_container(&line)) {
		read_create(&line, argc - at - 1, argv + at + 1);
		if (edit(&line, runtime))
			return CLI_FAILED;
	}
	argv[0] = runtime;
	execv(runtime, argv);
	return fail(&line, "cannot start %s: %s", runtime, strerror(errno));
}
