// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu cdi generate: options of the existing tool, and what they mean here.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/cdi/cdi.h"
#include "container/oci/oci.h"
#include "container/request/request.h"
#include "lib/process.h"

#define HOOK_PROGRAM	"nvidia-cdi-hook"

const struct command_option cdi_generate_options[] = {
	{ "output", 'o', "FILE", "NVIDIA_CTK_CDI_OUTPUT_FILE_PATH",
	  "write this file, at once or not at all (default: standard output)" },
	{ "format", 'f', "json|yaml", "NVIDIA_CTK_CDI_GENERATE_OUTPUT_FORMAT",
	  "default: as the file is named, else json, of nvidia-ctk yaml" },
	{ "mode", 'm', "MODE", "NVIDIA_CTK_CDI_GENERATE_MODE",
	  "gpu (the default, also auto and nvml), gds, mofed, gdrcopy, nvswitch, imex, management" },
	{ "discovery-mode", 0, "MODE", NULL, NULL },
	{ "capabilities", 'c', "LIST", NULL,
	  "as NVIDIA_DRIVER_CAPABILITIES has them (default: all but compat32)" },
	{ "vendor", 0, "NAME", "NVIDIA_CTK_CDI_GENERATE_VENDOR",
	  "default: nvidia.com" },
	{ "cdi-vendor", 0, "NAME", NULL, NULL },
	{ "class", 0, "NAME", "NVIDIA_CTK_CDI_GENERATE_CLASS",
	  "default: as the mode has it, gpu" },
	{ "cdi-class", 0, "NAME", NULL, NULL },
	{ "device-name-strategy", 0, "LIST",
	  "NVIDIA_CTK_CDI_GENERATE_DEVICE_NAME_STRATEGIES",
	  "index, uuid, type-index (default: index,uuid)" },
	{ "device-id", 'd', "LIST", "NVIDIA_CTK_CDI_GENERATE_DEVICE_IDS",
	  "only these devices (default: all)" },
	{ "device-ids", 0, "LIST", NULL, NULL },
	{ "device", 0, "LIST", NULL, NULL },
	{ "devices", 0, "LIST", NULL, NULL },
	{ "no-all-device", 0, NULL, "NVIDIA_CTK_CDI_GENERATE_NO_ALL_DEVICE",
	  "without the device \"all\"" },
	{ "driver-root", 'r', "DIR", "NVIDIA_CTK_DRIVER_ROOT",
	  "below which the driver's files are (default: nvidia-container-cli.root)" },
	{ "dev-root", 0, "DIR", "NVIDIA_CTK_DEV_ROOT",
	  "below which /dev is (default: where it is)" },
	{ "container-library-path", 0, "DIR", NULL,
	  "folder of libraries in containers (default: as this machine)" },
	{ "enable-hook", 0, "LIST", "NVIDIA_CTK_CDI_GENERATE_ENABLED_HOOKS",
	  "have the hook do these, or all (default: all but create-symlinks)" },
	{ "enable-hooks", 0, "LIST", NULL, NULL },
	{ "disable-hook", 0, "LIST", "NVIDIA_CTK_CDI_GENERATE_DISABLED_HOOKS",
	  "but not these" },
	{ "disable-hooks", 0, "LIST", NULL, NULL },
	{ "nvidia-cdi-hook-path", 0, "FILE", "NVIDIA_CTK_CDI_HOOK_PATH",
	  "program of the hook (default: " HOOK_PROGRAM ", if that in PATH is mpu; mpu)" },
	{ "nvidia-ctk-path", 0, "FILE", NULL, NULL },
	{ "ldconfig-path", 0, "FILE", "NVIDIA_CTK_CDI_GENERATE_LDCONFIG_PATH",
	  "taken and not used: no ldconfig is run" },
	{ "annotate", 0, NULL, NULL,
	  "name the driver's version in an annotation, which readers before CDI 0.6.0 refuse" },
	{ "feature-flag", 0, "LIST", "NVIDIA_CTK_CDI_GENERATE_FEATURE_FLAGS",
	  "additional-gids-for-device-nodes: name the groups that own nodes, which readers before CDI 0.7.0 refuse; disable-ipc-discoverer: no sockets of the driver's daemons; others are taken and not used" },
	{ "feature-flags", 0, "LIST", NULL, NULL },
	{ "library-search-path", 0, "DIR",
	  "NVIDIA_CTK_CDI_GENERATE_LIBRARY_SEARCH_PATHS",
	  "taken and not used" },
	{ "config-search-path", 0, "DIR",
	  "NVIDIA_CTK_CDI_GENERATE_CONFIG_SEARCH_PATHS", "taken and not used" },
	{ .name = NULL },
};

struct order {
	struct cdi_recipe recipe;
	struct installation installation;
	struct strv devices;
	struct settings settings;
	char hook_path[PATH_MAX];
};

/* Reads --mode into @recipe. Return: CLI_DONE, or an exit status: it names no mode. */
static int read_mode(const struct command_call *call, struct cdi_recipe *recipe)
{
	const char *name = command_text(call, "mode");

	recipe->mode = CDI_MODE_GPU;
	if (!name || !strcasecmp(name, "auto") || !strcasecmp(name, "nvml"))
		return CLI_DONE;
	recipe->mode = cdi_mode_find(name);
	if (recipe->mode < CDI_MODE_COUNT)
		return CLI_DONE;
	if (!strcasecmp(name, "wsl"))
		return command_fail(call, CLI_FAILED, "mode wsl is for machines whose driver is Windows', and is not done here: take NVIDIA's nvidia-ctk there");
	if (!strcasecmp(name, "csv"))
		return command_fail(call, CLI_FAILED, "mode csv is for the lists of files of a Tegra, and is not done here: take NVIDIA's nvidia-ctk there");
	return command_fail_usage(call, "invalid discovery mode: %s", name);
}

/*
 * Words of an option, each of which stands for a bit. @strict: a word that is not known is an
 * error; else it is left out. Return: an exit status.
 */
static int read_bits(const struct command_call *call, const char *option, bool strict,
		     unsigned int (*find)(const char *word), unsigned int *bits)
{
	struct strv words = { 0 };
	int status = CLI_DONE;
	size_t i;

	command_values(call, option, &words);
	for (i = 0; i < words.n && !status; i++) {
		unsigned int bit = find(words.word[i]);

		*bits |= bit;
		if (!bit && !strict)
			command_warn(call, "warning: --%s: '%s' is not known, and left out",
				     option, words.word[i]);
		else if (!bit)
			status = command_fail_usage(call, "--%s: '%s' is not known",
						    option, words.word[i]);
	}
	strv_free(&words);
	return status;
}

static unsigned int find_naming(const char *word)
{
	return !strcmp(word, "index") ? CDI_NAMING_INDEX :
	       !strcmp(word, "uuid") ? CDI_NAMING_UUID :
	       !strcmp(word, "type-index") ? CDI_NAMING_TYPE_INDEX : 0;
}

/* The values of a flag that we have; others are about parts of the existing tool. */
enum feature { FEATURE_GROUPS = 1, FEATURE_NO_SOCKETS = 2, FEATURE_OTHER = 4 };

static unsigned int find_feature(const char *word)
{
	return !strcmp(word, "additional-gids-for-device-nodes") ? FEATURE_GROUPS :
	       !strcmp(word, "disable-ipc-discoverer") ? FEATURE_NO_SOCKETS : FEATURE_OTHER;
}

static int read_lists(const struct command_call *call, struct order *order)
{
	struct cdi_recipe *recipe = &order->recipe;
	unsigned int features = 0, enabled = 0, disabled = 0;
	int status = read_bits(call, "device-name-strategy", true, find_naming, &recipe->naming) ?:
		read_bits(call, "capabilities", true, capability_find, &recipe->capabilities) ?:
		read_bits(call, "feature-flag", true, find_feature, &features) ?:
		read_bits(call, "disable-hook", false, cdi_hook_find, &disabled) ?:
		read_bits(call, "enable-hook", false, cdi_hook_find, &enabled);

	/* Named hooks beat "all", as in the existing tool. */
	recipe->hooks = enabled == CDI_HOOK_ALL ? enabled & ~disabled :
						  (CDI_HOOK_DEFAULT & ~disabled) | enabled;
	/* A document that names groups needs CDI 0.7.0, which podman 4 cannot read. */
	order->settings.runtime.jit_no_groups = !(features & FEATURE_GROUPS);
	order->settings.runtime.jit_no_sockets |= features & FEATURE_NO_SOCKETS;
	if (!recipe->naming)
		recipe->naming = CDI_NAMING_INDEX | CDI_NAMING_UUID;
	if (!recipe->capabilities)
		recipe->capabilities = CAPABILITY_ALL & ~CAPABILITY_COMPAT32;
	return status;
}

/* Finds the hook's program: NVIDIA's does not know our hook, this one is it by that name. */
static void find_program(const struct command_call *call, const char *named, char path[PATH_MAX])
{
	if (named && strchr(named, '/'))
		snprintf(path, PATH_MAX, "%s", named);
	else if (oci_hooks_find(named ?: HOOK_PROGRAM, path))
		path[0] = '\0';
	if (named && *path && !process_is_self(path) && !access(path, F_OK))
		command_warn(call, "warning: %s is another program than this: if it is not mpu, it will do nothing in containers",
			     path);
	if (!*path || (!named && !process_is_self(path)))
		process_own_path(path);
}

static int read_names(const struct command_call *call, struct cdi_recipe *recipe)
{
	recipe->vendor = command_text(call, "vendor");
	recipe->class = command_text(call, "class");
	if (recipe->vendor && !cdi_word_is_valid(recipe->vendor, strlen(recipe->vendor)))
		return command_fail_usage(call, "invalid CDI vendor name: %s", recipe->vendor);
	if (recipe->class && !cdi_word_is_valid(recipe->class, strlen(recipe->class)))
		return command_fail_usage(call, "invalid CDI class name: %s", recipe->class);
	return CLI_DONE;
}

static int read_options(const struct command_call *call, struct order *order)
{
	struct cdi_recipe *recipe = &order->recipe;
	const char *hook = command_text(call, "nvidia-cdi-hook-path");
	char why[WHY_SIZE];
	int status = read_mode(call, recipe);

	if (!status && settings_read(&order->settings, command_text(call, "config"),
				     SETTINGS_RUNTIME, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	/* Options count for more than the file. */
	recipe->settings = &order->settings;
	if (!status)
		status = read_lists(call, order);
	if (!status)
		status = read_names(call, recipe);
	command_values(call, "device-id", &order->devices);
	recipe->devices = order->devices.n ? &order->devices : NULL;
	recipe->no_all = command_is_on(call, "no-all-device");
	recipe->annotate = command_is_on(call, "annotate");
	recipe->library = command_text(call, "container-library-path");
	find_program(call, hook, order->hook_path);
	recipe->hook_path = order->hook_path;
	return status;
}

static int write_document(const struct command_call *call, const struct cdi_document *document)
{
	struct json_object *root = NULL;
	char why[WHY_SIZE];
	int status;
	size_t i;

	for (i = 0; i < document->edits.lacks.n; i++)
		fprintf(stderr, "%s: %s\n", call->name, document->edits.lacks.word[i]);
	if (cdi_document_render(document, &root, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	else
		status = cdi_output(call, root, command_text(call, "output"), command_text(call, "format"));
	json_object_put(root);
	return status;
}

/* Says why there is no document. A driver that is not complete yet may become so. */
static int fail(const struct command_call *call, int ret, const struct cdi_recipe *recipe,
		const char *why)
{
	bool later = ret == -ENODEV && call->program->style != PROGRAM_GO &&
		     (recipe->mode == CDI_MODE_GPU || recipe->mode == CDI_MODE_MANAGEMENT);

	return command_fail(call, later ? CLI_LATER : CLI_FAILED, "%s", why);
}

int cdi_run_generate(const struct command_call *call)
{
	struct order order = { 0 };
	struct cdi_document document;
	const char *root = command_text(call, "driver-root"), *dev = command_text(call, "dev-root");
	char why[WHY_SIZE];
	int ret, status = read_options(call, &order);

	if (status)
		goto out;
	ret = installation_read(&order.installation, root ?: order.settings.cli.root ?: "",
				order.recipe.capabilities, NULL, why);
	if (ret) {
		status = fail(call, ret, &order.recipe, why);
		goto out;
	}
	order.recipe.installation = &order.installation;
	if (dev)
		snprintf(order.installation.root.dev, PATH_MAX, "%s",
			 strcmp(dev, "/") != 0 ? dev : "");
	ret = cdi_generate(&document, &order.recipe, why);
	if (ret) {
		status = fail(call, ret, &order.recipe, why);
	} else {
		status = write_document(call, &document);
		cdi_document_free(&document);
		/* Programs without CUDA can use it all the same. */
		if (!status && order.recipe.capabilities & CAPABILITY_COMPUTE &&
		    order.recipe.mode == CDI_MODE_GPU && !order.installation.devices.majors.uvm &&
		    call->program->style != PROGRAM_GO)
			status = CLI_LATER;
	}
	installation_free(&order.installation);
out:
	settings_free(&order.settings);
	strv_free(&order.devices);
	return status;
}
