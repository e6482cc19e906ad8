// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of container/setup/: what the configuration files of engines say
 * afterwards, and that they say again what they said before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "container/setup/change.h"
#include "container/setup/engine.h"
#include "lib/host.h"

static const struct setup_runtime plain = { "nvidia", "/bin/rt", false, false };
static const struct setup_runtime full = { "nvidia", "/bin/rt", true, true };

static void gives(const struct setup_engine *engine, const char *before,
		  const struct setup_runtime *runtime, const char *want)
{
	char *text = strdup(before), why[WHY_SIZE];
	int i;

	for (i = 0; i < 2; i++) {	/* twice is as once */
		assert_int_equal(engine->edit(&text, runtime, why), 0);
		assert_string_equal(text, want);
	}
	free(text);
}

static void refuses(const struct setup_engine *engine, const char *before)
{
	char *text = strdup(before), why[WHY_SIZE] = "";

	assert_true(engine->edit(&text, &full, why) < 0);
	assert_string_not_equal(why, "");
	free(text);
}

static void test_docker(void **state)
{
	(void)state;
	gives(&setup_docker, "", &plain,
	      "{\n\t\"runtimes\": {\n\t\t\"nvidia\": {\n\t\t\t\"path\": \"/bin/rt\"\n\t\t}\n\t}\n}\n");
	gives(&setup_docker,
	      "{ \"mtu\": 1e3, \"runtimes\": {\"kata\": {\"path\": \"k\"}}, \"features\": {\"x\": true} }",
	      &full,
	      "{\n\t\"mtu\": 1e3,\n\t\"runtimes\": {\n\t\t\"kata\": {\n\t\t\t\"path\": \"k\"\n\t\t},\n"
	      "\t\t\"nvidia\": {\n\t\t\t\"path\": \"/bin/rt\"\n\t\t}\n\t},\n"
	      "\t\"features\": {\n\t\t\"x\": true,\n\t\t\"cdi\": true\n\t},\n"
	      "\t\"default-runtime\": \"nvidia\"\n}\n");
	/* What says it already stays, spaces and all. */
	gives(&setup_docker, "{\"runtimes\":{\"nvidia\":{\"args\":[],\"path\":\"/bin/rt\"}}}",
	      &plain, "{\"runtimes\":{\"nvidia\":{\"args\":[],\"path\":\"/bin/rt\"}}}");
	refuses(&setup_docker, "[]");
	refuses(&setup_docker, "{\"runtimes\": 1}");
	refuses(&setup_docker, "{\"Runtimes\": {}}");
	refuses(&setup_docker, "{,}");
}

#define CRI2 "plugins.\"io.containerd.grpc.v1.cri\""
#define CRI3 "plugins.\"io.containerd.cri.v1.runtime\""

static void test_containerd(void **state)
{
	(void)state;
	gives(&setup_containerd, "", &full,
	      "version = 2\n\n[" CRI2 "]\nenable_cdi = true\n\n"
	      "[" CRI2 ".containerd]\ndefault_runtime_name = \"nvidia\"\n\n"
	      "[" CRI2 ".containerd.runtimes.nvidia]\nruntime_type = \"io.containerd.runc.v2\"\n\n"
	      "[" CRI2 ".containerd.runtimes.nvidia.options]\nBinaryName = \"/bin/rt\"\n");
	/* Settings of runc are those of ours: where systemd keeps the cgroups, say. */
	gives(&setup_containerd,
	      "version = 3 # new\n[" CRI3 ".containerd.runtimes.runc]\n"
	      "  runtime_type = 'io.containerd.runc.v2'\n"
	      "  [" CRI3 ".containerd.runtimes.runc.options]\n"
	      "    SystemdCgroup = true\n    BinaryName = '/usr/bin/crun'\n",
	      &plain,
	      "version = 3 # new\n[" CRI3 ".containerd.runtimes.runc]\n"
	      "  runtime_type = 'io.containerd.runc.v2'\n"
	      "  [" CRI3 ".containerd.runtimes.runc.options]\n"
	      "    SystemdCgroup = true\n    BinaryName = '/usr/bin/crun'\n\n"
	      "[" CRI3 ".containerd.runtimes.nvidia]\nruntime_type = \"io.containerd.runc.v2\"\n\n"
	      "[" CRI3 ".containerd.runtimes.nvidia.options]\n"
	      "SystemdCgroup = true\nBinaryName = \"/bin/rt\"\n");
	/* Without a type it is runc's. */
	gives(&setup_containerd,
	      "version = 3\n[" CRI3 ".containerd.runtimes.runc]\nruntime_type = ''\n"
	      "[" CRI3 ".containerd.runtimes.runc.options]\nSystemdCgroup = true\n",
	      &plain,
	      "version = 3\n[" CRI3 ".containerd.runtimes.runc]\nruntime_type = ''\n"
	      "[" CRI3 ".containerd.runtimes.runc.options]\nSystemdCgroup = true\n\n"
	      "[" CRI3 ".containerd.runtimes.nvidia]\nruntime_type = \"io.containerd.runc.v2\"\n\n"
	      "[" CRI3 ".containerd.runtimes.nvidia.options]\n"
	      "SystemdCgroup = true\nBinaryName = \"/bin/rt\"\n");
	/* A file without a version is of version 1. */
	gives(&setup_containerd, "oom_score = -999\n", &plain,
	      "oom_score = -999\n\n[plugins.cri.containerd.runtimes.nvidia]\n"
	      "runtime_type = \"io.containerd.runc.v2\"\n\n"
	      "[plugins.cri.containerd.runtimes.nvidia.options]\nBinaryName = \"/bin/rt\"\n");
	refuses(&setup_containerd, "version =");
}

static void test_others(void **state)
{
	(void)state;
	gives(&setup_crio, "", &full,
	      "[crio.runtime]\ndefault_runtime = \"nvidia\"\n\n"
	      "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\n"
	      "runtime_type = \"oci\"\n");
	gives(&setup_podman, "", &plain,
	      "[engine.runtimes]\nnvidia = [\"/bin/rt\"]\n");
	gives(&setup_podman, "[engine]\n# mine\nruntime = 'crun'\n", &full,
	      "[engine]\n# mine\nruntime = \"nvidia\"\n\n"
	      "[engine.runtimes]\nnvidia = [\"/bin/rt\"]\n");
	refuses(&setup_podman, "engine = 1\n");
}

/* What was written is found. */
static void test_find(void **state)
{
	const struct setup_engine *const *engine;
	struct setup_found found;
	char why[WHY_SIZE], *text;

	(void)state;
	for (engine = setup_engines; *engine; engine++) {
		text = strdup("");
		assert_int_equal((*engine)->find(text, &found, why), 0);
		assert_int_equal(found.names.n, 0);
		assert_null(found.standard);
		setup_found_free(&found);
		assert_int_equal((*engine)->edit(&text, &full, why), 0);
		assert_int_equal((*engine)->find(text, &found, why), 0);
		assert_int_equal(found.names.n, 1);
		assert_string_equal(found.names.word[0], "nvidia");
		assert_string_equal(found.paths.word[0], "/bin/rt");
		assert_string_equal(found.standard, "nvidia");
		assert_int_equal(found.cdi, SETUP_CDI_ON);
		setup_found_free(&found);
		free(text);
		assert_ptr_equal(setup_engine_find((*engine)->name), *engine);
	}
	assert_null(setup_engine_find("lxc"));
}

static char root[] = "/tmp/setup_test.XXXXXX";

static void write_file(const char *path, const char *text)
{
	char below[PATH_MAX];
	FILE *file;

	snprintf(below, sizeof(below), "%s%s", root, path);
	file = fopen(below, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* @text: NULL: there is no such file */
static void says(const char *path, const char *text)
{
	char below[PATH_MAX], why[WHY_SIZE];
	struct text_file file;

	snprintf(below, sizeof(below), "%s%s", root, path);
	assert_int_equal(text_file_read(below, &file, why), 0);
	assert_int_equal(file.is_there, !!text);
	assert_string_equal(file.text, text ? text : "");
	text_file_free(&file);
}

static void change_to(const char *path, const char *text)
{
	struct change change;
	char why[WHY_SIZE];

	assert_int_equal(change_open(&change, path, why), 0);
	free(change.after);
	change.after = strdup(text);
	assert_false(change_is_empty(&change));
	assert_int_equal(change_make(&change, why), 0);
	change_close(&change);
	says(path, text);
}

static void test_undo(void **state)
{
	char why[WHY_SIZE];

	(void)state;
	write_file("/a", "  first \"\\ \n\tline");
	change_to("/a", "second\n");
	change_to("/a", "third\n");
	assert_int_equal(change_undo("/a", why), 1);
	says("/a", "  first \"\\ \n\tline");
	assert_int_equal(change_undo("/a", why), 0);
	/* A file that was not there, in folders that were not. */
	change_to("/b/c/d", "text");
	assert_int_equal(change_undo("/b/c/d", why), 1);
	says("/b/c/d", NULL);
	says("/b", NULL);
	/* What somebody else has changed since is left alone. */
	change_to("/a", "ours");
	write_file("/a", "theirs");
	assert_true(change_undo("/a", why) < 0);
	says("/a", "theirs");
	/* Then it goes back to theirs. */
	change_to("/a", "ours again");
	assert_int_equal(change_undo("/a", why), 1);
	says("/a", "theirs");
}

static void test_link(void **state)
{
	char link[PATH_MAX], why[WHY_SIZE];

	(void)state;
	write_file("/target", "before");
	snprintf(link, sizeof(link), "%s/link", root);
	assert_int_equal(symlink("target", link), 0);
	change_to("/link", "after");
	says("/target", "after");
	assert_int_equal(change_undo("/link", why), 1);
	says("/target", "before");
}

/* A file that is not there yet, by links of others: it is found again, and they stay. */
static void test_link_to_nothing(void **state)
{
	static const char *const links[][2] = {
		{ "folder", "by-folder" }, { "missing", "by-file" },
		{ "none/file", "by-path" },
	};
	static const char *const paths[] = { "/by-folder/new/file", "/by-file", "/by-path" };
	static const char *const files[] = { "/folder/new/file", "/missing", "/none/file" };
	char path[PATH_MAX], why[WHY_SIZE];
	struct stat st;
	size_t i;

	(void)state;
	snprintf(path, sizeof(path), "%s/folder", root);
	assert_int_equal(mkdir(path, 0755), 0);
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", root, links[i][1]);
		assert_int_equal(symlink(links[i][0], path), 0);
		change_to(paths[i], "text");
		says(files[i], "text");
		assert_int_equal(change_undo(paths[i], why), 1);
		says(files[i], NULL);
		assert_int_equal(lstat(path, &st), 0);
		assert_true(S_ISLNK(st.st_mode));
	}
	says("/none", NULL);
	says("/folder/new", NULL);
}

static int make_root(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	host_set_root(root);
	return 0;
}

static int remove_root(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_docker),
		cmocka_unit_test(test_containerd),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_link_to_nothing),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
