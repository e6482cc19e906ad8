// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-cli info and list: what there is. Programs read both.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "nvidia/nvidia.h"

static const char *or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static const char *known(const char *text)
{
	return or_null(text) ? text : "Unknown";
}

static void print_gpu(const struct driver_root *root, size_t index, const struct gpu *gpu)
{
	printf("\n%-15s %zu\n%-15s %u\n%-15s %s\n%-15s %s\n", "Device Index:",
	       index, "Device Minor:", gpu->minor, "Model:", known(gpu->model),
	       "Brand:", known(gpu_database_brand(gpu->model)));
	printf("%-15s %s\n%-15s %08x:%02x:%02x.%x\n%-15s %s\n", "GPU UUID:", known(gpu->uuid),
	       "Bus Location:", gpu->domain, gpu->bus, gpu->slot, gpu->function, "Architecture:",
	       known(gpu_database_read_arch(root, gpu)));
}

static void print_gpu_csv(const struct driver_root *root, size_t index, const struct gpu *gpu)
{
	printf("%zu,%u,%s,%s,%s,%08x:%02x:%02x.%x,%s\n", index, gpu->minor, known(gpu->model),
	       known(gpu_database_brand(gpu->model)), known(gpu->uuid), gpu->domain, gpu->bus,
	       gpu->slot, gpu->function, known(gpu_database_read_arch(root, gpu)));
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
		(csv ? print_gpu_csv : print_gpu)(&installation->root, i, &devices->gpus[i]);
}

static struct json_object *describe_gpu(const struct driver_root *root, size_t index,
					const struct gpu *gpu)
{
	struct json_object *one = json_object_new_object();
	char address[32];

	snprintf(address, sizeof(address), "%08x:%02x:%02x.%x", gpu->domain, gpu->bus,
		 gpu->slot, gpu->function);
	member_add_number(one, "index", (int64_t)index);
	member_add_number(one, "minor", gpu->minor);
	member_add_text(one, "name", or_null(gpu->model));
	member_add_text(one, "brand", gpu_database_brand(gpu->model));
	member_add_text(one, "uuid", or_null(gpu->uuid));
	member_add_text(one, "pci", address);
	member_add_text(one, "architecture", gpu_database_read_arch(root, gpu));
	return one;
}

static void print_info_json(const struct installation *installation)
{
	struct json_object *answer = json_object_new_object();
	struct json_object *gpus = json_object_new_array();
	size_t i;

	member_add_text(answer, "driver", installation->version);
	member_add_text(answer, "cuda", or_null(installation->cuda));
	for (i = 0; i < installation->devices.n_gpus; i++)
		json_object_array_add(gpus, describe_gpu(&installation->root, i,
							 &installation->devices.gpus[i]));
	json_object_object_add(answer, "gpus", gpus);
	command_print_json(answer);
}

int container_cli_info(const struct command_call *call)
{
	struct container_cli cli;
	/* No files are listed here. */
	int status = container_cli_open(&cli, call, 0);

	if (!status && command_wants_json(call))
		print_info_json(&cli.installation);
	else if (!status)
		print_info(&cli.installation, command_is_on(call, "csv"));
	container_cli_close(&cli);
	return status;
}

struct listing {
	struct strv *paths;
	const struct container_cli *cli;
	bool common;
};

/* Lists a node, and what in /proc says who may use it. Nodes of no device: if they are there. */
static void list_node(const struct driver_node *node, void *arg)
{
	const struct listing *listing = arg;
	const struct container_cli *cli = listing->cli;
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s%s", cli->installation.root.dev, node->path);
	if (node->kind < NODE_GPU && (!listing->common || access(path, F_OK)))
		return;
	/* All MIG devices of a GPU, also those that are made later. */
	if (node->kind == NODE_MIG && (cli->selection.config || cli->selection.monitor)) {
		snprintf(path, sizeof(path), "/proc/driver/nvidia/capabilities/gpu%u/mig",
			 node->gpu->minor);
		strv_add_once(listing->paths, path);
		strv_add_once(listing->paths, "/dev/nvidia-caps");
		return;
	}
	if (*node->proc)
		strv_add(listing->paths, node->proc);
	strv_add(listing->paths, node->path);
}

static void list_files(struct strv *paths, const struct container_cli *cli,
		       enum driver_file_kind kind)
{
	const struct driver_files *files = &cli->installation.files;
	size_t i;

	/* A file that has two parts in the table is one: gbm's is libnvidia-allocator. */
	for (i = 0; i < files->n; i++)
		if (files->file[i].kind == kind &&
		    driver_file_is_wanted(&files->file[i], CAPABILITY_ALL, cli->without))
			strv_add_once(paths, files->file[i].path);
}

static void list(struct strv *paths, const struct container_cli *cli, bool all)
{
	const struct command_call *call = cli->call;
	struct listing listing = {
		.paths = paths, .cli = cli, .common = all || command_value(call, "device"),
	};

	nodes_visit(&cli->installation.devices, &cli->selection, list_node, &listing);
	if (all || command_is_on(call, "binaries"))
		list_files(paths, cli, DRIVER_PROGRAM);
	if (all || command_is_on(call, "libraries"))
		list_files(paths, cli, DRIVER_LIBRARY);
	if (all || (command_is_on(call, "libraries") && command_is_on(call, "compat32")))
		list_files(paths, cli, DRIVER_LIBRARY32);
	if (all || command_is_on(call, "ipcs"))
		list_files(paths, cli, DRIVER_SOCKET);
	if (all || command_is_on(call, "firmwares"))
		list_files(paths, cli, DRIVER_FIRMWARE);
}

/* Is the command called without options that select files? Then it lists all. */
static bool is_plain(const struct command_call *call)
{
	static const char *const names[] = { "device", "libraries", "binaries",
		"ipcs", "firmwares", "compat32", "mig-config", "mig-monitor",
		"imex-channel" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (command_value(call, names[i]))
			return false;
	return true;
}

int container_cli_list(const struct command_call *call)
{
	struct container_cli cli;
	struct strv paths = { 0 };
	bool all = is_plain(call);
	int status = container_cli_open(&cli, call, CAPABILITY_ALL);

	if (!status)
		status = container_cli_select(&cli, all ? "all" : NULL);
	if (!status) {
		list(&paths, &cli, all);
		command_print_words(call, "paths", &paths);
	}
	strv_free(&paths);
	container_cli_close(&cli);
	return status;
}
