// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-runtime-hook: the prestart hook. The image's files are read here as
 * data alone. From the environment, only the variables that config.toml has for
 * nvidia-container-cli, and NVC_..., are used or handed on.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/hook.h"
#include "container/image/image.h"
#include "lib/json_file.h"
#include "lib/fds.h"
#include "lib/process.h"

#define SAFE_PATH "/usr/sbin:/usr/bin:/sbin:/bin"

extern char **environ;

/**
 * struct prestart - one call of the hook
 * @pidfd:	of the container's process, so that its number is not another's; -1
 * @device_rules: of @config, NULL: it has none
 */
struct prestart {
	const struct command_call *call;
	struct settings settings;
	struct hook_state state;
	int pidfd;
	struct json_file config;
	struct json_object *device_rules;
	struct container container;
	struct request request;
	char *root;
};

static int fail(const struct prestart *hook, const char *why)
{
	return command_fail(hook->call, CLI_FAILED, "%s", why);
}

static int read_settings(struct prestart *hook)
{
	char why[WHY_SIZE], *warning;

	if (settings_read(&hook->settings, command_value(hook->call, "config"),
			  SETTINGS_HOOK, why))
		return fail(hook, why);
	warning = settings_warn(&hook->settings);
	if (warning)
		command_warn(hook->call, "warning: %s", warning);
	free(warning);
	return hook_check_mode(&hook->settings, why) ? fail(hook, why) : 0;
}

static int read_state(struct prestart *hook)
{
	char why[WHY_SIZE], *text = malloc(HOOK_STATE_SIZE);
	ssize_t len = text ? fd_read_all(STDIN_FILENO, text, HOOK_STATE_SIZE) : -ENOMEM;
	int ret;

	if (len < 0) {
		free(text);
		return command_fail(hook->call, CLI_FAILED, "could not read container state: %s",
				    strerror((int)-len));
	}
	ret = hook_state_read(&hook->state, text, (size_t)len, why);
	free(text);
	if (ret)
		return fail(hook, why);
	if (hook->state.pid <= 0)
		return command_fail(hook->call, CLI_FAILED, "could not decode container state: it names no process (pid)");
	if (hook->state.bundle[0] != '/')
		return command_fail(hook->call, CLI_FAILED, "could not decode container state: it names no bundle, an absolute path");
	hook->pidfd = (int)syscall(SYS_pidfd_open, hook->state.pid, 0);
	if (hook->pidfd < 0)
		return command_fail(hook->call, CLI_FAILED, "the container's process %d: %s",
				    hook->state.pid, strerror(errno));
	return 0;
}

static int read_config(struct prestart *hook)
{
	char path[PATH_MAX], why[WHY_SIZE];
	int ret;

	if (snprintf(path, sizeof(path), "%s/config.json", hook->state.bundle) >=
	    (int)sizeof(path))
		return command_fail(hook->call, CLI_FAILED, "could not open OCI spec: the path of the bundle is too long");
	ret = json_file_read(path, &hook->config, why);
	if (ret)
		return command_fail(hook->call, CLI_FAILED, "could not %s OCI spec: %s",
				    ret == -EINVAL ? "decode" : "open", why);
	if (hook_check_config(hook->config.root, why) ||
	    container_read(&hook->container, hook->config.root,
			   hook->state.bundle, why) ||
	    hook_root(&hook->state, hook->config.root, &hook->root, why) ||
	    hook_device_rules(hook->config.root, &hook->device_rules, why))
		return fail(hook, why);
	return 0;
}

static int read_request(struct prestart *hook)
{
	char why[WHY_SIZE];
	size_t i;

	if (request_read(&hook->request, &hook->container, &hook->settings,
			 ANNOTATIONS_IGNORED, why) ||
	    request_read_details(&hook->request, &hook->container,
				 &hook->settings, why))
		return fail(hook, why);
	for (i = 0; i < hook->request.warnings.n; i++)
		command_warn(hook->call, "warning: %s",
			     hook->request.warnings.word[i]);
	return 0;
}

/* Variables for nvidia-container-cli: none of those that we have but NVC_... */
static int make_environment(const struct prestart *hook, struct strv *env)
{
	const struct strv *set = &hook->settings.cli.environment;
	int ret = strv_add(env, "PATH=" SAFE_PATH);
	char **at;
	size_t i;

	for (at = environ; !ret && *at; at++)
		if (!strncmp(*at, "NVC_", 4))
			ret = strv_add(env, *at);
	for (i = 0; !ret && i < set->n; i++)
		if (strchr(set->word[i], '='))
			ret = strv_add(env, set->word[i]);
	return ret;
}

static int call_cli(const struct prestart *hook, struct strv *words)
{
	struct container_cli_caller caller = {
		hook->state.bundle, hook->config.root, hook->device_rules
	};
	const char *path = words->word[0];
	struct strv env = { 0 };

	if (make_environment(hook, &env))
		return fail(hook, "no memory");
	if (syscall(SYS_pidfd_send_signal, hook->pidfd, 0, NULL, 0))
		return command_fail(hook->call, CLI_FAILED, "the container's process %d has ended",
				    hook->state.pid);
	environ = env.word;
	if (!strchr(path, '/') || process_is_self(path))
		return container_cli_run(words->word, &caller);
	execve(path, words->word, env.word);
	return command_fail(hook->call, CLI_FAILED, "couldn't run %s, which is nvidia-container-cli.path in config.toml: %s",
			    path, strerror(errno));
}

static int inject(struct prestart *hook)
{
	const char *path = hook->settings.cli.path;
	const struct hook_call call = {
		/* The default is this program, whatever else is in PATH. */
		.path = path && *path ? path : CONTAINER_CLI_NAME,
		.debug = command_is_on(hook->call, "debug"),
		.settings = &hook->settings, .request = &hook->request,
		.pid = hook->state.pid, .root = hook->root,
	};
	struct strv words = { 0 };
	int status;

	if (hook_words(&call, &words))
		status = fail(hook, "no memory");
	else
		status = call_cli(hook, &words);
	strv_free(&words);
	return status;
}

static void close_hook(struct prestart *hook)
{
	free(hook->root);
	request_free(&hook->request);
	container_free(&hook->container);
	json_object_put(hook->config.root);
	hook_state_free(&hook->state);
	settings_free(&hook->settings);
}

static int run_prestart(const struct command_call *call)
{
	struct prestart hook = { .call = call, .pidfd = -1 };
	int status, none[1];

	/* A runtime has descriptors that lead to the host, an image may trace us. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	fd_close_others(none, 0, 0);
	status = read_settings(&hook);
	if (!status)
		status = read_state(&hook);
	if (!status)
		status = read_config(&hook);
	if (!status)
		status = read_request(&hook);
	if (!status && hook.request.is_gpu)
		status = inject(&hook);
	close_hook(&hook);
	return status;
}

static int run_nothing(const struct command_call *call)
{
	(void)call;
	return CLI_DONE;
}

static const struct command_option options[] = {
	{ "debug", 0, NULL, NULL, "nvidia-container-cli logs to standard error" },
	{ "config", 0, "FILE", NULL, "the settings (default: /etc/nvidia-container-runtime/config.toml)" },
	{ .name = NULL },
};

static const struct command *const commands[] = {
	COMMAND(.name = "prestart", .argument = "[WORD...]", .run = run_prestart,
		.what = "give the container whose state is on standard input what it asks for"),
	COMMAND(.name = "poststart", .argument = "[WORD...]", .run = run_nothing,
		.what = "do nothing"),
	COMMAND(.name = "poststop", .argument = "[WORD...]", .run = run_nothing,
		.what = "do nothing"),
	NULL
};

static const struct program nvidia_hook = {
	.top = {
		.name = "nvidia-container-runtime-hook", .options = { options }, .commands = commands,
		.what = "The hook that an OCI runtime calls before a container starts",
	},
	.style = PROGRAM_GO,
	.version = "NVIDIA Container Runtime Hook version " NVIDIA_VERSION "\ncommit: mpu " MPU_VERSION,
	.usage_status = CLI_USAGE,
};

int nvidia_hook_main(char **words)
{
	return program_main(&nvidia_hook, words);
}
