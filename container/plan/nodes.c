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

/* A node that is to be made. */
struct node {
	char path[64];
	uint32_t major, minor;
	bool optional;
};

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
static bool stat_node(const struct planner *planner, const struct node *node,
		      struct stat *st)
{
	const char *dev = planner->plan->installation->root.dev;
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s%s", dev, node->path) <
		       (int)sizeof(path) &&
	       !stat(path, st) && S_ISCHR(st->st_mode) &&
	       st->st_rdev == makedev(node->major, node->minor);
}

static void add_node(struct planner *planner, const struct node *node,
		     char *device, const char *input, const char *rule)
{
	struct edit edit = {
		.kind = EDIT_NODE, .device = device, .optional = node->optional,
		.node = { .type = 'c', .major = node->major,
			  .minor = node->minor, .access = "rw" },
	};
	struct stat st;

	edit.path = xstrdup(node->path);
	edit.source = xasprintf("%s%s", planner->plan->installation->root.dev, node->path);
	if (stat_node(planner, node, &st)) {
		/*
		 * A runtime makes nodes that are root's, 0666, unless it is told
		 * otherwise.
		 */
		if ((st.st_mode & 0777) != 0666 || st.st_uid || st.st_gid) {
			edit.node.mode = st.st_mode & 0777;
			edit.node.uid = st.st_uid;
			edit.node.gid = st.st_gid;
		}
		add_group(planner, plan_group(&st), node->path);
	}
	planner_add(planner, &edit, input, "%s", rule);
}

static void add_control(struct planner *planner)
{
	const struct plan_inputs *plan = planner->plan;
	const struct majors *majors = &plan->installation->devices.majors;
	const struct node control = { "/dev/nvidiactl", majors->nvidia,
				      MINOR_CONTROL, false };
	const struct node modeset = { "/dev/nvidia-modeset", majors->nvidia,
				      MINOR_MODESET, true };
	const struct node uvm = { "/dev/nvidia-uvm", majors->uvm, 0, false };
	const struct node tools = { "/dev/nvidia-uvm-tools", majors->uvm, 1,
				    true };
	struct stat st;

	add_node(planner, &control, NULL, plan->why_devices,
		 "control node of every GPU container");
	if ((plan->capabilities & CAPABILITY_COMPUTE) && majors->uvm) {
		add_node(planner, &uvm, NULL, plan->why_capabilities,
			 "node of compute");
		add_node(planner, &tools, NULL, plan->why_capabilities,
			 "node of compute");
	} else if (plan->capabilities & CAPABILITY_COMPUTE) {
		strv_add_format(&planner->edits->lacks, "the module nvidia-uvm is not loaded: CUDA will not start, load it with 'modprobe nvidia-uvm'");
	}
	if ((plan->capabilities & CAPABILITY_DISPLAY) &&
	    stat_node(planner, &modeset, &st))
		add_node(planner, &modeset, NULL, plan->why_capabilities,
			 "node of display");
}

/* "card0", "renderD128": a link beside it that other programs know it by. */
static void add_by_path(struct planner *planner, const struct gpu *gpu,
			const char *name, char *device)
{
	const char *kind = name[0] == 'c' ? "card" : "render";
	struct edit edit = { .kind = EDIT_LINK, .device = device };

	edit.path = xasprintf("/dev/dri/by-path/pci-%s-%s", gpu->address, kind);
	edit.text = xasprintf("../%s", name);
	planner_add(planner, &edit, planner->plan->why_capabilities,
		    "other name of a node of graphics or display");
}

static int is_drm(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "card", 4) ||
	       !strncmp(entry->d_name, "renderD", 7);
}

/* The node of a name in a GPU's folder of sysfs: its numbers are those of "dev" there. */
static int read_drm_node(const char *folder, const char *name, struct node *node)
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
	struct node node = { .optional = true };
	struct stat st;

	/* Engines refuse a container for a node of a CDI document that is not there. */
	if (read_drm_node(folder, name, &node) || !stat_node(planner, &node, &st))
		return;
	add_node(planner, &node, index_of(planner, gpu),
		 planner->plan->why_capabilities,
		 "node of graphics or display");
	add_by_path(planner, gpu, name, index_of(planner, gpu));
}

static void add_drm(struct planner *planner, const struct gpu *gpu)
{
	char folder[PATH_MAX];
	struct dirent **entry;
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
	if (n >= 0)
		free(entry);
}

static void add_gpu(struct planner *planner, const struct chosen_gpu *chosen)
{
	const struct plan_inputs *plan = planner->plan;
	const struct gpu *gpu = chosen->gpu;
	struct node node = {
		.major = plan->installation->devices.majors.nvidia,
		.minor = gpu->minor,
	};

	snprintf(node.path, sizeof(node.path), "/dev/nvidia%u", gpu->minor);
	add_node(planner, &node,
		 index_of(planner, gpu),
		 plan->why_devices,
		 chosen->whole ? "node of a chosen GPU" :
				 "node of the GPU of a chosen MIG device");
	/* These nodes are the whole GPU's. */
	if (chosen->whole &&
	    (plan->capabilities & (CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY)))
		add_drm(planner, gpu);
}

static void add_cap(struct planner *planner, uint32_t minor, char *device,
		    const char *input, const char *rule)
{
	struct node node = {
		.major = planner->plan->installation->devices.majors.caps,
		.minor = minor,
	};

	snprintf(node.path, sizeof(node.path), CAPS "/nvidia-cap%u", minor);
	add_node(planner, &node, device, input, rule);
}

static void add_mig(struct planner *planner, const struct gpu *gpu,
		    const struct mig *mig, const char *rule)
{
	size_t gpu_index = (size_t)(gpu - planner->plan->installation->devices.gpus);
	size_t index = (size_t)(mig - gpu->migs);
	const char *why = planner->plan->why_devices;

	add_cap(planner, mig->gpu_cap,
		xasprintf("%zu:%zu", gpu_index, index), why, rule);
	add_cap(planner, mig->compute_cap,
		xasprintf("%zu:%zu", gpu_index, index), why, rule);
}

/* The host's own folder: it has the nodes of MIG devices that are made later, too. */
static void add_caps_folder(struct planner *planner)
{
	static const char *const options[] = { "nosuid", "noexec", "rbind", "rprivate" };
	struct edit edit = { .kind = EDIT_MOUNT, .optional = true };
	size_t i;

	edit.path = xstrdup(CAPS);
	edit.source = xasprintf("%s" CAPS, planner->plan->installation->root.dev);
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		strv_add(&edit.options, options[i]);
	planner_add(planner, &edit, planner->plan->why_devices,
		    "nodes of MIG devices that are made later");
}

/*
 * Adds the nodes of all chosen GPUs to a container that may configure or monitor MIG
 * devices.
 */
static void add_mig_control(struct planner *planner)
{
	const struct selection *selection = planner->plan->selection;
	const struct devices *devices = &planner->plan->installation->devices;
	size_t i, j;

	if (devices->mig_config || devices->mig_monitor)
		add_caps_folder(planner);
	if (selection->config && devices->mig_config)
		add_cap(planner, devices->mig_config, NULL,
			"NVIDIA_MIG_CONFIG_DEVICES=all",
			"the right to configure MIG devices");
	if (selection->monitor && devices->mig_monitor)
		add_cap(planner, devices->mig_monitor, NULL,
			"NVIDIA_MIG_MONITOR_DEVICES=all",
			"the right to monitor MIG devices");
	for (i = 0; i < selection->n_gpus; i++)
		for (j = 0; j < selection->gpus[i].gpu->n_migs; j++)
			add_mig(planner, selection->gpus[i].gpu,
				&selection->gpus[i].gpu->migs[j],
				"node of a MIG device that is configured or monitored");
}

static void add_imex(struct planner *planner, uint32_t channel)
{
	struct node node = {
		.major = planner->plan->installation->devices.majors.imex,
		.minor = channel,
	};

	snprintf(node.path, sizeof(node.path),
		 "/dev/nvidia-caps-imex-channels/channel%u", channel);
	add_node(planner, &node, NULL, "NVIDIA_IMEX_CHANNELS",
		 "node of an IMEX channel");
}

void planner_add_nodes(struct planner *planner)
{
	const struct selection *selection = planner->plan->selection;
	size_t i;

	add_control(planner);
	for (i = 0; i < selection->n_gpus; i++)
		add_gpu(planner, &selection->gpus[i]);
	if (selection->config || selection->monitor)
		add_mig_control(planner);
	else
		for (i = 0; i < selection->n_migs; i++)
			add_mig(planner, selection->migs[i].gpu,
				selection->migs[i].mig,
				"node of a chosen MIG device");
	for (i = 0; i < selection->n_imex; i++)
		add_imex(planner, selection->imex[i]);
}
