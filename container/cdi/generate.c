// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a CDI document of the driver as it is installed. plan_edits() decides what a
 * container is given, as for a container that is being created; here the edits are said
 * in the words of CDI, and devices.c divides them among names.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "container/cdi/internal.h"
#include "container/image/image.h"
#include "container/plan/plan.h"
#include "lib/xalloc.h"

static const struct {
	const char *name, *class;
} modes[CDI_MODE_COUNT] = {
#define X(name, text, class) [CDI_MODE_##name] = { (text), (class) },
	CDI_MODES(X)
#undef X
};

enum cdi_mode cdi_mode_find(const char *name)
{
	unsigned int mode;

	for (mode = 0; mode < CDI_MODE_COUNT; mode++)
		if (!strcasecmp(name, modes[mode].name))
			break;
	return mode;
}

/* Adds an edit that has a word of its own in CDI, or another that comes closest. */
static void add_edit(struct generator *g, const struct edit *edit, const char *device)
{
	struct edit mount;

	switch (edit->kind) {
	case EDIT_ENV:
	case EDIT_NODE:
	case EDIT_MOUNT:
	case EDIT_GROUP:
	case EDIT_HOOK:
		edits_add_copy(&g->document->edits, edit, device);
		break;
	case EDIT_LINK:
		if (!edit->source || (g->recipe->hooks & CDI_HOOK_SYMLINKS))
			break;
		mount = *edit;
		mount.kind = EDIT_MOUNT;
		mount.text = NULL;
		edits_add_copy(&g->document->edits, &mount, device);
		break;
	default:
		/* CDI can neither hide what is in /proc nor make files. */
		break;
	}
}

/* Adds planned edits for @device to the document, for its device @name; NULLs: for any. */
void generator_add_edits(struct generator *g, const struct edits *planned,
			 const char *device, const char *name)
{
	char link[2 * PATH_MAX];
	size_t i;

	for (i = 0; i < planned->n; i++) {
		const struct edit *edit = &planned->edit[i];

		if (!cdi_is_for(edit, device))
			continue;
		add_edit(g, edit, name);
		if (edit->kind != EDIT_LINK)
			continue;
		snprintf(link, sizeof(link), "%s::%s", edit->text, edit->path);
		strv_add_once(&g->links, link);
	}
}

/* Adds one hook for any device: each is a process at every start of a container. */
static void add_hook(struct generator *g)
{
	const struct cdi_recipe *recipe = g->recipe;
	const struct edits *edits = &g->document->edits;
	struct strv arguments = { 0 }, paths = { 0 }, folders = { 0 };
	unsigned int hooks = recipe->hooks & ~CDI_HOOK_CHMOD;
	size_t i;

	for (i = 0; i < edits->n; i++)
		if (edits->edit[i].kind == EDIT_MOUNT)
			strv_add(&paths, edits->edit[i].path);
	cdi_library_folders(&paths, &folders);
	if (!folders.n)
		hooks &= ~CDI_HOOK_LDCACHE;
	if (!g->links.n)
		hooks &= ~CDI_HOOK_SYMLINKS;
	if (recipe->mode != CDI_MODE_GPU)
		hooks &= ~CDI_HOOK_MEMORY;
	if (!(recipe->capabilities & (CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY)))
		hooks &= ~CDI_HOOK_PROFILE;
	/* Words that are paths are the host's. */
	for (i = 0; hooks & CDI_HOOK_SYMLINKS && i < g->links.n; i++)
		strv_add_format(&arguments, "--link=%s", g->links.word[i]);
	if (hooks & CDI_HOOK_COMPAT)
		strv_add_format(&arguments, "--host-driver-version=%s",
				recipe->installation->version);
	for (i = 0; hooks & CDI_HOOK_LDCACHE && i < folders.n; i++)
		strv_add_format(&arguments, "--folder=%s", folders.word[i]);
	if (hooks & CDI_HOOK_MEMORY && *recipe->installation->root.files) {
		strv_add(&arguments, "--driver-root");
		strv_add(&arguments, recipe->installation->root.files);
	}
	cdi_hook_add_own(&g->document->edits, hooks, g->hook_path, &arguments);
	strv_free(&arguments);
	strv_free(&paths);
	strv_free(&folders);
}

/* A version of CDI that has annotations is needed anyway where a group is named. */
static bool is_annotated(const struct generator *g)
{
	size_t i;

	for (i = 0; i < g->document->edits.n; i++)
		if (g->document->edits.edit[i].kind == EDIT_GROUP)
			return true;
	return g->recipe->annotate;
}

int cdi_generate(struct cdi_document *document, const struct cdi_recipe *recipe, char why[WHY_SIZE])
{
	struct generator g = {
		.document = document, .recipe = recipe, .why = why,
		.hook_path = recipe->hook_path ?: "/usr/bin/nvidia-cdi-hook",
	};
	struct selection selection = { 0 };
	struct layout layout;
	const struct plan_inputs plan = {
		.installation = recipe->installation, .selection = &selection,
		.layout = &layout, .capabilities = recipe->capabilities,
		.settings = recipe->settings, .by_path = true,
	};
	struct edits planned = { 0 };
	bool gpus = recipe->mode == CDI_MODE_GPU;
	int ret;

	*document = (struct cdi_document){ 0 };
	ret = gpus ? generator_select_gpus(&g, &selection) : generator_add_others(&g);
	/* Programs that manage devices take the driver's files, too. */
	if (!ret && (gpus || recipe->mode == CDI_MODE_MANAGEMENT)) {
		ret = layout_read(&layout, NULL, recipe->installation->version, NULL, why);
		if (!ret && recipe->library)
			snprintf(layout.library, sizeof(layout.library), "%s", recipe->library);
		if (!ret)
			ret = plan_edits(&planned, &plan, why);
		if (!ret)
			generator_add_edits(&g, &planned, NULL, NULL);
		strv_add_all(&document->edits.lacks, &planned.lacks);
		if (!ret && gpus)
			ret = generator_divide(&g, &selection, &planned);
		if (!ret)
			add_hook(&g);
	}
	document->kind = xasprintf("%s/%s", recipe->vendor ?: "nvidia.com",
				   recipe->class ?: modes[recipe->mode].class);
	if (is_annotated(&g))
		strv_add_format(&document->annotations, CDI_DRIVER_ANNOTATION "=%s",
				recipe->installation->version);
	if (ret)
		cdi_document_free(document);
	strv_free(&g.links);
	edits_free(&planned);
	selection_free(&selection);
	return ret;
}

int cdi_generate_edits(struct edits *edits, const struct cdi_recipe *recipe, char why[WHY_SIZE])
{
	struct cdi_recipe own = *recipe;
	struct cdi_document document;
	size_t i;
	int ret;

	own.no_all = true;
	own.naming = CDI_NAMING_INDEX;
	ret = cdi_generate(&document, &own, why);
	if (ret)
		return ret;
	for (i = 0; i < document.edits.n && !ret; i++) {
		struct edit *edit = &document.edits.edit[i];

		/* "void" would have the hook of mode legacy give no GPU. */
		if (edit->kind == EDIT_ENV)
			continue;
		if (edit->kind == EDIT_NODE)
			ret = cdi_complete_node(edit);
		if (!ret)
			edits_add_copy(edits, edit, NULL);
	}
	cdi_document_free(&document);
	return ret ? why_fail(why, ret, "to add the device nodes: %s", strerror(-ret)) : 0;
}
