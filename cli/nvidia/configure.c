// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu configure, and nvidia-ctk runtime configure: two command lines for one thing.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/configure.h"
#include "container/request/settings.h"
#include "container/setup/change.h"
#include "container/setup/engine.h"
#include "lib/toml_edit.h"

/**
 * struct wish - what is to be done
 * @file:	the engine's configuration
 * @dry_run:	show what the file would say, and write nothing
 */
struct wish {
	const struct setup_engine *engine;
	const char *file;
	struct setup_runtime runtime;
	bool dry_run;
};

/* @reload: what makes somebody read the file again */
static int show_or_make(const struct tool_call *call, bool dry_run,
			const struct change *change, const char *reload)
{
	char why[WHY_SIZE];

	if (dry_run) {
		fputs(change->after, stdout);
		return CLI_DONE;
	}
	if (change_is_empty(change)) {
		fprintf(stderr, "%s: %s says so already\n", call->name,
			change->path);
		return CLI_DONE;
	}
	if (change_make(change, why))
		return tool_fail(call, CLI_FAILED, "%s", why);
	fprintf(stderr, "%s: %s is written; to have it read: %s\n", call->name,
		change->path, reload);
	return CLI_DONE;
}

static int configure(const struct tool_call *call, const struct wish *wish)
{
	struct change change;
	char why[WHY_SIZE];
	int status = CLI_DONE;

	if (change_open(&change, wish->file, why))
		status = tool_fail(call, CLI_FAILED, "%s", why);
	else if (wish->engine->edit(&change.after, &wish->runtime, why))
		status = tool_fail(call, CLI_FAILED, "%s: %s", change.path, why);
	else
		status = show_or_make(call, wish->dry_run, &change,
				      wish->engine->reload);
	change_close(&change);
	return status;
}

static int undo(const struct tool_call *call, const char *file,
		const char *reload)
{
	char why[WHY_SIZE];
	int ret = change_undo(file, why);

	if (ret < 0)
		return tool_fail(call, CLI_FAILED, "%s", why);
	if (ret)
		fprintf(stderr, "%s: %s is as it was; to have it read: %s\n",
			call->name, file, reload);
	else
		fprintf(stderr, "%s: %s was not changed by mpu\n", call->name,
			file);
	return CLI_DONE;
}

static const char *value_or(const struct tool_call *call, const char *name,
			    const char *otherwise)
{
	const char *value = tool_value(call, name);

	return value && *value ? value : otherwise;
}

/* mpu-runtime lies beside the program that runs here. */
static const char *own_runtime(char path[PATH_MAX])
{
	static const char name[] = "mpu-runtime";
	ssize_t len = readlink("/proc/self/exe", path,
			       PATH_MAX - sizeof(name) - 1);
	char *slash;

	path[len < 0 ? 0 : len] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	strcpy(slash + 1, name);
	return path;
}

static const char next_container[] = "nothing: the next container's runtime reads it";

/*
 * A pod may write any variable, and without these two settings it gets GPUs that way
 * which the device plugin has given to others; mounts only the plugin can make.
 */
static int edit_for_kubernetes(char **text, char why[WHY_SIZE])
{
	static const char *const variable[] = {
		"accept-nvidia-visible-devices-envvar-when-unprivileged", NULL };
	static const char *const mounts[] = {
		"accept-nvidia-visible-devices-as-volume-mounts", NULL };
	struct json_object *no = json_object_new_boolean(0);
	struct json_object *yes = json_object_new_boolean(1);
	int ret = toml_set(text, variable, no, why);

	if (!ret)
		ret = toml_set(text, mounts, yes, why);
	json_object_put(no);
	json_object_put(yes);
	return ret;
}

/* What --kubernetes adds: two settings of config.toml. */
static int configure_kubernetes(const struct tool_call *call)
{
	char path[PATH_MAX], why[WHY_SIZE];
	struct change change;
	int status = CLI_DONE;
	bool required;

	if (!tool_is_on(call, "kubernetes"))
		return CLI_DONE;
	if (settings_path(path, NULL, SETTINGS_RUNTIME, &required))
		return tool_fail(call, CLI_FAILED, "the path of config.toml is too long");
	if (tool_is_on(call, "undo"))
		return undo(call, path, next_container);
	if (change_open(&change, path, why))
		status = tool_fail(call, CLI_FAILED, "%s", why);
	else if (edit_for_kubernetes(&change.after, why))
		status = tool_fail(call, CLI_FAILED, "%s: %s", change.path, why);
	else
		status = show_or_make(call, tool_is_on(call, "dry-run"), &change,
				      next_container);
	change_close(&change);
	return status;
}

static int run_configure(const struct tool_call *call)
{
	char own[PATH_MAX];
	int status;
	const struct setup_engine *engine = setup_engine_find(call->words[0]);
	struct wish wish = { .engine = engine };

	if (!engine)
		return tool_fail_usage(call, "'%s' is none of docker, containerd, crio and podman",
				       call->words[0]);
	wish.file = value_or(call, "config", engine->file);
	status = configure_kubernetes(call);
	if (status)
		return status;
	if (tool_is_on(call, "undo"))
		return undo(call, wish.file, engine->reload);
	wish.runtime = (struct setup_runtime){
		.name = value_or(call, "name", "nvidia"),
		.path = value_or(call, "runtime", own_runtime(own)),
		.is_default = tool_is_on(call, "default"),
		.cdi = tool_is_on(call, "cdi"),
	};
	if (!wish.runtime.path || *wish.runtime.path != '/')
		return tool_fail_usage(call, "--runtime needs the absolute path of a program");
	wish.dry_run = tool_is_on(call, "dry-run");
	return configure(call, &wish);
}

static const struct tool_option configure_options[] = {
	{ "config", 'f', "FILE", NULL, "edit this file instead of the engine's own" },
	{ "name", 'n', "NAME", NULL, "what the runtime is called (default: nvidia)" },
	{ "runtime", 'r', "FILE", NULL, "its program (default: mpu-runtime beside mpu)" },
	{ "default", 'd', NULL, NULL, "for containers that name no runtime, too" },
	{ "cdi", 'c', NULL, NULL, "have the engine take CDI devices" },
	{ "kubernetes", 'k', NULL, NULL,
	  "GPUs for pods by mounts of the device plugin alone, not by variables" },
	{ "dry-run", 0, NULL, NULL, "show what the file would say" },
	{ "undo", 0, NULL, NULL, "have the file say what it said before" },
	{ .name = NULL },
};

const struct tool tool_configure = {
	.top = { "mpu configure", "docker|containerd|crio|podman",
		 configure_options, NULL, run_configure,
		 "have a container engine know the runtime that gives GPUs" },
	.style = TOOL_MPU,
	.usage_status = CLI_USAGE,
};

/* What NVIDIA's command takes by a name, docker looks for in PATH. */
static const char *ctk_runtime(const struct tool_call *call,
			       const struct setup_engine *engine)
{
	static const char program[] = "nvidia-container-runtime";
	const char *path = value_or(call, "nvidia-runtime-path", program);

	return strcmp(path, program) != 0 || engine == &setup_docker ?
		       path : "/usr/bin/nvidia-container-runtime";
}

static const char *ctk_file(const struct tool_call *call,
			    const struct setup_engine *engine)
{
	return value_or(call, "drop-in-config",
			value_or(call, "config", engine->file));
}

/* Options of it that cannot be followed. Return: an exit status, or -1. */
static int refuse_ctk(const struct tool_call *call,
		      const struct setup_engine *engine)
{
	const char *mode = value_or(call, "config-mode", "config-file");
	const char *source = value_or(call, "config-source", "file");

	if (strcmp(mode, "config-file") != 0 && strcmp(mode, "config") != 0)
		return tool_fail(call, CLI_FAILED, "--config-mode %s is not for this program: OCI hook files are deprecated; leave the option out",
				 mode);
	if (strcmp(source, "file") != 0 && strcmp(source, "command") != 0)
		return tool_fail(call, CLI_FAILED, "unrecognized config source: %s",
				 source);
	if (value_or(call, "drop-in-config", NULL) &&
	    (engine == &setup_docker || engine == &setup_containerd))
		return tool_fail(call, CLI_FAILED, "--drop-in-config: %s: leave the option out, and its own file is edited",
			engine == &setup_docker ? "docker has no such files" :
			"containerd forgets what its own file says of a plugin that such a file names");
	return -1;
}

static int run_ctk(const struct tool_call *call)
{
	const char *name = value_or(call, "runtime", "docker");
	const struct setup_engine *engine = setup_engine_find(name);
	struct wish wish = { .engine = engine };
	int status;

	if (!engine)
		return tool_fail(call, CLI_FAILED, "unrecognized runtime '%s': it is none of docker, containerd, crio and podman",
				 name);
	status = refuse_ctk(call, engine);
	if (status >= 0)
		return status;
	wish.file = ctk_file(call, engine);
	if (tool_is_on(call, "undo"))
		return undo(call, wish.file, engine->reload);
	wish.runtime = (struct setup_runtime){
		.name = value_or(call, "nvidia-runtime-name", "nvidia"),
		.path = ctk_runtime(call, engine),
		.is_default = tool_is_on(call, "nvidia-set-as-default"),
		.cdi = tool_is_on(call, "cdi.enabled"),
	};
	if (engine != &setup_docker && *wish.runtime.path != '/')
		return tool_fail(call, CLI_FAILED, "the NVIDIA runtime path \"%s\" is not an absolute path: %s looks for it nowhere",
				 wish.runtime.path, name);
	wish.dry_run = tool_is_on(call, "dry-run");
	return configure(call, &wish);
}

static const struct tool_option ctk_options[] = {
	{ "dry-run", 0, NULL, NULL, "show what the file would say" },
	{ "runtime", 0, "ENGINE", NULL, "docker (the default), containerd, crio or podman" },
	{ "config", 0, "FILE", NULL, "edit this file instead of the engine's own" },
	{ "drop-in-config", 0, "FILE", NULL, "likewise, of crio or podman" },
	{ "executable-path", 0, "FILE", NULL, "taken and not used: the file is read" },
	{ "config-mode", 0, "MODE", NULL, "config-file, the only one here" },
	{ "config-source", 0, "SOURCE", NULL, "file or command: the file is read either way" },
	{ "oci-hook-path", 0, "FILE", NULL, "taken and not used: there are no hook files" },
	{ "nvidia-runtime-name", 0, "NAME", NULL, "what the runtime is called (default: nvidia)" },
	{ "nvidia-runtime-path", 0, "FILE", NULL,
	  "its program (default: nvidia-container-runtime)" },
	{ "runtime-path", 0, "FILE", NULL, NULL },
	{ "nvidia-runtime-hook-path", 0, "FILE", NULL,
	  "taken and not used: there are no hook files" },
	{ "nvidia-set-as-default", 0, NULL, NULL,
	  "for containers that name no runtime, too" },
	{ "set-as-default", 0, NULL, NULL, NULL },
	{ "cdi.enabled", 0, NULL, NULL, "have the engine take CDI devices" },
	{ "cdi.enable", 0, NULL, NULL, NULL },
	{ "enable-cdi", 0, NULL, NULL, NULL },
	{ "undo", 0, NULL, NULL, "have the file say what it said before" },
	{ .name = NULL },
};

const struct tool_command configure_commands[] = {
	{ "configure", NULL, ctk_options, NULL, run_ctk,
	  "have a container engine know the NVIDIA container runtime" },
	{ .name = NULL },
};
