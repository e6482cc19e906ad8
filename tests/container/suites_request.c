// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: what a container asks for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/request/internal.h"
#include "tests/container/vectors.h"
#include "tests/unit/tree.h"

/* "a,b", as the suites of capabilities and of the hook have it. */
static struct json_object *joined(const struct strv *words)
{
	struct json_object *value;
	char *all = NULL;
	size_t size, i;
	FILE *out = open_memstream(&all, &size);

	for (i = 0; i < words->n; i++)
		fprintf(out, "%s%s", i ? "," : "", words->word[i]);
	fclose(out);
	value = json_object_new_string(all);
	free(all);
	return value;
}

static struct json_object *list_of(unsigned int capabilities)
{
	struct strv names = { 0 };
	struct json_object *value;

	capabilities_list(&names, capabilities);
	value = joined(&names);
	strv_free(&names);
	return value;
}

/**
 * struct fixture - a container, and the machine's settings
 */
struct fixture {
	struct json_object *config;
	struct container container;
	struct settings settings;
	struct request request;
};

static void set_env(struct fixture *fixture, const char *name, const char *value)
{
	struct json_object *env = member_get(member_get(fixture->config, "process"), "env");
	char *entry = NULL;

	if (asprintf(&entry, "%s=%s", name, value) > 0)
		json_object_array_add(env, json_object_new_string(entry));
	free(entry);
}

static void mount_at(struct fixture *fixture, const char *source, const char *destination)
{
	struct json_object *mount = json_object_new_object();

	json_object_object_add(mount, "source", json_object_new_string(source));
	json_object_object_add(mount, "destination", json_object_new_string(destination));
	json_object_array_add(member_get(fixture->config, "mounts"), mount);
}

static void make_config(struct fixture *fixture, struct json_object *in)
{
	struct json_object *mounts = member_get(in, "mounts"), *annotations = member_get(in, "annotations");
	struct json_object *env = member_get(in, "env");
	const char *destination;
	size_t i;

	fixture->config = json_tokener_parse("{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"rootfs\"}, \"process\": {\"env\": []}, \"mounts\": []}");
	if (json_object_is_type(env, json_type_object)) {
		json_object_object_foreach(env, name, value)
			set_env(fixture, name, json_object_get_string(value));
	}
	for (i = 0; mounts && i < json_object_array_length(mounts); i++) {
		struct json_object *pair = json_object_array_get_idx(mounts, i);

		mount_at(fixture, json_object_get_string(json_object_array_get_idx(pair, 0)),
			 json_object_get_string(json_object_array_get_idx(pair, 1)));
	}
	for_each_text(member_get(in, "devnull_mounts"), i, destination)
		mount_at(fixture, "/dev/null", destination);
	if (member_is_true(in, "privileged"))
		json_object_object_add(member_get(fixture->config, "process"), "capabilities",
				       json_tokener_parse("{\"bounding\": [\"CAP_SYS_ADMIN\"]}"));
	if (annotations)
		json_object_object_add(fixture->config, "annotations",
				       json_object_get(annotations));
}

/*
 * Makes the machine: @toml is its config.toml, if it has one; a case may say settings
 * itself. Return: 0, or negative errno and a sentence in @why.
 */
static int make_fixture(struct fixture *fixture, struct json_object *in, const char *toml,
			char why[WHY_SIZE])
{
	int ret;

	*fixture = (struct fixture){ 0 };
	make_config(fixture, in);
	ret = settings_parse(&fixture->settings, toml, strlen(toml), why);
	if (member_get(in, "swarm_vars"))
		add_texts(&fixture->settings.swarm_resources, member_get(in, "swarm_vars"));
	if (member_get(in, "prefixes")) {
		strv_free(&fixture->settings.runtime.cdi_annotation_prefixes);
		add_texts(&fixture->settings.runtime.cdi_annotation_prefixes, member_get(in, "prefixes"));
	}
	if (member_get(in, "accept_mounts"))
		fixture->settings.accept_volume_mounts = member_is_true(in, "accept_mounts");
	if (member_get(in, "accept_env_unprivileged"))
		fixture->settings.accept_env_unprivileged = member_is_true(in, "accept_env_unprivileged");
	return ret;
}

typedef struct json_object *answer_of(const struct request *request);

/* Reads the request, if the machine was made (@ret); the answer goes to @out. Frees it all. */
static int read_fixture(struct fixture *fixture, int ret, bool annotations, answer_of *answer,
			struct json_object **out, char why[WHY_SIZE])
{
	struct request *request = &fixture->request;
	struct container *container = &fixture->container;
	struct settings *settings = &fixture->settings;

	ret = ret ?: container_read(container, fixture->config, "/bundle", why) ?:
		     request_read(request, container, settings, annotations, why) ?:
		     request_read_details(request, container, settings, why);
	if (!ret)
		*out = answer(request);
	request_free(request);
	container_free(container);
	settings_free(settings);
	json_object_put(fixture->config);
	return ret;
}

/* The case is the whole machine. */
static int ask(struct json_object *in, const char *toml, bool annotations, answer_of *answer,
	       struct json_object **out, char why[WHY_SIZE])
{
	struct fixture fixture;
	int ret = make_fixture(&fixture, in, toml, why);

	return read_fixture(&fixture, ret, annotations, answer, out, why);
}

/* A container that asks for all GPUs, and has the variables of the case. */
static int ask_for_all(struct json_object *in, const char *toml, answer_of *answer,
		       struct json_object **out, char why[WHY_SIZE])
{
	struct fixture fixture;
	int ret = make_fixture(&fixture, in, toml, why);

	set_env(&fixture, "NVIDIA_VISIBLE_DEVICES", "all");
	return read_fixture(&fixture, ret, false, answer, out, why);
}

/* null: no GPU container; [""]: the driver alone. */
static struct json_object *devices_of(const struct request *request)
{
	struct json_object *array;

	if (!request->is_gpu)
		return NULL;
	array = array_of(&request->devices);
	if (!request->devices.n)
		add_text(array, "");
	return array;
}

/* Images of these suites have versions that are none. */
#define ANY_VERSION "disable-require = true\n"
#define WITH_MOUNTS "accept-nvidia-visible-devices-as-volume-mounts = true\n"

SUITE("devices.env devices.mounts devices.visible")
{
	return ask(in, ANY_VERSION WITH_MOUNTS, false, devices_of, out, why);
}

static struct json_object *names_of(const struct request *request)
{
	return array_of(&request->devices);
}

SUITE("devices.annotations")
{
	return ask(in, "", true, names_of, out, why);
}

static struct json_object *version_of(const struct request *request)
{
	return request->requirements.n != 1 ? NULL :
	       json_object_new_string(request->requirements.word[0] + strlen("cuda>="));
}

SUITE("image.cuda_version")
{
	struct fixture fixture;
	int ret = make_fixture(&fixture, in, "", why);

	set_env(&fixture, "CUDA_VERSION", member_text(in, "version"));
	ret = read_fixture(&fixture, ret, false, version_of, out, why);
	return ret || *out ? ret : why_fail(why, -EINVAL, "not a legacy image");
}

static struct json_object *requirements_of(const struct request *request)
{
	return array_of(&request->requirements);
}

SUITE("image.requirements")
{
	return ask_for_all(in, "", requirements_of, out, why);
}

static struct json_object *imex_of(const struct request *request)
{
	return request->imex.n ? array_of(&request->imex) : NULL;
}

SUITE("image.imex_env")
{
	return ask_for_all(in, ANY_VERSION, imex_of, out, why);
}

SUITE("caps.intersection")
{
	struct strv requested = { 0 }, supported = { 0 }, common = { 0 };

	capabilities_split(&requested, member_text(in, "requested"));
	capabilities_split(&supported, member_text(in, "supported"));
	capabilities_intersect(&common, &requested, &supported);
	*out = joined(&common);
	strv_free(&requested);
	strv_free(&supported);
	strv_free(&common);
	return 0;
}

SUITE("caps.parse")
{
	struct strv names = { 0 };

	capabilities_split(&names, member_text(in, "caps"));
	*out = array_of(&names);
	strv_free(&names);
	return 0;
}

/* A file of one key, "" if it is not to be there. */
static char *toml_of(const char *key, const char *value)
{
	char *toml = NULL;

	if (!value)
		return strdup("");
	return asprintf(&toml, "%s = '%s'\n", key, value) < 0 ? NULL : toml;
}

SUITE("caps.config")
{
	char *toml = toml_of("supported-driver-capabilities", member_text(in, "config"));
	struct settings settings;
	int ret = settings_parse(&settings, toml, strlen(toml), why);

	*out = list_of(settings.supported);
	settings_free(&settings);
	free(toml);
	return ret;
}

static struct json_object *capabilities_of(const struct request *request)
{
	return list_of(request->capabilities);
}

SUITE("caps.driver")
{
	char *toml = toml_of("supported-driver-capabilities", member_text(in, "supported"));
	struct fixture fixture;
	int ret = make_fixture(&fixture, NULL, toml, why);

	free(toml);
	set_env(&fixture, "NVIDIA_VISIBLE_DEVICES", "all");
	if (member_is_true(in, "env_set"))
		set_env(&fixture, "NVIDIA_DRIVER_CAPABILITIES", member_text(in, "env"));
	if (member_is_true(in, "legacy"))
		set_env(&fixture, "CUDA_VERSION", "9.0");
	return read_fixture(&fixture, ret, false, capabilities_of, out, why);
}

/* config.toml with the keys of an object. */
static char *toml_of_object(struct json_object *object)
{
	char *toml = NULL;
	size_t size;
	FILE *file = open_memstream(&toml, &size);

	json_object_object_foreach(object, key, value)
		fprintf(file, "%s = %s\n", key,
			json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE));
	fclose(file);
	return toml;
}

static struct json_object *gpu_of(const struct request *request)
{
	struct json_object *gpu = request->is_gpu ? json_object_new_object() : NULL;

	if (!gpu)
		return NULL;
	json_object_object_add(gpu, "devices", devices_of(request));
	json_object_object_add(gpu, "capabilities", list_of(request->capabilities));
	json_object_object_add(gpu, "requirements", array_of(&request->requirements));
	member_add_text(gpu, "mig_config", request->mig_config ?: "");
	member_add_text(gpu, "mig_monitor", request->mig_monitor ?: "");
	return gpu;
}

SUITE("hook.config")
{
	char *toml = toml_of_object(member_get(in, "config"));
	int ret = ask(in, toml, false, gpu_of, out, why);

	free(toml);
	return ret;
}

SUITE("hook.privileged")
{
	struct json_object *config = member_get(in, "spec");
	struct container container;
	int ret;

	if (!member_get(config, "root"))
		json_object_object_add(config, "root", json_object_new_object());
	ret = container_read(&container, config, "/bundle", why);
	*out = json_object_new_boolean(container.privileged);
	container_free(&container);
	return ret;
}

SUITE("config.ldconfig")
{
	char root[] = "/tmp/vectors-XXXXXX", program[PATH_MAX] = "";
	const char *path;
	size_t i;
	int ret;

	if (!mkdtemp(root))
		return why_fail(why, -errno, "no folder for its files");
	for_each_text(member_get(in, "existing"), i, path)
		tree_write(root, path, "", 0);
	ret = settings_ldconfig(member_text(in, "value"), root, program);
	*out = json_object_new_string(program);
	return tree_remove(root) ? why_fail(why, -EIO, "cannot remove %s", root) : ret;
}

SUITE("config.ldconfig_valid")
{
	*out = json_object_new_boolean(!settings_check_ldconfig(member_text(in, "value"),
								member_is_true(in, "allow_from_container"),
								why));
	return 0;
}

static const char *default_kind;

/* A sentence where the names are refused. */
static struct json_object *cdi_names_of(const struct request *request)
{
	struct strv names = { 0 };
	struct json_object *array;
	char why[WHY_SIZE];

	if (request_name_devices(request, default_kind, &names, why))
		array = json_object_new_string(why);
	else
		array = array_of(&names);
	strv_free(&names);
	return array;
}

SUITE("cdi.requests")
{
	int ret;

	default_kind = member_text(in, "default_kind");
	ret = ask(in, WITH_MOUNTS, true, cdi_names_of, out, why);
	if (!json_object_is_type(*out, json_type_string))
		return ret;
	return why_fail(why, -EINVAL, "%s", json_object_get_string(*out));
}

/*
 * Does it take what draws on screens, and its nodes? The toolkit asks this before it
 * edits for legacy mode; ours gives files and nodes by the capabilities themselves.
 */
static struct json_object *graphics_of(const struct request *request)
{
	return request->is_gpu && request->capabilities & (CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY) ?
	       devices_of(request) : NULL;
}

SUITE("runtime.graphics")
{
	return ask(in, "", false, graphics_of, out, why);
}
