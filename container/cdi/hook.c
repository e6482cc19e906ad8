// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes hooks into CDI documents.
 */
#include <errno.h>
#include <string.h>

#include "container/cdi/internal.h"
#include "lib/path.h"

/*
 * @flag: stands before each argument, and without arguments there is no hook
 * @before: stands before all of them
 */
static const struct {
	const char *flag;
	const char *before[2];
} forms[CDI_HOOK_COUNT] = {
	[CDI_HOOK_INDEX_CHMOD] = { "--path", { "--mode", "755" } },
	[CDI_HOOK_INDEX_SYMLINKS] = { "--link", { NULL } },
};

static const char *const hook_names[CDI_HOOK_COUNT] = {
#define X(name, text) [CDI_HOOK_INDEX_##name] = (text),
	CDI_HOOKS(X)
#undef X
};

unsigned int cdi_hook_find(const char *name)
{
	int i;

	for (i = 0; i < CDI_HOOK_COUNT; i++)
		if (!strcmp(name, hook_names[i]))
			return 1u << i;
	return !strcmp(name, "all") ? CDI_HOOK_ALL : 0;
}

/* The command line: its words, or those that one is made of. */
static int fill_arguments(struct edit *edit, int index,
			  const struct strv *arguments)
{
	const char *program = path_name(edit->path);
	/* mpu is this hook where its first word says so. */
	int ret = strv_add(&edit->options, strcmp(program, "mpu") ? program :
							       "nvidia-cdi-hook");
	size_t i;

	if (!ret && !strcmp(program, "nvidia-ctk"))
		ret = strv_add(&edit->options, "hook");
	if (!ret)
		ret = strv_add(&edit->options, hook_names[index]);
	for (i = 0; i < 2 && forms[index].before[i] && !ret; i++)
		ret = strv_add(&edit->options, forms[index].before[i]);
	for (i = 0; arguments && i < arguments->n && !ret; i++) {
		if (forms[index].flag)
			ret = strv_add(&edit->options, forms[index].flag);
		if (!ret)
			ret = strv_add(&edit->options, arguments->word[i]);
	}
	return ret;
}

int cdi_hook_add(struct edits *edits, enum cdi_hook hook, const char *path,
		 const struct strv *arguments, const char *device)
{
	struct edit edit = { .kind = EDIT_HOOK };
	int index = __builtin_ctz(hook);
	int ret;

	if (forms[index].flag && (!arguments || !arguments->n))
		return 0;
	edit.path = strdup(path);
	/* The cgroup is seen from outside of the container alone. */
	edit.stage = strdup(hook == CDI_HOOK_MEMORY ? "createRuntime" : "createContainer");
	edit.device = device ? strdup(device) : NULL;
	ret = edit.path && edit.stage && (!device || edit.device) ? 0 : -ENOMEM;
	if (!ret)
		ret = fill_arguments(&edit, index, arguments);
	/* A hook without variables of its own would get those of the image. */
	if (!ret)
		ret = strv_add(&edit.env, "NVIDIA_CTK_DEBUG=false");
	return edits_add(edits, &edit) ? -ENOMEM : ret;
}

int cdi_hook_add_memory(struct edits *edits, const char *path, const struct gpu *gpu,
			const struct driver_root *root, const char *device)
{
	const char *id = *gpu->uuid ? gpu->uuid : gpu->address;
	const char *all[] = { "--gpu-id", id, "--driver-root", root->files };
	const struct strv arguments = { (char **)all, *root->files ? 4 : 2 };

	return cdi_hook_add(edits, CDI_HOOK_MEMORY, path, &arguments, device);
}

/* "libcuda.so", "libcuda.so.1" */
bool cdi_is_library(const char *path)
{
	const char *name = path_name(path), *suffix = NULL, *at = name;

	if (strncmp(name, "lib", 3) != 0)
		return false;
	while ((at = strstr(at, ".so")))
		suffix = at++;
	return suffix && strstr(name + 4, ".so") &&
	       (!suffix[3] || suffix[3] == '.');
}

/* Finds the folders of the libraries among paths, sorted, each once. */
int cdi_library_folders(const struct strv *paths, struct strv *folders)
{
	struct strv all = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < paths->n && !ret; i++) {
		const char *path = paths->word[i];
		int len = (int)(path_name(path) - path);

		if (cdi_is_library(path) && len)
			ret = strv_add_format(&all, "%.*s",
					      len > 1 ? len - 1 : 1, path);
	}
	strv_sort(&all);
	for (i = 0; i < all.n && !ret; i++)
		if (!i || strcmp(all.word[i], all.word[i - 1]) != 0)
			ret = strv_add(folders, all.word[i]);
	strv_free(&all);
	return ret;
}

/* Adds CDI_HOOK_LDCACHE for the folders of the libraries that a list mounts, if any. */
int cdi_hook_add_cache(struct edits *edits, const char *path)
{
	struct strv arguments = { 0 }, paths = { 0 }, folders = { 0 };
	int ret = 0;
	size_t i;

	for (i = 0; i < edits->n && !ret; i++)
		if (edits->edit[i].kind == EDIT_MOUNT)
			ret = strv_add(&paths, edits->edit[i].path);
	if (!ret)
		ret = cdi_library_folders(&paths, &folders);
	for (i = 0; i < folders.n && !ret; i++)
		ret = strv_add(&arguments, "--folder") ?:
		      strv_add(&arguments, folders.word[i]);
	if (!ret && folders.n)
		ret = cdi_hook_add(edits, CDI_HOOK_LDCACHE, path, &arguments, NULL);
	strv_free(&arguments);
	strv_free(&paths);
	strv_free(&folders);
	return ret;
}
