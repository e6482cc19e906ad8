// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices of CDI documents: GPUs and MIG devices, among whose names the planned edits are
 * divided; other nodes that are there, by their names; and all devices at once, for
 * programs that manage them.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "container/cdi/internal.h"
#include "container/plan/plan.h"
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

int generator_select_gpus(struct generator *g, struct selection *selection)
{
	struct installation *installation = g->recipe->installation;
	char *all[] = { "all" };
	const struct strv every = { all, 1 };
	const struct wanted wanted = {
		.devices = g->recipe->devices ?: &every, .in_parts = true,
	};

	/* Procfs has no names by UUID of GPUs that nobody has opened, and of no MIG device. */
	if (g->recipe->naming & CDI_NAMING_UUID)
		uuids_find(&installation->devices, &installation->root);
	return selection_make(selection, &installation->devices, &installation->root, &wanted,
			      g->why);
}

int generator_divide(struct generator *g, const struct selection *selection,
		     const struct edits *planned)
{
	int ret = each_device(g, selection, planned, add_device);

	if (!ret && !g->recipe->no_all)
		ret = each_device(g, selection, planned, add_to_all);
	if (ret)
		return generator_fail_memory(g);
	return g->document->devices.n ? 0 :
	       why_fail(g->why, -ENODEV, "there is no GPU to make a CDI document of: /proc/driver/nvidia/gpus is empty");
}

#define IMEX_FOLDER	"/dev/nvidia-caps-imex-channels/"

/*
 * Nodes, as patterns, and what programs that use them read besides. NULLs end
 * the lists.
 */
static const struct {
	const char *nodes[8];
	const char *files[3];
} others[CDI_MODE_COUNT] = {
	[CDI_MODE_GDS] = {
		{ "/dev/nvidia-fs*" }, { "/run/udev", "/etc/cufile.json" },
	},
	[CDI_MODE_MOFED] = {
		{ "/dev/infiniband/uverbs*", "/dev/infiniband/rdma_cm" }, { NULL },
	},
	[CDI_MODE_GDRCOPY] = { { "/dev/gdrdrv" }, { NULL } },
	[CDI_MODE_NVSWITCH] = {
		{ "/dev/nvidia-nvswitchctl", "/dev/nvidia-nvswitch[0-9]*" },
		{ NULL },
	},
	[CDI_MODE_IMEX] = { { IMEX_FOLDER "channel[0-9]*" }, { NULL } },
	[CDI_MODE_MANAGEMENT] = {
		{ "/dev/nvidia*", "/dev/nvidia-caps/nvidia-cap*",
		  IMEX_FOLDER "channel[0-9]*" }, { NULL },
	},
};

static int add_node(struct generator *g, const char *path, const char *source,
		    const char *device)
{
	struct edit edit = { .kind = EDIT_NODE, .node = { .access = "rw" } };
	struct edit group = { .kind = EDIT_GROUP };
	const struct settings *settings = g->recipe->settings;
	struct stat st;
	bool whole;

	if (stat(source, &st) || !S_ISCHR(st.st_mode))
		return 0;
	edit.path = strdup(path);
	edit.source = strdup(source);
	edit.device = strdup(device);
	whole = edit.path && edit.source && edit.device;
	if (edits_add(&g->document->edits, &edit) || !whole)
		return -ENOMEM;
	group.group = settings && settings->runtime.jit_no_groups ? 0 : plan_group(&st);
	return group.group ? edits_add_copy(&g->document->edits, &group, device) : 0;
}

/* A device of a node's own: IMEX channels are given one by one. */
static bool is_wanted(const struct strv *devices, const char *name)
{
	return !devices || strv_have(devices, name) ||
	       strv_have(devices, "all");
}

static int add_node_for(struct generator *g, const char *path, const char *source,
		     const char *name)
{
	size_t before = g->document->edits.n;

	if (add_node(g, path, source, name))
		return -ENOMEM;
	if (g->document->edits.n == before ||
	    strv_have(&g->document->devices, name))
		return 0;
	return strv_add(&g->document->devices, name);
}

/* Adds a node to the device "all" (@all), or to a device named by the node's number. */
static int add_found(struct generator *g, const char *path, const char *source,
		     bool all)
{
	const char *digits = strrchr(path, '/') + strlen("/channel");

	if (g->recipe->mode == CDI_MODE_IMEX &&
	    !is_wanted(g->recipe->devices, digits))
		return 0;
	return add_node_for(g, path, source, all ? "all" : digits);
}

/* glob() sorts what it finds. */
static int add_nodes(struct generator *g, const char *pattern, bool all)
{
	const char *dev = g->recipe->installation->root.dev;
	char path[PATH_MAX];
	glob_t found;
	size_t i;
	int ret = 0;

	if (snprintf(path, sizeof(path), "%s%s", dev, pattern) >= (int)sizeof(path))
		return 0;
	if (glob(path, 0, NULL, &found))
		return 0;
	for (i = 0; i < found.gl_pathc && !ret; i++)
		ret = add_found(g, found.gl_pathv[i] + strlen(dev),
				found.gl_pathv[i], all);
	globfree(&found);
	return ret;
}

static int add_all_nodes(struct generator *g)
{
	const char *const *nodes = others[g->recipe->mode].nodes;
	bool one_by_one = g->recipe->mode == CDI_MODE_IMEX;
	int ret = 0;
	size_t i;

	for (i = 0; one_by_one && nodes[i] && !ret; i++)
		ret = add_nodes(g, nodes[i], false);
	for (i = 0; !(one_by_one && g->recipe->no_all) && nodes[i] && !ret; i++)
		ret = add_nodes(g, nodes[i], true);
	return ret;
}

static int add_file(struct generator *g, const char *path)
{
	static const char *const options[] = {
		"ro", "nosuid", "nodev", "rbind", "rprivate"
	};
	struct edit edit = { .kind = EDIT_MOUNT };
	struct stat st;
	bool whole;
	size_t i;

	if (asprintf(&edit.source, "%s%s", g->recipe->installation->root.files,
		     path) < 0)
		return -ENOMEM;
	if (stat(edit.source, &st)) {
		free(edit.source);
		return 0;
	}
	edit.path = strdup(path);
	whole = edit.path != NULL;
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		whole &= !strv_add(&edit.options, options[i]);
	return edits_add(&g->document->edits, &edit) || !whole ? -ENOMEM : 0;
}

/* No second layer is to add GPUs to a container that is given something. */
static int add_void(struct generator *g)
{
	struct edit edit = { .kind = EDIT_ENV };

	edit.text = strdup("NVIDIA_VISIBLE_DEVICES=void");
	return edit.text ? edits_add(&g->document->edits, &edit) : -ENOMEM;
}

int generator_add_others(struct generator *g)
{
	enum cdi_mode mode = g->recipe->mode;
	int ret = add_all_nodes(g);
	size_t i;

	for (i = 0; others[mode].files[i] && !ret; i++)
		ret = add_file(g, others[mode].files[i]);
	if (!ret)
		ret = add_void(g);
	if (ret)
		return generator_fail_memory(g);
	if (!g->document->devices.n)
		return why_fail(g->why, -ENODEV, "there is no %s%s: load the module that makes it",
				g->recipe->installation->root.dev,
				others[mode].nodes[0]);
	return 0;
}
