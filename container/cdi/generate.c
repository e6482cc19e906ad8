// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making CDI documents: GPUs are in devices_gpu.c, all else in devices_other.c.
 */
#include <stdio.h>
#include <string.h>

#include "container/cdi/generate.h"
#include "container/cdi/generator.h"

/* A version of CDI that has annotations is needed anyway where a group is named. */
static bool is_annotated(const struct generator *g)
{
	size_t i;

	for (i = 0; i < g->document->edits.n; i++)
		if (g->document->edits.edit[i].kind == EDIT_GROUP)
			return true;
	return g->recipe->annotate;
}

static int finish(struct generator *g)
{
	const struct cdi_recipe *recipe = g->recipe;
	struct cdi_document *document = g->document;

	if (asprintf(&document->kind, "%s/%s", recipe->vendor ?: "nvidia.com",
		     recipe->class ?: cdi_mode_classes[recipe->mode]) < 0) {
		document->kind = NULL;
		return generator_fail_memory(g);
	}
	if (is_annotated(g) &&
	    strv_add_format(&document->annotations, CDI_DRIVER_ANNOTATION "=%s",
			    recipe->installation->version))
		return generator_fail_memory(g);
	return 0;
}

int cdi_generate(struct cdi_document *document, const struct cdi_recipe *recipe,
		 char why[WHY_SIZE])
{
	struct generator g = {
		.document = document, .recipe = recipe, .why = why,
		.hook_path = recipe->hook_path ?: "/usr/bin/nvidia-cdi-hook",
	};
	int ret;

	*document = (struct cdi_document){ 0 };
	ret = recipe->mode == CDI_MODE_GPU ? generator_add_gpus(&g) :
					     generator_add_others(&g);
	if (!ret)
		ret = finish(&g);
	if (ret)
		cdi_document_free(document);
	return ret;
}

int cdi_generate_edits(struct edits *edits, const struct cdi_recipe *recipe,
		       char why[WHY_SIZE])
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
			ret = edits_add_copy(edits, edit, NULL);
	}
	cdi_document_free(&document);
	return ret ? why_fail(why, ret, "to add the device nodes: %s", strerror(-ret)) : 0;
}
