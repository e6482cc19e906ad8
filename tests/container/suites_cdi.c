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
	struct cdi_document document = { .kind = strdup("vv/cc") };
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

SUITE("cdi.ldconf_file")
{
	struct strv folders = texts(member_get(in, "dirs")), lines = { 0 };
	char *content = cdi_folder_lines(&folders);

	strv_split(&lines, content, '\n');
	*out = lines.n ? array_of(&lines) : NULL;
	free(content);
	strv_free(&folders);
	strv_free(&lines);
	return 0;
}
