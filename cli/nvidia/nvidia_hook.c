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
#include "container/container.h"
#include "container/image/image.h"
#include "lib/json_file.h"
#include "lib/fds.h"
#include "lib/path.h"
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

static int read_settings(struct prestart *hook, char why[WHY_SIZE])
{
	int ret = settings_read(&hook->settings, command_value(hook->call, "config"),
				SETTINGS_HOOK, why);
	char *warning;

	if (ret)
		return ret;
	warning = settings_warn(&hook->settings);
	if (warning)
		command_warn(hook->call, "warning: %s", warning);
	free(warning);
	return hook_check_mode(&hook->settings, why);
}

static int read_state(struct prestart *hook, char why[WHY_SIZE])
{
	int ret = hook_state_read(&hook->state, STDIN_FILENO, why);

	if (ret)
		return ret;
	if (hook->state.pid <= 0)
		return why_fail(why, -EINVAL, "could not decode container state: it names no process (pid)");
	hook->pidfd = (int)syscall(SYS_pidfd_open, hook->state.pid, 0);
	return hook->pidfd >= 0 ? 0 : why_fail(why, -errno, "the container's process %d: %s",
					       hook->state.pid, strerror(errno));
}

static int read_config(struct prestart *hook, char why[WHY_SIZE])
{
	char path[PATH_MAX], reason[WHY_SIZE];
	int ret;

	if (snprintf(path, sizeof(path), "%s/config.json", hook->state.bundle) >= (int)sizeof(path))
		return why_fail(why, -ENAMETOOLONG, "could not open OCI spec: the path of the bundle is too long");
	ret = json_file_read(path, &hook->config, reason);
	if (ret)
		return why_fail(why, ret, "could not %s OCI spec: %s",
				ret == -EINVAL ? "decode" : "open", reason);
	return container_read(&hook->container, hook->config.root, hook->state.bundle, why) ?:
	       hook_device_rules(hook->config.root, &hook->device_rules, why) ?:
	       hook_root(&hook->state, hook->config.root, &hook->root, why);
}

static int read_request(struct prestart *hook, char why[WHY_SIZE])
{
	int ret = request_read(&hook->request, &hook->container, &hook->settings,
			       ANNOTATIONS_IGNORED, why) ?:
		  request_read_details(&hook->request, &hook->container, &hook->settings, why);
	size_t i;

	for (i = 0; i < hook->request.warnings.n && !ret; i++)
		command_warn(hook->call, "warning: %s", hook->request.warnings.word[i]);
	return ret;
}

/* Becomes nvidia-container-cli. Return: its exit status, or negative errno and @why. */
static int call_cli(const struct prestart *hook, char why[WHY_SIZE])
{
	const struct settings *settings = &hook->settings;
	const struct hook_call call = {
		/* The default is this program, whatever else is in PATH. */
		.path = settings->cli.path && *settings->cli.path ? settings->cli.path :
								    CONTAINER_CLI_NAME,
		.debug = command_is_on(hook->call, "debug"),
		.settings = settings, .request = &hook->request,
		.pid = hook->state.pid, .root = hook->root,
	};
	struct container_cli_caller caller = {
		settings, hook->state.bundle, hook->config.root, hook->device_rules
	};
	struct strv words = { 0 }, env = { 0 };
	char **ours = environ, **at;
	size_t i;
	int ret;

	hook_words(&call, &words);
	strv_add(&env, "PATH=" SAFE_PATH);
	for (at = environ; *at; at++)
		if (!strncmp(*at, "NVC_", 4))
			strv_add(&env, *at);
	for (i = 0; i < settings->cli.environment.n; i++)
		if (strchr(settings->cli.environment.word[i], '='))
			strv_add(&env, settings->cli.environment.word[i]);
	environ = env.word;
	if (syscall(SYS_pidfd_send_signal, hook->pidfd, 0, NULL, 0)) {
		ret = why_fail(why, -ESRCH, "the container's process %d has ended",
			       hook->state.pid);
	} else if (!strchr(call.path, '/') || process_is_self(call.path) ||
		   /* NVIDIA's, which config.toml names still and ours has replaced. */
		   (!strcmp(path_name(call.path), CONTAINER_CLI_NAME) && access(call.path, F_OK))) {
		ret = container_cli_run(words.word, &caller);
	} else {
		execve(call.path, words.word, env.word);
		ret = why_fail(why, -errno, "couldn't run %s, which is nvidia-container-cli.path in config.toml: %s",
			       call.path, strerror(errno));
	}
	environ = ours;
	strv_free(&words);
	strv_free(&env);
	return ret;
}

static int run_prestart(const struct command_call *call)
{
	struct prestart hook = { .call = call, .pidfd = -1 };
	char why[WHY_SIZE];
	int ret, none[1];

	/* A runtime has descriptors that lead to the host, an image may trace us. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	fd_close_others(none, 0, 0);
	ret = read_settings(&hook, why) ?: read_state(&hook, why) ?: read_config(&hook, why) ?:
	      read_request(&hook, why);
	if (!ret && hook.request.is_gpu)
		ret = call_cli(&hook, why);
	if (ret < 0)
		ret = command_fail(call, CLI_FAILED, "%s", why);
	free(hook.root);
	request_free(&hook.request);
	container_free(&hook.container);
	json_object_put(hook.config.root);
	hook_state_free(&hook.state);
	settings_free(&hook.settings);
	return ret;
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
	return program_run(&nvidia_hook, words, NULL);
}
