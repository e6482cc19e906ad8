// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the prestart hook.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "container/hook.h"
#include "lib/json.h"
#include "nvidia/capability.h"
#include "tests/container/vectors.h"

static const char *text(struct json_object *object, const char *name)
{
	const char *value = member_text(object, name);

	return value ? value : "";
}

static int run_state(struct json_object *in, struct json_object *suite,
		     struct json_object **out, char why[WHY_SIZE])
{
	char *stdin_text = strdup(text(in, "stdin"));
	struct hook_state state;
	int ret;

	(void)suite;
	ret = stdin_text ? hook_state_read(&state, stdin_text,
					   strlen(stdin_text), why) : -ENOMEM;
	if (!ret) {
		*out = json_object_new_object();
		member_add_text(*out, "bundle", state.bundle);
		member_add_number(*out, "pid", state.pid);
		member_add_text(*out, "root", state.root);
	}
	if (stdin_text)
		hook_state_free(&state);
	free(stdin_text);
	return ret;
}

/* The vectors write BUNDLE for the bundle's folder. */
static int run_root(struct json_object *in, struct json_object *suite,
		    struct json_object **out, char why[WHY_SIZE])
{
	char bundle[] = "BUNDLE", *root_member = strdup(text(in, "root"));
	struct hook_state state = { .bundle = bundle, .root = root_member };
	char *root = NULL;
	int ret = hook_root(&state, member_get(in, "spec"), &root, why);

	(void)suite;
	if (!ret)
		*out = json_object_new_string(root);
	free(root);
	free(root_member);
	return ret;
}

static int add_words(struct strv *words, struct json_object *array)
{
	size_t i, n = array ? json_object_array_length(array) : 0;
	int ret = 0;

	for (i = 0; !ret && i < n; i++)
		ret = strv_add(words, json_object_get_string(
			       json_object_array_get_idx(array, i)));
	return ret;
}

static unsigned int capabilities_of(const char *list)
{
	struct strv names = { 0 };
	unsigned int set = 0;
	size_t i;

	strv_split(&names, list, ',');
	for (i = 0; i < CAPABILITY_COUNT; i++)
		if (strv_have(&names, capability_names[i]))
			set |= 1u << i;
	strv_free(&names);
	return set;
}

/* Members of "cli_config" and "features" are the keys of config.toml. */
static void fill_settings(struct settings *settings, struct json_object *in)
{
	struct json_object *cli = member_get(in, "cli_config");
	struct json_object *features = member_get(in, "features");

	settings->cli.root = (char *)text(cli, "root");
	settings->cli.debug = (char *)text(cli, "debug");
	settings->cli.ldcache = (char *)text(cli, "ldcache");
	settings->cli.user = (char *)text(cli, "user");
	settings->cli.ldconfig = (char *)text(cli, "ldconfig");
	settings->cli.load_kmods = member_is_true(cli, "load-kmods");
	settings->cli.no_pivot = member_is_true(cli, "no-pivot");
	settings->cli.no_cgroups = member_is_true(cli, "no-cgroups");
	settings->runtime.legacy_cuda_compat_mode =
		(char *)text(cli, "cuda-compat-mode");
	settings->features.disable_imex_channel_creation =
		member_is_true(features, "disable-imex-channel-creation");
	settings->features.allow_cuda_compat_libs_from_container =
		member_is_true(features, "allow-cuda-compat-libs-from-container");
}

static int fill_request(struct request *request, struct json_object *gpu)
{
	int ret = add_words(&request->devices, member_get(gpu, "devices"));

	if (!ret)
		ret = add_words(&request->requirements,
				member_get(gpu, "requirements"));
	if (!ret)
		ret = add_words(&request->imex, member_get(gpu, "imex"));
	request->capabilities = capabilities_of(text(gpu, "capabilities"));
	request->mig_config = (char *)text(gpu, "mig_config");
	request->mig_monitor = (char *)text(gpu, "mig_monitor");
	return ret;
}

static int run_argv(struct json_object *in, struct json_object *suite,
		    struct json_object **out, char why[WHY_SIZE])
{
	struct settings settings = { 0 };
	struct request request = { 0 };
	struct strv words = { 0 };
	struct hook_call call = {
		.path = text(member_get(in, "cli_config"), "path"),
		.debug = member_is_true(in, "debug_flag"),
		.settings = &settings, .request = &request,
		.pid = (pid_t)member_number(in, "pid"),
		.root = text(in, "rootfs"),
	};
	size_t i;
	int ret;

	(void)suite;
	(void)why;
	fill_settings(&settings, in);
	ret = fill_request(&request, member_get(in, "gpu"));
	if (!ret)
		ret = hook_words(&call, &words);
	if (!ret) {
		*out = json_object_new_array();
		for (i = 0; i < words.n; i++)
			json_object_array_add(*out,
				json_object_new_string(words.word[i]));
	}
	strv_free(&words);
	strv_free(&request.devices);
	strv_free(&request.requirements);
	strv_free(&request.imex);
	return ret;
}

const struct vector_suite suites_hook[] = {
	{ "hook.state", run_state },
	{ "hook.container_root", run_root },
	{ "hook.cli_argv", run_argv },
	{ NULL, NULL },
};
