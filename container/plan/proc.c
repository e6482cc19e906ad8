// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/driver/nvidia of the list. The driver guards it by file ownership alone,
 * and root of a container without a user namespace is the files' owner: it could
 * change keys of the driver's registry, or hold a GPU's unbind lock. And it tells
 * of GPUs that the container was not given.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "container/plan/internal.h"

#define PROC	"/proc/driver/nvidia"

static void hide(struct planner *planner, const char *rule, char *path)
{
	struct edit edit = { .kind = EDIT_MASK, .path = path };

	planner_add(planner, &edit, planner->plan->why_devices, "%s", rule);
}

static void show_mig(const struct driver_node *node, void *shown)
{
	if (node->kind == NODE_MIG)
		strv_add(shown, node->proc + strlen(PROC "/"));
}

static void add_filter(struct planner *planner)
{
	const struct selection *selection = planner->plan->selection;
	struct edit edit = {
		.kind = EDIT_PROC, .path = xstrdup(PROC),
		.source = xasprintf("%s" PROC, planner->plan->installation->root.proc),
	};
	size_t i;

	for (i = 0; i < selection->n_gpus; i++) {
		const char *address = selection->gpus[i].gpu->address;

		strv_add_format(&edit.options, "gpus/%s/information", address);
		strv_add_format(&edit.options, "gpus/%s/power", address);
	}
	if (selection->config || selection->monitor)
		strv_add(&edit.options, "capabilities");
	else
		nodes_visit(&planner->plan->installation->devices, selection, show_mig,
			    &edit.options);
	planner_add(planner, &edit, planner->plan->why_devices,
		    "of the driver's files only what is read, of the chosen GPUs");
}

static const struct gpu *find_gpu(const struct selection *selection, const char *address)
{
	size_t i;

	for (i = 0; i < selection->n_gpus; i++)
		if (!strcmp(selection->gpus[i].gpu->address, address))
			return selection->gpus[i].gpu;
	return NULL;
}

/* Hides the writable files of a chosen GPU, or all of another GPU. */
static void hide_gpu(struct planner *planner, const char *address)
{
	static const char *const writable[] = {
		"registry", "unbindLock", "exercise_error_forwarding",
		"numa_status"
	};
	size_t i;

	if (!find_gpu(planner->plan->selection, address)) {
		hide(planner, "a GPU that was not chosen", xasprintf(PROC "/gpus/%s", address));
		return;
	}
	for (i = 0; i < sizeof(writable) / sizeof(*writable); i++)
		hide(planner, "a file of a GPU that can be written",
		     xasprintf(PROC "/gpus/%s/%s", address, writable[i]));
}

static int is_no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The folder has GPUs that the driver was told to leave alone, too. */
static void hide_gpus(struct planner *planner)
{
	char *folder = xasprintf("%s" PROC "/gpus", planner->plan->installation->root.proc);
	struct dirent **entry = NULL;
	int i, n = scandir(folder, &entry, is_no_dot, alphasort);

	for (i = 0; i < n; i++) {
		hide_gpu(planner, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	free(folder);
}

/* Is a MIG device of the GPU chosen? @instance, @mig: of this alone; or NULL. */
static bool has_mig(const struct selection *selection, const struct gpu *gpu,
		    const struct mig *instance, const struct mig *mig)
{
	size_t i;

	for (i = 0; i < selection->n_migs; i++) {
		const struct chosen_mig *chosen = &selection->migs[i];

		if (chosen->gpu == gpu && (!mig || chosen->mig == mig) &&
		    (!instance || chosen->mig->gpu_instance == instance->gpu_instance))
			return true;
	}
	return false;
}

static void hide_migs(struct planner *planner, const struct gpu *gpu)
{
	const struct selection *selection = planner->plan->selection;
	static const char rule[] = "a MIG device that was not chosen";
	size_t i;

	for (i = 0; i < gpu->n_migs; i++) {
		const struct mig *mig = &gpu->migs[i];

		if (!has_mig(selection, gpu, mig, NULL))
			hide(planner, rule,
			     xasprintf(PROC "/capabilities/gpu%u/mig/gi%u", gpu->minor,
				       mig->gpu_instance));
		else if (!has_mig(selection, gpu, mig, mig))
			hide(planner, rule,
			     xasprintf(PROC "/capabilities/gpu%u/mig/gi%u/ci%u", gpu->minor,
				       mig->gpu_instance, mig->compute_instance));
	}
}

/* Hides capabilities except those that say which nodes MIG devices have. */
static void hide_capabilities(struct planner *planner)
{
	const struct selection *selection = planner->plan->selection;
	const struct devices *devices = &planner->plan->installation->devices;
	bool rules = selection->config || selection->monitor;
	size_t i;

	if (!rules && !selection->n_migs) {
		hide(planner, "no MIG device was chosen", xstrdup(PROC "/capabilities"));
		return;
	}
	if (!rules)
		hide(planner, "the right to configure or monitor was not asked for",
		     xstrdup(PROC "/capabilities/mig"));
	for (i = 0; i < devices->n_gpus; i++) {
		const struct gpu *gpu = &devices->gpus[i];

		if (rules ? !find_gpu(selection, gpu->address) :
			    !has_mig(selection, gpu, NULL, NULL))
			hide(planner, "a GPU of which no MIG device was chosen",
			     xasprintf(PROC "/capabilities/gpu%u", gpu->minor));
		else if (!rules)
			hide_migs(planner, gpu);
	}
}

void planner_add_proc(struct planner *planner)
{
	static const char *const files[] = {
		"suspend", "suspend_depth", "registry", "patches", "warnings"
	};
	size_t i;

	add_filter(planner);
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		hide(planner, "a file of the driver that no container needs",
		     xasprintf(PROC "/%s", files[i]));
	hide_gpus(planner);
	hide_capabilities(planner);
}
