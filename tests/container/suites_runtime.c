// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the runtime wrapper.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "container/container.h"
#include "container/oci/internal.h"
#include "container/request/request.h"
#include "tests/container/vectors.h"

#define HOOK "/HOOK/nvidia-container-runtime-hook"

/* Words of a command line; their text is @array's. @own: one in front of them. */
static char **words_of(struct json_object *array, const char *own)
{
	size_t n = json_object_array_length(array), at = own ? 1 : 0, i;
	char **words = calloc(n + at + 2, sizeof(*words));

	if (own)
		words[0] = (char *)own;
	for (i = 0; i < n; i++)
		words[at + i] = (char *)json_object_get_string(json_object_array_get_idx(array, i));
	return words;
}

SUITE("runtime.bundle")
{
	char **words = words_of(member_get(in, "args"), "runtime");
	struct oci_runtime runtime;
	int ret = oci_runtime_read(&runtime, words, why);

	if (!ret)
		*out = json_object_new_string(runtime.bundle ? runtime.bundle : "");
	free(words);
	return ret;
}

SUITE("runtime.specpath")
{
	const char *bundle = member_text(in, "bundle");
	const struct oci_runtime runtime = { .command = "create" };
	char path[PATH_MAX];
	int ret = oci_runtime_config(&runtime, bundle, path, why);

	if (!ret)
		*out = json_object_new_string(path);
	return ret;
}

SUITE("runtime.is_create")
{
	char **words = words_of(member_get(in, "args"), "runtime");
	struct oci_runtime guess, runtime;
	bool naive, proper;

	oci_runtime_guess(&guess, words);
	naive = oci_runtime_creates(&guess);
	/* A line that is refused has told what it is for. */
	oci_runtime_read(&runtime, words, why);
	proper = oci_runtime_creates(&runtime);
	*out = json_object_new_object();
	json_object_object_add(*out, "naive", json_object_new_boolean(naive));
	json_object_object_add(*out, "proper", json_object_new_boolean(proper));
	free(words);
	return 0;
}

/* A container that asks for GPUs: by mode legacy, which takes no driver. */
static const char asks[] = "{\"ociVersion\":\"1.0.2\",\"root\":{\"path\":\"/usr\"},"
	"\"process\":{\"env\":[\"NVIDIA_VISIBLE_DEVICES=all\"]}}\n";

static void write_config(const char *path)
{
	FILE *file = fopen(path, "we");

	if (file) {
		fputs(asks, file);
		fclose(file);
	}
}

/* Makes writing fail (EFBIG), and possible again. */
static void limit_files(rlim_t size)
{
	const struct rlimit limit = { size, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
}

static char *read_config(const char *path)
{
	char *text = calloc(1, 4096);
	FILE *file = fopen(path, "re");

	if (file) {
		if (!fread(text, 1, 4095, file))
			*text = '\0';
		fclose(file);
	}
	return text;
}

SUITE("runtime.flow")
{
	static const char hook[] = "nvidia-container-runtime-hook.path = \"/bin/sh\"\n";
	char bundle[] = "/tmp/vectors.XXXXXX", path[64];
	char **words = words_of(member_get(in, "args"), "runtime");
	struct settings settings = { 0 };
	struct oci_runtime runtime;
	bool load, edited;
	char *text;
	int ret;

	if (!mkdtemp(bundle))
		return -errno;
	snprintf(path, sizeof(path), "%s/config.json", bundle);
	write_config(path);
	ret = settings_parse(&settings, hook, sizeof(hook) - 1, why);
	if (!ret)
		ret = oci_runtime_read(&runtime, words, why);
	runtime.name = "nvidia-container-runtime.legacy";
	runtime.bundle = bundle;
	load = !ret && member_is_true(in, "modifier") && oci_runtime_creates(&runtime);
	if (member_is_true(in, "write_error"))
		limit_files(0);
	if (load)
		ret = oci_runtime_create(&runtime, &settings, NULL, why);
	limit_files(RLIM_INFINITY);
	/* An edit that could not be written is one. */
	text = read_config(path);
	edited = ret == -EFBIG || strcmp(text, asks);
	*out = json_object_new_object();
	json_object_object_add(*out, "load", json_object_new_boolean(load));
	json_object_object_add(*out, "modify", json_object_new_boolean(edited));
	json_object_object_add(*out, "flush", json_object_new_boolean(edited));
	json_object_object_add(*out, "exec", json_object_new_boolean(ret >= 0));
	if (ret < 0)
		json_object_object_add(*out, "exit", json_object_new_int(1));
	free(text);
	settings_free(&settings);
	unlink(path);
	rmdir(bundle);
	free(words);
	return 0;
}

SUITE("runtime.argv_forward")
{
	char **words = words_of(member_get(in, "argv"), NULL);
	struct oci_runtime runtime = { .words = words };
	size_t i;

	/* There is no such program: this one goes on. */
	snprintf(runtime.path, sizeof(runtime.path), "%s", member_text(in, "path"));
	if (oci_runtime_exec(&runtime, why) != -ENOENT)
		return -EEXIST;
	*out = json_object_new_array();
	for (i = 0; words[i]; i++)
		json_object_array_add(*out, json_object_new_string(words[i]));
	free(words);
	return 0;
}

SUITE("runtime.binary_path")
{
	const char *path = member_text(in, "path");

	*out = json_object_new_boolean(oci_runtime_is_program(path));
	return 0;
}

static struct json_object *config_with(struct json_object *prestart)
{
	struct json_object *config = json_object_new_object();
	struct json_object *hooks = json_object_new_object();

	if (prestart) {
		json_object_object_add(hooks, "prestart", json_object_get(prestart));
		json_object_object_add(config, "hooks", hooks);
	} else {
		json_object_put(hooks);
	}
	return config;
}

/*
 * Returns the list of hooks. Our hook has variables of its own, on purpose, which the
 * existing wrapper's has not.
 */
static struct json_object *prestart_of(struct json_object *config)
{
	struct json_object *list = member_get(member_get(config, "hooks"), "prestart");
	size_t i, n = list ? json_object_array_length(list) : 0;

	for (i = 0; i < n; i++) {
		struct json_object *hook = json_object_array_get_idx(list, i);
		const char *path = member_text(hook, "path");

		if (path && !strcmp(path, HOOK) && member_get(hook, "env"))
			json_object_object_del(hook, "env");
	}
	return json_object_get(list);
}

SUITE("runtime.add_hook")
{
	struct json_object *config = config_with(member_get(in, "prestart"));
	struct edits edits = { 0 };
	int ret;

	oci_hooks_plan_nvidia(&edits, HOOK, NULL);
	ret = oci_hooks_add_nvidia(config, edits.edit, why);
	edits_free(&edits);
	if (!ret)
		*out = prestart_of(config);
	json_object_put(config);
	return ret;
}

SUITE("runtime.remove_hook")
{
	struct json_object *config = config_with(member_get(in, "prestart"));
	int ret = oci_hooks_remove_nvidia(config, why);

	if (!ret)
		*out = prestart_of(config);
	json_object_put(config);
	return ret;
}

static void add_env(struct strv *env, struct json_object *object)
{
	if (!object)
		return;
	json_object_object_foreach(object, name, value)
		strv_add_format(env, "%s=%s", name, json_object_get_string(value));
}

static void add_mounts(struct container *container, struct json_object *array)
{
	size_t i;

	for (i = 0; array && i < json_object_array_length(array); i++) {
		strv_add(&container->sources, "/dev/null");
		strv_add(&container->destinations, json_object_get_string(
				  json_object_array_get_idx(array, i)));
	}
}

SUITE("mode.auto")
{
	static const char toml[] = "accept-nvidia-visible-devices-as-volume-mounts = true\n";
	struct container container = { 0 };
	struct request request = { 0 };
	struct settings settings = { 0 };
	int ret = settings_parse(&settings, toml, strlen(toml), why);

	add_env(&container.env, member_get(in, "env"));
	add_mounts(&container, member_get(in, "devnull_mounts"));
	if (!ret)
		ret = request_read(&request, &container, &settings, true, why);
	if (!ret)
		*out = json_object_new_string(mode_resolve(
				member_text(in, "mode"),
				request_names_cdi(&request.devices), "jit-cdi"));
	request_free(&request);
	settings_free(&settings);
	container_free(&container);
	return ret;
}
