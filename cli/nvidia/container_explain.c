// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu container explain: what the wrapper would edit for a bundle, or for an image
 * that an engine of this machine has, and why. Nothing is changed.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/nvidia/internal.h"
#include "container/container.h"
#include "container/plan/plan.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/process.h"
#include "lib/xalloc.h"

/* Room for the variables of an image. */
#define ANSWER_SIZE	(1 << 20)

/* @path: a bundle, or the configuration in it. Return: is it one? */
static bool find_bundle(const char *path, char bundle[PATH_MAX], char config[PATH_MAX])
{
	char folder[PATH_MAX];
	const char *slash;
	struct stat st;

	if (stat(path, &st) || snprintf(config, PATH_MAX, "%s%s", path, S_ISDIR(st.st_mode) ?
					"/config.json" : "") >= PATH_MAX)
		return false;
	slash = strrchr(config, '/');
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - config) + 1 : 1,
		 slash ? config : ".");
	return realpath(folder, bundle);
}

/*
 * The first engine that has the image says which variables it sets: ["PATH=/bin",
 * "NVIDIA_VISIBLE_DEVICES=all"].
 */
static int read_image(struct container *container, const char *image, char why[WHY_SIZE])
{
	static const char *const engines[] = { "docker", "podman", "nerdctl" };
	const int fd[3] = { PROCESS_NULL, PROCESS_PIPE, PROCESS_NULL };
	char *text = xcalloc(ANSWER_SIZE, 1);
	struct json_object *env;
	int ret = -ENOENT;
	size_t i;

	for (i = 0; ret && i < sizeof(engines) / sizeof(*engines); i++) {
		const char *const words[] = {
			engines[i], "image", "inspect", "--format",
			"{{json .Config.Env}}", "--", image, NULL
		};

		ret = process_read(words, fd, text, ANSWER_SIZE);
	}
	if (ret)
		ret = why_fail(why, -ENOENT, "'%s' is neither a bundle (a folder with a config.json) nor an image of docker, podman or nerdctl here: name one of these",
			       image);
	else
		ret = json_file_parse(text, strlen(text), &env, why);
	free(text);
	if (ret)
		return ret;
	array_add_words(env, &container->env);
	json_object_put(env);
	return 0;
}

static int read_container(struct container *container, const char *name, char why[WHY_SIZE])
{
	char bundle[PATH_MAX], config[PATH_MAX];
	struct json_file document;
	int ret;

	if (!find_bundle(name, bundle, config))
		return read_image(container, name, why);
	ret = json_file_read(config, &document, why);
	if (!ret)
		ret = container_read(container, document.root, bundle, why);
	json_object_put(document.root);
	return ret;
}

/* Does a hook do the rest? */
static bool has_hook(const struct gpus *gpus)
{
	return gpus->request.is_gpu && gpus->mode == MODE_LEGACY;
}

static void print_text(const struct command_call *call, const struct gpus *gpus,
		       const struct gpus *by_hook)
{
	bool reasons = !command_is_on(call, "dry-run");
	char *text = explain_text(&gpus->edits, reasons);
	char *more = explain_text(&by_hook->edits, reasons);
	size_t i;

	if (!gpus->request.is_gpu)
		puts("no GPU is asked for: config.json stays as it is");
	else if (reasons)
		printf("mode  %s\n", mode_names[gpus->mode]);
	fputs(text, stdout);
	if (has_hook(gpus))
		puts("the hook has nvidia-container-cli make:");
	fputs(more, stdout);
	for (i = 0; reasons && i < gpus->request.warnings.n; i++)
		printf("warning %s\n", gpus->request.warnings.word[i]);
	free(text);
	free(more);
}

static void print_json(const struct gpus *gpus, const struct gpus *by_hook)
{
	struct json_object *answer = explain_json(&gpus->edits);

	member_add_bool(answer, "gpu", gpus->request.is_gpu);
	member_add_text(answer, "mode", mode_names[gpus->mode]);
	member_add_text(answer, "source", gpus->request.source);
	json_object_object_add(answer, "warnings", array_of_words(&gpus->request.warnings));
	if (has_hook(gpus))
		json_object_object_add(answer, "by_hook", explain_json(&by_hook->edits));
	command_print_json(answer);
}

static int explain(const struct command_call *call)
{
	struct settings settings = { 0 };
	struct container container = { 0 };
	struct gpus gpus = { 0 }, by_hook = { 0 };
	const struct {
		const char *option;
		char **setting;
	} globals[] = {
		{ "root", &settings.cli.root }, { "ldcache", &settings.cli.ldcache },
	};
	char why[WHY_SIZE];
	size_t i;
	int ret = settings_read(&settings, NULL, SETTINGS_RUNTIME, why);

	/* Explaining changes nothing: no module is loaded for it. */
	settings.cli.load_kmods = false;
	for (i = 0; !ret && i < sizeof(globals) / sizeof(*globals); i++)
		if (command_value(call, globals[i].option)) {
			free(*globals[i].setting);
			*globals[i].setting = xstrdup(command_value(call, globals[i].option));
		}
	if (!ret)
		ret = read_container(&container, call->words[0], why);
	if (!ret)
		ret = gpus_plan(&gpus, &container, &settings, command_value(call, "mode"),
				false, why);
	if (!ret && has_hook(&gpus))
		ret = gpus_plan(&by_hook, &container, &settings, mode_names[MODE_LEGACY], true, why);
	if (ret)
		ret = command_fail(call, CLI_FAILED, "%s", why);
	else if (command_wants_json(call))
		print_json(&gpus, &by_hook);
	else
		print_text(call, &gpus, &by_hook);
	gpus_free(&by_hook);
	gpus_free(&gpus);
	container_free(&container);
	settings_free(&settings);
	return ret;
}

static const struct command_option options[] = {
	{ "dry-run", 0, NULL, NULL, "the edits alone, without their reasons" },
	{ "mode", 0, "MODE", NULL, "as in this mode, whatever config.toml says" },
	{ .name = NULL },
};

const struct command container_explain = {
	.name = "explain", .argument = "IMAGE-OR-BUNDLE", .options = { options },
	.run = explain, .what = "say what the wrapper would give a container, and why",
};
