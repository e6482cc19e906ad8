// SPDX-License-Identifier: GPL-2.0-only
/*
 * The prestart hook: see hook.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/hook.h"
#include "container/request/request.h"
#include "lib/json_file.h"
#include "nvidia/capability.h"

/* Returns the length up to the end of the first object or array. */
static size_t first_value(const char *text, size_t len)
{
	bool in_string = false;
	int depth = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && strchr("{[", text[i]))
			depth++;
		else if (!in_string && strchr("}]", text[i]) && --depth <= 0)
			return i + 1;
	}
	return len;
}

static int read_text(struct json_object *object, const char *name, char **text,
		     char why[WHY_SIZE])
{
	struct json_object *value;
	int ret = json_file_member(object, "", name, json_type_string, &value,
				   why);

	if (ret)
		return ret;
	*text = strdup(value ? json_object_get_string(value) : "");
	return *text ? 0 : why_fail(why, -ENOMEM, "no memory");
}

static int read_pid(struct json_object *object, pid_t *pid, char why[WHY_SIZE])
{
	struct json_object *value;
	int ret = json_file_member(object, "", "pid", json_type_int, &value, why);

	if (ret || !value)
		return ret;
	if (json_object_get_uint64(value) > INT_MAX)
		return why_fail(why, -EINVAL, "pid is not the number of a process");
	*pid = (pid_t)json_object_get_uint64(value);
	return 0;
}

static int read_members(struct hook_state *state, struct json_object *object,
			char why[WHY_SIZE])
{
	int ret;

	if (!json_object_is_type(object, json_type_object))
		return why_fail(why, -EINVAL, "it is not an object");
	ret = read_pid(object, &state->pid, why);
	if (!ret)
		ret = read_text(object, "bundle", &state->bundle, why);
	if (!ret && !*state->bundle) {
		/* runc before 17.06 */
		free(state->bundle);
		state->bundle = NULL;
		ret = read_text(object, "bundlePath", &state->bundle, why);
	}
	return ret ? ret : read_text(object, "root", &state->root, why);
}

int hook_state_read(struct hook_state *state, char *text, size_t len,
		    char why[WHY_SIZE])
{
	struct json_object *object = NULL;
	char wrong[WHY_SIZE] = "";
	int ret;

	*state = (struct hook_state){ 0 };
	len = first_value(text, len);
	text[len] = '\0';
	ret = json_file_parse(text, len, &object, wrong);
	if (!ret)
		ret = read_members(state, object, wrong);
	json_object_put(object);
	if (!ret)
		return 0;
	return why_fail(why, ret, "could not decode container state: %.1024s: the runtime has to write it to the hook's standard input",
			wrong);
}

void hook_state_free(struct hook_state *state)
{
	free(state->bundle);
	free(state->root);
	*state = (struct hook_state){ 0 };
}

/* Reads the container's root and process from config.json. */
static int config_root(struct json_object *config, const char **path,
		       char why[WHY_SIZE])
{
	struct json_object *root = NULL, *value = NULL;
	int ret;

	if (!config)
		return why_fail(why, -ENOENT, "the state names no root folder, and there is no config.json that does");
	ret = json_file_member(config, "", "root", json_type_object, &root, why);
	if (!ret && root)
		ret = json_file_member(root, "root.", "path", json_type_string,
				       &value, why);
	if (ret)
		return ret;
	*path = value ? json_object_get_string(value) : "";
	return **path ? 0 : why_fail(why, -EINVAL, "Root is empty in OCI spec");
}

int hook_root(const struct hook_state *state, struct json_object *config,
	      char **root, char why[WHY_SIZE])
{
	const char *path = state->root;
	int ret = 0;

	*root = NULL;
	if (!path || !*path)
		ret = config_root(config, &path, why);
	if (ret)
		return ret;
	if (*path == '/')
		*root = strdup(path);
	else if (asprintf(root, "%s/%s", state->bundle, path) < 0)
		*root = NULL;
	return *root ? 0 : why_fail(why, -ENOMEM, "no memory");
}

int hook_check_config(struct json_object *config, char why[WHY_SIZE])
{
	static const struct {
		const char *name;
		enum json_type type;
		const char *wrong;
	} needed[] = {
		{ "ociVersion", json_type_string, "Version is empty in OCI spec" },
		{ "process", json_type_object, "Process is empty in OCI spec" },
		{ "root", json_type_object, "Root is empty in OCI spec" },
	};
	struct json_object *value;
	size_t i;
	int ret;

	if (!json_object_is_type(config, json_type_object))
		return why_fail(why, -EINVAL, "could not decode OCI spec: it is not an object");
	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		ret = json_file_member(config, "", needed[i].name,
				       needed[i].type, &value, why);
		if (ret)
			return ret;
		if (!value || !strcmp(json_object_get_string(value), ""))
			return why_fail(why, -EINVAL, "%s", needed[i].wrong);
	}
	return 0;
}

int hook_device_rules(struct json_object *config, struct json_object **rules,
		      char why[WHY_SIZE])
{
	struct json_object *linux = NULL, *resources = NULL;
	char reason[WHY_SIZE];
	int ret = json_file_member(config, "", "linux", json_type_object,
				   &linux, reason);

	*rules = NULL;
	if (!ret && linux)
		ret = json_file_member(linux, "linux.", "resources",
				       json_type_object, &resources, reason);
	if (!ret && resources)
		ret = json_file_member(resources, "linux.resources.", "devices",
				       json_type_array, rules, reason);
	return ret ? why_fail(why, ret, "could not decode OCI spec: %s", reason) : 0;
}

/*
 * Whoever calls the hook (dockerd for --gpus) wants its work to be done by it. Only
 * a mode that the operator has set is a reason to refuse: by what "auto" would
 * come to on a host, --gpus would work on one and not on the other.
 */
int hook_check_mode(const struct settings *settings, char why[WHY_SIZE])
{
	const char *mode = settings->runtime.mode;

	if (settings->hook.skip_mode_detection || !mode)
		return 0;
	if (!strcmp(mode, "csv"))
		return why_fail(why, -EPERM, MODE_CSV_REFUSED);
	if (strcmp(mode, "cdi") != 0)
		return 0;
	return why_fail(why, -EPERM, "invoking the NVIDIA Container Runtime Hook directly (e.g. specifying the docker --gpus flag) is not supported. Please use the NVIDIA Container Runtime (e.g. specify the --runtime=nvidia flag) instead: nvidia-container-runtime.mode is \"%s\" in config.toml",
			mode);
}

static int add_flag(struct strv *words, bool wanted, const char *flag)
{
	return wanted ? strv_add(words, flag) : 0;
}

static int add_value(struct strv *words, const char *option, const char *value)
{
	return value && *value ? strv_add_format(words, "%s%s", option, value) : 0;
}

/* All of @list behind one option, with commas between them. */
static int add_list(struct strv *words, const char *option,
		    const struct strv *list)
{
	char *joined = NULL, *longer;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < list->n; i++) {
		if (asprintf(&longer, "%s%s%s", joined ? joined : "",
			     joined ? "," : "", list->word[i]) < 0) {
			ret = -ENOMEM;
		} else {
			free(joined);
			joined = longer;
		}
	}
	if (!ret)
		ret = add_value(words, option, joined);
	free(joined);
	return ret;
}

static int add_global(const struct hook_call *call, struct strv *words)
{
	const struct settings *settings = call->settings;
	int ret = strv_add(words, call->path);

	if (!ret)
		ret = add_value(words, "--root=", settings->cli.root);
	if (!ret)
		ret = add_flag(words, settings->cli.load_kmods, "--load-kmods");
	if (!ret)
		ret = add_flag(words,
			       settings->features.disable_imex_channel_creation,
			       "--no-create-imex-channels");
	if (!ret)
		ret = add_flag(words, settings->cli.no_pivot, "--no-pivot");
	if (!ret)
		ret = add_value(words, "--debug=", call->debug ? "/dev/stderr" :
				settings->cli.debug);
	if (!ret)
		ret = add_value(words, "--ldcache=", settings->cli.ldcache);
	return ret ? ret : add_value(words, "--user=", settings->cli.user);
}

/* Returns the value of --cuda-compat-mode, NULL: nvidia-container-cli's default. */
static const char *compat_mode(const struct settings *settings)
{
	const char *mode = settings->runtime.legacy_cuda_compat_mode;

	if (mode && (!strcmp(mode, "ldconfig") || !strcmp(mode, "mount") ||
		     !strcmp(mode, "disabled")))
		return mode;
	if (mode && !strcmp(mode, "hook"))
		return "disabled";
	return settings->features.allow_cuda_compat_libs_from_container ?
	       NULL : "disabled";
}

static int add_devices(const struct request *request, struct strv *words)
{
	int ret = add_list(words, "--device=", &request->devices);

	if (!ret)
		ret = add_value(words, "--mig-config=", request->mig_config);
	if (!ret)
		ret = add_value(words, "--mig-monitor=", request->mig_monitor);
	return ret ? ret : add_list(words, "--imex-channel=", &request->imex);
}

static int add_capabilities(const struct request *request, struct strv *words)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < CAPABILITY_COUNT; i++)
		if (request->capabilities & 1u << i)
			ret = strv_add_format(words, "--%s",
					      capability_names[i]);
	for (i = 0; !ret && i < request->requirements.n; i++)
		ret = strv_add_format(words, "--require=%s",
				      request->requirements.word[i]);
	return ret;
}

static int add_memory(const struct gpu_memory *memory, struct strv *words)
{
	int ret;

	if (!memory->asked)
		return 0;
	ret = strv_add_format(words, "--gpu-memory-request=%" PRIu64, memory->min >> 20);
	return ret || memory->max == GPU_MEMORY_ALL ? ret :
	       strv_add_format(words, "--gpu-memory-limit=%" PRIu64, memory->max >> 20);
}

int hook_words(const struct hook_call *call, struct strv *words)
{
	const struct settings *settings = call->settings;
	int ret = add_global(call, words);

	if (!ret)
		ret = strv_add(words, "configure");
	if (!ret)
		ret = add_value(words, "--cuda-compat-mode=",
				compat_mode(settings));
	if (!ret)
		ret = add_value(words, "--ldconfig=", settings->cli.ldconfig);
	if (!ret)
		ret = add_flag(words, settings->cli.no_cgroups, "--no-cgroups");
	if (!ret)
		ret = add_devices(call->request, words);
	if (!ret)
		ret = add_capabilities(call->request, words);
	if (!ret)
		ret = add_memory(&call->request->memory, words);
	if (!ret)
		ret = strv_add_format(words, "--pid=%d", call->pid);
	return ret ? ret : strv_add(words, call->root);
}
