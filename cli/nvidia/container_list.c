// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-cli info and list: what there is. Programs read both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/container_cli.h"
#include "nvidia/gpu_database.h"

static const char *or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static const char *known(const char *text)
{
	return or_null(text) ? text : "Unknown";
}

static void print_gpu(const struct driver_root *root, size_t index,
		      const struct gpu *gpu)
{
	printf("\n%-15s %zu\n%-15s %u\n%-15s %s\n%-15s %s\n", "Device Index:",
	       index, "Device Minor:", gpu->minor, "Model:", known(gpu->model),
	       "Brand:", known(gpu_database_brand(gpu->model)));
	printf("%-15s %s\n%-15s %08x:%02x:%02x.%x\n%-15s %s\n", "GPU UUID:",
	       known(gpu->uuid), "Bus Location:", gpu->domain, gpu->bus,
	       gpu->slot, gpu->function, "Architecture:",
	       known(gpu_database_read_arch(root, gpu)));
}

static void print_gpu_csv(const struct driver_root *root, size_t index,
			  const struct gpu *gpu)
{
	printf("%zu,%u,%s,%s,%s,%08x:%02x:%02x.%x,%s\n", index, gpu->minor,
	       known(gpu->model), known(gpu_database_brand(gpu->model)),
	       known(gpu->uuid), gpu->domain, gpu->bus, gpu->slot,
	       gpu->function, known(gpu_database_read_arch(root, gpu)));
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

/* Nodes that every container takes, as far as they are there. */
static void list_control(FILE *to, const struct driver_root *root)
{
	static const char *const names[] = { "nvidiactl", "nvidia-uvm",
		"nvidia-uvm-tools", "nvidia-modeset" };
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int len = snprintf(path, sizeof(path), "%s/dev/%s", root->dev,
				   names[i]);

		if (len < (int)sizeof(path) && !access(path, F_OK))
			fprintf(to, "/dev/%s\n", names[i]);
	}
}

#define CAPABILITIES_PROC "/proc/driver/nvidia/capabilities"
#define CAPABILITY_FOLDER "/dev/nvidia-caps"
#define CAPABILITY_NODE CAPABILITY_FOLDER "/nvidia-cap%u\n"

static void list_mig(FILE *to, const struct chosen_mig *chosen)
{
	const struct mig *mig = chosen->mig;

	fprintf(to, CAPABILITIES_PROC "/gpu%u/mig/gi%u/access\n" CAPABILITY_NODE,
	       chosen->gpu->minor, mig->gpu_instance, mig->gpu_cap);
	fprintf(to, CAPABILITIES_PROC "/gpu%u/mig/gi%u/ci%u/access\n" CAPABILITY_NODE,
	       chosen->gpu->minor, mig->gpu_instance, mig->compute_instance,
	       mig->compute_cap);
}

static void list_devices(FILE *to, const struct container_cli *cli)
{
	const struct selection *selection = &cli->selection;
	size_t i;

	list_control(to, &cli->installation.root);
	for (i = 0; i < selection->n_gpus; i++)
		fprintf(to, "/dev/nvidia%u\n", selection->gpus[i].gpu->minor);
	/*
	 * The nodes of the devices are among those that configure or monitor all of
	 * them.
	 */
	if (!selection->config && !selection->monitor)
		for (i = 0; i < selection->n_migs; i++)
			list_mig(to, &selection->migs[i]);
}

/* Lists the nodes that configure MIG devices, or monitor them. */
static void list_mig_all(FILE *to, const struct selection *selection, const char *name,
			 uint32_t cap)
{
	size_t i;

	fprintf(to, CAPABILITIES_PROC "/mig/%s\n", name);
	if (cap)
		fprintf(to, CAPABILITY_NODE, cap);
	for (i = 0; i < selection->n_gpus; i++)
		if (selection->gpus[i].gpu->n_migs)
			fprintf(to, CAPABILITIES_PROC "/gpu%u/mig\n" CAPABILITY_FOLDER "\n",
			       selection->gpus[i].gpu->minor);
}

/* Says whether --no-persistenced or its like leaves a file out. */
static bool is_left_out(const struct command_call *call,
			const struct driver_file *file)
{
	if (file->kind == DRIVER_FIRMWARE)
		return command_is_on(call, "no-gsp-firmware");
	return file->kind == DRIVER_SOCKET &&
	       ((command_is_on(call, "no-persistenced") &&
		 strstr(file->path, "nvidia-persistenced")) ||
		(command_is_on(call, "no-fabricmanager") &&
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

static void list_files(FILE *to, const struct container_cli *cli,
		       enum driver_file_kind kind)
{
	const struct driver_files *files = &cli->installation.files;
	size_t i;

	for (i = 0; i < files->n; i++)
		if (files->file[i].kind == kind && !was_listed(files, i) &&
		    !is_left_out(cli->call, &files->file[i]))
			fprintf(to, "%s\n", files->file[i].path);
}

static void print_list(FILE *to, const struct container_cli *cli, bool all)
{
	const struct command_call *call = cli->call;
	const struct selection *selection = &cli->selection;
	const struct devices *devices = &cli->installation.devices;
	size_t i;

	if (all || command_value(call, "device"))
		list_devices(to, cli);
	for (i = 0; i < selection->n_imex; i++)
		fprintf(to, "/dev/nvidia-caps-imex-channels/channel%u\n",
		       selection->imex[i]);
	if (selection->config)
		list_mig_all(to, selection, "config", devices->mig_config);
	if (selection->monitor)
		list_mig_all(to, selection, "monitor", devices->mig_monitor);
	if (all || command_is_on(call, "binaries"))
		list_files(to, cli, DRIVER_PROGRAM);
	if (all || command_is_on(call, "libraries"))
		list_files(to, cli, DRIVER_LIBRARY);
	if (all || (command_is_on(call, "libraries") && command_is_on(call, "compat32")))
		list_files(to, cli, DRIVER_LIBRARY32);
	if (all || command_is_on(call, "ipcs"))
		list_files(to, cli, DRIVER_SOCKET);
	if (all || command_is_on(call, "firmwares"))
		list_files(to, cli, DRIVER_FIRMWARE);
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

/* Print the list, in JSON as member "paths". Return: an exit status */
static int answer_list(const struct container_cli *cli, bool all)
{
	struct strv paths = { 0 };
	size_t size;
	char *text = NULL;
	FILE *to;
	int status = CLI_DONE;

	if (!command_wants_json(cli->call)) {
		print_list(stdout, cli, all);
		return CLI_DONE;
	}
	to = open_memstream(&text, &size);
	if (to)
		print_list(to, cli, all);
	if (!to || fclose(to) || strv_split(&paths, text, '\n'))
		status = command_fail(cli->call, CLI_FAILED, "no memory");
	else
		command_print_words(cli->call, "paths", &paths);
	strv_free(&paths);
	free(text);
	return status;
}

int container_cli_list(const struct command_call *call)
{
	struct container_cli cli;
	bool all = is_plain(call);
	int status = container_cli_open(&cli, call, CAPABILITY_ALL);

	if (!status)
		status = container_cli_select(&cli, all ? "all" : NULL);
	if (!status)
		status = answer_list(&cli, all);
	container_cli_close(&cli);
	return status;
}
