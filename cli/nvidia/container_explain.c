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
#include "container/plan/plan.h"
#include "container/resolve.h"
#include "lib/json_file.h"
#include "lib/process.h"

/* Room for the variables of an image. */
#define ANSWER_SIZE	(1 << 20)

static int fail(const struct command_call *call, const char *why)
{
	return command_fail(call, CLI_FAILED, "%s", why);
}

/* @path: a bundle, or the configuration in it. Return: is it one? */
static bool find_bundle(const char *path, char bundle[PATH_MAX],
			char config[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	struct stat st;
	char folder[PATH_MAX];

	if (stat(path, &st))
		return false;
	snprintf(folder, sizeof(folder), "%s", path);
	if (!S_ISDIR(st.st_mode))
		snprintf(folder, sizeof(folder), "%.*s",
			 slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	if (!realpath(folder, bundle))
		return false;
	return snprintf(config, PATH_MAX, "%s%s", path,
			S_ISDIR(st.st_mode) ? "/config.json" : "") < PATH_MAX;
}

static int read_bundle(struct container *container, const char *config,
		       const char *bundle, char why[WHY_SIZE])
{
	struct json_file document;
	int ret = json_file_read(config, &document, why);

	if (ret)
		return ret;
	ret = container_read(container, document.root, bundle, why);
	json_object_put(document.root);
	return ret;
}

/*
 * Reads variables as an engine prints them: ["PATH=/bin",
 * "NVIDIA_VISIBLE_DEVICES=all"].
 */
static int read_env(struct container *container, const char *text,
		    char why[WHY_SIZE])
{
	struct json_object *env;
	size_t i, n;
	int ret = json_file_parse(text, strlen(text), &env, why);

	if (ret)
		return ret;
	n = json_object_is_type(env, json_type_array) ?
	    json_object_array_length(env) : 0;
	for (i = 0; i < n && !ret; i++) {
		const char *one = json_object_get_string(
				json_object_array_get_idx(env, i));

		ret = strv_add(&container->env, one ? one : "");
	}
	json_object_put(env);
	return ret ? why_fail(why, ret, "no memory") : 0;
}

/* The first engine that has the image says which variables it sets. */
static int read_image(struct container *container, const char *image,
		      char why[WHY_SIZE])
{
	static const char *const engines[] = { "docker", "podman", "nerdctl" };
	const int fd[3] = { PROCESS_NULL, PROCESS_PIPE, PROCESS_NULL };
	char *text = malloc(ANSWER_SIZE);
	int ret = -ENOENT;
	size_t i;

	for (i = 0; text && ret && i < sizeof(engines) / sizeof(*engines); i++) {
		const char *const words[] = {
			engines[i], "image", "inspect", "--format",
			"{{json .Config.Env}}", "--", image, NULL
		};

		ret = process_read(words, fd, text, ANSWER_SIZE);
	}
	if (!text || ret)
		why_fail(why, -ENOENT, "'%s' is neither a bundle (a folder with a config.json) nor an image of docker, podman or nerdctl here: name one of these",
			 image);
	else
		ret = read_env(container, text, why);
	free(text);
	return ret;
}

static int read_container(struct container *container, const char *name,
			  char why[WHY_SIZE])
{
	char bundle[PATH_MAX], config[PATH_MAX];

	*container = (struct container){ 0 };
	return find_bundle(name, bundle, config) ?
	       read_bundle(container, config, bundle, why) :
	       read_image(container, name, why);
}

static void print_words(const char *before, const struct strv *words)
{
	size_t i;

	for (i = 0; i < words->n; i++)
		printf("%s%s\n", before, words->word[i]);
}

/* Does a hook do the rest? */
static bool has_hook(const struct gpus *gpus)
{
	return gpus->request.is_gpu && gpus->mode == MODE_LEGACY;
}

static int print_text(const struct command_call *call, const struct gpus *gpus,
		      const struct gpus *by_hook)
{
	bool reasons = !command_is_on(call, "dry-run");
	char *text = explain_text(&gpus->edits, reasons);
	char *more = explain_text(&by_hook->edits, reasons);

	if (!text || !more)
		return fail(call, "no memory for the answer");
	if (!gpus->request.is_gpu)
		puts("no GPU is asked for: config.json stays as it is");
	else if (reasons)
		printf("mode  %s\n", mode_names[gpus->mode]);
	fputs(text, stdout);
	if (has_hook(gpus))
		puts("the hook has nvidia-container-cli make:");
	fputs(more, stdout);
	if (reasons)
		print_words("warning ", &gpus->request.warnings);
	free(text);
	free(more);
	return CLI_DONE;
}

static int print_json(const struct command_call *call, const struct gpus *gpus,
		      const struct gpus *by_hook)
{
	struct json_object *answer = explain_json(&gpus->edits);
	struct json_object *more = has_hook(gpus) ? explain_json(&by_hook->edits) : NULL;
	struct json_object *warnings = json_object_new_array();
	size_t i;

	if (!answer || !warnings || (has_hook(gpus) && !more))
		return fail(call, "no memory for the answer");
	for (i = 0; i < gpus->request.warnings.n; i++)
		json_object_array_add(warnings, json_object_new_string(
					gpus->request.warnings.word[i]));
	member_add_bool(answer, "gpu", gpus->request.is_gpu);
	member_add_text(answer, "mode", mode_names[gpus->mode]);
	member_add_text(answer, "source", gpus->request.source);
	json_object_object_add(answer, "warnings", warnings);
	if (more)
		json_object_object_add(answer, "by_hook", more);
	command_print_json(answer);
	return CLI_DONE;
}

static int explain(const struct command_call *call)
{
	struct settings settings = { 0 };
	struct container container = { 0 };
	struct gpus gpus = { 0 }, by_hook = { 0 };
	char why[WHY_SIZE];
	int ret, status;

	ret = settings_read(&settings, NULL, SETTINGS_RUNTIME, why);
	/* Explaining changes nothing: no module is loaded for it. */
	settings.cli.load_kmods = false;
	if (!ret)
		ret = read_container(&container, call->words[0], why);
	if (!ret)
		ret = gpus_plan(&gpus, &container, &settings,
				command_value(call, "mode"), why);
	if (!ret && has_hook(&gpus))
		ret = gpus_plan_hook(&by_hook, &container, &settings, why);
	if (ret)
		status = fail(call, why);
	else if (command_wants_json(call))
		status = print_json(call, &gpus, &by_hook);
	else
		status = print_text(call, &gpus, &by_hook);
	gpus_free(&by_hook);
	gpus_free(&gpus);
	container_free(&container);
	settings_free(&settings);
	return status;
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
