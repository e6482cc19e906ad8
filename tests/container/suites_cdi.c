// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: CDI.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/cdi/internal.h"
#include "container/plan/plan.h"
#include "tests/container/vectors.h"

static unsigned int hooks_of(struct json_object *names)
{
	struct strv words = texts(names);
	unsigned int hooks = 0;
	size_t i;

	for (i = 0; i < words.n; i++)
		hooks |= cdi_hook_find(words.word[i]);
	strv_free(&words);
	return hooks;
}

/* The hook, as it stands in a document. */
SUITE("cdi.hooks")
{
	unsigned int usual = CDI_HOOK_ALL & ~CDI_HOOK_CHMOD;
	unsigned int allowed = (usual | hooks_of(member_get(in, "enabled"))) &
			       ~hooks_of(member_get(in, "disabled"));
	unsigned int hook = cdi_hook_find(member_text(in, "hook"));
	struct cdi_document document = { .kind = strdup("v/c") };
	struct edit env = { .kind = EDIT_ENV, .device = strdup("d"),
			    .text = strdup("A=1") };
	struct strv arguments = texts(member_get(in, "args"));
	struct json_object *root, *hooks;
	int ret;

	strv_add(&document.devices, "d");
	edits_add(&document.edits, &env);
	if (hook & allowed)
		cdi_hook_add(&document.edits, hook, member_text(in, "hook_path"), &arguments);
	ret = cdi_document_render(&document, &root, why);
	if (!ret) {
		hooks = member_get(member_get(root, "containerEdits"), "hooks");
		*out = hooks ? json_object_get(json_object_array_get_idx(hooks, 0)) : NULL;
		json_object_put(root);
	}
	strv_free(&arguments);
	cdi_document_free(&document);
	return ret;
}

SUITE("cdi.ldcache_folders")
{
	struct strv paths = texts(member_get(in, "paths")), folders = { 0 };

	cdi_library_folders(&paths, &folders);
	*out = folders.n ? array_of(&folders) : NULL;
	strv_free(&paths);
	strv_free(&folders);
	return 0;
}

SUITE("cdi.is_lib")
{
	*out = json_object_new_boolean(cdi_is_library(member_text(in, "name")));
	return 0;
}

/* A node without a mode is one that is not there to be looked at. */
SUITE("cdi.additional_gids")
{
	const char *mode = member_text(in, "mode");
	struct stat node = { 0 };
	gid_t group = 0;

	*out = json_object_new_array();
	node.st_gid = (gid_t)json_object_get_int(member_get(in, "gid"));
	node.st_mode = json_object_get_boolean(member_get(in, "char")) ? S_IFCHR : S_IFBLK;
	node.st_mode |= mode ? (mode_t)strtoul(mode, NULL, 8) : 0;
	if (mode && !json_object_get_boolean(member_get(in, "feature_off")))
		group = plan_group(&node);
	if (group)
		json_object_array_add(*out, json_object_new_int64(group));
	return 0;
}

static int put_lines(const char *path, struct json_object *lines, const char *pattern)
{
	struct strv words = texts(lines);
	FILE *file = fopen(path, "w");
	size_t i;

	for (i = 0; file && i < words.n; i++) {
		const char *mark = strstr(words.word[i], "INCLUDED_PATTERN");

		if (mark)
			fprintf(file, "include %s%s\n", pattern, mark + strlen("INCLUDED_PATTERN"));
		else
			fprintf(file, "%s\n", words.word[i]);
	}
	strv_free(&words);
	return file && !fclose(file) ? 0 : -errno;
}

static int put_files(const char *folder, struct json_object *in)
{
	struct json_object *included = member_get(in, "included");
	size_t i, n = included ? json_object_array_length(included) : 0;
	char path[128];
	int ret;

	snprintf(path, sizeof(path), "%s/top", folder);
	ret = put_lines(path, member_get(in, "top"), "/included");
	for (i = 0; i < n && !ret; i++) {
		snprintf(path, sizeof(path), "%s/included%zu", folder, i);
		ret = put_lines(path, json_object_array_get_idx(included, i), "");
	}
	return ret;
}

static void remove_files(const char *folder)
{
	char path[128];
	int i;

	snprintf(path, sizeof(path), "%s/top", folder);
	unlink(path);
	for (i = 0; i < 16; i++) {
		snprintf(path, sizeof(path), "%s/included%d", folder, i);
		unlink(path);
	}
	rmdir(folder);
}

SUITE("cdi.ldconf_filter")
{
	struct strv folders = texts(member_get(in, "dirs")), missing = { 0 };
	char folder[] = "/tmp/suites_cdi.XXXXXX";
	int root, ret;

	if (!mkdtemp(folder))
		return -errno;
	ret = put_files(folder, in);
	root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!ret && root < 0)
		ret = -errno;
	if (!ret)
		ldconf_filter(root, "/top", &folders, &missing);
	*out = array_of(&missing);
	if (root >= 0)
		close(root);
	remove_files(folder);
	strv_free(&folders);
	strv_free(&missing);
	return ret;
}

SUITE("cdi.ldconf_file")
{
	struct strv folders = texts(member_get(in, "dirs")), lines = { 0 };
	char *content = ldconf_text(&folders);

	strv_split(&lines, content, '\n');
	*out = lines.n ? array_of(&lines) : NULL;
	free(content);
	strv_free(&folders);
	strv_free(&lines);
	return 0;
}
