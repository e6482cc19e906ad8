// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes hooks into CDI documents.
 */
#include <string.h>

#include "container/cdi/internal.h"
#include "lib/library.h"
#include "lib/path.h"
#include "lib/text.h"
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
	return text_bit_find(name, hook_names, CDI_HOOK_COUNT);
}

/* @words: the hook's name and its arguments */
static void add(struct edits *edits, const char *stage, const char *path, const struct strv *words)
{
	const char *program = path_name(path);
	struct edit edit = {
		.kind = EDIT_HOOK, .path = xstrdup(path), .stage = xstrdup(stage),
	};

	/* mpu is this hook where its first word says so. */
	strv_add(&edit.options, strcmp(program, "mpu") ? program : "nvidia-cdi-hook");
	if (!strcmp(program, "nvidia-ctk"))
		strv_add(&edit.options, "hook");
	strv_add_all(&edit.options, words);
	/* A hook without variables of its own would get those of the image. */
	strv_add(&edit.env, "NVIDIA_CTK_DEBUG=false");
	edits_add(edits, &edit);
}

void cdi_hook_add(struct edits *edits, enum cdi_hook hook, const char *path,
		  const struct strv *arguments)
{
	int index = __builtin_ctz(hook);
	struct strv words = { 0 };
	size_t i;

	if (forms[index].flag && (!arguments || !arguments->n))
		return;
	strv_add(&words, hook_names[index]);
	for (i = 0; i < 2 && forms[index].before[i]; i++)
		strv_add(&words, forms[index].before[i]);
	for (i = 0; arguments && i < arguments->n; i++) {
		if (forms[index].flag)
			strv_add(&words, forms[index].flag);
		strv_add(&words, arguments->word[i]);
	}
	/* The cgroup is seen from outside of the container alone. */
	add(edits, hook == CDI_HOOK_MEMORY ? "createRuntime" : "createContainer", path, &words);
	strv_free(&words);
}

/*
 * Adds the hook of our documents, for @hooks. From createRuntime it sees the cgroup, and
 * enters the container's mount namespace.
 */
void cdi_hook_add_own(struct edits *edits, unsigned int hooks, const char *path,
		      const struct strv *arguments)
{
	struct strv words = { 0 };
	size_t i;

	strv_add(&words, CDI_HOOK_RUN);
	for (i = 0; i < CDI_HOOK_COUNT; i++)
		if (hooks & 1u << i)
			strv_add_format(&words, "--hook=%s", hook_names[i]);
	strv_add_all(&words, arguments);
	if (hooks)
		add(edits, "createRuntime", path, &words);
	strv_free(&words);
}

/* Finds the folders of the libraries among paths, sorted, each once. */
void cdi_library_folders(const struct strv *paths, struct strv *folders)
{
	size_t i;

	for (i = 0; i < paths->n; i++) {
		const char *path = paths->word[i];
		int len = (int)(path_name(path) - path);

		if (library_is_name(path) && len)
			strv_add_format(folders, "%.*s", len > 1 ? len - 1 : 1, path);
	}
	strv_sort_once(folders);
}
