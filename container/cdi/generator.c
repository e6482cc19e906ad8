// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps that CDI documents of all kinds of devices share: the planned edits in the
 * words of CDI, and the hooks for any device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/cdi/generator.h"
#include "container/image/layout.h"
#include "container/plan/plan.h"

int generator_fail_memory(struct generator *g)
{
	return why_fail(g->why, -ENOMEM, "no memory for a CDI document");
}

/* An edit that has a word of its own in CDI, or another that comes closest. */
static int add_edit(struct generator *g, const struct edit *edit,
		    const char *device)
{
	struct edit mount;

	switch (edit->kind) {
	case EDIT_ENV:
	case EDIT_NODE:
	case EDIT_MOUNT:
	case EDIT_GROUP:
	case EDIT_HOOK:
		return edits_add_copy(&g->document->edits, edit, device);
	case EDIT_LINK:
		if (!edit->source || (g->recipe->hooks & CDI_HOOK_SYMLINKS))
			return 0;
		mount = *edit;
		mount.kind = EDIT_MOUNT;
		mount.text = NULL;
		return edits_add_copy(&g->document->edits, &mount, device);
	default:
		/* CDI can neither hide what is in /proc nor make files. */
		return 0;
	}
}

static bool is_for(const struct edit *edit, const char *device)
{
	return device && edit->device ? !strcmp(edit->device, device) :
					!device && !edit->device;
}

int generator_add_edits(struct generator *g, const struct edits *planned,
			const char *device, const char *name)
{
	struct strv links = { 0 };
	int ret = 0;
	size_t i;

	for (i = 0; i < planned->n && !ret; i++) {
		const struct edit *edit = &planned->edit[i];

		if (!is_for(edit, device))
			continue;
		ret = add_edit(g, edit, name);
		if (!ret && edit->kind == EDIT_LINK)
			ret = strv_add_format(&links, "%s::%s", edit->text,
					      edit->path);
	}
	if (!ret && (g->recipe->hooks & CDI_HOOK_SYMLINKS))
		ret = cdi_hook_add(&g->document->edits, CDI_HOOK_SYMLINKS,
				   g->hook_path, &links, name);
	strv_free(&links);
	return ret;
}

/* Adds the hooks for any device, in the order in which they are to run. */
static int add_hooks(struct generator *g)
{
	const struct cdi_recipe *recipe = g->recipe;
	struct edits *edits = &g->document->edits;
	struct strv version = { 0 };
	int ret = 0;

	if (recipe->hooks & CDI_HOOK_COMPAT) {
		ret = strv_add_format(&version, "--host-driver-version=%s",
				      recipe->installation->version);
		if (!ret)
			ret = cdi_hook_add(edits, CDI_HOOK_COMPAT, g->hook_path,
					   &version, NULL);
		strv_free(&version);
	}
	if (!ret && (recipe->hooks & CDI_HOOK_LDCACHE))
		ret = cdi_hook_add_cache(edits, g->hook_path);
	if (!ret && (recipe->hooks & CDI_HOOK_PARAMS))
		ret = cdi_hook_add(edits, CDI_HOOK_PARAMS, g->hook_path, NULL,
				   NULL);
	if (!ret && (recipe->hooks & CDI_HOOK_PROFILE) &&
	    (recipe->capabilities & (CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY)))
		ret = cdi_hook_add(edits, CDI_HOOK_PROFILE, g->hook_path, NULL,
				   NULL);
	return ret;
}

static int read_layout(const struct cdi_recipe *recipe, struct layout *layout,
		       char why[WHY_SIZE])
{
	int ret = layout_read(layout, NULL, recipe->installation->version,
			      NULL, why);

	if (!ret && recipe->library)
		snprintf(layout->library, sizeof(layout->library), "%s",
			 recipe->library);
	if (!ret && recipe->library32)
		snprintf(layout->library32, sizeof(layout->library32), "%s",
			 recipe->library32);
	return ret;
}

int generator_plan(struct generator *g, const struct selection *selection,
		   struct edits *planned)
{
	struct layout layout;
	struct plan_inputs plan = {
		.installation = g->recipe->installation,
		.selection = selection, .layout = &layout,
		.capabilities = g->recipe->capabilities,
		.settings = g->recipe->settings, .by_path = true,
	};
	int ret = read_layout(g->recipe, &layout, g->why);

	return ret ? ret : plan_edits(planned, &plan, g->why);
}

int generator_add_common(struct generator *g, const struct edits *planned)
{
	int ret = generator_add_edits(g, planned, NULL, NULL);
	size_t i;

	for (i = 0; i < planned->lacks.n && !ret; i++)
		ret = strv_add(&g->document->edits.lacks, planned->lacks.word[i]);
	if (!ret)
		ret = add_hooks(g);
	return ret ? generator_fail_memory(g) : 0;
}
