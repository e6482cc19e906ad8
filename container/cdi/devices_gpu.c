// SPDX-License-Identifier: GPL-2.0-only
/*
 * CDI documents of GPUs and MIG devices: the planned edits, divided among names.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "container/cdi/generator.h"
#include "nvidia/uuids.h"

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
	ret = generator_add_edits(g, planned, tag, name);
	/* A MIG device has its own memory, which nobody limits. */
	if (!ret && !device->mig && g->recipe->hooks & CDI_HOOK_MEMORY)
		ret = cdi_hook_add_memory(&g->document->edits, g->hook_path,
					  device->gpu->gpu, &g->recipe->installation->root,
					  name);
	if (ret || !device->mig)
		return ret;
	snprintf(tag, sizeof(tag), "%zu:%zu", device->gpu_index,
		 device->mig_index);
	return generator_add_edits(g, planned, tag, name);
}

static int add_named(struct generator *g, const struct edits *planned,
		     const struct device *device, const char *name)
{
	if (strv_have(&g->document->devices, name))
		return 0;
	if (strv_add(&g->document->devices, name))
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

static int add_to_all(struct generator *g, const struct edits *planned,
		      const struct device *device)
{
	if (!strv_have(&g->document->devices, "all") &&
	    strv_add(&g->document->devices, "all"))
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
	struct strv all = { 0 };
	struct wanted wanted = { .devices = g->recipe->devices ?: &all, .in_parts = true };
	int ret = strv_add(&all, "all");

	if (!ret)
		ret = selection_make(selection, &installation->devices,
				     &installation->root, &wanted, g->why);
	strv_free(&all);
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
