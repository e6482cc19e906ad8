// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resolves a container to its list of edits: gpus_plan(), at the end, chooses the mode.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/cdi/cdi.h"
#include "container/container.h"
#include "container/oci/oci.h"
#include "container/plan/plan.h"
#include "container/request/request.h"
#include "lib/host.h"
#include "lib/library.h"
#include "lib/process.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

static bool is_in_dev(const struct driver_root *root, const char *name)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/dev/%s", root->dev, name);
	return !access(path, F_OK);
}

/*
 * The driver makes no nodes, and after a boot nobody may have made them or systemd's
 * links to them. Whoever makes one makes all: so one look at each kind will do.
 */
static void make_nodes(const struct installation *host, struct strv *problems)
{
	bool uvm = host->devices.majors.uvm;

	if (geteuid() || host_has_user_namespace() ||
	    (is_in_dev(&host->root, "nvidiactl") &&
	     (!uvm || is_in_dev(&host->root, "nvidia-uvm")) &&
	     is_in_dev(&host->root, "char/195:255")))
		return;
	nodes_make(&host->devices, &host->root, NULL, problems);
	nodes_link(&host->devices, &host->root, problems);
}

/*
 * Modules are loaded as NVIDIA's tools do it, but only if one is missing that a container
 * with GPUs lives by.
 */
static int read_host(struct gpus *gpus, struct installation *host, char why[WHY_SIZE])
{
	const struct settings *settings = gpus->settings;
	struct strv *problems = &gpus->request.warnings;
	int ret = installation_read(host, settings->cli.root, gpus->request.capabilities,
				    settings->cli.ldcache, why);

	if (!settings->cli.load_kmods)
		return ret;
	if (ret == -ENODEV || (!ret && !host->devices.majors.uvm)) {
		if (!ret)
			installation_free(host);
		modules_load(settings->cli.root, problems);
		ret = installation_read(host, settings->cli.root, gpus->request.capabilities,
					settings->cli.ldcache, why);
	}
	if (!ret)
		make_nodes(host, problems);
	return ret;
}

/* Edits that have one keep it. */
static void give_reason(struct gpus *gpus, const char *rule)
{
	size_t i;

	for (i = 0; i < gpus->edits.n; i++) {
		struct edit *edit = &gpus->edits.edit[i];

		if (edit->rule)
			continue;
		edit->rule = xstrdup(rule);
		edit->input = xstrdup(gpus->request.source ?: "");
	}
}

/* @variable: names a mode of documents: NVIDIA_GDS */
static int add_part(struct gpus *gpus, struct installation *host, const char *variable,
		    char why[WHY_SIZE])
{
	const struct cdi_recipe recipe = {
		.installation = host, .settings = gpus->settings,
		.mode = cdi_mode_find(variable + strlen("NVIDIA_")),
		.capabilities = gpus->request.capabilities,
	};
	char rule[32], reason[WHY_SIZE];
	int ret = cdi_generate_edits(&gpus->edits, &recipe, reason);

	snprintf(rule, sizeof(rule), "%s=enabled", variable);
	/* A device plugin sets them on all nodes of a cluster, whatever these have. */
	if (ret == -ENODEV)
		strv_add_format(&gpus->edits.lacks, "%s: %s", rule, reason);
	else if (ret)
		return why_fail(why, ret, "%s: %s", rule, reason);
	give_reason(gpus, rule);
	return 0;
}

static int add_parts(struct gpus *gpus, struct installation *host, char why[WHY_SIZE])
{
	int ret = 0;
	size_t i;

	for (i = 0; i < gpus->request.gated.n && !ret; i++)
		ret = add_part(gpus, host, gpus->request.gated.word[i], why);
	return ret;
}

/*
 * Adds the hook that limits memory. In linux.resources.unified, crun does not carry out
 * limits of a controller that it does not know, and runc 1.1 writes the lines of
 * several GPUs at once, which Linux 7.3 refuses. The hook is this program: an older
 * nvidia-cdi-hook of NVIDIA's would do nothing.
 */
static int add_memory_hook(struct gpus *gpus, const struct installation *host,
			    const struct selection *selection, char why[WHY_SIZE])
{
	struct strv arguments = { 0 };
	struct edits lines = { 0 };
	char path[PATH_MAX];
	int ret = plan_memory(&lines, selection, &gpus->request.memory, why);
	size_t i;

	edits_free(&lines);
	if (ret)
		return ret;
	process_own_path(path);
	for (i = 0; i < selection->n_gpus; i++) {
		const struct gpu *gpu = selection->gpus[i].gpu;

		strv_add(&arguments, "--gpu-id");
		strv_add(&arguments, *gpu->uuid ? gpu->uuid : gpu->address);
	}
	if (*host->root.files) {
		strv_add(&arguments, "--driver-root");
		strv_add(&arguments, host->root.files);
	}
	cdi_hook_add(&gpus->edits, CDI_HOOK_MEMORY, path, &arguments);
	strv_free(&arguments);
	give_reason(gpus, GPU_MEMORY_LIMIT " or _REQUEST");
	return 0;
}

/*
 * Plans for devices that are named as NVIDIA_VISIBLE_DEVICES has them.
 * @jit: behind names of REQUEST_JIT_KIND; the toolkit's generator of these knows neither
 *	capabilities nor conditions, and gives what a CDI document has
 */
static int plan_devices(struct gpus *gpus, const struct strv *devices, bool jit, char why[WHY_SIZE])
{
	const struct settings *settings = gpus->settings;
	struct request *request = &gpus->request;
	struct selection selection = { 0 };
	struct installation host;
	struct layout layout;
	struct wanted wanted = {
		.devices = devices, .imex = &request->imex, .in_parts = jit,
		.imex_made = !settings->features.disable_imex_channel_creation,
	};
	struct plan_inputs plan = {
		.installation = &host, .selection = &selection, .layout = &layout,
		.settings = settings, .root = gpus->container->root,
		.places = &gpus->places,
		.library_path = container_env(gpus->container, "LD_LIBRARY_PATH"),
		.by_path = !gpus->by_cli, .why_devices = request->source,
	};
	int ret = 0;

	if (jit) {
		request->capabilities = CAPABILITY_ALL & ~CAPABILITY_COMPAT32;
		request->capabilities_source =
			xstrdup("devices of " REQUEST_JIT_KIND ": all but compat32");
	} else {
		ret = request_read_details(request, gpus->container, settings, why);
	}
	if (!ret)
		ret = read_host(gpus, &host, why);
	if (ret)
		return ret;
	wanted.mig_config = request->mig_config;
	wanted.mig_monitor = request->mig_monitor;
	plan.capabilities = request->capabilities;
	plan.why_capabilities = request->capabilities_source;
	ret = selection_make(&selection, &host.devices, &host.root, &wanted, why) ?:
	      requirement_check_all(&request->requirements, &host, &selection, why) ?:
	      layout_read(&layout, plan.root, host.version, *host.cuda ? host.cuda : NULL, why);
	if (settings->runtime.jit_no_compat)
		layout.compat[0] = '\0';
	if (!ret)
		ret = plan_edits(&gpus->edits, &plan, why);
	if (!ret && request->memory.asked)
		ret = gpus->by_cli ? plan_memory(&gpus->edits, &selection, &request->memory, why) :
				     add_memory_hook(gpus, &host, &selection, why);
	if (!ret && !gpus->by_cli)
		ret = add_parts(gpus, &host, why);
	selection_free(&selection);
	installation_free(&host);
	return ret;
}

/* @kind: of names that do not say theirs */
static int plan_names(struct gpus *gpus, const char *kind, char why[WHY_SIZE])
{
	struct strv names = { 0 }, devices = { 0 };
	struct cdi_registry registry;
	int ret = request_name_devices(&gpus->request, kind, &names, why);
	size_t i;

	if (!ret && !(names.n && request_is_jit(names.word[0]))) {
		cdi_registry_read(&registry, &gpus->settings->runtime.cdi_spec_dirs);
		ret = cdi_registry_edits(&registry, &names, &gpus->edits, why);
		cdi_registry_free(&registry);
		if (!ret)
			cdi_replace_hooks(&gpus->edits, &gpus->places, gpus->request.memory.asked);
		give_reason(gpus, "the hook of a CDI document");
	} else if (!ret) {
		/* No document has these names: the device is behind them. */
		for (i = 0; i < names.n; i++) {
			const char *device = names.word[i] + strlen(REQUEST_JIT_KIND "=");

			if (strcmp(device, "none"))
				strv_add(&devices, device);
		}
		ret = plan_devices(gpus, &devices, true, why);
	}
	strv_free(&devices);
	strv_free(&names);
	return ret;
}

/* Adds the compat hooks; the version of a driver that is not loaded yet is not known. */
static void add_compat_hooks(struct gpus *gpus, const char *path)
{
	struct strv versions = { 0 };
	struct installation host;
	char why[WHY_SIZE];

	installation_read_some(&host, gpus->settings->cli.root, why);
	if (*host.version)
		strv_add_format(&versions, "--host-driver-version=%s", host.version);
	if (*host.cuda)
		strv_add_format(&versions, "--host-cuda-version=%s", host.cuda);
	installation_free(&host);
	cdi_hook_add(&gpus->edits, CDI_HOOK_COMPAT, path, &versions);
	cdi_hook_add(&gpus->edits, CDI_HOOK_LDCACHE, path, NULL);
	strv_free(&versions);
	give_reason(gpus, "modes.legacy.cuda-compat-mode = \"hook\"");
}

static int plan_legacy(struct gpus *gpus, char why[WHY_SIZE])
{
	const struct settings *settings = gpus->settings;
	/* The name that CDI documents have; config.toml may name another program. */
	const char *cdi_hook = strcmp(settings->ctk.path, "nvidia-ctk") ? settings->ctk.path :
								"nvidia-cdi-hook";
	struct installation host;
	char path[PATH_MAX], cdi_path[PATH_MAX];
	int ret = oci_hooks_find(settings->hook.path, path);

	if (ret)
		return why_fail(why, ret, "%s, the hook of mode legacy: %s: install NVIDIA's names, or name the hook as nvidia-container-runtime-hook.path in config.toml",
				path, strerror(-ret));
	oci_hooks_plan_nvidia(&gpus->edits, path, gpus->request.source);
	if (!strcmp(settings->runtime.legacy_cuda_compat_mode, "hook") &&
	    !settings->features.disable_cuda_compat_lib_hook) {
		/* Nowhere, it is one that a runtime passes over. */
		oci_hooks_find(cdi_hook, cdi_path);
		add_compat_hooks(gpus, cdi_path);
	}
	if (!gpus->request.gated.n)
		return 0;
	ret = installation_read_some(&host, settings->cli.root, why);
	if (!ret)
		ret = add_parts(gpus, &host, why);
	installation_free(&host);
	return ret;
}

/* Documents that others have made may lack the hook. */
static int check_memory(const struct gpus *gpus, char why[WHY_SIZE])
{
	bool found = gpus->mode != MODE_CDI;
	size_t i;

	if (!gpus->request.memory.asked)
		return 0;
	for (i = 0; i < gpus->edits.n; i++)
		found |= plan_is_memory(&gpus->edits.edit[i]) ||
			 strv_have(&gpus->edits.edit[i].options, CDI_HOOK_RUN_MEMORY);
	return found ? plan_can_limit_memory(why) :
	       why_fail(why, -ENOTSUP, GPU_MEMORY_LIMIT " or _REQUEST is set, and in mode \"%s\" nothing carries it out: make CDI documents that have the hook apply-cuda-memory-limits, by nvidia-ctk cdi generate, or set mode = \"native\" in config.toml",
			mode_names[gpus->mode]);
}

/*
 * The cli makes no variables and no groups, and filters /proc instead of masks. A hook of
 * a document may find nothing to do.
 */
static bool can_make(const struct gpus *gpus, const struct edit *edit)
{
	if (plan_is_memory(edit) && !gpus->request.memory.asked)
		return false;
	return gpus->by_cli ? edit->kind != EDIT_ENV && edit->kind != EDIT_GROUP &&
			      edit->kind != EDIT_MASK :
			      oci_can_make(edit);
}

/*
 * Can a program do without it? Without libraries, programs and nodes none of them can. Of
 * what other vendors' documents mount nothing is known.
 */
static bool is_spare(const struct edit *edit)
{
	if (edit->kind != EDIT_MOUNT && edit->kind != EDIT_LINK)
		return edit->kind == EDIT_TEXT;
	return (edit->optional || strstr(edit->path, "nvidia")) && !library_is_name(edit->path) &&
	       !strstr(edit->path, "bin/") && strncmp(edit->path, "/dev/", strlen("/dev/"));
}

/* A mount where no file is, nor can be made, fails the container. */
static bool has_no_place(struct places *places, const struct edit *edit)
{
	struct container_place place;
	int ret = is_spare(edit) ? places_find(places, edit->path, &place) : -ENOENT;

	return ret == -ENOTDIR || ret == -ELOOP || (!ret && !place.exists && places_read_only(places, &place));
}

static void leave_out(struct gpus *gpus)
{
	struct edits *edits = &gpus->edits, made = { 0 };
	struct strv paths = { 0 };
	char *names;
	size_t i;

	strv_add_all(&made.lacks, &edits->lacks);
	strv_add_all(&made.missing, &edits->missing);
	for (i = 0; i < edits->n; i++) {
		struct edit *edit = &edits->edit[i];

		if (!can_make(gpus, edit))
			continue;
		if (has_no_place(&gpus->places, edit))
			strv_add(&paths, edit->path);
		else
			edits_add(&made, edit);
	}
	names = strv_join(&paths, ", ");
	if (paths.n)
		strv_add_format(&made.lacks, "left out, for nothing can be made in their folders, and there is nothing to mount them on: %s: have the folder's mount writable, or an empty file there",
				names);
	free(names);
	strv_free(&paths);
	edits_free(edits);
	*edits = made;
}

int gpus_plan(struct gpus *gpus, const struct container *container,
	      const struct settings *settings, const char *setting, bool by_cli,
	      char why[WHY_SIZE])
{
	enum request_annotations annotations;
	const char *mode;
	int ret;

	*gpus = (struct gpus){ .container = container, .settings = settings, .by_cli = by_cli };
	setting = setting ?: settings->runtime.mode;
	annotations = !strcmp(setting, "cdi") ? ANNOTATIONS_COUNT :
		      !strcmp(setting, "auto") ? ANNOTATIONS_OF_CDI : ANNOTATIONS_IGNORED;
	ret = request_read(&gpus->request, container, settings, annotations, why);
	if (ret)
		return ret;
	mode = mode_resolve(setting, request_names_cdi(&gpus->request.devices), mode_names[MODE_NATIVE]);
	gpus->mode = mode_find(mode);
	if (gpus->mode < MODE_COUNT && !gpus->request.is_gpu)
		return 0;
	ret = places_open(&gpus->places, container, why);
	if (ret)
		return ret;
	switch (gpus->mode) {
	case MODE_NATIVE:
		ret = plan_devices(gpus, &gpus->request.devices, false, why);
		break;
	case MODE_JIT_CDI:
		ret = plan_names(gpus, REQUEST_JIT_KIND, why);
		break;
	case MODE_CDI:
		ret = plan_names(gpus, settings->runtime.cdi_default_kind, why);
		break;
	case MODE_LEGACY:
		ret = by_cli ? plan_devices(gpus, &gpus->request.devices, false, why) :
			       plan_legacy(gpus, why);
		break;
	case MODE_COUNT:
		ret = !strcmp(mode, "csv") ? why_fail(why, -EINVAL, MODE_CSV_REFUSED) :
		      why_fail(why, -EINVAL, "invalid mode \"%s\": set mode in [nvidia-container-runtime] of config.toml to auto, native, legacy, cdi or jit-cdi",
			       mode);
		break;
	}
	if (!ret)
		ret = check_memory(gpus, why);
	if (!ret)
		leave_out(gpus);
	return ret;
}

void gpus_free(struct gpus *gpus)
{
	request_free(&gpus->request);
	edits_free(&gpus->edits);
	places_close(&gpus->places);
}
