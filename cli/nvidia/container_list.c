// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-cli info and list: what there is. Programs read both.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/container_cli.h"
#include "nvidia/facts.h"

static const char *known(const char *text)
{
	return text && *text ? text : "Unknown";
}

static void print_gpu(const struct driver_root *root, size_t index,
		      const struct gpu *gpu)
{
	printf("\n%-15s %zu\n%-15s %u\n%-15s %s\n%-15s %s\n", "Device Index:",
	       index, "Device Minor:", gpu->minor, "Model:", known(gpu->model),
	       "Brand:", known(facts_brand(gpu->model)));
	printf("%-15s %s\n%-15s %08x:%02x:%02x.%x\n%-15s %s\n", "GPU UUID:",
	       known(gpu->uuid), "Bus Location:", gpu->domain, gpu->bus,
	       gpu->slot, gpu->function, "Architecture:",
	       known(facts_read_arch(root, gpu)));
}

static void print_gpu_csv(const struct driver_root *root, size_t index,
			  const struct gpu *gpu)
{
	printf("%zu,%u,%s,%s,%s,%08x:%02x:%02x.%x,%s\n", index, gpu->minor,
	       known(gpu->model), known(facts_brand(gpu->model)),
	       known(gpu->uuid), gpu->domain, gpu->bus, gpu->slot,
	       gpu->function, known(facts_read_arch(root, gpu)));
}

static void print_info(const struct installation *installation, bool csv)
{
	const char *cuda = known(installation->cuda);
	const struct devices *devices = &installation->devices;
	size_t i;

	if (csv)
		printf("NVRM version,CUDA version\n%s,%s\n\nDevice Index,Device Minor,Model,Brand,GPU UUID,Bus Location,Architecture\n",
		       installation->version, cuda);
	else
		printf("%-15s %s\n%-15s %s\n", "NVRM version:",
		       installation->version, "CUDA version:", cuda);
	for (i = 0; i < devices->n_gpus; i++)
		(csv ? print_gpu_csv : print_gpu)(&installation->root, i,
						  &devices->gpus[i]);
}

int container_cli_info(const struct tool_call *call)
{
	struct container_cli cli;
	/* No files are listed here. */
	int status = container_cli_open(&cli, call, 0);

	if (!status)
		print_info(&cli.installation, tool_is_on(call, "csv"));
	container_cli_close(&cli);
	return status;
}

/* Nodes that every container takes, as far as they are there. */
static void list_control(const struct driver_root *root)
{
	static const char *const names[] = { "nvidiactl", "nvidia-uvm",
		"nvidia-uvm-tools", "nvidia-modeset" };
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int len = snprintf(path, sizeof(path), "%s/dev/%s", root->dev,
				   names[i]);

		if (len < (int)sizeof(path) && !access(path, F_OK))
			printf("/dev/%s\n", names[i]);
	}
}

#define CAPABILITIES_PROC "/proc/driver/nvidia/capabilities"
#define CAPABILITY_NODE "/dev/nvidia-caps/nvidia-cap%u\n"

static void list_mig(const struct chosen_mig *chosen)
{
	const struct mig *mig = chosen->mig;

	printf(CAPABILITIES_PROC "/gpu%u/mig/gi%u/access\n" CAPABILITY_NODE,
	       chosen->gpu->minor, mig->gpu_instance, mig->gpu_cap);
	printf(CAPABILITIES_PROC "/gpu%u/mig/gi%u/ci%u/access\n" CAPABILITY_NODE,
	       chosen->gpu->minor, mig->gpu_instance, mig->compute_instance,
	       mig->compute_cap);
}

static void list_devices(const struct container_cli *cli)
{
	const struct selection *selection = &cli->selection;
	size_t i;

	list_control(&cli->installation.root);
	for (i = 0; i < selection->n_gpus; i++)
		printf("/dev/nvidia%u\n", selection->gpus[i].gpu->minor);
	/* These are part of what configures or monitors all of them. */
	if (!selection->config && !selection->monitor)
		for (i = 0; i < selection->n_migs; i++)
			list_mig(&selection->migs[i]);
}

/* What configures MIG devices, or monitors them. */
static void list_mig_all(const struct selection *selection, const char *name,
			 uint32_t cap)
{
	size_t i;

	printf(CAPABILITIES_PROC "/mig/%s\n", name);
	if (cap)
		printf(CAPABILITY_NODE, cap);
	for (i = 0; i < selection->n_gpus; i++)
		if (selection->gpus[i].gpu->n_migs)
			printf(CAPABILITIES_PROC "/gpu%u/mig\n",
			       selection->gpus[i].gpu->minor);
}

/* What --no-persistenced and --no-fabricmanager leave out. */
static bool is_left_out(const struct tool_call *call,
			const struct driver_file *file)
{
	return file->kind == DRIVER_SOCKET &&
	       ((tool_is_on(call, "no-persistenced") &&
		 strstr(file->path, "nvidia-persistenced")) ||
		(tool_is_on(call, "no-fabricmanager") &&
		 strstr(file->path, "nvidia-fabricmanager")));
}

/* A file that has two parts in the table is one: gbm's is libnvidia-allocator. */
static bool was_listed(const struct driver_files *files, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++)
		if (files->file[i].kind == files->file[at].kind &&
		    !strcmp(files->file[i].path, files->file[at].path))
			return true;
	return false;
}

static void list_files(const struct container_cli *cli,
		       enum driver_file_kind kind)
{
	const struct driver_files *files = &cli->installation.files;
	size_t i;

	for (i = 0; i < files->n; i++)
		if (files->file[i].kind == kind && !was_listed(files, i) &&
		    !is_left_out(cli->call, &files->file[i]))
			puts(files->file[i].path);
}

static void print_list(const struct container_cli *cli, bool all)
{
	const struct tool_call *call = cli->call;
	const struct selection *selection = &cli->selection;
	const struct devices *devices = &cli->installation.devices;
	size_t i;

	if (all || tool_value(call, "device"))
		list_devices(cli);
	for (i = 0; i < selection->n_imex; i++)
		printf("/dev/nvidia-caps-imex-channels/channel%u\n",
		       selection->imex[i]);
	if (selection->config)
		list_mig_all(selection, "config", devices->mig_config);
	if (selection->monitor)
		list_mig_all(selection, "monitor", devices->mig_monitor);
	if (all || tool_is_on(call, "binaries"))
		list_files(cli, DRIVER_PROGRAM);
	if (all || tool_is_on(call, "libraries"))
		list_files(cli, DRIVER_LIBRARY);
	if (all || (tool_is_on(call, "libraries") && tool_is_on(call, "compat32")))
		list_files(cli, DRIVER_LIBRARY32);
	if (all || tool_is_on(call, "ipcs"))
		list_files(cli, DRIVER_SOCKET);
	if (all || tool_is_on(call, "firmwares"))
		list_files(cli, DRIVER_FIRMWARE);
}

/* Were options of the command itself given? Without any, all is listed. */
static bool is_plain(const struct tool_call *call)
{
	static const char *const names[] = { "device", "libraries", "binaries",
		"ipcs", "firmwares", "compat32", "mig-config", "mig-monitor",
		"imex-channel" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tool_value(call, names[i]))
			return false;
	return true;
}

int container_cli_list(const struct tool_call *call)
{
	struct container_cli cli;
	bool all = is_plain(call);
	int status = container_cli_open(&cli, call, CAPABILITY_ALL);

	if (!status)
		status = container_cli_select(&cli, all ? "all" : NULL);
	if (!status)
		print_list(&cli, all);
	container_cli_close(&cli);
	return status;
}
