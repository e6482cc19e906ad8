// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of container/setup/: what the configuration files of engines say
 * afterwards, and that they say again what they said before.
 */
#include "container/setup/internal.h"
#include "lib/host.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static const struct setup_runtime plain = { "nvidia", "/bin/rt", false, false };
static const struct setup_runtime full = { "nvidia", "/bin/rt", true, true };

static void gives(const struct setup_engine *engine, const char *before,
		  const struct setup_runtime *runtime, const char *want)
{
	char *text = strdup(before), why[WHY_SIZE];
	int i;

	for (i = 0; i < 2; i++) {	/* twice is as once */
		assert_int_equal(engine->edit(&text, runtime, NULL, why), 0);
		assert_string_equal(text, want);
	}
	free(text);
}

static void refuses(const struct setup_engine *engine, const char *before)
{
	char *text = strdup(before), why[WHY_SIZE] = "";

	assert_true(engine->edit(&text, &full, NULL, why) < 0);
	assert_string_not_equal(why, "");
	free(text);
}

TEST("docker's file gets the runtime, and keeps all the rest")
{
	gives(&setup_docker, "\xef\xbb\xbf\n", &plain,
	      "{\n\t\"runtimes\": {\n\t\t\"nvidia\": {\n\t\t\t\"path\": \"/bin/rt\"\n\t\t}\n\t}\n}\n");
	gives(&setup_docker,
	      "{ \"mtu\": 1e3, \"runtimes\": {\"kata\": {\"path\": \"k\"}}, \"features\": {\"x\": true} }",
	      &full,
	      "{\n\t\"mtu\": 1e3,\n\t\"runtimes\": {\n\t\t\"kata\": {\n\t\t\t\"path\": \"k\"\n\t\t},\n"
	      "\t\t\"nvidia\": {\n\t\t\t\"path\": \"/bin/rt\"\n\t\t}\n\t},\n"
	      "\t\"features\": {\n\t\t\"x\": true,\n\t\t\"cdi\": true\n\t},\n"
	      "\t\"default-runtime\": \"nvidia\"\n}\n");
	/* A file with the entry stays, spaces and all. */
	gives(&setup_docker, "{\"runtimes\":{\"nvidia\":{\"args\":[],\"path\":\"/bin/rt\"}}}",
	      &plain, "{\"runtimes\":{\"nvidia\":{\"args\":[],\"path\":\"/bin/rt\"}}}");
	/* dockerd starts with a path, or with a type and options, and not with both. */
	gives(&setup_docker, "{\"runtimes\":{\"nvidia\":{\"runtimeType\":\"t\",\"options\":{\"a\":1}}}}",
	      &plain,
	      "{\n\t\"runtimes\": {\n\t\t\"nvidia\": {\n\t\t\t\"path\": \"/bin/rt\"\n\t\t}\n\t}\n}\n");
	refuses(&setup_docker, "{\"runtimes\":{\"nvidia\":{\"RuntimeType\":\"t\"}}}");
	refuses(&setup_docker, "[]");
	refuses(&setup_docker, "{\"runtimes\": 1}");
	refuses(&setup_docker, "{\"Runtimes\": {}}");
	refuses(&setup_docker, "{,}");
	refuses(&setup_docker, "{\"features\":{\"cdi\":\"true\"}}");
}

#define CRI2 "plugins.\"io.containerd.grpc.v1.cri\""
#define CRI3 "plugins.\"io.containerd.cri.v1.runtime\""
#define RUNC_TYPE "runtime_type = 'io.containerd.runc.v2'\n"
/* Tables that are written: @options, of runc, come before our program. */
#define NVIDIA(cri, options) "\n[" cri ".containerd.runtimes.nvidia]\n" \
	"runtime_type = \"io.containerd.runc.v2\"\n\n" \
	"[" cri ".containerd.runtimes.nvidia.options]\n" options "BinaryName = \"/bin/rt\"\n"

TEST("containerd's file gets the runtime, with the settings of runc")
{
	static const struct {
		const char *before, *added;	/* follows @before */
	} rows[] = {
		/* Settings of runc are those of ours: where systemd keeps the cgroups, say. */
		{ "version = 3 # new\n[" CRI3 ".containerd.runtimes.runc]\n  " RUNC_TYPE
		  "  [" CRI3 ".containerd.runtimes.runc.options]\n"
		  "    SystemdCgroup = true\n    BinaryName = '/usr/bin/crun'\n",
		  NVIDIA(CRI3, "SystemdCgroup = true\n") },
		/* A runtime without a type is runc's. */
		{ "version = 3\n[" CRI3 ".containerd.runtimes.runc]\nruntime_type = ''\n"
		  "[" CRI3 ".containerd.runtimes.runc.options]\nSystemdCgroup = true\n",
		  NVIDIA(CRI3, "SystemdCgroup = true\n") },
		/* A file without a version is of version 1. Its default, runc, stays known. */
		{ "version = 0\noom_score = -999\n", "\n[plugins.cri.containerd.runtimes.runc]\n"
		  "runtime_type = \"io.containerd.runc.v2\"\n" NVIDIA("plugins.cri", "") },
		/* runc stays known, too, where a file names it. */
		{ "version = 2\n[" CRI2 ".containerd]\ndefault_runtime_name = 'runc'\n",
		  "\n[" CRI2 ".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n"
		  NVIDIA(CRI2, "") },
		/* containerd 2 takes the plugin's new name under any version. */
		{ "version = 2\n[" CRI3 "]\n", NVIDIA(CRI3, "") },
		{ "[" CRI3 "]\n", NVIDIA(CRI3, "") },
	};
	char want[1024];

	each_row(row, rows) {
		snprintf(want, sizeof(want), "%s%s", row->before, row->added);
		gives(&setup_containerd, row->before, &plain, want);
	}
	gives(&setup_containerd, "", &full, "version = 2\n\n[" CRI2 ".containerd.runtimes.runc]\n"
	      "runtime_type = \"io.containerd.runc.v2\"\n\n[" CRI2 "]\nenable_cdi = true\n\n"
	      "[" CRI2 ".containerd]\ndefault_runtime_name = \"nvidia\"\n" NVIDIA(CRI2, ""));
	/* A table default_runtime with a type beats default_runtime_name in containerd 1. */
	gives(&setup_containerd, "version = 2\n[" CRI2 ".containerd.runtimes.runc]\n" RUNC_TYPE
	      "[" CRI2 ".containerd.default_runtime]\n" RUNC_TYPE
	      "[" CRI2 ".containerd.default_runtime.options]\n"
	      "BinaryName = 'x'\n[" CRI2 "]\nenable_cdi = true\n"
	      "[" CRI2 ".containerd]\ndefault_runtime_name = 'runc'\n", &full,
	      "version = 2\n[" CRI2 ".containerd.runtimes.runc]\n" RUNC_TYPE "[" CRI2 "]\nenable_cdi = true\n"
	      "[" CRI2 ".containerd]\ndefault_runtime_name = \"nvidia\"\n" NVIDIA(CRI2, ""));
	/* A program in another type's options is not started. */
	gives(&setup_containerd, "version = 3\n[" CRI3 ".containerd.runtimes.nvidia]\nruntime_type = 'kata'\n"
	      "[" CRI3 ".containerd.runtimes.nvidia.options]\nBinaryName = 'x'\n", &plain,
	      "version = 3\n[" CRI3 ".containerd.runtimes.nvidia]\nruntime_type = \"io.containerd.runc.v2\"\n"
	      "[" CRI3 ".containerd.runtimes.nvidia.options]\nBinaryName = \"/bin/rt\"\n");
	refuses(&setup_containerd, "version =");
}

TEST("the files of CRI-O and podman get the runtime")
{
	gives(&setup_crio, "", &full, "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\n"
	      "runtime_type = \"oci\"\n\n[crio.runtime]\ndefault_runtime = \"nvidia\"\n");
	/* Ours has what the default was given before ours was that. */
	gives(&setup_crio, "[crio.runtime]\ndefault_runtime = 'crun'\n[crio.runtime.runtimes.crun]\n"
	      "monitor_path = 'c'\n[crio.runtime.runtimes.runc]\nruntime_root = 'r'\n", &full,
	      "[crio.runtime]\ndefault_runtime = \"nvidia\"\n[crio.runtime.runtimes.crun]\n"
	      "monitor_path = 'c'\n[crio.runtime.runtimes.runc]\nruntime_root = 'r'\n\n"
	      "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\n"
	      "runtime_type = \"oci\"\nmonitor_path = \"c\"\n");
	/* CRI-O would start another program than ours by each of these. */
	gives(&setup_crio, "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\nruntime_type = 'vm'\n"
	      "inherit_default_runtime = true\nruntime_config_path = 'c'\n"
	      "[crio.runtime.runtimes.nvidia.platform_runtime_paths]\n'linux/amd64' = 'x'\n", &plain,
	      "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\nruntime_type = \"oci\"\n");
	gives(&setup_podman, "", &plain, "[engine.runtimes]\nnvidia = [\"/bin/rt\"]\n");
	gives(&setup_podman, "[engine]\n# mine\nruntime = 'crun'\n", &full,
	      "[engine]\n# mine\nruntime = \"nvidia\"\n\n"
	      "[engine.runtimes]\nnvidia = [\"/bin/rt\"]\n");
	refuses(&setup_podman, "engine = 1\n");
}

/* A file of its own, beside others and an engine that answers. */
static void beside(const struct setup_engine *engine, const char *files, const char *asked,
		   const char *want)
{
	struct setup_base base = { 0 };
	char *text = strdup(""), why[WHY_SIZE];

	assert_int_equal(engine->notation->parse(files, &base.files, why), 0);
	if (asked)
		assert_int_equal(engine->notation->parse(asked, &base.asked, why), 0);
	assert_int_equal(engine->edit(&text, &plain, &base, why), 0);
	assert_string_equal(text, want);
	json_object_put(base.files);
	json_object_put(base.asked);
	free(text);
}

TEST("a file beside the main one repeats the settings that it would hide")
{
	static const char files[] = "version = 2\n[" CRI2 "]\nx = 0\ny = [nan, 2026-11-28]\n"
		"[" CRI2 ".containerd]\ndefault_runtime_name = 'kata'\n"
		"[" CRI2 ".containerd.runtimes.runc.options]\nSystemdCgroup = true\n";

	/* containerd 1 forgets what other files say of the plugin; containerd 2 does not. */
	beside(&setup_containerd, files, NULL,
	       "version = 2\n\n[" CRI2 "]\nx = 0\ny = [nan, 2026-11-28]\n\n"
	       "[" CRI2 ".containerd]\ndefault_runtime_name = \"kata\"\n\n"
	       "[" CRI2 ".containerd.runtimes.runc.options]\nSystemdCgroup = true\n"
	       NVIDIA(CRI2, "SystemdCgroup = true\n"));
	beside(&setup_containerd, files,
	       "version = 3\n[" CRI3 ".containerd]\ndefault_runtime_name = 'nvidia'\n"
	       "[" CRI3 ".containerd.runtimes.nvidia]\n[" CRI3 ".containerd.runtimes.runc]\nio_type = ''\n"
	       RUNC_TYPE "cgroup_writable = false\n"
	       "[" CRI3 ".containerd.runtimes.runc.options]\nIoUid = 0\nShimCgroup = 's'\n",
	       "version = 2\n" NVIDIA(CRI2, "ShimCgroup = \"s\"\n"));
	beside(&setup_crio, "[crio.runtime]\ndefault_runtime = 'crun'\n"
	       "[crio.runtime.runtimes.runc]\nmonitor_path = '/runc'\n"
	       "[crio.runtime.runtimes.crun]\nruntime_path = '/crun'\nruntime_type = 'pod'\n"
	       "monitor_path = '/conmon'\nallowed_annotations = ['a', 'b']\nruntime_root = ''\n"
	       "runtime_config_path = 'c'\ninherit_default_runtime = true\n"
	       "platform_runtime_paths = { 'linux/amd64' = '/crun' }\n"
	       "default_annotations = { 'a' = 'b' }\n",
	       NULL, "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\n"
	       "runtime_type = \"pod\"\nmonitor_path = \"/conmon\"\n"
	       "allowed_annotations = [\"a\", \"b\"]\n\n"
	       "[crio.runtime.runtimes.nvidia.default_annotations]\na = \"b\"\n");
	/* kata has no monitor, and a file of its own. CRI-O's own default is crun. */
	beside(&setup_crio, "[crio.runtime]\ndefault_runtime = 'kata'\n[crio.runtime.runtimes.kata]\n"
	       "runtime_type = 'vm'\nruntime_config_path = 'c'\nprivileged_without_host_devices = true\n"
	       "[crio.runtime.runtimes.runc]\nmonitor_path = '/runc'\n", NULL,
	       "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\nruntime_type = \"oci\"\n"
	       "monitor_path = \"/runc\"\n");
	beside(&setup_crio, "[crio.runtime.runtimes.runc]\nmonitor_path = '/runc'\n"
	       "[crio.runtime.runtimes.crun]\nmonitor_path = '/crun'\n", NULL,
	       "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/bin/rt\"\nruntime_type = \"oci\"\n"
	       "monitor_path = \"/crun\"\n");
}

TEST("a setting that was written is found")
{
	const struct setup_engine *const *engine;
	struct setup_found found;
	char why[WHY_SIZE], *text;

	for (engine = setup_engines; *engine; engine++) {
		text = strdup("");
		assert_int_equal(setup_find(*engine, text, &found, why), 0);
		assert_int_equal(found.names.n, 0);
		assert_null(found.standard);
		setup_found_free(&found);
		assert_int_equal((*engine)->edit(&text, &full, NULL, why), 0);
		assert_int_equal(setup_find(*engine, text, &found, why), 0);
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
	tree_write(root, path, text, strlen(text));
}

static void remove_file(const char *path)
{
	assert_int_equal(unlink(tree_path(root, path)), 0);
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

TEST("a runtime is found in each form that its engine reads")
{
	static const struct {
		const struct setup_engine *engine;
		const char *text, *standard;
	} cases[] = {
		{ &setup_docker, "{\"default-runtime\":\"n\",\"runtimes\":{\"n\":{\"runtimeType\":"
		  "\"io.containerd.runc.v2\",\"options\":{\"BinaryName\":\"/rt\"}},"
		  "\"k\":{\"runtimeType\":\"kata\",\"options\":{\"BinaryName\":\"/rt\"}}}}", "n" },
		/* the first that is there */
		{ &setup_podman, "[engine.runtimes]\nn = ['/none', '/rt']\n", NULL },
		{ &setup_podman, "[engine]\nruntime = '/rt'\n", "/rt" },
		/* another one has the default's program, of which it is not known here */
		{ &setup_crio, "[crio.runtime.runtimes.n]\nruntime_path = '/rt'\n[crio.runtime.runtimes.k]\n"
		  "runtime_path = '/rt'\ninherit_default_runtime = true\n", NULL },
		{ &setup_containerd, "version = 2\ndisabled_plugins = ['io.containerd.cri.v1.images']\n"
		  "[" CRI3 ".containerd.runtimes.n.options]\n"
		  "BinaryName = '/rt'\n", NULL },
		{ &setup_containerd, "[plugins.cri.containerd]\ndefault_runtime_name = 'runc'\n"
		  "[plugins.cri.containerd.default_runtime]\n" RUNC_TYPE
		  ""
		  "[plugins.cri.containerd.default_runtime.options]\nBinaryName = '/rt'\n", "default" },
	};
	struct setup_found found;
	char why[WHY_SIZE];

	write_file("/rt", "");
	each_row(row, cases) {
		assert_int_equal(setup_find(row->engine, row->text, &found, why), 0);
		assert_int_equal(found.names.n, 1);
		assert_int_equal(found.is_off, !!strstr(row->text, "disabled"));
		assert_string_equal(found.paths.word[0], "/rt");
		assert_string_equal(found.names.word[0], row->standard ?: "n");
		assert_string_equal(found.standard ?: "", row->standard ?: "");
		setup_found_free(&found);
	}
}

static void reads(const struct setup_engine *engine, const char *want)
{
	struct strv files = { 0 };
	char *text;

	setup_files(engine, "/m.d/zz", &files);
	text = strv_join(&files, " ");
	assert_string_equal(text, want);
	free(text);
	strv_free(&files);
}

TEST("CRI-O and podman read files of a folder in their order, hidden ones, too")
{
	static const char *const files[] = { "/m.d/a.conf", "/m.d/a/z.conf", "/m.d/a-b", "/m.d/.h.conf",
		"/m.d/c.conf.bak", "/m.d/.git/d/x" };

	each_row(row, files)
		write_file(*row, "");
	assert_int_equal(symlink("a.conf", tree_path(root, "/m.d/zzz.conf")), 0);
	reads(&setup_crio, "/m /m.d/.git/d/x /m.d/.h.conf /m.d/a/z.conf /m.d/a-b /m.d/a.conf "
	      "/m.d/c.conf.bak /m.d/zzz.conf");
	reads(&setup_podman, "/m /m.d/.h.conf /m.d/a.conf /m.d/zzz.conf");
}

TEST("containerd's imports decide which file gets the runtime")
{
	static const struct {
		const char *imports, *drop_in, *own, *import, *files;
	} cases[] = {
		{ "", NULL, "/main", "", "/main" },
		{ "'/d/*.toml'", NULL, "/d/zz-mpu.toml", "", "/main /d/10.toml /d/20.toml" },
		{ "'/d/1*.toml'", NULL, "/d/zz-mpu.toml", "/d/zz-mpu*.toml", "/main /d/10.toml" },
		{ "'/d/*.toml', 'd/20.toml'", NULL, "/conf.d/zz-mpu.toml",
		  "/conf.d/zz-mpu*.toml", "/main /d/10.toml /d/20.toml" },
		{ "'/d*/10.toml'", NULL, "/conf.d/zz-mpu.toml", "/conf.d/zz-mpu*.toml",
		  "/main /d/10.toml" },
		{ "'/d/20.toml', '/d/10.toml', '/main'", "/e/x", "/e/x", "/e/x",
		  "/main /d/20.toml /d/10.toml" },
		{ "'/d/*.toml'", "/d/30.toml", "/d/30.toml", "", "/main /d/10.toml /d/20.toml" },
		/* such a pattern leads elsewhere with each version */
		{ "'d/*.toml'", NULL, "/main", "", "/main" },
	};
	struct setup_place place;
	char text[256];
	struct strv files = { 0 };
	size_t i, k;

	write_file("/d/20.toml", "imports = ['/d/20.toml', '/main']\n");
	write_file("/d/10.toml", "");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), "imports = [%s]\n", cases[i].imports);
		write_file("/main", text);
		assert_int_equal(setup_locate(&setup_containerd, "/main", cases[i].drop_in,
					      &place), 0);
		assert_string_equal(place.own, cases[i].own);
		assert_string_equal(place.import, cases[i].import);
		setup_files(&setup_containerd, "/main", &files);
		*text = '\0';
		for (k = 0; k < files.n; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 k ? " " : "", files.word[k]);
		assert_string_equal(text, cases[i].files);
		strv_free(&files);
	}
}

static void change_to(const char *path, const char *text)
{
	struct undoable_edit change;
	char why[WHY_SIZE];

	assert_int_equal(undoable_edit_open(&change, path, why), 0);
	free(change.after);
	change.after = strdup(text);
	assert_false(undoable_edit_is_empty(&change));
	assert_int_equal(undoable_edit_make(&change, &notation_toml, why), 0);
	undoable_edit_close(&change);
	says(path, text);
}

static void undoes(const char *path, int result)
{
	char why[WHY_SIZE];

	assert_int_equal(undoable_edit_undo(path, &notation_toml, why), result);
}

TEST("an edit is undone, unless somebody else has changed the file")
{
	struct undoable_edit change;
	char why[WHY_SIZE];

	write_file("/a", "  first \"\\ \n\tline");
	change_to("/a", "second\n");
	change_to("/a", "third\n");
	undoes("/a", 1);
	says("/a", "  first \"\\ \n\tline");
	undoes("/a", 0);
	/* A file that was not there, in folders that were not. */
	change_to("/b/c/d", "text");
	undoes("/b/c/d", 1);
	says("/b/c/d", NULL);
	says("/b", NULL);
	/*
	 * A file that is no TOML, and that somebody else has changed since, is left
	 * alone.
	 */
	change_to("/a", "ours");
	write_file("/a", "theirs");
	assert_true(undoable_edit_undo("/a", &notation_toml, why) < 0);
	says("/a", "theirs");
	/* Nor is it edited again: our keys in it would count as theirs. */
	assert_int_equal(undoable_edit_open(&change, "/a", why), 0);
	assert_true(undoable_edit_make(&change, &notation_toml, why) < 0);
	undoable_edit_close(&change);
	says("/a", "theirs");
	/* Nor does a file come back that somebody has removed. */
	remove_file("/a");
	undoes("/a", UNDO_TAKEN_OUT);
	says("/a", NULL);
}

TEST("a killed edit, or undo, is undone, too")
{
	int again;

	write_file("/k", "a = 1\n");
	for (again = 0; again < 2; again++) {
		change_to("/k", "a = 2\nb = 2\n");
		change_to("/k", "a = 3\nb = 2\n");
		/* It has written its record, and not yet the file. */
		write_file("/k", "a = 2\nb = 2\n");
		if (again)
			change_to("/k", "a = 4\n");
		undoes("/k", UNDO_DONE);
		says("/k", "a = 1\n");
	}
	/* Folders were made for a file that was not, or was removed and they were not. */
	change_to("/k1/k2/file", "a = 1\n");
	write_file("/k1/k2/file.mpu-Ab3xYz", "");
	write_file("/var/lib/mpu/configure/none.json.mpu-Ab3xYz", "");
	remove_file("/k1/k2/file");
	change_to("/k1/k2/file", "a = 2\n");
	remove_file("/k1/k2/file");
	undoes("/k1/k2/file", UNDO_DONE);
	says("/k1", NULL);
	says("/var/lib/mpu", NULL);
}

TEST("undoing keeps all that others have written")
{
	static const struct {
		const struct notation *notation;
		const char *before, *after, *now, *want;
	} cases[] = {
		{ &notation_toml, "a = 1\n", "a = 2\nb = 3\n", "c = 4\na = 2\nb = 3 # x\n",
		  "c = 4\na = 1\n" },
		/* theirs by now */
		{ &notation_toml, "a = 1\n", "a = 2\n", "a = 3\n", "a = 3\n" },
		/* tables that were made for it */
		{ &notation_toml, "x = 1\n", "x = 1\n\n[a.b.c]\nd = 1\n",
		  "x = 2\n\n[a.b.c]\nd = 1\n\n[e]\n", "x = 2\n\n[e]\n" },
		{ &notation_toml, "", "[a]\nb = 1\n[a.c]\nd = 1\n",
		  "[a]\nb = 1\n[a.c]\nd = 1\ne = 2\n", "[a]\n[a.c]\ne = 2\n" },
		/* a table that was there before, and that others have left as we made it */
		{ &notation_toml, "[a]\nb = 'r'\n[a.c]\nd = 1\n",
		  "[a]\nb = 'n'\n[a.c]\nd = 1\n[a.n]\nd = 1\n",
		  "# x\n[a]\nb = 'n'\n[a.c]\nd = 1\n[a.n]\nd = 1\n",
		  "# x\n[a]\nb = \"r\"\n[a.c]\nd = 1\n" },
		/* a header, where a table in it was enough */
		{ &notation_toml, "[a.b]\nc = 1\n", "[a.b]\nc = 1\n\n[a]\nd = 1\n",
		  "[a.b]\nc = 1\n\n[a]\nd = 1\n# x\n", "[a.b]\nc = 1\n# x\n" },
		/* a list */
		{ &notation_toml, "", "l = ['a']\n", "l = ['b', 'a']\n", "l = [\"b\"]\n" },
		{ &notation_toml, "l = ['b']\n", "l = ['b', 'a']\n", "l = ['c', 'a', 'b']\n",
		  "l = [\"c\", \"b\"]\n" },
		/* a runtime, as a whole, unless its program is another by now */
		{ &notation_toml, "", "[runtimes.n.options]\nBinaryName = 'p'\n",
		  "[runtimes.n]\nt = 1\n[runtimes.n.options]\nBinaryName = 'p'\no = 2\n"
		  "[runtimes.m]\nt = 1\n", "[runtimes.m]\nt = 1\n" },
		{ &notation_toml, "", "[runtimes.n]\nt = 1\n[runtimes.n.options]\nBinaryName = 'p'\n",
		  "[runtimes.n]\nt = 1\n[runtimes.n.options]\nBinaryName = 'q'\n",
		  "[runtimes.n]\nt = 1\n[runtimes.n.options]\nBinaryName = 'q'\n" },
		/* that others have written as inline tables */
		{ &notation_toml, "[runtimes]\nr.path = 'r'\n", "[runtimes]\nr.path = 'r'\nn.path = 'p'\n",
		  "runtimes = {r={path='r'}, n={path='p', o={t=1}}}\n", "runtimes = {r={path='r'}}\n" },
		{ &notation_json, "{\"a\":1}", "{\"a\":1,\"runtimes\":{\"n\":{\"path\":\"p\"}},\"d\":\"n\"}",
		  "{\"a\":2,\"runtimes\":{\"n\":{\"path\":\"p\",\"x\":1}},\"d\":\"n\"}",
		  "{\n\t\"a\": 2\n}\n" },
		/* a default that names it, by whomever: no engine starts without that one */
		{ &notation_json, NULL, "{\"runtimes\":{\"n\":{\"path\":\"p\"}}}",
		  "{\"runtimes\":{\"n\":{\"path\":\"p\"}},\"default-runtime\":\"n\",\"x\":\"n\"}",
		  "{\n\t\"x\": \"n\"\n}\n" },
		{ &notation_toml, "default_runtime = 'r'\n", "default_runtime = 'r'\n[runtimes.n]\npath = 'p'\n",
		  "default_runtime = 'n'\n[runtimes.n]\npath = 'p'\n", "default_runtime = \"r\"\n" },
		/* what the edit removed comes back, unless its runtime is another by now */
		{ &notation_json, "{\"runtimes\":{\"n\":{\"type\":\"t\",\"o\":{\"p\":1}}}}",
		  "{\"runtimes\":{\"n\":{\"path\":\"p\"}}}", "{\"a\":1,\"runtimes\":{\"n\":{\"path\":\"p\"}}}",
		  "{\n\t\"a\": 1,\n\t\"runtimes\": {\n\t\t\"n\": {\n\t\t\t\"type\": \"t\",\n"
		  "\t\t\t\"o\": {\n\t\t\t\t\"p\": 1\n\t\t\t}\n\t\t}\n\t}\n}\n" },
		{ &notation_json, "{\"runtimes\":{\"n\":{\"type\":\"t\"}}}",
		  "{\"runtimes\":{\"n\":{\"path\":\"p\"}}}", "{\"runtimes\":{\"n\":{\"path\":\"q\"}}}",
		  "{\"runtimes\":{\"n\":{\"path\":\"q\"}}}" },
		{ &notation_toml, "[t]\na = 1\n[t.o]\nb = 'x'\n[u]\nc = 1\n", "[u]\nc = 2\n", "# x\n[u]\nc = 2\n",
		  "# x\n[u]\nc = 1\n\n[t]\na = 1\n\n[t.o]\nb = \"x\"\n" },
		{ &notation_json, NULL, "{\"runtimes\":{\"n\":{\"path\":\"p\"}},\"d\":\"n\"}",
		  "{\"runtimes\":{\"n\":{\"path\":\"p\"},\"m\":{\"t\":1}},\"d\":\"m\"}",
		  "{\n\t\"runtimes\": {\n\t\t\"m\": {\n\t\t\t\"t\": 1\n\t\t}\n\t},\n\t\"d\": \"m\"\n}\n" },
	};
	char *text, why[WHY_SIZE];

	each_row(row, cases) {
		text = strdup(row->now);
		assert_int_equal(notation_take_out(row->notation, row->before,
						   row->after, &text, false, why), 0);
		assert_string_equal(text, row->want);
		free(text);
	}
}

static void configure(const char *path, const struct setup_runtime *runtime, const char *files,
		      const char *want)
{
	struct setup_base base = { 0 };
	struct undoable_edit change;
	char why[WHY_SIZE];

	assert_int_equal(notation_toml.parse(files, &base.files, why), 0);
	assert_int_equal(undoable_edit_open(&change, path, why), 0);
	assert_int_equal(setup_edit(&setup_containerd, &change, runtime, &base, why), 0);
	assert_string_equal(change.after, want);
	if (!undoable_edit_is_empty(&change))
		assert_int_equal(undoable_edit_make(&change, &notation_toml, why), 0);
	undoable_edit_close(&change);
	setup_base_free(&base);
}

TEST("what was copied from other files goes when it goes there")
{
	static const struct setup_runtime second = { "second", "/opt/wrap", false, false };
#define RUNC "[" CRI2 ".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n\n"
#define OURS(name, options, program) "[" CRI2 ".containerd.runtimes." name "]\n" \
	"runtime_type = \"io.containerd.runc.v2\"\n\n" \
	"[" CRI2 ".containerd.runtimes." name ".options]\n" options "BinaryName = \"" program "\"\n"
#define SYSTEMD "SystemdCgroup = true\n"
#define KATA "[" CRI2 ".containerd.runtimes.kata]\nruntime_type = \"kata\"\n\n" \
	"[" CRI2 ".containerd.runtimes.kata.options]\nBinaryName = \"/bin/kata\"\n\n"
#define TOP "[" CRI2 "]\nenable_cdi = true\n\n[" CRI2 ".containerd]\ndefault_runtime_name = \"nvidia\"\n\n"
	static const char runc[] = "version = 2\n\n" RUNC;
	static const char all[] = "version = 2\n\n" RUNC
		"[" CRI2 ".containerd.runtimes.runc.options]\n" SYSTEMD "\n" KATA;
	static const char same[] = "version = 2\n\n" RUNC OURS("nvidia", "", "/bin/theirs");

	configure("/own", &full, all, "version = 2\n\n" RUNC
		  "[" CRI2 ".containerd.runtimes.runc.options]\n" SYSTEMD "\n" KATA TOP
		  OURS("nvidia", SYSTEMD, "/bin/rt"));
	configure("/own", &plain, runc, "version = 2\n\n" RUNC TOP OURS("nvidia", "", "/bin/rt"));
	configure("/own", &second, runc, "version = 2\n\n" RUNC TOP OURS("nvidia", "", "/bin/rt") "\n"
		  OURS("second", "", "/opt/wrap"));
	configure("/own", &second, runc, "version = 2\n\n" RUNC TOP OURS("nvidia", "", "/bin/rt") "\n"
		  OURS("second", "", "/opt/wrap"));
	/* keys of theirs in our file stay */
	configure("/own", &second, all, "version = 2\n\n" RUNC
		  "[" CRI2 ".containerd.runtimes.runc.options]\n" SYSTEMD "\n" KATA TOP
		  OURS("nvidia", SYSTEMD, "/bin/rt") "\n" OURS("second", SYSTEMD, "/opt/wrap"));
	/* a runtime of theirs has the name of one of ours */
	configure("/same", &plain, same, "version = 2\n\n" RUNC OURS("nvidia", "", "/bin/rt"));
	configure("/same", &second, same, "version = 2\n\n" RUNC OURS("nvidia", "", "/bin/rt") "\n"
		  OURS("second", "", "/opt/wrap"));
	write_file("/own", "version = 2\n" KATA "[" CRI2 ".containerd.runtimes.nvidia.options]\n"
		   "a = 1\n" SYSTEMD "BinaryName = \"/bin/rt\"\n[x]\nhand = 1\n");
	configure("/own", &plain, runc, "version = 2\n\n[" CRI2 ".containerd.runtimes.nvidia.options]\n"
		  "a = 1\nBinaryName = \"/bin/rt\"\n[x]\nhand = 1\n\n"
		  "[" CRI2 ".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n\n"
		  "[" CRI2 ".containerd.runtimes.nvidia]\nruntime_type = \"io.containerd.runc.v2\"\n");
}

TEST("text that others write between two edits, or after them, stays")
{
	write_file("/t", "a = 1\n");
	change_to("/t", "a = 1\nb = 1\n");
	write_file("/t", "a = 1\nb = 1\ntheirs = 1\n");
	change_to("/t", "a = 1\nb = 1\ntheirs = 1\nc = 1\n");
	write_file("/t", "a = 1\nb = 1\ntheirs = 2\nc = 1\n");
	undoes("/t", UNDO_TAKEN_OUT);
	says("/t", "a = 1\ntheirs = 2\n");
	/* Comments alone are no reason to keep a file that was not there. */
	change_to("/new", "a = 1\n");
	write_file("/new", "# hand-made\na = 1\n");
	undoes("/new", UNDO_TAKEN_OUT);
	says("/new", NULL);
}

TEST("an edit is undone of a file that has become a link since, and of a link that is a file")
{
	change_to("/c", "a = 1\n");
	remove_file("/c");
	write_file("/real/c", "a = 1\n");
	assert_int_equal(symlink("real/c", tree_path(root, "/c")), 0);
	change_to("/c", "a = 1\nb = 1\n");
	undoes("/c", UNDO_DONE);
	says("/real/c", NULL);
	change_to("/c", "a = 1\n");
	remove_file("/c");
	write_file("/c", "a = 1\nb = 1\n");
	undoes("/c", UNDO_TAKEN_OUT);
	says("/c", "b = 1\n");
}

TEST("a file is edited, or made, through links, which stay")
{
	static const struct {
		const char *target, *link, *path, *file, *before;
	} rows[] = {
		{ "target", "/link", "/link", "/target", "before" },
		{ "folder", "/by-folder", "/by-folder/new/file", "/folder/new/file", NULL },
		{ "missing", "/by-file", "/by-file", "/missing", NULL },
		{ "none/file", "/by-path", "/by-path", "/none/file", NULL },
	};
	char why[WHY_SIZE];
	char beside[PATH_MAX];
	struct stat st;

	write_file("/target", "before");
	tree_path(root, "/folder/");
	each_row(row, rows) {
		assert_int_equal(symlink(row->target, tree_path(root, row->link)), 0);
		change_to(row->path, "text");
		says(row->file, "text");
		undoes(row->path, 1);
		says(row->file, row->before);
		assert_int_equal(lstat(tree_path(root, row->link), &st), 0);
		assert_true(S_ISLNK(st.st_mode));
	}
	says("/none", NULL);
	says("/folder/new", NULL);
	assert_int_equal(symlink("loop", tree_path(root, "/loop")), 0);
	undoes("/loop", UNDO_NONE);
	assert_int_equal(symlink("/etc", tree_path(root, "/away")), 0);
	assert_int_equal(undoable_edit_undo("/away/x", &notation_toml, why), -EXDEV);
	assert_true(snprintf(beside, sizeof(beside), "%s-2", root) < (int)sizeof(beside));
	assert_int_equal(symlink(beside, tree_path(root, "/beside")), 0);
	assert_int_equal(undoable_edit_undo("/beside", &notation_toml, why), -EXDEV);
}

static int make_root(void)
{
	if (!mkdtemp(root))
		return -1;
	host_set_root(root);
	return 0;
}

static int remove_root(void)
{
	return tree_remove(root);
}

TEST_ALL(make_root, remove_root)
