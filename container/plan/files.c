// SPDX-License-Identifier: GPL-2.0-only
/*
 * plan_edits(): the driver's files, and where they go. Its device nodes are in
 * nodes.c, its folder in /proc in proc.c, the loader's cache in cache.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "container/plan/internal.h"
#include "lib/path.h"
#include "lib/text.h"

#define PROFILE	"/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf"

/* Read-only, without devices and set-user-ID programs; a socket takes writes. */
static const char file_options[] = "ro,nosuid,nodev,rbind,rprivate";
static const char socket_options[] = "nosuid,nodev,noexec,rbind,rprivate";

/* Adds an edit for a reason: @input is what asked for it. */
void planner_add(struct planner *planner, struct edit *edit, const char *input,
		 const char *rule, ...)
{
	va_list args;

	va_start(args, rule);
	edit->rule = xvasprintf(rule, args);
	va_end(args);
	edit->input = xstrdup(input ?: "");
	edits_add(planner->edits, edit);
}

struct edit plan_profile(const uint32_t *minors, size_t n)
{
	uint64_t mask = 0;
	size_t i;

	for (i = 0; i < n; i++)
		mask |= minors[i] < 64 ? (uint64_t)1 << minors[i] : 0;
	return (struct edit){
		.kind = EDIT_TEXT, .path = xstrdup(PROFILE),
		.text = xasprintf("{\"profiles\":[{\"name\":\"_container_\",\"settings\":[\"EGLVisibleDGPUDevices\",0x%" PRIx64 "]}],\"rules\":[{\"pattern\":[],\"profile\":\"_container_\"}]}",
				  mask),
	};
}

/*
 * 64 GPUs are as many as a mask has bits for, and twice as many as the driver
 * takes (NV_MAX_DEVICES of its nv-linux.h: 32).
 */
static void add_profile(struct planner *planner)
{
	const struct selection *selection = planner->plan->selection;
	struct edit edit;
	uint32_t minors[64];
	size_t i, n = 0;

	for (i = 0; i < selection->n_gpus && n < 64; i++)
		minors[n++] = selection->gpus[i].gpu->minor;
	edit = plan_profile(minors, n);
	planner_add(planner, &edit, planner->plan->why_capabilities,
		    "EGL is told the chosen GPUs: graphics or display");
}

static void add_reason(struct planner *planner, struct edit *edit,
		       const struct driver_file *file, const char *what)
{
	unsigned int both = file->capabilities & planner->plan->capabilities;
	char names[128];

	text_bits(names, sizeof(names), both, capability_names, ", ");
	planner_add(planner, edit, file->capabilities ? planner->plan->why_capabilities :
		    planner->plan->why_devices, "%s of %s", what,
		    file->capabilities ? names : "every GPU container");
}

/* Returns the path in the container of a file at @place, or of @name beside it. */
static char *path_of(const char *folder, const char *place, const char *name)
{
	const char *slash = strrchr(place, '/');
	int len = slash ? (int)(slash - place) + 1 : 0;

	return xasprintf("%s%s%.*s%s", place[0] == '/' ? "" : folder, place[0] == '/' ? "" : "/",
			 name ? len : (int)strlen(place), place, name ? name : "");
}

/* All else a program may do without, or says itself that it cannot. */
static const struct {
	enum capability capability;
	const char *part;
} needed[] = {
	{ CAPABILITY_COMPUTE, "libcuda" },
	{ CAPABILITY_UTILITY, "libnvidia-ml" },
};

static bool is_needed(const struct plan_inputs *plan, const struct driver_file *file)
{
	size_t i;

	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (file->kind == DRIVER_LIBRARY && (plan->capabilities & needed[i].capability) &&
		    !strcmp(file->part, needed[i].part))
			return true;
	return false;
}

/* Says whether a file may be named by its path: who opens that later may be led away. */
static bool can_name(struct planner *planner, const struct driver_file *file)
{
	if (!file->shared || !planner->plan->by_path)
		return true;
	strv_add_format(&planner->edits->lacks,
			"%s is left out: everybody may write the folder that it is in, and have it lead elsewhere until it is mounted: have its daemon in a folder of root's that CUDA_MPS_PIPE_DIRECTORY names, for the engine, too (naming this one there takes it as it is), or set mode legacy",
			file->path);
	return false;
}

/* Adds a file, or by @name and @target another name of it, beside it. */
static void add_file(struct planner *planner, const struct driver_file *file, const char *folder,
		     const char *name, const char *target, const char *what)
{
	struct edit edit = {
		.kind = name ? EDIT_LINK : EDIT_MOUNT,
		.optional = !name && !is_needed(planner->plan, file),
		.path = path_of(folder, file->place, name),
		.source = xasprintf("%s%s", planner->plan->installation->root.files, file->path),
		.text = name ? xstrdup(target) : NULL,
	};

	strv_split(&edit.options, file->kind == DRIVER_SOCKET ? socket_options : file_options, ',');
	add_reason(planner, &edit, file, what);
}

static void add_name(struct planner *planner, const struct driver_file *file, const char *folder,
		     const char *name, const char *target, const char *what)
{
	/* A library may say any name it likes; one with a path in it is none. */
	if (name && target && strcmp(name, target) && !strchr(name, '/'))
		add_file(planner, file, folder, name, target, what);
}

/* Finds the folder of those that have no place of their own. */
static const char *folder_of(const struct plan_inputs *plan, enum driver_file_kind kind)
{
	switch (kind) {
	case DRIVER_LIBRARY:
		return plan->layout->library;
	case DRIVER_LIBRARY32:
		return plan->layout->library32;
	case DRIVER_PROGRAM:
		return plan->layout->program;
	default:
		return "";
	}
}

static void add_files(struct planner *planner)
{
	const struct plan_inputs *plan = planner->plan;
	const struct driver_files *files = &plan->installation->files;
	unsigned int without = plan->without;
	size_t i;

	if (plan->settings && plan->settings->runtime.jit_no_sockets)
		without |= WITHOUT_SOCKETS;
	for (i = 0; i < files->n; i++) {
		const struct driver_file *file = &files->file[i];
		const char *folder = folder_of(plan, file->kind);
		const char *what = driver_file_kinds[file->kind];

		if (!driver_file_is_wanted(file, plan->capabilities, without) ||
		    !can_name(planner, file))
			continue;
		add_file(planner, file, folder, NULL, NULL, what);
		add_name(planner, file, folder, file->soname,
			 path_name(file->place), "SONAME of a library");
		add_name(planner, file, folder, file->link, file->target, "other name");
		add_name(planner, file, folder, file->devel,
			 file->soname ?: path_name(file->place), "other name");
	}
}

static bool has_part(const struct driver_files *files, const char *part)
{
	size_t i;

	for (i = 0; i < files->n; i++)
		if (files->file[i].kind == DRIVER_LIBRARY && !strcmp(files->file[i].part, part))
			return true;
	return false;
}

static int check_needed(const struct plan_inputs *plan, char why[WHY_SIZE])
{
	const struct installation *host = plan->installation;
	size_t i;

	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if ((plan->capabilities & needed[i].capability) &&
		    !has_part(&host->files, needed[i].part))
			return why_fail(why, -ENODEV, "initialization error: load library failed: %s.so.%s is not on this machine%s%s: install that version of the driver's libraries, or name the folder they are below as nvidia-container-cli.root",
					needed[i].part, host->version,
					host->root.files[0] ? " below " : "",
					host->root.files);
	return 0;
}

/*
 * A second layer that sees "void" leaves the container alone: the hook of an
 * engine, a runtime behind this one, and this one the second time.
 */
static void add_env(struct planner *planner)
{
	const struct plan_inputs *plan = planner->plan;
	struct edit seen = {
		.kind = EDIT_ENV, .text = xstrdup("NVIDIA_VISIBLE_DEVICES=void"),
	};
	struct edit folder = { .kind = EDIT_ENV }, path = { .kind = EDIT_ENV };

	planner_add(planner, &seen, plan->why_devices, "no other program is to add GPUs again");
	if (has_part(&plan->installation->files, "libcuda")) {
		folder.text = xasprintf("NVIDIA_CTK_LIBCUDA_DIR=%s", plan->layout->library);
		planner_add(planner, &folder, plan->why_capabilities, "where libcuda is");
	}
	if (!plan->layout->compat[0])
		return;
	path.text = xasprintf("LD_LIBRARY_PATH=%s%s%s", plan->layout->compat, plan->library_path ?
			      ":" : "", plan->library_path ? plan->library_path : "");
	planner_add(planner, &path, plan->layout->compat,
		    "the image has a newer libcuda that this driver takes");
}

int plan_edits(struct edits *edits, const struct plan_inputs *plan, char why[WHY_SIZE])
{
	struct planner planner = { .plan = plan, .edits = edits };
	int ret = check_needed(plan, why);

	if (ret)
		return ret;
	strv_add_all(&edits->missing, &plan->installation->files.missing);
	planner_add_proc(&planner);
	if (plan->capabilities & (CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY))
		add_profile(&planner);
	add_files(&planner);
	planner_add_nodes(&planner);
	add_env(&planner);
	plan_cache(edits, plan);
	return 0;
}
