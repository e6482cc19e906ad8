// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/toml.c: what is TOML and what is not, and where each value stands.
 */
#include "lib/toml.h"
#include "tests/unit/unit.h"

static struct json_object *read_text(const char *text)
{
	struct json_object *root;
	char why[WHY_SIZE] = "";

	if (toml_parse(text, strlen(text), &root, why))
		fail_msg("%s: %s", text, why);
	return root;
}

static void check_read(const char *text, const char *json)
{
	struct json_object *root = read_text(text);

	assert_string_equal(json_object_to_json_string_ext(root, JSON_C_TO_STRING_NOSLASHESCAPE),
			    json);
	json_object_put(root);
}

static void check_refused(const char *text, const char *sentence)
{
	struct json_object *root;
	char why[WHY_SIZE] = "";

	if (toml_parse(text, strlen(text), &root, why) == 0)
		fail_msg("%s is read", text);
	if (!strstr(why, sentence))
		fail_msg("%s: %s, not %s", text, why, sentence);
	assert_null(root);
}

TEST("strings are read as TOML has them, and wrong ones refused")
{
	check_read("a = \"x\\t\\\"\\\\\\u00e9\\U0001F600\"",
		   "{\"a\":\"x\\t\\\"\\\\\xc3\xa9\xf0\x9f\x98\x80\"}");
	check_read("a = 'C:\\new'", "{\"a\":\"C:\\\\new\"}");
	check_read("a = \"\"", "{\"a\":\"\"}");
	check_read("a = \"\"\"\nx\n y\"\"\"", "{\"a\":\"x\\n y\"}");
	check_read("a = \"\"\"x \\\n\n   y\"\"\"", "{\"a\":\"x y\"}");
	check_read("a = '''\nx\\\ny'''", "{\"a\":\"x\\\\\\ny\"}");
	check_read("a = \"\"\"two: \"\" end\"\"\"\"\"", "{\"a\":\"two: \\\"\\\" end\\\"\\\"\"}");
	check_read("a = ''''x'''", "{\"a\":\"'x\"}");
	check_refused("a = \"x", "line 1: a string does not end");
	check_refused("\na = \"x\ny\"", "line 2: a string does not end");
	check_refused("a = '''x", "a string does not end");
	check_refused("a = \"\"\"x\"\"", "a string does not end");
	check_refused("a = \"\\q\"", "no escape");
	check_refused("a = \"\\u12\"", "hexadecimal");
	check_refused("a = \"\\ud800\"", "no such character");
	check_refused("a = \"\\u0000\"", "no such character");
	check_refused("a = \"\x01\"", "a control character");
	check_refused("a = \"\xff\"", "not UTF-8");
	check_refused("a = \"\xc0\xaf\"", "not UTF-8");
	check_refused("# \xed\xa0\x80", "not UTF-8");
	check_refused("a = 1\rb = 2", "a control character");
}

TEST("numbers, booleans and dates are read, and wrong ones refused")
{
	static const char *const none[] = {
		"+", "1__0", "_1", "1_", "01", "0x", "0xg", "+0x1", "1.", ".5",
		"1.e3", "1e", "1e+", "1.5.2", "runc", "True", "--1", "0b2",
		"1979-05", "2020-01-01T", "07:32", "1979-05-27T07:32:00+1",
		"1979-05-27x", "-", "1_.5", "inff",
	};
	char text[64];

	check_read("a=1_000\nb=-17\nc=+0\nd=0xDEAD_beef\ne=0o755\nf=0b101",
		   "{\"a\":1000,\"b\":-17,\"c\":0,\"d\":3735928559,\"e\":493,\"f\":5}");
	check_read("a = 9223372036854775807\nb = -9223372036854775808",
		   "{\"a\":9223372036854775807,\"b\":-9223372036854775808}");
	check_read("a = 1.5\nb = -2e3\nc = 6.5E-1\nd = 1_0.2_5",
		   "{\"a\":1.5,\"b\":-2000.0,\"c\":0.65000000000000002,\"d\":10.25}");
	check_read("a = +inf\nb = nan", "{\"a\":\"+inf\",\"b\":\"nan\"}");
	check_read("a = true\nb = false", "{\"a\":true,\"b\":false}");
	check_read("a = 1979-05-27T07:32:00.5-07:00\nb = 1979-05-27 07:32:00 # x\n"
		   "c = 1979-05-27\nd = 07:32:00.25\ne = 1979-05-27T07:32:00Z",
		   "{\"a\":\"1979-05-27T07:32:00.5-07:00\",\"b\":\"1979-05-27 07:32:00\","
		   "\"c\":\"1979-05-27\",\"d\":\"07:32:00.25\",\"e\":\"1979-05-27T07:32:00Z\"}");
	check_refused("a = 9223372036854775808", "too large");
	each_row(row, none) {
		snprintf(text, sizeof(text), "\n\na = %s", *row);
		check_refused(text, "line 3: ");
	}
}

TEST("tables and arrays are read, and keys that are there twice refused")
{
	check_read("", "{}");
	check_read("# only\r\n\r\n", "{}");
	check_read("[a]\nb=1\n[c.\"d.e\" . f]\ng=2\n[c]\nh=3",
		   "{\"a\":{\"b\":1},\"c\":{\"d.e\":{\"f\":{\"g\":2}},\"h\":3}}");
	check_read("a.b.c = 1\na.b.d = 2\n[a.b.e]\nf = 3",
		   "{\"a\":{\"b\":{\"c\":1,\"d\":2,\"e\":{\"f\":3}}}}");
	check_read("[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\n[[a.e]]\n[[a.e]]",
		   "{\"a\":[{\"b\":1,\"c\":{\"d\":2}},{\"e\":[{},{}]}]}");
	check_read("a = { b = 1, c.d = 'x', e = {} }",
		   "{\"a\":{\"b\":1,\"c\":{\"d\":\"x\"},\"e\":{}}}");
	check_read("a = [ 1, # one\n [\"x\", {y = 2}],\n]\nb = []",
		   "{\"a\":[1,[\"x\",{\"y\":2}]],\"b\":[]}");
	check_refused("a = 1\na = 2", "line 2: the key is there twice");
	check_refused("a = 1\n\"a\" = 2", "twice");
	check_refused("[a]\n[b]\n[a]", "line 3: a table or a key of this name is there twice");
	check_refused("[[a]]\n[a]", "twice");
	check_refused("[a]\n[[a]]", "no array of tables");
	check_refused("a = []\n[[a]]", "no array of tables");
	check_refused("a = [{}]\n[a.b]", "no table");
	check_refused("a = {}\na.b = 1", "no table");
	check_refused("a = {}\n[a.b]", "no table");
	check_refused("a.b = 1\n[a]", "twice");
	check_refused("[a.b.c]\n[a]\nb.x = 1", "no table");
	check_refused("[a]\nb = 1\n[a.b]", "there twice");
	check_refused("[[a]]\n[b]\n[[b.c]]\n[b.c]", "twice");
	check_refused("a = {b = 1,}", "a key should be here");
	check_refused("a = {b = 1,\nc = 2}", "a key should be here");
	check_refused("a = {b = 1\n}", "a comma or } should be here");
	check_refused("a = [1 2]", "a comma or ] should be here");
	check_refused("a = [1", "a comma or ] should be here");
	check_refused("a = [,]", "a value should be here");
	check_refused("a = 1 b = 2", "the line should end here");
	check_refused("[a] b = 1", "the line should end here");
	check_refused("[a", "the header of a table should end");
	check_refused("[[a]", "the header of a table should end");
	check_refused("[]", "a key should be here");
	check_refused("a", "= should be here");
	check_refused("a = ", "a value should be here");
	check_refused("= 1", "a key should be here");
	check_refused("a..b = 1", "a key should be here");
	check_refused("\"\"\"a\"\"\" = 1", "= should be here");
}

static struct json_object *repeat(const char *text, size_t times, const char *rest,
				  int *ret, char why[WHY_SIZE])
{
	size_t len = strlen(text), all = len * times + strlen(rest);
	char *whole = calloc(1, all + 1);
	struct json_object *root;
	size_t i;

	for (i = 0; i < times; i++)
		memcpy(whole + i * len, text, len);
	memcpy(whole + times * len, rest, strlen(rest));
	*ret = toml_parse(whole, all, &root, why);
	free(whole);
	return root;
}

TEST("the parts of a key, the depth and the size have limits")
{
	char why[WHY_SIZE];
	int ret;

	json_object_put(repeat("a.", 31, "a = 1", &ret, why));
	assert_int_equal(ret, 0);
	repeat("a.", 32, "a = 1", &ret, why);
	assert_string_equal(why, "line 1: a key has more than 32 parts");
	repeat("[", 1, "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a]",
	       &ret, why);
	assert_string_equal(why, "line 1: a key has more than 32 parts");
	repeat("a = [\n[", 1, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", &ret, why);
	assert_string_equal(why, "line 2: values are nested too deeply: 32 levels are read");
	repeat("#\n", (1 << 19) + 1, "", &ret, why);
	assert_string_equal(why, "it is larger than 1 MiB");
	json_object_put(repeat("[[a]]\n", 10000, "", &ret, why));
	assert_int_equal(ret, 0);
}

static struct json_object *member(struct json_object *table, const char *name)
{
	struct json_object *value = NULL;

	assert_true(json_object_object_get_ex(table, name, &value));
	return value;
}

static void check_place(const char *text, struct json_object *value,
			enum toml_kind kind, const char *key, const char *is)
{
	const struct toml_place *place = toml_place(value);

	assert_non_null(place);
	assert_int_equal(place->kind, kind);
	assert_memory_equal(text + place->key, key, strlen(key));
	assert_int_equal(place->end - place->start, strlen(is));
	assert_memory_equal(text + place->start, is, strlen(is));
}

TEST("each value knows where it stands in the text")
{
	static const char text[] = "version = 2 # two\n"
		"\n"
		"[plugins.'io.x'] # cri\n"
		"\tname = \"runc\"  # the default\n"
		"\tlist = [ 'a',\n\t\t'b' ]\n"
		"\topt.cgroup = true\n"
		"\n"
		"# more\n"
		"[[proxy]]\n"
		"a = 1\n"
		"[proxy.b]\n"
		"c = {d = 'x'}";
	struct json_object *root = read_text(text);
	struct json_object *plugins = member(root, "plugins");
	struct json_object *cri = member(plugins, "io.x");
	struct json_object *proxy = member(root, "proxy");
	struct json_object *first = json_object_array_get_idx(proxy, 0);

	check_place(text, root, TOML_TABLE, "version", "version = 2 # two\n");
	check_place(text, member(root, "version"), TOML_VALUE, "version", "2");
	check_place(text, plugins, TOML_IMPLIED, "[plugins", "");
	check_place(text, cri, TOML_TABLE, "[plugins",
		    "[plugins.'io.x'] # cri\n\tname = \"runc\"  # the default\n"
		    "\tlist = [ 'a',\n\t\t'b' ]\n\topt.cgroup = true\n");
	check_place(text, member(cri, "name"), TOML_VALUE, "name", "\"runc\"");
	check_place(text, member(cri, "list"), TOML_VALUE, "list", "[ 'a',\n\t\t'b' ]");
	check_place(text, json_object_array_get_idx(member(cri, "list"), 1),
		    TOML_VALUE, "'b'", "'b'");
	check_place(text, member(cri, "opt"), TOML_DOTTED, "opt", "");
	check_place(text, member(member(cri, "opt"), "cgroup"), TOML_VALUE, "opt", "true");
	check_place(text, proxy, TOML_ELEMENTS, "[[proxy]]", "");
	check_place(text, first, TOML_ELEMENT, "[[proxy]]", "[[proxy]]\na = 1\n");
	check_place(text, member(first, "b"), TOML_TABLE, "[proxy.b]", "[proxy.b]\nc = {d = 'x'}");
	check_place(text, member(member(member(first, "b"), "c"), "d"), TOML_VALUE, "d", "'x'");
	json_object_put(root);
}
