// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: GPUs in a configuration that nobody wrote. What is edited is found
 * edited, the second time nothing changes, and all else says what it said.
 */
#include "container/oci/internal.h"
#include "lib/json.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"{\"process\":{},\"linux\":{}}",
	"{\"process\":{\"env\":[\"A=b\",\"NVIDIA_VISIBLE_DEVICES=all\",\"A=c\"],\"user\":{\"uid\":1,\"additionalGids\":[1,44]}},\"root\":{\"path\":\"r\"},\"linux\":{},\"n\":1e3}",
	"{\"process\":{\"env\":null},\"mounts\":[{\"destination\":\"/dev/shm\"},{\"destination\":\"/\"},{\"destination\":\"/usr/lib/libcuda.so.1/\"},7,null],\"linux\":{\"devices\":[{\"path\":\"/dev/nvidia0\"},{\"path\":\"/dev/x\"}]}}",
	"{\"process\":{},\"linux\":{\"namespaces\":[{\"type\":\"user\"}],\"gidMappings\":[{\"containerID\":0,\"size\":50}],\"resources\":{\"devices\":[{\"allow\":false,\"access\":\"rwm\"}],\"memory\":{\"limit\":9007199254740993}},\"maskedPaths\":[\"/proc/keys\"]}}",
	"{\"process\":{},\"linux\":{\"maskedPaths\":null},\"hooks\":{\"prestart\":[{\"path\":\"/x/nvidia-container-runtime-hook\"},{\"path\":\"/y\"},3],\"createRuntime\":[]}}",
	NULL,
};

static char *copy(const char *text)
{
	char *own = text ? strdup(text) : NULL;

	require(own || !text);
	return own;
}

static void add(struct edits *edits, enum edit_kind kind, const char *path,
		const char *source, const char *text)
{
	struct edit edit = {
		.kind = kind, .path = copy(path), .source = copy(source),
		.text = copy(text), .group = kind == EDIT_GROUP ? 44 : 0,
		.stage = copy(kind == EDIT_HOOK ? "createRuntime" : NULL),
		.node = { .type = 'c', .major = 195, .access = "rw" },
	};

	strv_add(&edit.options, "ro");
	edits_add(edits, &edit);
}

/* The bits of @which say which edits are made. */
static void make_edits(struct edits *edits, unsigned int which)
{
	if (which & 1)
		add(edits, EDIT_ENV, NULL, NULL, "NVIDIA_VISIBLE_DEVICES=void");
	if (which & 2)
		add(edits, EDIT_NODE, "/dev/nvidia0", "/d/dev/nvidia0", NULL);
	if (which & 4) {
		add(edits, EDIT_MOUNT, "/usr/lib/libcuda.so.5", "/l", NULL);
		add(edits, EDIT_LINK, "/usr/lib/libcuda.so.1", "/l", "libcuda.so.5");
	}
	if (which & 8)
		add(edits, EDIT_MASK, "/proc/driver/nvidia/suspend", NULL, NULL);
	if (which & 16)
		add(edits, EDIT_GROUP, NULL, NULL, NULL);
	if (which & 32)
		add(edits, EDIT_HOOK, "/h", NULL, NULL);
}

/* Members of @before that are not in @edited are in @after, the same, in order. */
static void check_members(struct json_object *before, struct json_object *after,
			  const char *const *edited)
{
	struct json_object *value;
	const char *const *name;

	if (!json_object_is_type(before, json_type_object))
		return;
	json_object_object_foreach(before, key, old) {
		for (name = edited; *name && strcmp(*name, key); name++)
			;
		if (*name)
			continue;
		require(json_object_object_get_ex(after, key, &value) &&
			json_object_equal(old, value));
	}
}

static bool has(struct json_object *array, struct json_object *value)
{
	size_t i;

	for (i = 0; i < json_object_array_length(array); i++)
		if (json_object_equal(json_object_array_get_idx(array, i), value))
			return true;
	return false;
}

/* An element is there still, unless it is of what was edited. */
static void check_elements(struct json_object *before, struct json_object *after,
			   const char *edited)
{
	size_t i, n = json_object_is_type(before, json_type_array) ?
		      json_object_array_length(before) : 0;

	for (i = 0; i < n; i++) {
		struct json_object *old = json_object_array_get_idx(before, i);
		const char *text = json_object_to_json_string_ext(old,
					JSON_C_TO_STRING_NOSLASHESCAPE);

		require(strstr(text, edited) || has(after, old));
	}
}

static void check_rest(struct json_object *before, struct json_object *after)
{
	static const char *const top[] = { "process", "linux", "mounts", "hooks", NULL };
	static const char *const process[] = { "env", "user", NULL };
	static const char *const linux_[] = { "devices", "resources", "maskedPaths", NULL };
	static const char *const resources[] = { "devices", NULL };
	static const char *const user[] = { "additionalGids", NULL };

	check_members(before, after, top);
	check_members(member_get(before, "process"), member_get(after, "process"), process);
	check_members(member_get(before, "linux"), member_get(after, "linux"), linux_);
	check_members(member_get(member_get(before, "linux"), "resources"),
		      member_get(member_get(after, "linux"), "resources"), resources);
	check_members(member_get(member_get(before, "process"), "user"),
		      member_get(member_get(after, "process"), "user"), user);
	check_elements(member_get(before, "mounts"), member_get(after, "mounts"), "lib");
	check_elements(member_get(member_get(before, "process"), "env"),
		       member_get(member_get(after, "process"), "env"), "NVIDIA_VISIBLE_DEVICES");
	check_elements(member_get(member_get(before, "linux"), "devices"),
		       member_get(member_get(after, "linux"), "devices"), "nvidia0");
	check_elements(member_get(member_get(before, "linux"), "maskedPaths"),
		       member_get(member_get(after, "linux"), "maskedPaths"), "suspend");
}

static void check_hooks(struct json_object *config)
{
	struct edits edits = { 0 };
	char why[WHY_SIZE];
	int ret;

	oci_hooks_plan_nvidia(&edits, "/x/nvidia-container-runtime-hook", NULL);
	ret = oci_hooks_add_nvidia(config, edits.edit, why);
	edits_free(&edits);
	if (ret)
		return;
	require(oci_hooks_has_nvidia(config));
	require(!oci_hooks_remove_nvidia(config, why) && !oci_hooks_has_nvidia(config));
}

static void check(const char *text, size_t size, unsigned int which)
{
	struct json_object *before, *after;
	struct edits edits = { 0 };
	char why[WHY_SIZE], *once;

	if (json_file_parse(text, size, &before, why))
		return;
	require(!json_file_parse(text, size, &after, why));
	make_edits(&edits, which);
	if (json_object_is_type(after, json_type_object) &&
	    !oci_inject(after, &edits, "/nowhere", NULL, why)) {
		random_taken++;
		once = copy(json_file_text(after));
		check_rest(before, after);
		require(!oci_inject(after, &edits, "/nowhere", NULL, why));
		require(!strcmp(once, json_file_text(after)));
		free(once);
		check_hooks(after);
	}
	edits_free(&edits);
	json_object_put(before);
	json_object_put(after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = random_text(data, size);

	check(text, size, (unsigned int)size);
	check(text, size, 63);
	free(text);
	return 0;
}
