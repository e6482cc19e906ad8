// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resolves a container to its list of edits, in each mode.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "container/cdi/cdi.h"
#include "container/oci/apply.h"
#include "container/oci/hooks.h"
#include "container/plan/memory.h"
#include "container/plan/plan.h"
#include "container/request/requirement.h"
#include "container/resolve.h"
#include "lib/host.h"
#include "nvidia/gpu_database.h"
#include "nvidia/modules.h"
#include "nvidia/nodes.h"

/**
 * struct planning - what all modes work with
 * @edits:	receives the list
 * @by_cli:	nvidia-container-cli is to make it, and not the container's runtime
 * @host:	the driver as it is installed
 */
struct planning {
	struct gpus *gpus;
	struct edits *edits;
	bool by_cli;
	const struct container *container;
	const struct settings *settings;
	struct installation host;
	char *why;
};

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
static int make_nodes(const struct installation *host, struct strv *problems)
{
	bool uvm = host->devices.majors.uvm;
	int ret;

	if (geteuid() || host_has_user_namespace() ||
	    (is_in_dev(&host->root, "nvidiactl") &&
	     (!uvm || is_in_dev(&host->root, "nvidia-uvm")) &&
	     is_in_dev(&host->root, "char/195:255")))
		return 0;
	ret = nodes_make(&host->devices, &host->root, NULL, 0, problems);
	return ret ? ret : nodes_link(&host->devices, &host->root, problems);
}

/*
 * The modules are loaded as NVIDIA's tools do it, but only if one is missing that
 * a container with GPUs lives by.
 */
static int load_and_read(struct planning *planning)
{
	const struct settings *settings = planning->settings;
	struct installation *host = &planning->host;
	unsigned int capabilities = planning->gpus->request.capabilities;
	int ret;

	ret = installation_read(host, settings->cli.root, capabilities,
				settings->cli.ldcache, planning->why);
	if (!settings->cli.load_kmods ||
	    (ret ? ret != -ENODEV : !!host->devices.majors.uvm))
		return ret;
	if (!ret)
		installation_free(host);
	*host = (struct installation){ .root.fd = -1 };
	if (modules_load(settings->cli.root, &planning->gpus->request.warnings))
		return why_fail(planning->why, -ENOMEM, "no memory");
	return installation_read(host, settings->cli.root, capabilities,
				 settings->cli.ldcache, planning->why);
}

static int read_host(struct planning *planning)
{
	int ret = load_and_read(planning);

	if (!ret && planning->settings->cli.load_kmods &&
	    make_nodes(&planning->host, &planning->gpus->request.warnings))
		ret = why_fail(planning->why, -ENOMEM, "no memory");
	return ret;
}

static int read_layout(struct planning *planning, struct layout *layout)
{
	int ret = layout_read(layout, planning->container->root,
			      planning->host.version,
			      *planning->host.cuda ? planning->host.cuda : NULL,
			      planning->why);

	if (planning->settings->runtime.jit_no_compat)
		layout->compat[0] = '\0';
	return ret;
}

/* Give those edits a reason that have none yet. */
static int give_reason(struct planning *planning, const char *rule)
{
	const char *source = planning->gpus->request.source;
	size_t i;

	for (i = 0; i < planning->edits->n; i++) {
		struct edit *edit = &planning->edits->edit[i];

		if (edit->rule)
			continue;
		edit->rule = strdup(rule);
		edit->input = strdup(source ? source : "");
		if (!edit->rule || !edit->input)
			return -ENOMEM;
	}
	return 0;
}

static int add_mode(struct planning *planning, const char *name)
{
	struct cdi_recipe recipe = {
		.installation = &planning->host,
		.mode = cdi_mode_find(name),
		.capabilities = planning->gpus->request.capabilities,
		.settings = planning->settings,
	};
	char variable[32], why[WHY_SIZE];
	size_t i;
	int ret;

	if (recipe.mode == CDI_MODE_COUNT)
		return 0;
	ret = cdi_generate_edits(planning->edits, &recipe, why);
	snprintf(variable, sizeof(variable), "NVIDIA_%s=enabled", name);
	for (i = strlen("NVIDIA_"); variable[i] != '='; i++)
		variable[i] = (char)toupper((unsigned char)variable[i]);
	/* A device plugin sets them on all nodes of a cluster, whatever these have. */
	if (ret == -ENODEV)
		ret = strv_add_format(&planning->edits->lacks, "%s: %s", variable, why);
	else if (!ret)
		ret = give_reason(planning, variable);
	return ret ? why_fail(planning->why, ret, "%s: %s", variable, why) : 0;
}

/* Parts of the driver that have a variable each: their nodes. */
static int add_gated(struct planning *planning)
{
	struct request_mode *modes;
	size_t i, n;
	int ret = request_group_devices(&planning->gpus->request.gated, &modes, &n);

	if (ret)
		return why_fail(planning->why, ret, "no memory for the parts of the driver");
	for (i = 0; i < n && !ret; i++)
		ret = add_mode(planning, modes[i].mode);
	request_free_modes(modes, n);
	return ret;
}

/*
 * Adds hooks that limit memory. In linux.resources.unified, crun does not carry out
 * limits of a controller that it does not know, and runc 1.1 writes the lines of
 * several GPUs at once, which Linux 7.3 refuses. The hook is this program: an older
 * nvidia-cdi-hook of NVIDIA's would do nothing.
 */
static int add_memory_hooks(struct planning *planning, const struct selection *selection)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int ret = 0;
	size_t i;

	path[len > 0 ? len : 0] = '\0';
	for (i = 0; i < selection->n_gpus && !ret; i++)
		ret = cdi_hook_add_memory(planning->edits, path, selection->gpus[i].gpu,
					  &planning->host.root, NULL);
	if (!ret)
		ret = give_reason(planning, GPU_MEMORY_LIMIT " or _REQUEST");
	return ret ? why_fail(planning->why, ret, "no memory for the hooks") : 0;
}

static int limit_memory(struct planning *planning, const struct selection *selection)
{
	struct edits lines = { 0 };
	int ret = plan_memory(planning->by_cli ? planning->edits : &lines, selection,
			      &planning->gpus->request.memory, planning->why);

	edits_free(&lines);
	return ret || planning->by_cli ? ret : add_memory_hooks(planning, selection);
}

static int plan_selection(struct planning *planning,
			  const struct selection *selection)
{
	const struct request *request = &planning->gpus->request;
	const struct settings *settings = planning->settings;
	struct layout layout;
	struct plan_inputs plan = {
		.installation = &planning->host, .selection = selection,
		.layout = &layout, .capabilities = request->capabilities,
		.root = planning->container->root,
		.library_path = container_env(planning->container,
					      "LD_LIBRARY_PATH"),
		.settings = settings, .by_path = !planning->by_cli,
		.why_devices = request->source,
		.why_capabilities = request->capabilities_source,
	};
	int ret = requirement_check_all(&request->requirements, REQUIREMENT_CLI,
					&planning->host, selection,
					planning->why);

	if (!ret)
		ret = read_layout(planning, &layout);
	if (!ret)
		ret = plan_edits(planning->edits, &plan, planning->why);
	if (!ret && request->memory.asked)
		ret = limit_memory(planning, selection);
	return ret;
}

/*
 * Reads names of REQUEST_JIT_KIND as the toolkit makes them: its generator knows neither
 * capabilities nor conditions, and gives what a CDI document has.
 */
static int read_jit(struct planning *planning)
{
	struct request *request = &planning->gpus->request;

	request->capabilities = CAPABILITY_ALL & ~CAPABILITY_COMPAT32;
	request->capabilities_source = strdup("devices of " REQUEST_JIT_KIND ": all but compat32");
	return request->capabilities_source ? 0 : why_fail(planning->why, -ENOMEM, "no memory");
}

/* @jit: they are of REQUEST_JIT_KIND */
static int plan_devices(struct planning *planning, const struct strv *devices, bool jit)
{
	struct request *request = &planning->gpus->request;
	struct wanted wanted = {
		.devices = devices, .imex = &request->imex,
		.imex_made =
			!planning->settings->features.disable_imex_channel_creation,
		.in_parts = jit,
	};
	struct selection selection = { 0 };
	int ret = jit ? read_jit(planning) :
			request_read_details(request, planning->container,
					     planning->settings, planning->why);

	if (!ret)
		ret = read_host(planning);
	if (ret)
		return ret;
	wanted.mig_config = request->mig_config;
	wanted.mig_monitor = request->mig_monitor;
	ret = selection_make(&selection, &planning->host.devices,
			     &planning->host.root, &wanted, planning->why);
	if (!ret)
		ret = plan_selection(planning, &selection);
	if (!ret && !planning->by_cli)
		ret = add_gated(planning);
	selection_free(&selection);
	installation_free(&planning->host);
	return ret;
}

/* Names of CDI that are in no document: what is behind them is the device. */
static int plan_jit(struct planning *planning, const struct strv *names)
{
	struct strv devices = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < names->n && !ret; i++) {
		const char *device = names->word[i] + strlen(REQUEST_JIT_KIND "=");

		if (strcmp(device, "none"))
			ret = strv_add(&devices, device);
	}
	if (!ret)
		ret = plan_devices(planning, &devices, true);
	strv_free(&devices);
	return ret;
}

/* @kind: of names that do not say theirs */
static int plan_names(struct planning *planning, const char *kind)
{
	const struct settings *settings = planning->settings;
	struct strv names = { 0 };
	int ret = request_name_devices(&planning->gpus->request, kind, &names,
				       planning->why);

	if (!ret && names.n && request_is_jit(names.word[0]))
		ret = plan_jit(planning, &names);
	else if (!ret)
		ret = cdi_resolve(&names, &settings->runtime.cdi_spec_dirs,
				  planning->edits, planning->why);
	strv_free(&names);
	return ret;
}

static int find_program(struct planning *planning, const char *name,
			char path[PATH_MAX])
{
	return oci_hooks_find(name, path) ?
	       why_fail(planning->why, -ENAMETOOLONG, "the path of a hook in config.toml is too long") : 0;
}

/* Finds the program that CDI documents name, unless config.toml names another. */
static int find_hook_program(struct planning *planning, char path[PATH_MAX])
{
	const char *name = planning->settings->ctk.path;

	return find_program(planning, strcmp(name, "nvidia-ctk") ? name : "nvidia-cdi-hook",
			    path);
}

/* Adds the compat hooks; the version of a driver that is not loaded yet is not known. */
static int add_compat_hooks(struct planning *planning)
{
	const struct settings *settings = planning->settings;
	struct strv versions = { 0 };
	const char *cuda;
	char path[PATH_MAX], version[DRIVER_VERSION], why[WHY_SIZE];
	int ret = find_hook_program(planning, path);

	if (ret)
		return ret;
	if (!installation_version(version, settings->cli.root, why)) {
		cuda = gpu_database_cuda(driver_branch(version));
		ret = strv_add_format(&versions, "--host-driver-version=%s", version);
		if (!ret && cuda)
			ret = strv_add_format(&versions, "--host-cuda-version=%s", cuda);
	}
	if (!ret)
		ret = cdi_hook_add(planning->edits, CDI_HOOK_COMPAT, path, &versions, NULL) ?:
		      cdi_hook_add(planning->edits, CDI_HOOK_LDCACHE, path, NULL, NULL) ?:
		      give_reason(planning, "modes.legacy.cuda-compat-mode = \"hook\"");
	strv_free(&versions);
	return ret ? why_fail(planning->why, ret, "no memory for the hooks") : 0;
}

static int plan_legacy(struct planning *planning)
{
	const struct settings *settings = planning->settings;
	char path[PATH_MAX];
	int ret = find_program(planning, settings->hook.path, path);

	if (!ret && oci_hooks_plan_nvidia(planning->edits, path,
					  planning->gpus->request.source))
		ret = why_fail(planning->why, -ENOMEM, "no memory for the hook");
	if (!ret && !strcmp(settings->runtime.legacy_cuda_compat_mode, "hook") &&
	    !settings->features.disable_cuda_compat_lib_hook)
		ret = add_compat_hooks(planning);
	if (ret || !planning->gpus->request.gated.n)
		return ret;
	ret = installation_read_some(&planning->host, settings->cli.root, planning->why);
	if (!ret)
		ret = add_gated(planning);
	installation_free(&planning->host);
	return ret;
}

static int plan_mode(struct planning *planning)
{
	switch (planning->gpus->mode) {
	case MODE_NATIVE:
		return plan_devices(planning, &planning->gpus->request.devices, false);
	case MODE_JIT_CDI:
		return plan_names(planning, REQUEST_JIT_KIND);
	case MODE_CDI:
		return plan_names(planning,
				  planning->settings->runtime.cdi_default_kind);
	case MODE_LEGACY:
		return plan_legacy(planning);
	case MODE_COUNT:
		break;
	}
	return 0;
}

/*
 * Returns whether the cli can make an edit: it makes no variables and no groups;
 * instead of masks it filters /proc.
 */
static bool can_cli_make(const struct edit *edit)
{
	return edit->kind != EDIT_ENV && edit->kind != EDIT_GROUP &&
	       edit->kind != EDIT_MASK;
}

/*
 * Drops edits that the mode cannot make, and hooks of a document that would find
 * nothing to do.
 */
static bool can_make(const struct planning *planning, const struct edit *edit)
{
	if (plan_is_memory(edit) && !planning->gpus->request.memory.asked)
		return false;
	return planning->by_cli ? can_cli_make(edit) : oci_can_make(edit);
}

static int leave_out(struct planning *planning)
{
	struct edits *edits = planning->edits, made = { .lacks = edits->lacks };
	size_t i;
	int ret = 0;

	edits->lacks = (struct strv){ 0 };
	for (i = 0; i < edits->n && !ret; i++)
		if (can_make(planning, &edits->edit[i]))
			ret = edits_add(&made, &edits->edit[i]);
	edits_free(edits);
	*edits = made;
	return ret ? why_fail(planning->why, ret, "no memory for the edits") : 0;
}

/* Documents that others have made may lack the hook. */
static int check_memory(const struct planning *planning)
{
	const struct gpus *gpus = planning->gpus;
	bool found = gpus->mode != MODE_CDI;
	size_t i;

	if (!gpus->request.memory.asked)
		return 0;
	for (i = 0; i < planning->edits->n; i++)
		found |= plan_is_memory(&planning->edits->edit[i]);
	return found ? plan_can_limit_memory(planning->why) :
	       why_fail(planning->why, -ENOTSUP, GPU_MEMORY_LIMIT " or _REQUEST is set, and in mode \"%s\" nothing carries it out: make CDI documents that have the hook apply-cuda-memory-limits, by nvidia-ctk cdi generate, or set mode = \"native\" in config.toml",
			mode_names[gpus->mode]);
}

static int choose_mode(struct planning *planning, const char *setting)
{
	struct gpus *gpus = planning->gpus;
	const char *mode = mode_resolve(setting, request_is_cdi(&gpus->request),
					mode_names[MODE_NATIVE]);

	gpus->mode = mode_find(mode);
	if (gpus->mode < MODE_COUNT)
		return 0;
	if (!strcmp(mode, "csv"))
		return why_fail(planning->why, -EINVAL, MODE_CSV_REFUSED);
	return why_fail(planning->why, -EINVAL, "invalid mode \"%s\": set mode in [nvidia-container-runtime] of config.toml to auto, native, legacy, cdi or jit-cdi",
			mode);
}

int gpus_plan(struct gpus *gpus, const struct container *container,
	      const struct settings *settings, const char *mode,
	      char why[WHY_SIZE])
{
	struct planning planning = {
		.gpus = gpus, .edits = &gpus->edits, .container = container,
		.settings = settings, .why = why,
	};
	int ret;

	*gpus = (struct gpus){ 0 };
	/* Annotations are read for those modes that may turn out to be cdi. */
	ret = request_read(&gpus->request, container, settings, true, why);
	if (!ret)
		ret = choose_mode(&planning, mode ? mode : settings->runtime.mode);
	if (!ret && gpus->mode != MODE_CDI) {
		request_free(&gpus->request);
		ret = request_read(&gpus->request, container, settings, false,
				   why);
	}
	if (ret || !gpus->request.is_gpu)
		return ret;
	ret = plan_mode(&planning);
	if (!ret)
		ret = check_memory(&planning);
	return ret ? ret : leave_out(&planning);
}

int gpus_plan_hook(struct gpus *gpus, struct edits *edits,
		   const struct container *container,
		   const struct settings *settings, char why[WHY_SIZE])
{
	struct planning planning = {
		.gpus = gpus, .edits = edits, .by_cli = true,
		.container = container, .settings = settings, .why = why,
	};
	int ret = plan_devices(&planning, &gpus->request.devices, false);

	return ret ? ret : leave_out(&planning);
}

void gpus_free(struct gpus *gpus)
{
	request_free(&gpus->request);
	edits_free(&gpus->edits);
}
