// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the prestart hook.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/container.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"
#include "tests/container/vectors.h"

SUITE("hook.state")
{
	FILE *input = tmpfile();
	struct hook_state state;
	int ret;

	xcheck(input);
	fputs(text_of(in, "stdin"), input);
	rewind(input);
	ret = hook_state_read(&state, fileno(input), why);
	fclose(input);
	if (!ret) {
		*out = json_object_new_object();
		member_add_text(*out, "bundle", state.bundle);
		member_add_number(*out, "pid", state.pid);
		member_add_text(*out, "root", state.root);
	}
	hook_state_free(&state);
	return ret;
}

/* The vectors write BUNDLE for the bundle's folder. */
SUITE("hook.container_root")
{
	char bundle[] = "BUNDLE", *root_member = strdup(text_of(in, "root"));
	struct hook_state state = { .bundle = bundle, .root = root_member };
	char *root = NULL;
	int ret = hook_root(&state, member_get(in, "spec"), &root, why);

	if (!ret)
		*out = json_object_new_string(root);
	free(root);
	free(root_member);
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

	settings->cli.root = (char *)text_of(cli, "root");
	settings->cli.debug = (char *)text_of(cli, "debug");
	settings->cli.ldcache = (char *)text_of(cli, "ldcache");
	settings->cli.user = (char *)text_of(cli, "user");
	settings->cli.ldconfig = (char *)text_of(cli, "ldconfig");
	settings->cli.load_kmods = member_is_true(cli, "load-kmods");
	settings->cli.no_pivot = member_is_true(cli, "no-pivot");
	settings->cli.no_cgroups = member_is_true(cli, "no-cgroups");
	settings->runtime.legacy_cuda_compat_mode = (char *)text_of(cli, "cuda-compat-mode");
	settings->features.disable_imex_channel_creation =
		member_is_true(features, "disable-imex-channel-creation");
	settings->features.allow_cuda_compat_libs_from_container =
		member_is_true(features, "allow-cuda-compat-libs-from-container");
}

static void fill_request(struct request *request, struct json_object *gpu)
{
	add_texts(&request->devices, member_get(gpu, "devices"));
	add_texts(&request->requirements, member_get(gpu, "requirements"));
	add_texts(&request->imex, member_get(gpu, "imex"));
	request->capabilities = capabilities_of(text_of(gpu, "capabilities"));
	request->mig_config = (char *)text_of(gpu, "mig_config");
	request->mig_monitor = (char *)text_of(gpu, "mig_monitor");
}

SUITE("hook.cli_argv")
{
	struct settings settings = { 0 };
	struct request request = { 0 };
	struct strv words = { 0 };
	struct hook_call call = {
		.path = text_of(member_get(in, "cli_config"), "path"),
		.debug = member_is_true(in, "debug_flag"),
		.settings = &settings, .request = &request,
		.pid = (pid_t)member_number(in, "pid"),
		.root = text_of(in, "rootfs"),
	};

	fill_settings(&settings, in);
	fill_request(&request, member_get(in, "gpu"));
	hook_words(&call, &words);
	*out = array_of(&words);
	strv_free(&words);
	strv_free(&request.devices);
	strv_free(&request.requirements);
	strv_free(&request.imex);
	return 0;
}
