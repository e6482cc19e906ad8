// SPDX-License-Identifier: GPL-2.0-only
/*
 * The prestart hook: from what a runtime says of a container that it has made to the command
 * line of nvidia-container-cli.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/container.h"
#include "lib/fds.h"
#include "lib/json_file.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

/* More than any runtime says; annotations of a container are part of it. */
#define STATE_SIZE	(1 << 20)

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

static int read_text(struct json_object *object, const char *name, char **text, char why[WHY_SIZE])
{
	struct json_object *value;
	int ret = json_file_member(object, "", name, json_type_string, &value, why);

	if (!ret)
		*text = xstrdup(value ? json_object_get_string(value) : "");
	return ret;
}

static int read_members(struct hook_state *state, struct json_object *object, char why[WHY_SIZE])
{
	struct json_object *pid;
	int ret;

	if (!json_object_is_type(object, json_type_object))
		return why_fail(why, -EINVAL, "it is not an object");
	ret = json_file_member(object, "", "pid", json_type_int, &pid, why);
	if (!ret && json_object_get_uint64(pid) > INT_MAX)
		ret = why_fail(why, -EINVAL, "pid is not the number of a process");
	state->pid = ret ? 0 : (pid_t)json_object_get_uint64(pid);
	if (!ret)
		ret = read_text(object, "bundle", &state->bundle, why);
	if (!ret && !*state->bundle) {
		/* runc before 17.06 */
		free(state->bundle);
		state->bundle = NULL;
		ret = read_text(object, "bundlePath", &state->bundle, why);
	}
	return ret ?: read_text(object, "root", &state->root, why);
}

int hook_state_read(struct hook_state *state, int fd, char why[WHY_SIZE])
{
	char *text = xcalloc(STATE_SIZE, 1), wrong[WHY_SIZE] = "";
	ssize_t len = fd_read_all(fd, text, STATE_SIZE);
	struct json_object *object = NULL;
	int ret;

	*state = (struct hook_state){ 0 };
	if (len < 0) {
		free(text);
		return why_fail(why, (int)len, "could not read container state: %s",
				strerror((int)-len));
	}
	len = (ssize_t)first_value(text, (size_t)len);
	text[len] = '\0';
	ret = json_file_parse(text, (size_t)len, &object, wrong) ?:
	      read_members(state, object, wrong);
	if (ret)
		why_fail(why, ret, "could not decode container state: %.1024s: the runtime has to write it to the hook's standard input",
			 wrong);
	else if (state->bundle[0] != '/')
		ret = why_fail(why, -EINVAL, "could not decode container state: it names no bundle, an absolute path");
	json_object_put(object);
	free(text);
	return ret;
}

void hook_state_free(struct hook_state *state)
{
	free(state->bundle);
	free(state->root);
	*state = (struct hook_state){ 0 };
}

int hook_root(const struct hook_state *state, struct json_object *config,
	      char **root, char why[WHY_SIZE])
{
	struct json_object *object = NULL, *value = NULL;
	const char *path = state->root;
	int ret = 0;

	*root = NULL;
	if (!path || !*path) {
		if (!config)
			return why_fail(why, -ENOENT, "the state names no root folder, and there is no config.json that does");
		ret = json_file_member(config, "", "root", json_type_object, &object, why);
		if (!ret && object)
			ret = json_file_member(object, "root.", "path", json_type_string, &value,
					       why);
		path = value ? json_object_get_string(value) : "";
	}
	if (ret)
		return ret;
	if (!*path)
		return why_fail(why, -EINVAL, "Root is empty in OCI spec");
	*root = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", state->bundle, path);
	return 0;
}

int hook_device_rules(struct json_object *config, struct json_object **rules, char why[WHY_SIZE])
{
	struct json_object *value;
	char reason[WHY_SIZE];
	int ret = json_file_member(config, "", "linux", json_type_object, &value, reason);

	*rules = NULL;
	if (!ret && value)
		ret = json_file_member(value, "linux.", "resources", json_type_object, &value,
				       reason);
	if (!ret && value)
		ret = json_file_member(value, "linux.resources.", "devices", json_type_array,
				       rules, reason);
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

static void add_flag(struct strv *words, bool wanted, const char *flag)
{
	if (wanted)
		strv_add(words, flag);
}

static void add_value(struct strv *words, const char *option, const char *value)
{
	if (value && *value)
		strv_add_format(words, "%s%s", option, value);
}

static void add_list(struct strv *words, const char *option, const struct strv *list)
{
	char *joined = strv_join(list, ",");

	add_value(words, option, joined);
	free(joined);
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
	return settings->features.allow_cuda_compat_libs_from_container ? NULL : "disabled";
}

void hook_words(const struct hook_call *call, struct strv *words)
{
	const struct settings *settings = call->settings;
	const struct request *request = call->request;
	const struct gpu_memory *memory = &request->memory;
	size_t i;

	strv_add(words, call->path);
	add_value(words, "--root=", settings->cli.root);
	add_flag(words, settings->cli.load_kmods, "--load-kmods");
	add_flag(words, settings->features.disable_imex_channel_creation,
		 "--no-create-imex-channels");
	add_flag(words, settings->cli.no_pivot, "--no-pivot");
	add_value(words, "--debug=", call->debug ? "/dev/stderr" : settings->cli.debug);
	add_value(words, "--ldcache=", settings->cli.ldcache);
	add_value(words, "--user=", settings->cli.user);
	strv_add(words, "configure");
	add_value(words, "--cuda-compat-mode=", compat_mode(settings));
	add_value(words, "--ldconfig=", settings->cli.ldconfig);
	add_flag(words, settings->cli.no_cgroups, "--no-cgroups");
	add_list(words, "--device=", &request->devices);
	add_value(words, "--mig-config=", request->mig_config);
	add_value(words, "--mig-monitor=", request->mig_monitor);
	add_list(words, "--imex-channel=", &request->imex);
	for (i = 0; i < CAPABILITY_COUNT; i++)
		if (request->capabilities & 1u << i)
			strv_add_format(words, "--%s", capability_names[i]);
	for (i = 0; i < request->requirements.n; i++)
		strv_add_format(words, "--require=%s", request->requirements.word[i]);
	if (memory->asked)
		strv_add_format(words, "--gpu-memory-request=%" PRIu64, memory->min >> 20);
	if (memory->asked && memory->max != GPU_MEMORY_ALL)
		strv_add_format(words, "--gpu-memory-limit=%" PRIu64, memory->max >> 20);
	strv_add_format(words, "--pid=%d", call->pid);
	strv_add(words, call->root);
}
