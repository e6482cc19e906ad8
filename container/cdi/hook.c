// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes hooks into CDI documents.
 */
#include <string.h>

#include "container/cdi/internal.h"
#include "lib/path.h"
#include "lib/xalloc.h"

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

void cdi_hook_add(struct edits *edits, enum cdi_hook hook, const char *path,
		  const struct strv *arguments, const char *device)
{
	int index = __builtin_ctz(hook);
	const char *program = path_name(path);
	struct edit edit = { .kind = EDIT_HOOK };
	size_t i;

	if (forms[index].flag && (!arguments || !arguments->n))
		return;
	edit.path = xstrdup(path);
	/* The cgroup is seen from outside of the container alone. */
	edit.stage = xstrdup(hook == CDI_HOOK_MEMORY ? "createRuntime" : "createContainer");
	edit.device = device ? xstrdup(device) : NULL;
	/* mpu is this hook where its first word says so. */
	strv_add(&edit.options, strcmp(program, "mpu") ? program : "nvidia-cdi-hook");
	if (!strcmp(program, "nvidia-ctk"))
		strv_add(&edit.options, "hook");
	strv_add(&edit.options, hook_names[index]);
	for (i = 0; i < 2 && forms[index].before[i]; i++)
		strv_add(&edit.options, forms[index].before[i]);
	for (i = 0; arguments && i < arguments->n; i++) {
		if (forms[index].flag)
			strv_add(&edit.options, forms[index].flag);
		strv_add(&edit.options, arguments->word[i]);
	}
	/* A hook without variables of its own would get those of the image. */
	strv_add(&edit.env, "NVIDIA_CTK_DEBUG=false");
	edits_add(edits, &edit);
}

void cdi_hook_add_memory(struct edits *edits, const char *path, const struct gpu *gpu,
			 const struct driver_root *root, const char *device)
{
	const char *id = *gpu->uuid ? gpu->uuid : gpu->address;
	const char *all[] = { "--gpu-id", id, "--driver-root", root->files };
	const struct strv arguments = { (char **)all, *root->files ? 4 : 2 };

	cdi_hook_add(edits, CDI_HOOK_MEMORY, path, &arguments, device);
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
void cdi_library_folders(const struct strv *paths, struct strv *folders)
{
	struct strv all = { 0 };
	size_t i;

	for (i = 0; i < paths->n; i++) {
		const char *path = paths->word[i];
		int len = (int)(path_name(path) - path);

		if (cdi_is_library(path) && len)
			strv_add_format(&all, "%.*s", len > 1 ? len - 1 : 1, path);
	}
	strv_sort(&all);
	for (i = 0; i < all.n; i++)
		if (!i || strcmp(all.word[i], all.word[i - 1]) != 0)
			strv_add(folders, all.word[i]);
	strv_free(&all);
}

/* Adds CDI_HOOK_LDCACHE for the folders of the libraries that a list mounts, if any. */
void cdi_hook_add_cache(struct edits *edits, const char *path)
{
	struct strv arguments = { 0 }, paths = { 0 }, folders = { 0 };
	size_t i;

	for (i = 0; i < edits->n; i++)
		if (edits->edit[i].kind == EDIT_MOUNT)
			strv_add(&paths, edits->edit[i].path);
	cdi_library_folders(&paths, &folders);
	for (i = 0; i < folders.n; i++) {
		strv_add(&arguments, "--folder");
		strv_add(&arguments, folders.word[i]);
	}
	if (folders.n)
		cdi_hook_add(edits, CDI_HOOK_LDCACHE, path, &arguments, NULL);
	strv_free(&arguments);
	strv_free(&paths);
	strv_free(&folders);
}
