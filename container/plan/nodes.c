// SPDX-License-Identifier: GPL-2.0-only
/*
 * Device nodes of the list: of the driver, of GPUs, of MIG devices, of IMEX
 * channels, and of GPUs for graphics (DRM). Numbers are those of procfs, which
 * the driver itself gives; the node on the host says owner and mode.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "container/plan/internal.h"

/* The folder of the nodes of MIG devices. */
#define CAPS	"/dev/nvidia-caps"

gid_t plan_group(const struct stat *node)
{
	if (!S_ISCHR(node->st_mode) || (node->st_mode & 06) == 06)
		return 0;
	return node->st_gid;
}

/* Returns the number that GPUs are chosen by, and by which an edit names its device. */
static char *index_of(const struct planner *planner, const struct gpu *gpu)
{
	return xasprintf("%zu", (size_t)(gpu - planner->plan->installation->devices.gpus));
}

static void add_group(struct planner *planner, gid_t group, const char *path)
{
	const struct settings *settings = planner->plan->settings;
	/* A user namespace may not have it. */
	struct edit edit = {
		.kind = EDIT_GROUP, .group = group, .optional = true,
	};

	if (group && !(settings && settings->runtime.jit_no_groups))
		planner_add(planner, &edit, path, "the group that owns a node");
}

/* Does the device root have it, and is it what the driver has it for? */
static bool stat_node(const struct planner *planner, const struct driver_node *node,
		      struct stat *st)
{
	const char *dev = planner->plan->installation->root.dev;
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s%s", dev, node->path) <
		       (int)sizeof(path) &&
	       !stat(path, st) && S_ISCHR(st->st_mode) &&
	       st->st_rdev == makedev(node->major, node->minor);
}

/* Adds one; @st: NULL: the device root has it not. */
static void add_node(struct planner *planner, const struct driver_node *node,
		     const struct stat *st, char *device, const char *input, const char *rule)
{
	bool optional = node->kind == NODE_UVM_TOOLS || node->kind == NODE_MODESET ||
			node->kind == NODE_OTHER;
	struct edit edit = {
		.kind = EDIT_NODE, .device = device, .optional = optional,
		.path = xstrdup(node->path),
		.source = xasprintf("%s%s", planner->plan->installation->root.dev, node->path),
		.node = { .type = 'c', .major = node->major,
			  .minor = node->minor, .access = "rw" },
	};

	/* A runtime makes nodes that are root's, 0666, unless it is told otherwise. */
	if (st && ((st->st_mode & 0777) != 0666 || st->st_uid || st->st_gid)) {
		edit.node.mode = st->st_mode & 0777;
		edit.node.uid = st->st_uid;
		edit.node.gid = st->st_gid;
	}
	if (st)
		add_group(planner, plan_group(st), node->path);
	planner_add(planner, &edit, input, "%s", rule);
}

/* "card0", "renderD128": a link beside it that other programs know it by. */
static void add_by_path(struct planner *planner, const struct gpu *gpu,
			const char *name, char *device)
{
	const char *kind = name[0] == 'c' ? "card" : "render";
	struct edit edit = {
		.kind = EDIT_LINK, .device = device, .text = xasprintf("../%s", name),
		.path = xasprintf("/dev/dri/by-path/pci-%s-%s", gpu->address, kind),
	};

	planner_add(planner, &edit, planner->plan->why_capabilities,
		    "other name of a node of graphics or display");
}

static int is_drm(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "card", 4) || !strncmp(entry->d_name, "renderD", 7);
}

/* The node of a name in a GPU's folder of sysfs: its numbers are those of "dev" there. */
static int read_drm_node(const char *folder, const char *name, struct driver_node *node)
{
	char path[PATH_MAX + 300];
	int err = -ENODEV;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/dev", folder, name);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (snprintf(node->path, sizeof(node->path), "/dev/dri/%s", name) <
		    (int)sizeof(node->path) &&
	    fscanf(file, "%u:%u", &node->major, &node->minor) == 2)
		err = 0;
	fclose(file);
	return err;
}

static void add_drm_node(struct planner *planner, const struct gpu *gpu,
			 const char *folder, const char *name)
{
	struct driver_node node = { .kind = NODE_OTHER };
	struct stat st;

	/* Engines refuse a container for a node of a CDI document that is not there. */
	if (read_drm_node(folder, name, &node) || !stat_node(planner, &node, &st))
		return;
	add_node(planner, &node, &st, index_of(planner, gpu), planner->plan->why_capabilities,
		 "node of graphics or display");
	add_by_path(planner, gpu, name, index_of(planner, gpu));
}

static void add_drm(struct planner *planner, const struct gpu *gpu)
{
	char folder[PATH_MAX];
	struct dirent **entry = NULL;
	int i, n;

	if (snprintf(folder, sizeof(folder), "%s/sys/bus/pci/devices/%s/drm",
		     planner->plan->installation->root.proc, gpu->address) >=
	    (int)sizeof(folder))
		return;
	n = scandir(folder, &entry, is_drm, alphasort);
	for (i = 0; i < n; i++) {
		add_drm_node(planner, gpu, folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
}

/* The host's own folder: it has the nodes of MIG devices that are made later, too. */
static void add_caps_folder(struct planner *planner)
{
	struct edit edit = {
		.kind = EDIT_MOUNT, .optional = true, .path = xstrdup(CAPS),
		.source = xasprintf("%s" CAPS, planner->plan->installation->root.dev),
	};

	strv_split(&edit.options, "nosuid,noexec,rbind,rprivate", ',');
	planner_add(planner, &edit, planner->plan->why_devices,
		    "nodes of MIG devices that are made later");
}

static void add_driver_node(const struct driver_node *node, void *arg)
{
	struct planner *planner = arg;
	const struct plan_inputs *plan = planner->plan;
	const struct selection *selection = plan->selection;
	const char *why = plan->why_devices;
	char *device = node->gpu ? index_of(planner, node->gpu) : NULL;
	const char *rule = "node of compute";
	struct stat st;
	bool there = stat_node(planner, node, &st);

	switch (node->kind) {
	case NODE_CONTROL:
		rule = "control node of every GPU container";
		break;
	case NODE_UVM:
	case NODE_UVM_TOOLS:
		if (!(plan->capabilities & CAPABILITY_COMPUTE))
			return;
		why = plan->why_capabilities;
		break;
	case NODE_MODESET:
		if (!(plan->capabilities & CAPABILITY_DISPLAY) || !there)
			return;
		why = plan->why_capabilities;
		rule = "node of display";
		break;
	case NODE_GPU:
		rule = node->whole ? "node of a chosen GPU" :
				     "node of the GPU of a chosen MIG device";
		break;
	case NODE_MIG_CONFIG:
		why = "NVIDIA_MIG_CONFIG_DEVICES=all";
		rule = "the right to configure MIG devices";
		break;
	case NODE_MIG_MONITOR:
		why = "NVIDIA_MIG_MONITOR_DEVICES=all";
		rule = "the right to monitor MIG devices";
		break;
	case NODE_MIG:
		free(device);
		device = xasprintf("%zu:%zu",
				   (size_t)(node->gpu - plan->installation->devices.gpus),
				   (size_t)(node->mig - node->gpu->migs));
		rule = selection->config || selection->monitor ?
			"node of a MIG device that is configured or monitored" :
			"node of a chosen MIG device";
		break;
	default:
		why = "NVIDIA_IMEX_CHANNELS";
		rule = "node of an IMEX channel";
	}
	add_node(planner, node, there ? &st : NULL, device, why, rule);
	/* The whole GPU has these nodes. */
	if (node->kind == NODE_GPU && node->whole &&
	    plan->capabilities & (CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY))
		add_drm(planner, node->gpu);
}

void planner_add_nodes(struct planner *planner)
{
	const struct plan_inputs *plan = planner->plan;
	const struct devices *devices = &plan->installation->devices;

	if (plan->capabilities & CAPABILITY_COMPUTE && !devices->majors.uvm)
		strv_add_format(&planner->edits->lacks, "the module nvidia-uvm is not loaded: CUDA will not start, load it with 'modprobe nvidia-uvm'");
	if ((plan->selection->config || plan->selection->monitor) &&
	    (devices->mig_config || devices->mig_monitor))
		add_caps_folder(planner);
	nodes_visit(devices, plan->selection, add_driver_node, planner);
}
