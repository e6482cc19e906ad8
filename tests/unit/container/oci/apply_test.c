// SPDX-License-Identifier: GPL-2.0-only
/*
 * Edits made in a configuration: where they land, what stays, and that the second
 * time nothing changes.
 */
#include <sys/stat.h>
#include "container/oci/internal.h"
#include "tests/unit/unit.h"

static struct edits edits;
static char why[WHY_SIZE];
static char bundle[] = "/tmp/inject_test.XXXXXX";

static void add(struct edit edit)
{
	char **text[] = { &edit.path, &edit.source, &edit.text, &edit.stage };

	each_row(member, text)
		if (**member)
			**member = strdup(**member);
	edits_add(&edits, &edit);
}

static struct strv one_word(const char *text)
{
	struct strv words = { 0 };

	strv_add(&words, text);
	return words;
}

static char *inject(const char *config, int result)
{
	struct json_object *root;
	char *text;

	assert_int_equal(json_file_parse(config, strlen(config), &root, why), 0);
	assert_int_equal(oci_inject(root, &edits, bundle, NULL, why), result);
	text = result ? NULL : strdup(json_object_to_json_string_ext(root,
						JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
	return text;
}

/* The edits make @before @after, and that stays as it is. */
static void assert_injected(const char *before, const char *after)
{
	char *once = inject(before, 0), *twice = inject(once, 0);

	assert_string_equal(once, after);
	assert_string_equal(twice, once);
	free(once);
	free(twice);
	edits_free(&edits);
}

#define ALL(process, linux, rest) \
	"{\"process\":{" process "},\"linux\":{" linux "}" rest "}"

TEST("a configuration without edits stays as it is")
{
	assert_injected(ALL("\"x\":1e3", "", ",\"mounts\":[{\"destination\":\"/a/b\"},{\"destination\":\"/\"}]"),
			ALL("\"x\":1e3", "", ",\"mounts\":[{\"destination\":\"/a/b\"},{\"destination\":\"/\"}]"));
}

TEST("a variable is set in its place, or added")
{
	add((struct edit){ .kind = EDIT_ENV, .text = (char *)"A=new" });
	add((struct edit){ .kind = EDIT_ENV, .text = (char *)"B=b=c" });
	assert_injected(ALL("\"env\":[\"AA=1\",\"A=old\",\"Z\",\"A=older\"]", "", ""),
			ALL("\"env\":[\"AA=1\",\"A=new\",\"Z\",\"B=b=c\"]", "", ""));
	add((struct edit){ .kind = EDIT_ENV, .text = (char *)"A=new" });
	assert_injected(ALL("", "", ""), ALL("\"env\":[\"A=new\"]", "", ""));
}

static void add_node(const char *path, const char *source, mode_t mode)
{
	struct edit edit = {
		.kind = EDIT_NODE, .path = (char *)path, .source = (char *)source,
		.node = { .type = 'c', .major = 195, .minor = 0, .mode = mode,
			  .gid = mode ? 44 : 0, .access = "rw" },
	};

	add(edit);
}

#define RULE "{\"allow\":true,\"type\":\"c\",\"major\":195,\"minor\":0,\"access\":\"rw\"}"
#define DENY "{\"allow\":false,\"access\":\"rwm\"}"

TEST("a node is added or replaced, and access to it allowed")
{
	add_node("/dev/nvidia0", "/dev/nvidia0", 0);
	assert_injected(ALL("", "", ""),
			ALL("", "\"devices\":[{\"path\":\"/dev/nvidia0\",\"type\":\"c\",\"major\":195,\"minor\":0}],\"resources\":{\"devices\":[" RULE "]}", ""));
	add_node("/dev/nvidia0", "/dev/nvidia0", 0660);
	assert_injected(ALL("", "\"devices\":[{\"path\":\"/dev/nvidia0\",\"type\":\"b\"},{\"path\":\"/dev/x\"}],\"resources\":{\"memory\":{},\"devices\":[" DENY "]}", ""),
			ALL("", "\"devices\":[{\"path\":\"/dev/nvidia0\",\"type\":\"c\",\"major\":195,\"minor\":0,\"fileMode\":432,\"gid\":44},{\"path\":\"/dev/x\"}],\"resources\":{\"memory\":{},\"devices\":[" DENY "," RULE "]}", ""));
}

TEST("the later of two nodes of one path is made; both are allowed")
{
	struct edit edit = {
		.kind = EDIT_NODE, .path = (char *)"/dev/nvidia0",
		.node = { .type = 'c', .major = 1, .minor = 3, .access = "rwm" },
	};

	add(edit);
	add_node("/dev/nvidia0", "/dev/nvidia0", 0);
	assert_injected(ALL("", "", ""),
			ALL("", "\"devices\":[{\"path\":\"/dev/nvidia0\",\"type\":\"c\",\"major\":195,\"minor\":0}],\"resources\":{\"devices\":[{\"allow\":true,\"type\":\"c\",\"major\":1,\"minor\":3,\"access\":\"rwm\"}," RULE "]}", ""));
}

/* A runtime that cannot make nodes binds them, by their path: it must be there. */
TEST("a node is a bind mount in a user namespace")
{
	add_node("/dev/nvidia0", "/run/driver/dev/nvidia0", 0);
	assert_injected(ALL("", "\"namespaces\":[{\"type\":\"user\"}]", ""),
			ALL("", "\"namespaces\":[{\"type\":\"user\"}],\"resources\":{\"devices\":[" RULE "]}", ",\"mounts\":[{\"destination\":\"/dev/nvidia0\",\"type\":\"bind\",\"source\":\"/run/driver/dev/nvidia0\",\"options\":[\"nosuid\",\"noexec\",\"bind\"]}]"));
}

static void add_mount(enum edit_kind kind, const char *path, const char *source)
{
	struct edit edit = {
		.kind = kind, .path = (char *)path, .source = (char *)source,
		.options = one_word("ro"),
	};

	add(edit);
}

#define MOUNT(path, source) \
	"{\"destination\":\"" path "\",\"type\":\"bind\",\"source\":\"" source "\",\"options\":[\"ro\"]}"

TEST("mounts replace those of their path, and are sorted by depth")
{
	add_mount(EDIT_MOUNT, "/usr/lib/l.so.5", "/lib/l.so.5");
	add_mount(EDIT_LINK, "/usr/lib/l.so", "/lib/l.so.5");
	add_mount(EDIT_LINK, "/dev/dri/by-path/x", NULL);
	add_mount(EDIT_MOUNT, "/bin", "/b");
	assert_injected(ALL("", "", ",\"mounts\":[{\"destination\":\"/a/b/c/d\"},{\"destination\":\"/usr//lib/./l.so.5/\"},{\"destination\":\"/proc\"}]"),
			ALL("", "", ",\"mounts\":[{\"destination\":\"/proc\"}," MOUNT("/bin", "/b") "," MOUNT("/usr/lib/l.so.5", "/lib/l.so.5") "," MOUNT("/usr/lib/l.so", "/lib/l.so.5") ",{\"destination\":\"/a/b/c/d\"}]"));
}

static size_t looks;

struct json_object *__real_json_object_array_get_idx(const struct json_object *array, size_t i);
struct json_object *__wrap_json_object_array_get_idx(const struct json_object *array, size_t i);

struct json_object *__wrap_json_object_array_get_idx(const struct json_object *array, size_t i)
{
	looks++;
	return __real_json_object_array_get_idx(array, i);
}

TEST("many edits do not look at each mount more often than one edit")
{
	char path[32], *config = strdup(ALL("", "", ",\"mounts\":["));
	size_t i, used = strlen(config) - 1;

	config = realloc(config, 1 << 20);
	for (i = 0; i < 1000; i++)
		used += (size_t)sprintf(config + used, "%s{\"destination\":\"/a/%zu/b\"}",
					i ? "," : "", i);
	strcpy(config + used, "]}");
	for (i = 0; i < 100; i++) {
		sprintf(path, "/usr/lib/%zu", i);
		add_mount(EDIT_MOUNT, path, "/lib/l.so.5");
	}
	looks = 0;
	free(inject(config, 0));
	assert_in_range(looks, 1, 3 * 1100);
	free(config);
	edits_free(&edits);
}

TEST("a masked path is added once")
{
	add((struct edit){ .kind = EDIT_PROC, .path = (char *)"/proc/driver/nvidia" });
	add((struct edit){ .kind = EDIT_MASK, .path = (char *)"/proc/driver/nvidia/suspend" });
	add((struct edit){ .kind = EDIT_MASK, .path = (char *)"/proc/keys" });
	assert_injected(ALL("", "\"maskedPaths\":[\"/proc/keys\"]", ""),
			ALL("", "\"maskedPaths\":[\"/proc/keys\",\"/proc/driver/nvidia/suspend\"]", ""));
}

TEST("groups are added once, and only those that a user namespace maps")
{
	add((struct edit){ .kind = EDIT_GROUP, .group = 44 });
	add((struct edit){ .kind = EDIT_GROUP, .group = 7 });
	assert_injected(ALL("\"user\":{\"uid\":1,\"additionalGids\":[7]}", "", ""),
			ALL("\"user\":{\"uid\":1,\"additionalGids\":[7,44]}", "", ""));
	add((struct edit){ .kind = EDIT_GROUP, .group = 44 });
	add((struct edit){ .kind = EDIT_GROUP, .group = 9 });
#define MAPS "\"namespaces\":[{\"type\":\"user\"}],\"gidMappings\":[{\"containerID\":0,\"hostID\":5000,\"size\":10}]"
	assert_injected(ALL("", MAPS, ""), ALL("\"user\":{\"additionalGids\":[9]}", MAPS, ""));
}

#define HOOK_ENV "\"env\":[\"PATH=/usr/sbin:/usr/bin:/sbin:/bin\"]"

TEST("a hook is added to its stage, and other hooks stay")
{
	struct edit edit = {
		.kind = EDIT_HOOK, .path = (char *)"/h", .timeout = 9,
		.stage = (char *)"createRuntime", .options = one_word("h"),
	};

	add(edit);
	assert_injected(ALL("", "", ",\"hooks\":{\"prestart\":[{\"path\":\"/x\"}]}"),
			ALL("", "", ",\"hooks\":{\"prestart\":[{\"path\":\"/x\"}],\"createRuntime\":[{\"path\":\"/h\",\"args\":[\"h\"]," HOOK_ENV ",\"timeout\":9}]}"));
}

TEST("intelRdt and netDevices are added to the configuration")
{
	add((struct edit){ .kind = EDIT_OTHER, .stage = (char *)"intelRdt",
			   .text = (char *)"{\"closID\":\"a\"}" });
	add((struct edit){ .kind = EDIT_OTHER, .stage = (char *)"netDevices",
			   .text = (char *)"[{\"hostInterfaceName\":\"eth1\",\"name\":\"e\"}]" });
	assert_injected(ALL("", "", ""),
			ALL("", "\"intelRdt\":{\"closID\":\"a\"},\"netDevices\":{\"eth1\":{\"name\":\"e\"}}", ""));
}

TEST("a file that no host has is made in the bundle, readable by all")
{
	char path[64], want[512], text[8] = "";
	struct stat st;
	FILE *file;

	snprintf(path, sizeof(path), "%s/mpu-10.conf", bundle);
	snprintf(want, sizeof(want), ALL("", "", ",\"mounts\":[{\"destination\":\"/etc/n/10.conf\",\"type\":\"bind\",\"source\":\"%s\",\"options\":[\"ro\",\"nosuid\",\"nodev\",\"noexec\",\"bind\"]}]"),
		 path);
	add((struct edit){ .kind = EDIT_TEXT, .path = (char *)"/etc/n/10.conf",
			   .text = (char *)"text" });
	umask(077);
	assert_injected(ALL("", "", ""), want);
	umask(022);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0444);
	file = fopen(path, "re");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "text\n");
	unlink(path);
}

TEST("a configuration with wrong or missing members is refused")
{
	static const struct {
		const char *config, *says;
	} cases[] = {
		{ "{\"process\":{}}", "no \"linux\"" },
		{ "{\"linux\":{}}", "no \"process\"" },
		{ "{\"process\":{},\"linux\":{\"maskedPaths\":1}}", "linux.maskedPaths is not an array" },
		{ "{\"process\":{},\"linux\":{\"MaskedPaths\":[]}}", "in another case" },
	};

	add((struct edit){ .kind = EDIT_MASK, .path = (char *)"/x" });
	each_row(row, cases) {
		inject(row->config, -EINVAL);
		assert_non_null(strstr(why, row->says));
	}
	edits_free(&edits);
}

TEST("NVIDIA's hook is added once, and removed alone")
{
	static const char foreign[] = "{\"hooks\":{\"prestart\":[{\"path\":\"/x\"}],\"poststop\":[]}}";
	struct json_object *root;

	json_file_parse(foreign, strlen(foreign), &root, why);
	assert_int_equal(oci_hooks_remove_nvidia(root, why), 0);
	oci_hooks_plan_nvidia(&edits, "/h/nvidia-container-runtime-hook", NULL);
	oci_hooks_plan_nvidia(&edits, "/other/nvidia-container-runtime-hook", NULL);
	assert_int_equal(oci_hooks_add_nvidia(root, &edits.edit[0], why), 0);
	assert_int_equal(oci_hooks_add_nvidia(root, &edits.edit[1], why), 0);
	edits_free(&edits);
	assert_string_equal(json_object_to_json_string_ext(root, JSON_C_TO_STRING_NOSLASHESCAPE),
			    "{\"hooks\":{\"prestart\":[{\"path\":\"/x\"},{\"path\":\"/h/nvidia-container-runtime-hook\",\"args\":[\"nvidia-container-runtime-hook\",\"prestart\"]," HOOK_ENV "}],\"poststop\":[]}}");
	assert_int_equal(oci_hooks_remove_nvidia(root, why), 0);
	assert_string_equal(json_object_to_json_string_ext(root, JSON_C_TO_STRING_NOSLASHESCAPE),
			    foreign);
	json_object_put(root);
}

static int make_bundle(void)
{
	return mkdtemp(bundle) ? 0 : -1;
}

static int remove_bundle(void)
{
	return rmdir(bundle);
}

TEST_ALL(make_bundle, remove_bundle)
