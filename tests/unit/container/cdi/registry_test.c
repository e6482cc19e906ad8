// SPDX-License-Identifier: GPL-2.0-only
/*
 * CDI documents and their registry.
 */
#include "container/cdi/internal.h"
#include "container/request/request.h"
#include "lib/json_file.h"
#include "lib/yaml_file.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static char why[WHY_SIZE];

static struct json_object *json(const char *text)
{
	struct json_object *root;

	assert_int_equal(json_file_parse(text, strlen(text), &root, why), 0);
	return root;
}

/* A document with these members around one device. */
static int parse(const char *version, const char *members, const char *device)
{
	struct cdi_document document;
	struct json_object *root;
	char text[2048];
	int ret;

	snprintf(text, sizeof(text), "{\"cdiVersion\": \"%s\", %s, \"devices\": [%s]}",
		 version, members, device);
	root = json(text);
	ret = cdi_document_parse(&document, root, why);
	json_object_put(root);
	if (!ret)
		cdi_document_free(&document);
	return ret;
}

/* Likewise, with these edits of its device. */
static int parse_edits(const char *version, const char *edits)
{
	char device[1024];

	snprintf(device, sizeof(device), "{\"name\": \"a\", \"containerEdits\": {%s}}", edits);
	return parse(version, "\"kind\": \"v.com/cc\"", device);
}

TEST("a byte order mark before JSON is none of it, and none inside is taken")
{
	struct json_object *root;

	json_object_put(json("\xef\xbb\xbf{}"));
	assert_int_equal(json_file_parse("{\xef\xbb\xbf}", 5, &root, why), -EINVAL);
}

TEST("well-formed names of CDI devices are taken, and others refused")
{
	static const char *const good[] = {
		"nvidia.com/gpu=0", "nvidia.com/gpu=GPU-1-2", "vv/cc=0:1",
		"aa/b.c=d", "v-1_x.y/c-1_2=a.b-c_d:e",
	};
	static const char *const bad[] = {
		"", "0", "gpu=0", "/gpu=0", "vv/=0", "vv/cc=", "1v/cc=0", "vv/1c=0", "v/cc=0", "vv/c=0",
		"v-/c=0", "vv/cc-=0", "vv/cc=-0", "vv/cc=0-", "vv/cc=0 ", "vv/cc/d=0",
		"vv/cc=a=b", "vv/cc=\303\251", "v /cc=0", "vv/cc=a/b",
	};
	size_t i, len;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_string_equal(cdi_name_split(good[i], &len), strchr(good[i], '=') + 1);
	assert_int_equal(len, strlen("v-1_x.y/c-1_2"));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(cdi_name_split(bad[i], &len));
	assert_true(cdi_annotation_is_valid("mpu/driver-version"));
	assert_false(cdi_annotation_is_valid("a/b/c"));
	assert_false(cdi_annotation_is_valid("/b"));
	assert_false(cdi_annotation_is_valid("b/"));
}

#define DEVICE(name, more) "{\"name\": \"" name "\", " more "\"containerEdits\": {\"env\": [\"A=1\"]}}"
#define KIND "\"kind\": \"vv/cc\""
#define ANNOTATIONS(list) "\"annotations\": {" list "}"

TEST("a document is refused that has a feature of a later version, or is wrong outside of its edits")
{
	static const struct {
		const char *version, *members, *device;
		int result;
	} rows[] = {
		{ "0.5.0", KIND, DEVICE("0", ""), 0 },
		{ "v0.5.0", KIND, DEVICE("0", ""), 0 },
		{ "0.4.0", KIND, DEVICE("0", ""), -EINVAL },
		{ "0.6.0", "\"kind\": \"vv/cc.d\"", DEVICE("0", ""), 0 },
		{ "0.5.0", "\"kind\": \"vv/cc.d\"", DEVICE("0", ""), -EINVAL },
		{ "0.5.0", KIND ", " ANNOTATIONS("\"a\": \"b\""), DEVICE("0", ""), -EINVAL },
		{ "0.6.0", KIND ", " ANNOTATIONS("\"a\": \"b\""), DEVICE("0", ""), 0 },
		{ "0.5.0", KIND, DEVICE("a", ANNOTATIONS("\"a\": \"b\"") ", "), -EINVAL },
		{ "0.6.0", KIND, DEVICE("a", ANNOTATIONS("\"a\": \"b\"") ", "), 0 },
		{ "0.9.0", KIND, DEVICE("a", ""), -EINVAL },
		{ "", KIND, DEVICE("a", ""), -EINVAL },
		{ "1.0.0", KIND, DEVICE("a", ""), 0 },
		{ "1.0.0", "\"kind\": \"v/cc\"", DEVICE("a", ""), -EINVAL },
		{ "1.0.0", "\"kind\": 1", DEVICE("a", ""), -EINVAL },
		{ "1.0.0", "\"kinds\": \"vv/cc\"", DEVICE("a", ""), -EINVAL },
		{ "1.0.0", ANNOTATIONS(""), DEVICE("a", ""), -EINVAL },
		{ "1.0.0", KIND, "", -EINVAL },
		{ "1.0.0", KIND, "1", -EINVAL },
		{ "1.0.0", KIND, "{\"name\": \"a\"}", -EINVAL },
		{ "1.0.0", KIND, DEVICE("a b", ""), -EINVAL },
		{ "1.0.0", KIND ", " ANNOTATIONS("\"a b\": \"c\""), DEVICE("a", ""), -EINVAL },
		{ "1.0.0", KIND ", " ANNOTATIONS("\"a\": []"), DEVICE("a", ""), -EINVAL },
		{ "1.0.0", KIND ", " ANNOTATIONS("\"a\": 1, \"b\": null"), DEVICE("a", ""), 0 },
		{ "1.0.0", KIND, DEVICE("a", "") ", " DEVICE("a", ""), -EINVAL },
	};
	static const struct {
		const char *before, *since, *edits;
	} features[] = {
		{ "0.3.0", "0.4.0", "\"mounts\": [{\"hostPath\": \"/a\", \"containerPath\": \"/b\", \"type\": \"bind\"}]" },
		{ "0.4.0", "0.5.0", "\"deviceNodes\": [{\"path\": \"/dev/a\", \"hostPath\": \"/dev/a\"}]" },
		{ "0.6.0", "0.7.0", "\"AdditionalGIDs\": [44, 5.0, 1e2]" },
		{ "0.6.0", "0.7.0", "\"intelRdt\": {\"closID\": \"schemata\"}" },
		{ "1.0.0", "1.1.0", "\"intelRdt\": {\"schemata\": [\"L3:0=f\"]}" },
		{ "1.0.0", "1.1.0", "\"netDevices\": [{\"hostInterfaceName\": \"a\", \"name\": \"b\"}]" },
		{ "1.1.0", "1.0.0", "\"intelRdt\": {\"enableCMT\": true}" },
	};

	each_row(row, rows)
		if (parse(row->version, row->members, row->device) != row->result)
			fail_msg("%s: %s, %s", row->version, row->members, row->device);
	assert_non_null(strstr(why, "devices[1]"));
	each_row(row, features) {
		assert_int_equal(parse_edits(row->since, row->edits), 0);
		assert_int_equal(parse_edits(row->before, row->edits), -EINVAL);
		assert_non_null(strstr(why, "cdiVersion"));
	}
}

TEST("wrong edits of a device are refused, with the reason")
{
	static const struct {
		const char *edits, *sentence;
	} rows[] = {
		{ "", "empty" },
		{ "\"env\": []", "empty" },
		{ "\"env\": [\"A\"]", "NAME=VALUE" },
		{ "\"env\": [\"=1\"]", "NAME=VALUE" },
		{ "\"env\": [1]", "NAME=VALUE" },
		{ "\"env\": [[]]", "env is not a string" },
		{ "\"env\": \"A=1\"", "an array" },
		{ "\"env\": [\"A=\\u0000\"]", "NUL" },
		{ "\"env\": [], \"Env\": []", "env is there twice" },
		{ "\"maskedPaths\": [\"/proc\"]", "maskedPaths" },
		{ "\"deviceNodes\": [{}]", "path is missing" },
		{ "\"deviceNodes\": [{\"path\": \"\"}]", "absolute" },
		{ "\"deviceNodes\": [{\"path\": \"dev/a\"}]", "absolute" },
		{ "\"deviceNodes\": [{\"path\": \"/a\", \"type\": \"x\"}]", "type" },
		{ "\"deviceNodes\": [{\"path\": \"/a\", \"type\": \"cc\"}]", "type" },
		{ "\"deviceNodes\": [{\"path\": \"/a\", \"permissions\": \"rx\"}]", "permissions" },
		{ "\"deviceNodes\": [{\"path\": \"/a\", \"major\": -1}]", "major" },
		{ "\"deviceNodes\": [{\"path\": \"/a\", \"major\": 1.5}]", "major" },
		{ "\"deviceNodes\": [{\"path\": \"/a\", \"major\": 4294967296}]", "major" },
		{ "\"deviceNodes\": [[]]", "deviceNodes[0]: this is not an object" },
		{ "\"deviceNodes\": {}", "an array" },
		{ "\"mounts\": [{\"hostPath\": \"/a\"}]", "containerPath is missing" },
		{ "\"mounts\": [{\"hostPath\": \"a\", \"containerPath\": \"/b\"}]", "hostPath" },
		{ "\"mounts\": [{\"hostPath\": \"/a\", \"containerPath\": \"b\"}]", "containerPath" },
		{ "\"hooks\": [{\"hookName\": \"before\", \"path\": \"/a\"}]", "before" },
		{ "\"hooks\": [{\"hookName\": \"prestart\", \"path\": \"a\"}]", "path" },
		{ "\"hooks\": [{\"hookName\": \"prestart\"}]", "path is missing" },
		{ "\"additionalGids\": [-1]", "additionalGids[0]" },
		{ "\"additionalGids\": [\"a\"]", "additionalGids[0]" },
	};

	each_row(row, rows) {
		assert_int_equal(parse_edits("1.0.0", row->edits), -EINVAL);
		if (!strstr(why, row->sentence))
			fail_msg("%s: %s", row->edits, why);
		assert_non_null(strstr(why, "devices[0]"));
	}
}

static const char whole[] = "{\"cdiVersion\": \"0.7.0\", \"kind\": \"v.com/cc\","
	" \"annotations\": {\"b\": \"c\"}, \"devices\": [{\"name\": \"0\","
	" \"containerEdits\": {\"deviceNodes\": [{\"path\": \"/dev/a\","
	" \"hostPath\": \"/dev/null\", \"permissions\": \"rw\"}]}}],"
	" \"containerEdits\": {\"env\": [\"A=1\"], \"mounts\": [{\"hostPath\":"
	" \"/etc/passwd\", \"containerPath\": \"/b\", \"options\": [\"ro\"]}],"
	" \"hooks\": [{\"hookName\": \"prestart\", \"path\": \"/h\", \"args\":"
	" [\"h\", \"x\"], \"env\": [\"E=1\"], \"timeout\": 3}],"
	" \"additionalGids\": [44]}}";

TEST("a document that is read and written says the same")
{
	struct json_object *root = json(whole), *again;
	struct cdi_document document;

	assert_int_equal(cdi_document_parse(&document, root, why), 0);
	assert_string_equal(document.kind, "v.com/cc");
	assert_string_equal(document.annotations.word[0], "b=c");
	assert_int_equal(document.devices.n, 1);
	assert_int_equal(document.edits.n, 5);
	assert_int_equal(cdi_document_render(&document, &again, why), 0);
	assert_true(json_object_equal(root, again));
	json_object_put(again);

	cdi_document_free(&document);
	json_object_put(root);
}

TEST("a document gets the lowest version that has all of it")
{
	static const struct {
		const char *version, *text;
	} rows[] = {
		{ "0.3.0", "{\"cdiVersion\": \"\", \"kind\": \"vv/cc\", \"devices\": [{\"name\": \"a\", \"containerEdits\": {\"env\": [\"A=1\"]}}]}" },
		{ "0.5.0", "{\"cdiVersion\": \"\", \"kind\": \"vv/cc\", \"devices\": [{\"name\": \"0\", \"containerEdits\": {\"env\": [\"A=1\"]}}]}" },
		{ "0.7.0", whole },
	};

	each_row(row, rows) {
		struct json_object *root = json(row->text);

		assert_string_equal(cdi_version_needed(root, why), row->version);
		json_object_put(root);
	}
}

static struct json_object *yaml(const char *text)
{
	struct json_object *root;

	if (yaml_file_parse(text, strlen(text), &root, why))
		return NULL;
	return root;
}

TEST("YAML is read as JSON is, the first document; aliases stand for a copy; tags count, doubles are refused")
{
	static const struct {
		const char *yaml, *json;
	} rows[] = {
		{ "a: 1\nb: [x, \"y\", 'z']\n", "{\"a\": 1, \"b\": [\"x\", \"y\", \"z\"]}" },
		{ "---\n- 0\n- \"0\"\n- 0.5.0\n- 0.5\n- true\n- 'true'\n- ~\n-\n", "[0, \"0\", \"0.5.0\", 0.5, true, \"true\", null, null]" },
		{ "mode: 0660\nhex: 0x1f\noct: 0o17\nbin: 0b11\nneg: -3\nlong: 1_0_\n", "{\"mode\": 432, \"hex\": 31, \"oct\": 15, \"bin\": 3, \"neg\": -3, \"long\": 10}" },
		{ "{\"cdiVersion\": \"0.5.0\", \"n\": 7}", "{\"cdiVersion\": \"0.5.0\", \"n\": 7}" },
		{ "a: 1.2.3\nb: 12ab\nc: 0x\nd: -\n", NULL },
		{ "a: 1.2.3\nb: 12ab\nc: 0x\nd: '-'\n", "{\"a\": \"1.2.3\", \"b\": \"12ab\", \"c\": \"0x\", \"d\": \"-\"}" },
		{ "a: &x 1\nb: *x\n", "{\"a\": 1, \"b\": 1}" },
		{ "a: &x {b: &y [1, ~]}\nc: [*x, *y]\nd: &x 2\ne: *x\n", "{\"a\": {\"b\": [1, null]}, \"c\": [{\"b\": [1, null]}, [1, null]], \"d\": 2, \"e\": 2}" },
		{ "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\ne: {<<: [*x, {f: 3}]}\n", "{\"a\": {\"b\": 1}, \"c\": {\"b\": 1, \"d\": 2}, \"e\": {\"b\": 1, \"f\": 3}}" },
		{ "a: &x {b: 1}\nc: {b: 2, <<: *x}\n", NULL },
		{ "a: {<<: 1}\n", NULL },
		{ "a: &x [*x]\n", NULL },
		{ "a: *x\n", NULL },
		{ "a: !!str 1\nb: [yes, Off, y]\n", "{\"a\": \"1\", \"b\": [true, false, true]}" },
		{ "a: !!int \"1\"\nb: !!float 2\nc: !!bool 'no'\nd: !!null ~\ne: !x 5\nf: !x [0X1f, 1e400]\n", "{\"a\": 1, \"b\": 2, \"c\": false, \"d\": null, \"e\": \"5\", \"f\": [31, \"1e400\"]}" },
		{ "a: !!int 1.5\n", NULL },
		{ "a: !!binary NQ==\n", NULL },
		{ "a: 1\na: 2\n", NULL },
		{ "? [a]\n: 1\n", NULL },
		{ "a: 1\n---\nb: 2\n", "{\"a\": 1}" },
		{ "", NULL },
		{ "a: [1\n", NULL },
		{ "a: \"\\0\"\n", "{\"a\": \"\\u0000\"}" },
		{ "\"\\0\": 1\n", NULL },
	};

	each_row(row, rows) {
		struct json_object *found = yaml(row->yaml);
		struct json_object *wanted = row->json ? json(row->json) : NULL;

		if (!found != !wanted || (found && !json_object_equal(found, wanted)))
			fail_msg("%s: %s", row->yaml, found ?
				 json_object_to_json_string(found) : why);
		json_object_put(found);
		json_object_put(wanted);
	}
}

TEST("YAML that is nested too deeply, or whose aliases stand for too much, is refused")
{
	char text[8192];
	int i, len = 0;

	memset(text, '[', 300);
	memset(text + 300, ']', 299);
	text[599] = '\0';
	assert_null(yaml(text));
	assert_non_null(strstr(why, "nested"));
	len = sprintf(text, "- &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
	for (i = 1; i < 9; i++)
		len += sprintf(text + len, "- &a%d [*a%d, *a%d, *a%d, *a%d, *a%d]\n", i,
			       i - 1, i - 1, i - 1, i - 1, i - 1);
	assert_null(yaml(text));
	assert_non_null(strstr(why, "aliases stand for too much"));
	len = sprintf(text, "- &a0 [1]\n");
	for (i = 1; i < 200; i++)
		len += sprintf(text + len, "- &a%d [*a%d]\n", i, i - 1);
	assert_null(yaml(text));
	assert_non_null(strstr(why, "aliases stand for too much"));
}

TEST("YAML is read as it was written, whatever its strings look like")
{
	static const char text[] = "{\"cdiVersion\": \"0.5.0\", \"a\": [\"0\", \"0:1\","
		" \"true\", \"Yes\", \"\", \" x \", \"-\", \"- a\", \"a: b\", \"#\","
		" \"1e3\", \"0x10\", \"~\", \"null\", \"2001-01-01\", \"\\n\", \"a\\nb\","
		" \"\\u00e9\", \"*x\", \"&x\", \"!x\", \"%x\", \"@x\", \"`x\", \"=\", \"<<\"],"
		" \"n\": [0, -1, 18446744073709551615], \"t\": true, \"z\": null,"
		" \"e\": [], \"o\": {}, \"0\": {\"y\": 1}}";
	struct json_object *root = json(text), *again;
	char *written = yaml_file_text(root);

	assert_non_null(written);
	again = yaml(written);
	assert_non_null(again);
	assert_true(json_object_equal(root, again));
	assert_null(strstr(written, "- 0:1"));
	free(written);
	json_object_put(root);
	json_object_put(again);
}

/* Folders of documents. */
static char folder[] = "/tmp/cdi_test.XXXXXX";

static void put(const char *path, const char *text)
{
	tree_write(folder, path, text, strlen(text));
}

static void document(const char *name, const char *devices, const char *env)
{
	char text[1024], list[512] = "";
	struct strv words = { 0 };
	size_t i;

	strv_split(&words, devices, ',');
	for (i = 0; i < words.n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s{\"name\": \"%s\", \"containerEdits\": {\"env\": [\"D=%s%s\"]}}",
			 i ? ", " : "", words.word[i], env, words.word[i]);
	strv_free(&words);
	snprintf(text, sizeof(text), "{\"cdiVersion\": \"0.5.0\", " KIND ", \"devices\": [%s], \"containerEdits\": {\"env\": [\"C=%s\"]}}",
		 list, env);
	put(name, text);
}

/* /etc/a.json, with two devices that have these edits. */
static void put_edits(const char *edits)
{
	char text[4096];

	snprintf(text, sizeof(text), "{\"cdiVersion\": \"1.1.0\", " KIND ", \"devices\": [{\"name\": \"0\", \"containerEdits\": {%s}}, {\"name\": \"1\", \"containerEdits\": {%s}}]}",
		 edits, edits);
	put("/etc/a.json", text);
}

static void read_folders(struct cdi_registry *registry)
{
	struct strv folders = { 0 };

	strv_add_format(&folders, "%s/etc", folder);
	strv_add_format(&folders, "%s/none", folder);
	strv_add_format(&folders, "%s/run", folder);
	cdi_registry_read(registry, &folders);
	strv_free(&folders);
}

static struct edits edits;

/* Reads the edits of these devices. */
static int edits_of(const char *names)
{
	struct cdi_registry registry;
	struct strv words = { 0 };
	int ret;

	edits_free(&edits);
	strv_split(&words, names, ',');
	read_folders(&registry);
	ret = cdi_registry_edits(&registry, &words, &edits, why);
	cdi_registry_free(&registry);
	strv_free(&words);
	return ret;
}

static void assert_env(const char *names, const char *wanted)
{
	char found[512] = "";
	size_t i;

	assert_int_equal(edits_of(names), 0);
	for (i = 0; i < edits.n; i++)
		snprintf(found + strlen(found), sizeof(found) - strlen(found),
			 "%s%s", i ? " " : "", edits.edit[i].text);
	assert_string_equal(found, wanted);
}

static void assert_refused(const char *names, int result, const char *sentence)
{
	assert_int_equal(edits_of(names), result);
	if (!strstr(why, sentence))
		fail_msg("%s: %s", names, why);
}

static int make_folders(void)
{
	strcpy(strrchr(folder, '.'), ".XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	tree_path(folder, "/etc/");
	tree_path(folder, "/run/");
	return 0;
}

static int remove_folders(void)
{
	edits_free(&edits);
	return tree_remove(folder);
}

TEST_EACH(make_folders, remove_folders)

TEST("a device of a later folder goes before one of an earlier folder")
{
	document("/etc/a.json", "x,y", "low");
	document("/run/a.json", "y,z", "high");
	put("/etc/broken.json", "{");
	put("/etc/note.txt", "{");
	put("/etc/more.yaml", "cdiVersion: 0.5.0\nkind: ww/cc\ndevices:\n- name: \"0\"\n  containerEdits:\n    env: [Y=1]\n");
	assert_env("vv/cc=x", "C=low D=lowx");
	assert_env("vv/cc=y", "C=high D=highy");
	assert_env("vv/cc=z,vv/cc=y", "C=high D=highz D=highy");
	assert_env("vv/cc=x,ww/cc=0,vv/cc=y", "C=low D=lowx Y=1 C=high D=highy");
}

TEST("names are listed once; two in one folder are a conflict")
{
	struct strv names = { 0 }, conflicts = { 0 };
	struct cdi_registry registry;

	document("/etc/a.json", "x,y", "one");
	document("/etc/b.json", "y,z", "two");
	document("/run/c.json", "y,z", "three");
	tree_path(folder, "/run/folder.json/");
	read_folders(&registry);
	assert_int_equal(registry.n, 3);
	cdi_registry_names(&registry, &names, &conflicts);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.word[0], "vv/cc=x");
	assert_string_equal(names.word[1], "vv/cc=z");
	assert_int_equal(conflicts.n, 1);
	assert_string_equal(conflicts.word[0], "vv/cc=y");
	strv_free(&names);
	strv_free(&conflicts);
	cdi_registry_free(&registry);
}

TEST("an unknown device is refused, and broken documents are named")
{
	document("/etc/a.json", "x,y", "one");
	document("/etc/b.json", "y", "two");
	assert_refused("vv/cc=x,vv/cc=q", -ENOENT, "unresolvable CDI devices vv/cc=q");
	assert_refused("vv/cc=y", -EINVAL, "both");
	put("/etc/broken.json", "{");
	put("/none", "no folder");
	assert_env("vv/cc=x", "C=one D=onex");
	assert_refused("vv/cc=q", -ENOENT, "broken.json: line 1");
	assert_refused("vv/cc=q", -ENOENT, "/none: Not a directory");
	put("/etc/wanted.json", "{\"kind\": \"vv/cc\", \"devices\": [{\"name\": \"q\"}]}");
	assert_refused("vv/cc=q", -ENOENT, "wanted.json: ");
	assert_true(strstr(why, "wanted.json: ") < strstr(why, "broken.json: line 1"));
}

TEST("numbers and truth values are texts where texts should be, whatever the file is called")
{
	static const char *const words[] = { "x", "493", "1.5", "true", "-3", "no", "1.234567e+06" };
	size_t i;

	put("/etc/a.json", "cdiVersion: 0.5.0\nkind: vv/cc\ndevices:\n- name: 0\n  containerEdits: &one\n    env: [A=1]\n"
	    "    hooks: [{hookName: prestart, path: /h, args: [x, 0755, 1.50, yes, -3, \"no\", 1234567.0]}]\n"
	    "- name: 0x10\n  containerEdits: *one\n---\nanother\n");
	put("/etc/b.json", "{\"cdiVersion\": \"0.5.0\", \"kind\": \"ww/cc\", \"devices\": [{\"name\": 0, \"containerEdits\": {\"env\": [\"B=1\"]}}]}");
	assert_int_equal(edits_of("vv/cc=0,vv/cc=16,ww/cc=0"), 0);
	assert_int_equal(edits.n, 3);
	assert_int_equal(edits.edit[1].options.n, sizeof(words) / sizeof(*words));
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		assert_string_equal(edits.edit[1].options.word[i], words[i]);
}

TEST("a device node is completed from the host; a missing file, and a tmpfs, are refused")
{
	put("/etc/a.json", whole);
	assert_int_equal(edits_of("v.com/cc=0"), 0);
	assert_int_equal(edits.n, 5);
	assert_int_equal(edits.edit[4].kind, EDIT_NODE);
	assert_int_equal(edits.edit[4].node.type, 'c');
	assert_int_equal(edits.edit[4].node.major, 1);
	assert_int_equal(edits.edit[4].node.minor, 3);
	assert_string_equal(edits.edit[4].source, "/dev/null");
	assert_string_equal(edits.edit[4].rule, "CDI device v.com/cc=0");
	put_edits("\"mounts\": [{\"hostPath\": \"/none/lib.so.1\", \"containerPath\": \"/b\"}]");
	assert_refused("vv/cc=0", -ENOENT, "/none/lib.so.1: No such file or directory: if the driver was updated, write the document anew with 'mpu cdi generate'");
	put_edits("\"mounts\": [{\"hostPath\": \"tmpfs\", \"containerPath\": \"/b\", \"type\": \"tmpfs\"}]");
	assert_refused("vv/cc=0", -EOPNOTSUPP, "type tmpfs");
	put_edits("\"deviceNodes\": [{\"path\": \"/etc/passwd\"}]");
	assert_refused("vv/cc=0", -ENODEV, "/etc/passwd");
	put_edits("\"deviceNodes\": [{\"path\": \"/dev/null\", \"type\": \"b\"}]");
	assert_refused("vv/cc=0", -ENODEV, "/dev/null");
}

TEST("network devices are one edit, which holds their array")
{
	static const char devices[] = "[ { \"hostInterfaceName\": \"a\", \"name\": \"b\" }, { \"hostInterfaceName\": \"c\", \"name\": \"d\" } ]";
	struct json_object *found, *wanted = json(devices);
	char text[512];

	snprintf(text, sizeof(text), "\"netDevices\": %s", devices);
	put_edits(text);
	assert_int_equal(edits_of("vv/cc=0"), 0);
	assert_int_equal(edits.n, 1);
	assert_int_equal(edits.edit[0].kind, EDIT_OTHER);
	assert_string_equal(edits.edit[0].stage, "netDevices");
	found = json(edits.edit[0].text);
	assert_true(json_object_equal(found, wanted));
	json_object_put(found);
	json_object_put(wanted);
}

#define HOOK "{\"hookName\": \"createRuntime\", \"path\": \"/bin/a\""
#define NODE "{\"path\": \"/dev/null\""

TEST("only nodes and hooks that are the same in every respect are one edit")
{
	put_edits("\"deviceNodes\": [" NODE "}, " NODE ", \"major\": 1, \"minor\": 5, \"type\": \"c\"}, "
		  NODE ", \"permissions\": \"r\"}, " NODE ", \"fileMode\": 384}, "
		  NODE ", \"uid\": 7}, " NODE ", \"gid\": 7}]");
	assert_int_equal(edits_of("vv/cc=0,vv/cc=1"), 0);
	assert_int_equal(edits.n, 6);
	assert_int_equal(edits.edit[0].node.minor, 3);
	assert_int_equal(edits.edit[1].node.minor, 5);
	put_edits("\"hooks\": [" HOOK "}, " HOOK ", \"timeout\": 5}, " HOOK "}]");
	assert_int_equal(edits_of("vv/cc=0"), 0);
	assert_int_equal(edits.n, 2);
}
