// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes edits with their hooks, and CDI documents, from a Tegra's lists of files.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "container/cdi/devices_csv.h"
#include "container/cdi/generator.h"

/* Newer CUDA libraries are taken where the lists are told which folder has them. */
static int add_compat(struct edits *edits, const struct cdi_recipe *recipe)
{
	const char *cuda = recipe->installation->cuda;
	struct strv arguments = { 0 };
	int ret = 0;

	if (recipe->compat && *recipe->compat && *cuda)
		ret = strv_add_format(&arguments, "--host-cuda-version=%s", cuda) ?:
		      strv_add_format(&arguments, "--cuda-compat-container-root=%s",
				      recipe->compat) ?:
		      cdi_hook_add(edits, CDI_HOOK_COMPAT, recipe->hook_path, &arguments, NULL);
	strv_free(&arguments);
	return ret;
}

int cdi_csv_edits(struct edits *edits, const struct cdi_recipe *recipe, char why[WHY_SIZE])
{
	int ret = csv_plan(edits, recipe->csv, why);

	if (ret)
		return ret;
	if (recipe->hooks & CDI_HOOK_COMPAT)
		ret = add_compat(edits, recipe);
	if (!ret && (recipe->hooks & CDI_HOOK_LDCACHE))
		ret = cdi_hook_add_cache(edits, recipe->hook_path);
	return ret ? why_fail(why, ret, "no memory for the hooks") : 0;
}

static int add_named(struct generator *g, const struct edits *planned, const char *device,
		     const char *name)
{
	size_t before = g->document->edits.n;
	int ret = generator_add_edits(g, planned, device, name);

	/* No engine takes a device without edits. */
	if (ret || g->document->edits.n == before || strv_have(&g->document->devices, name))
		return ret;
	return strv_add(&g->document->devices, name);
}

/* The GPU at an index, by each of its names; or as a part of "all". */
static int add_gpu(struct generator *g, const struct edits *planned, size_t gpu, bool all)
{
	const struct devices *devices = &g->recipe->installation->devices;
	unsigned int naming = g->recipe->naming;
	char index[32], name[64];
	int ret = 0;

	snprintf(index, sizeof(index), "%zu", gpu);
	snprintf(name, sizeof(name), "gpu%zu", gpu);
	if (all)
		return add_named(g, planned, index, "all");
	if (naming & CDI_NAMING_INDEX)
		ret = add_named(g, planned, index, index);
	if (!ret && (naming & CDI_NAMING_UUID) && gpu < devices->n_gpus &&
	    devices->gpus[gpu].uuid[0])
		ret = add_named(g, planned, index, devices->gpus[gpu].uuid);
	if (!ret && (naming & CDI_NAMING_TYPE_INDEX))
		ret = add_named(g, planned, index, name);
	return ret;
}

int generator_add_csv(struct generator *g)
{
	size_t i, n = csv_gpus(g->recipe->csv);
	struct edits planned = { 0 };
	int ret = cdi_csv_edits(&planned, g->recipe, g->why);

	if (ret)
		goto out;
	ret = generator_add_edits(g, &planned, NULL, NULL);
	for (i = 0; i < planned.lacks.n && !ret; i++)
		ret = strv_add(&g->document->edits.lacks, planned.lacks.word[i]);
	for (i = 0; i < n && !ret; i++)
		ret = add_gpu(g, &planned, i, false);
	for (i = 0; i < n && !ret && !g->recipe->no_all; i++)
		ret = add_gpu(g, &planned, i, true);
	if (ret)
		generator_fail_memory(g);
	else if (!g->document->devices.n)
		ret = why_fail(g->why, -ENODEV, "the lists name no device node that is there");
out:
	edits_free(&planned);
	return ret;
}
