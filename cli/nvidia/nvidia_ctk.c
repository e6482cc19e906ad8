// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-ctk: its tree of commands, and its system: what mpu container nodes does.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/command/command.h"
#include "cli/nvidia/internal.h"
#include "lib/host.h"

#define CHAR	"/dev/char"

static const struct command_option link_options[] = {
	{ "dev-char-path", 0, "DIR", "DEV_CHAR_PATH", "folder for the links: " CHAR },
	{ "driver-root", 0, "DIR", "NVIDIA_DRIVER_ROOT",
	  "the driver's files are below this folder" },
	{ "create-all", 0, NULL, "CREATE_ALL",
	  "make nodes that are missing, too, so that each has its link" },
	{ "load-kernel-modules", 0, NULL, "LOAD_KERNEL_MODULES",
	  "with --create-all: load the driver's modules first" },
	{ "create-device-nodes", 0, NULL, "CREATE_DEVICE_NODES",
	  "taken: --create-all does it" },
	{ "dry-run", 0, NULL, "DRY_RUN", "make nothing: say what is wrong" },
	{ .name = NULL },
};

static const struct command_option node_options[] = {
	{ "root", 0, "DIR", "NVIDIA_DRIVER_ROOT",
	  "the driver's files are below this folder" },
	{ "driver-root", 0, "DIR", NULL, NULL },
	{ "dev-root", 0, "DIR", "NVIDIA_DEV_ROOT",
	  "make nodes below this folder (default: where the driver's are)" },
	{ "control-devices", 0, NULL, NULL,
	  "make the nodes that are missing; without this, none" },
	{ "load-kernel-modules", 0, NULL, NULL, "load the driver's modules first" },
	{ "dry-run", 0, NULL, "DRY_RUN", "make nothing: say what is wrong" },
	{ .name = NULL },
};

/* Makes nodes and links. Findings of --dry-run are no failure, as with the toolkit. */
static int do_work(const struct command_call *call, const struct nodes_work *work)
{
	int status = nodes_do(call, work);

	return status == CLI_NO ? CLI_DONE : status;
}

static int make_links(const struct command_call *call)
{
	const char *place = command_value(call, "dev-char-path");
	bool all = command_is_on(call, "create-all");
	const struct nodes_work work = {
		.root = command_value(call, "driver-root") ?: "",
		.load = all && command_is_on(call, "load-kernel-modules"),
		.nodes = all, .links = true,
		.check = command_is_on(call, "dry-run"),
	};

	if (place && strcmp(place, CHAR) != 0)
		return command_fail(call, CLI_FAILED,
				    "--dev-char-path %s: links are made in " CHAR " below the driver's root alone, where systemd looks",
				    place);
	return do_work(call, &work);
}

static int make_nodes(const struct command_call *call)
{
	const struct nodes_work work = {
		.root = command_value(call, "root") ?: "",
		.dev = command_value(call, "dev-root"),
		.load = command_is_on(call, "load-kernel-modules"),
		.nodes = command_is_on(call, "control-devices"),
		.check = command_is_on(call, "dry-run"),
	};

	return do_work(call, &work);
}

static const struct command *const system_commands[] = {
	COMMAND(.name = "create-dev-char-symlinks", .options = { link_options }, .run = make_links,
		.what = "make the links by which systemd finds device nodes"),
	COMMAND(.name = "create-device-nodes", .options = { node_options }, .run = make_nodes,
		.what = "make device nodes"),
	NULL
};

static const struct command ctk_system = {
	.name = "system", .commands = system_commands, .what = "device nodes",
};

static const struct command_option options[] = {
	{ "debug", 'd', NULL, "NVIDIA_CTK_DEBUG", "taken and not used" },
	{ "quiet", 'q', NULL, "NVIDIA_CTK_QUIET", "taken and not used" },
	{ "config", 0, "FILE", "NVIDIA_CTK_CONFIG",
	  "config.toml, by which cdi generate finds the driver's root" },
	{ .name = NULL },
};

static const struct command *const commands[] = {
	&command_cdi, &ctk_config, &ctk_runtime, &ctk_system,
	COMMAND(.name = "info", .run = help_print, .what = "have its help, and nothing else"),
	NULL
};

static const struct program nvidia_ctk = {
	.top = {
		.name = "nvidia-ctk", .options = { options }, .commands = commands,
		.what = "Set up what gives GPUs to containers",
	},
	.style = PROGRAM_GO,
	.version = "NVIDIA Container Toolkit CLI version " NVIDIA_VERSION "\ncommit: mpu " MPU_VERSION,
	.usage_status = CLI_FAILED,
	.helps = true,
};

int nvidia_ctk_main(char **words)
{
	if (words[0] && words[1] && !strcmp(words[1], "hook"))
		return cdi_hook_main(words + 1);
	/* Not the hook: an image may say what is in its environment. */
	if (getenv("MPU_ROOT"))
		host_set_root(getenv("MPU_ROOT"));
	return program_run(&nvidia_ctk, words, NULL);
}
