// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of lib/toml_edit.c: one value changes, every other byte stays.
 */
#include "lib/strv.h"
#include "lib/toml_edit.h"
#include "tests/unit/unit.h"

/* Split "a/b/c" into a path. */
static const char *const *path_of(struct strv *words, const char *path)
{
	strv_split(words, path, '/');
	return (const char *const *)words->word;
}

/* Set the key at @path in @before to what the JSON @json says; NULL: unset it. */
static int edit(const char *before, const char *path, const char *json, char **after)
{
	struct json_object *value = json ? json_tokener_parse(json) : NULL;
	struct strv words = { 0 };
	char why[WHY_SIZE] = "";
	int ret;

	*after = strdup(before);
	ret = toml_set(after, path_of(&words, path), value, why);
	assert_int_equal(!ret, !*why);
	strv_free(&words);
	json_object_put(value);
	return ret;
}

static void gives(const char *before, const char *path, const char *json, const char *want)
{
	char *after;

	assert_int_equal(edit(before, path, json, &after), 0);
	assert_string_equal(after, want);
	free(after);
	/* Once more changes nothing. */
	assert_int_equal(edit(want, path, json, &after), 0);
	assert_string_equal(after, want);
	free(after);
}

static void refuses(const char *before, const char *path, const char *json)
{
	char *after;

	assert_true(edit(before, path, json, &after) < 0);
	assert_string_equal(after, before);
	free(after);
}

TEST("a value is replaced, and every other byte stays")
{
	gives("# one\n a  =  'x' # two\nb=1\n", "a", "\"y\"", "# one\n a  =  \"y\" # two\nb=1\n");
	gives("[t]\na = true\n", "t/a", "false", "[t]\na = false\n");
	gives("[t]\na = [\n 1, # one\n 2,\n]\nb = 1\n", "t/a", "[\"x\",\"y\"]",
	      "[t]\na = [\"x\", \"y\"]\nb = 1\n");
	gives("t = { a = 1, b = 2 }\n", "t/b", "3", "t = { a = 1, b = 3 }\n");
	gives("a = 1", "a", "\"q\\\"b\\\\n\\nl\"", "a = \"q\\\"b\\\\n\\u000al\"");
	gives("a.b.c = 1\n", "a/b/c", "2", "a.b.c = 2\n");
	/* The same value in another spelling stays. */
	gives("a = 'x'\n", "a", "\"x\"", "a = 'x'\n");
	gives("[t]\nb = true\n", "t/b", "true", "[t]\nb = true\n");
	/* nan is not even equal to itself. */
	gives("a = [-nan, inf]\nb = nan\nc = 1\n", "c", "2", "a = [-nan, inf]\nb = nan\nc = 2\n");
}

TEST("a new key goes to the end of its table")
{
	gives("", "a", "1", "a = 1\n");
	gives("a = 1", "b", "2", "a = 1\nb = 2\n");
	gives("a = 1\n\n[t]\nx = 1\n", "b", "2", "a = 1\nb = 2\n\n[t]\nx = 1\n");
	/* behind a byte order mark */
	gives("\xef\xbb\xbf", "a", "1", "\xef\xbb\xbf\na = 1\n");
	gives("\xef\xbb\xbf" "a = 1\n[t]\n", "b", "2", "\xef\xbb\xbf" "a = 1\nb = 2\n[t]\n");
	gives("[t]\n  a = 1\n\n[u]\nb = 1\n", "t/c", "true",
	      "[t]\n  a = 1\n  c = true\n\n[u]\nb = 1\n");
	gives("[t]\n[u]\n", "t/c", "1", "[t]\nc = 1\n[u]\n");
	gives("t = {}\n", "t/c", "1", "t = { c = 1 }\n");
	gives("t = { a = 1 } # x\n", "t/c", "2", "t = { a = 1, c = 2 } # x\n");
	gives("t = { a = 1 }\n", "t/c/d", "2", "t = { a = 1, c.d = 2 }\n");
	gives("t = { c.d = 1 }\n", "t/c/e/f", "2", "t = { c.d = 1, c.e.f = 2 }\n");
	gives("[x]\na.b = 1\n[y]\n", "x/a/c", "2", "[x]\na.b = 1\na.c = 2\n[y]\n");
}

TEST("a missing table is made for a new key")
{
	gives("", "t/a", "1", "[t]\na = 1\n");
	gives("x = 1", "t/u/a", "1", "x = 1\n\n[t.u]\na = 1\n");
	gives("version = 2\n[plugins]\n", "plugins/io.containerd.grpc.v1.cri/a", "1",
	      "version = 2\n[plugins]\n\n[plugins.\"io.containerd.grpc.v1.cri\"]\na = 1\n");
	/* A table that others only imply. */
	gives("[a.b.c]\nx = 1\n", "a/b/y", "2", "[a.b.c]\nx = 1\n\n[a.b]\ny = 2\n");
}

TEST("a key can be removed, and so can an empty table")
{
	gives("a = 1\nb = 2 # two\nc = 3\n", "b", NULL, "a = 1\nc = 3\n");
	gives("[t]\n  b = [\n 1,\n]\n", "t/b", NULL, "[t]\n");
	gives("x = 1\na.b = 2", "a/b", NULL, "x = 1\n");
	gives("a = 1\n", "b", NULL, "a = 1\n");
	gives("a = 1\n", "t/b", NULL, "a = 1\n");
	/* A table, once it is empty, and those that it alone implied. */
	gives("a = 1\n\n [t.u]\n\n[v]\n", "t/u", NULL, "a = 1\n\n[v]\n");
	gives("[t]\nb = 1\n[t.u]", "t/u", NULL, "[t]\nb = 1\n");
	gives("[t]\n[t.u]\nb = 1\n", "t/u/b", NULL, "[t]\n[t.u]\n");
	gives("t = { a = 1 } # t\n", "t/a", NULL, "t = {} # t\n");
	gives("t = {a = [\n\"}\",\n], b = 2, c.d = 3}\n", "t/a", NULL, "t = { b = 2, c.d = 3}\n");
	gives("t = { a = 1, b = '{', c.d = 3 }\n", "t/b", NULL, "t = { a = 1, c.d = 3 }\n");
	gives("t = { a = 1, c.d = { e = 3 } }\n", "t/c/d/e", NULL, "t = { a = 1, c.d = {} }\n");
	gives("t = { a = 1, c.d = {} }\n", "t/c/d", NULL, "t = { a = 1 }\n");
	gives("t.u = { c.d = 3, c.e = 4 }\n", "t/u/c/d", NULL, "t.u = { c.e = 4 }\n");
}

TEST("broken TOML is refused, and so are paths that are no values")
{
	refuses("a = \n", "b", "1");		/* not TOML */
	refuses("[t]\n", "t", "1");		/* a table */
	refuses("a = 1\n", "a/b", "1");		/* not a table */
	refuses("[[t]]\na = 1\n", "t/a", "1");	/* a list of tables */
	refuses("[t]\na = 1\n", "t", NULL);
}
