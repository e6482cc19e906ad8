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
#include <unistd.h>

#include "container/cdi/internal.h"
#include "container/plan/plan.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

/* A device of the document: a GPU, or one with a MIG device of it. */
struct device {
	const struct chosen_gpu *gpu;
	const struct chosen_mig *mig;
	size_t gpu_index, mig_index;
};

static void add_device_edits(struct generator *g, const struct edits *planned,
			     const struct device *device, const char *name)
{
	char tag[48];

	strv_add_once(&g->document->devices, name);
	snprintf(tag, sizeof(tag), "%zu", device->gpu_index);
	generator_add_edits(g, planned, tag, name);
	if (!device->mig)
		return;
	snprintf(tag, sizeof(tag), "%zu:%zu", device->gpu_index, device->mig_index);
	generator_add_edits(g, planned, tag, name);
}

/* Adds a device by each of its names, or to the device "all". */
static void add_device(struct generator *g, const struct edits *planned,
		       const struct device *device, bool all)
{
	const char *uuid = device->mig ? device->mig->mig->uuid : device->gpu->gpu->uuid;
	char index[48], name[64];
	const struct {
		enum cdi_naming naming;
		const char *name;
	} names[] = {
		{ CDI_NAMING_INDEX, index }, { CDI_NAMING_UUID, uuid },
		{ CDI_NAMING_TYPE_INDEX, name },
	};
	size_t i;

	if (all) {
		add_device_edits(g, planned, device, "all");
		return;
	}
	snprintf(index, sizeof(index), "%zu", device->gpu_index);
	if (device->mig)
		snprintf(index, sizeof(index), "%zu:%zu", device->gpu_index, device->mig_index);
	snprintf(name, sizeof(name), "%s%s", device->mig ? "mig" : "gpu", index);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (g->recipe->naming & names[i].naming && *names[i].name &&
		    !strv_have(&g->document->devices, names[i].name))
			add_device_edits(g, planned, device, names[i].name);
}

static void add_devices(struct generator *g, const struct selection *selection,
			const struct edits *planned, bool all)
{
	const struct gpu *gpus = g->recipe->installation->devices.gpus;
	size_t i, j;

	for (i = 0; i < selection->n_gpus; i++) {
		const struct chosen_gpu *gpu = &selection->gpus[i];
		struct device device = {
			.gpu = gpu, .gpu_index = (size_t)(gpu->gpu - gpus),
		};

		if (gpu->whole)
			add_device(g, planned, &device, all);
		for (j = 0; j < selection->n_migs; j++) {
			device.mig = &selection->migs[j];
			if (device.mig->gpu != gpu->gpu)
				continue;
			device.mig_index = (size_t)(device.mig->mig - gpu->gpu->migs);
			add_device(g, planned, &device, all);
		}
	}
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
	add_devices(g, selection, planned, false);
	if (!g->recipe->no_all)
		add_devices(g, selection, planned, true);
	return g->document->devices.n ? 0 :
	       why_fail(g->why, -ENODEV, "there is no GPU to make a CDI document of: /proc/driver/nvidia/gpus is empty");
}

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
	[CDI_MODE_IMEX] = { { "/dev/nvidia-caps-imex-channels/channel[0-9]*" }, { NULL } },
};

/* Adds a node, if it is one, for the device @name. */
static void add_node(struct generator *g, const char *path, const char *source, const char *name)
{
	const struct edit edit = {
		.kind = EDIT_NODE, .node = { .access = "rw" },
		.path = (char *)path, .source = (char *)source,
	};
	struct edit group = { .kind = EDIT_GROUP };
	const struct settings *settings = g->recipe->settings;
	struct stat st;

	if (stat(source, &st) || !S_ISCHR(st.st_mode))
		return;
	edits_add_copy(&g->document->edits, &edit, name);
	strv_add_once(&g->document->devices, name);
	group.group = settings && settings->runtime.jit_no_groups ? 0 : plan_group(&st);
	if (group.group)
		edits_add_copy(&g->document->edits, &group, name);
}

/* Adds nodes to the device "all" (@all), or each to a device named by its number. */
static void add_nodes(struct generator *g, const char *pattern, bool all)
{
	const char *dev = g->recipe->installation->root.dev;
	const struct strv *wanted = g->recipe->mode == CDI_MODE_IMEX ? g->recipe->devices : NULL;
	char path[PATH_MAX];
	glob_t found;
	size_t i;

	/* glob() sorts what it finds. */
	if (snprintf(path, sizeof(path), "%s%s", dev, pattern) >= (int)sizeof(path) ||
	    glob(path, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		const char *node = found.gl_pathv[i];
		const char *digits = strrchr(node, '/') + strlen("/channel");

		if (!wanted || strv_have(wanted, digits) || strv_have(wanted, "all"))
			add_node(g, node + strlen(dev), node, all ? "all" : digits);
	}
	globfree(&found);
}

static void add_present(const struct driver_node *node, void *arg)
{
	struct generator *g = arg;
	char source[PATH_MAX + 64];

	snprintf(source, sizeof(source), "%s%s", g->recipe->installation->root.dev, node->path);
	add_node(g, node->path, source, "all");
}

static void add_file(struct generator *g, const char *path)
{
	static char *const options[] = { "ro", "nosuid", "nodev", "rbind", "rprivate" };
	const struct edit edit = {
		.kind = EDIT_MOUNT, .path = (char *)path,
		.source = xasprintf("%s%s", g->recipe->installation->root.files, path),
		.options = { (char **)options, sizeof(options) / sizeof(*options) },
	};

	if (!access(edit.source, F_OK))
		edits_add_copy(&g->document->edits, &edit, NULL);
	free(edit.source);
}

int generator_add_others(struct generator *g)
{
	/* No second layer is to add GPUs to a container that is given something. */
	const struct edit none = { .kind = EDIT_ENV, .text = "NVIDIA_VISIBLE_DEVICES=void" };
	enum cdi_mode mode = g->recipe->mode;
	const char *const *nodes = others[mode].nodes;
	bool one_by_one = mode == CDI_MODE_IMEX;
	size_t i;

	if (mode == CDI_MODE_MANAGEMENT)	/* all nodes that are there */
		nodes_visit_present(&g->recipe->installation->root, add_present, g);
	for (i = 0; one_by_one && nodes[i]; i++)
		add_nodes(g, nodes[i], false);
	for (i = 0; !(one_by_one && g->recipe->no_all) && nodes[i]; i++)
		add_nodes(g, nodes[i], true);
	for (i = 0; others[mode].files[i]; i++)
		add_file(g, others[mode].files[i]);
	edits_add_copy(&g->document->edits, &none, NULL);
	return g->document->devices.n ? 0 :
	       why_fail(g->why, -ENODEV, "there is no %s%s: load the module that makes it",
			g->recipe->installation->root.dev, nodes[0] ?: "/dev/nvidia*");
}
