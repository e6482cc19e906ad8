// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making CDI documents of GPUs: the planned edits, divided among names. Those of
 * other devices are in generate_other.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/cdi/generator.h"
#include "container/image/layout.h"
#include "container/plan/plan.h"
#include "nvidia/uuids.h"

const char *const cdi_mode_names[CDI_MODE_COUNT] = {
#define X(name, text, class) [CDI_MODE_##name] = (text),
	CDI_MODES(X)
#undef X
};

const char *const cdi_mode_classes[CDI_MODE_COUNT] = {
#define X(name, text, class) [CDI_MODE_##name] = (class),
	CDI_MODES(X)
#undef X
};

enum cdi_mode cdi_mode_find(const char *name)
{
	unsigned int mode;

	for (mode = 0; mode < CDI_MODE_COUNT; mode++)
		if (!strcasecmp(name, cdi_mode_names[mode]))
			break;
	return mode;
}

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

/* For @name the planned edits for @device; NULL: those for any. */
static int add_edits(struct generator *g, const struct edits *planned,
		     const char *device, const char *name)
{
	struct words links = { 0 };
	int ret = 0;
	size_t i;

	for (i = 0; i < planned->n && !ret; i++) {
		const struct edit *edit = &planned->edit[i];

		if (!is_for(edit, device))
			continue;
		ret = add_edit(g, edit, name);
		if (!ret && edit->kind == EDIT_LINK)
			ret = words_add_format(&links, "%s::%s", edit->text,
					       edit->path);
	}
	if (!ret && (g->recipe->hooks & CDI_HOOK_SYMLINKS))
		ret = cdi_hook_add(&g->document->edits, CDI_HOOK_SYMLINKS,
				   g->hook_path, &links, name);
	words_free(&links);
	return ret;
}

/* A device of the document: a GPU, or one with a MIG device of it. */
struct device {
	const struct chosen_gpu *gpu;
	const struct chosen_mig *mig;
	size_t gpu_index, mig_index;
};

static int add_device_edits(struct generator *g, const struct edits *planned,
			    const struct device *device, const char *name)
{
	char tag[48];
	int ret;

	snprintf(tag, sizeof(tag), "%zu", device->gpu_index);
	ret = add_edits(g, planned, tag, name);
	if (ret || !device->mig)
		return ret;
	snprintf(tag, sizeof(tag), "%zu:%zu", device->gpu_index,
		 device->mig_index);
	return add_edits(g, planned, tag, name);
}

static int add_named(struct generator *g, const struct edits *planned,
		     const struct device *device, const char *name)
{
	if (words_have(&g->document->devices, name))
		return 0;
	if (words_add(&g->document->devices, name))
		return -ENOMEM;
	return add_device_edits(g, planned, device, name);
}

/* A device by each of its names. */
static int add_device(struct generator *g, const struct edits *planned,
		      const struct device *device)
{
	const char *uuid = device->mig ? device->mig->mig->uuid :
					 device->gpu->gpu->uuid;
	unsigned int naming = g->recipe->naming;
	char index[48], name[64];
	int ret = 0;

	if (device->mig)
		snprintf(index, sizeof(index), "%zu:%zu", device->gpu_index,
			 device->mig_index);
	else
		snprintf(index, sizeof(index), "%zu", device->gpu_index);
	if (naming & CDI_NAMING_INDEX)
		ret = add_named(g, planned, device, index);
	if (!ret && (naming & CDI_NAMING_UUID) && *uuid)
		ret = add_named(g, planned, device, uuid);
	snprintf(name, sizeof(name), "%s%s", device->mig ? "mig" : "gpu", index);
	if (!ret && (naming & CDI_NAMING_TYPE_INDEX))
		ret = add_named(g, planned, device, name);
	return ret;
}

/* What the device "all" is to have; a GPU that is divided is there in parts. */
static int add_to_all(struct generator *g, const struct edits *planned,
		      const struct device *device)
{
	if (!device->mig && device->gpu->gpu->n_migs)
		return 0;
	if (!words_have(&g->document->devices, "all") &&
	    words_add(&g->document->devices, "all"))
		return -ENOMEM;
	return add_device_edits(g, planned, device, "all");
}

static int each_device(struct generator *g, const struct selection *selection,
		       const struct edits *planned,
		       int (*visit)(struct generator *g,
				    const struct edits *planned,
				    const struct device *device))
{
	const struct gpu *gpus = g->recipe->installation->devices.gpus;
	size_t i, j;
	int ret = 0;

	for (i = 0; i < selection->n_gpus && !ret; i++) {
		const struct chosen_gpu *gpu = &selection->gpus[i];
		struct device device = {
			.gpu = gpu, .gpu_index = (size_t)(gpu->gpu - gpus),
		};

		if (gpu->whole)
			ret = visit(g, planned, &device);
		for (j = 0; j < selection->n_migs && !ret; j++) {
			device.mig = &selection->migs[j];
			if (device.mig->gpu != gpu->gpu)
				continue;
			device.mig_index = (size_t)(device.mig->mig -
						    gpu->gpu->migs);
			ret = visit(g, planned, &device);
		}
	}
	return ret;
}

/* "libcuda.so.580.159.04": the folder that existing images may look up. */
static int add_cuda_folder(struct generator *g, const struct edits *planned)
{
	struct edit env = { .kind = EDIT_ENV };
	size_t i;

	for (i = 0; i < planned->n && !env.text; i++) {
		const struct edit *edit = &planned->edit[i];
		const char *slash = edit->path ? strrchr(edit->path, '/') : NULL;

		if (edit->kind != EDIT_MOUNT || !slash ||
		    strncmp(slash, "/libcuda.so.", 12) != 0)
			continue;
		if (asprintf(&env.text, "NVIDIA_CTK_LIBCUDA_DIR=%.*s",
			     (int)(slash - edit->path), edit->path) < 0)
			return -ENOMEM;
	}
	return env.text ? edits_add(&g->document->edits, &env) : 0;
}

static int add_cache_hook(struct generator *g)
{
	struct words arguments = { 0 }, paths = { 0 }, folders = { 0 };
	const struct edits *edits = &g->document->edits;
	int ret = 0;
	size_t i;

	for (i = 0; i < edits->n && !ret; i++)
		if (edits->edit[i].kind == EDIT_MOUNT)
			ret = words_add(&paths, edits->edit[i].path);
	if (!ret)
		ret = cdi_library_folders(&paths, &folders);
	if (!ret && g->recipe->ldconfig) {
		ret = words_add(&arguments, "--ldconfig-path");
		if (!ret)
			ret = words_add(&arguments, g->recipe->ldconfig);
	}
	for (i = 0; i < folders.n && !ret; i++) {
		ret = words_add(&arguments, "--folder");
		if (!ret)
			ret = words_add(&arguments, folders.word[i]);
	}
	if (!ret && folders.n)
		ret = cdi_hook_add(&g->document->edits, CDI_HOOK_LDCACHE,
				   g->hook_path, &arguments, NULL);
	words_free(&arguments);
	words_free(&paths);
	words_free(&folders);
	return ret;
}

/* Those for any device, in the order in which they are to run. */
static int add_hooks(struct generator *g)
{
	const struct cdi_recipe *recipe = g->recipe;
	struct edits *edits = &g->document->edits;
	struct words version = { 0 };
	int ret = 0;

	if (recipe->hooks & CDI_HOOK_COMPAT) {
		ret = words_add_format(&version, "--host-driver-version=%s",
				       recipe->installation->version);
		if (!ret)
			ret = cdi_hook_add(edits, CDI_HOOK_COMPAT, g->hook_path,
					   &version, NULL);
		words_free(&version);
	}
	if (!ret && (recipe->hooks & CDI_HOOK_LDCACHE))
		ret = add_cache_hook(g);
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
	struct plan plan = {
		.installation = g->recipe->installation,
		.selection = selection, .layout = &layout,
		.capabilities = g->recipe->capabilities,
		.no_groups = g->recipe->no_groups,
	};
	int ret = read_layout(g->recipe, &layout, g->why);

	return ret ? ret : plan_edits(planned, &plan, g->why);
}

int generator_add_common(struct generator *g, const struct edits *planned)
{
	int ret = add_edits(g, planned, NULL, NULL);
	size_t i;

	for (i = 0; i < planned->lacks.n && !ret; i++)
		ret = words_add(&g->document->edits.lacks, planned->lacks.word[i]);
	if (!ret)
		ret = add_cuda_folder(g, planned);
	if (!ret)
		ret = add_hooks(g);
	return ret ? generator_fail_memory(g) : 0;
}

static int divide(struct generator *g, const struct selection *selection,
		  const struct edits *planned)
{
	int ret = generator_add_common(g, planned);

	if (ret)
		return ret;
	ret = each_device(g, selection, planned, add_device);
	if (!ret && !g->recipe->no_all)
		ret = each_device(g, selection, planned, add_to_all);
	return ret ? generator_fail_memory(g) : 0;
}

static int select_devices(struct generator *g, struct selection *selection)
{
	struct installation *installation = g->recipe->installation;
	struct words all = { 0 };
	struct wanted wanted = { .devices = g->recipe->devices ?: &all };
	int ret = words_add(&all, "all");

	if (!ret)
		ret = selection_make(selection, &installation->devices,
				     &installation->root, &wanted, g->why);
	words_free(&all);
	return ret;
}

int generator_add_gpus(struct generator *g)
{
	struct selection selection = { 0 };
	struct edits planned = { 0 };
	int ret;

	/* Procfs has no names by UUID of GPUs that nobody has opened, and of no MIG device. */
	if (g->recipe->naming & CDI_NAMING_UUID)
		uuids_find(&g->recipe->installation->devices,
			   &g->recipe->installation->root);
	ret = select_devices(g, &selection);
	if (!ret)
		ret = generator_plan(g, &selection, &planned);
	if (!ret)
		ret = divide(g, &selection, &planned);
	edits_free(&planned);
	selection_free(&selection);
	if (!ret && !g->document->devices.n)
		return why_fail(g->why, -ENODEV, "there is no GPU to make a CDI document of: /proc/driver/nvidia/gpus is empty");
	return ret;
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
	    words_add_format(&document->annotations, CDI_DRIVER_ANNOTATION "=%s",
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
	for (i = 0; i < document.edits.n && !ret; i++)
		ret = edits_add_copy(edits, &document.edits.edit[i], NULL);
	cdi_document_free(&document);
	return ret ? why_fail(why, ret, "no memory for CDI devices") : 0;
}
