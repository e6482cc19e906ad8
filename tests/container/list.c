// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what is found below a driver's root: its version and devices, one a line.
 *
 *	list ROOT [CHANNEL...]		load modules and make nodes that are missing,
 *					too, and nodes of these IMEX channels
 *
 * Problems of modules and nodes come at the end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

static void print_gpu(const struct gpu *gpu)
{
	size_t i;

	printf("gpu %s minor %u %s %s\n", gpu->address, gpu->minor,
	       *gpu->uuid ? gpu->uuid : "-", gpu->model);
	for (i = 0; i < gpu->n_migs; i++)
		printf("mig %u/%u caps %u %u\n", gpu->migs[i].gpu_instance,
		       gpu->migs[i].compute_instance, gpu->migs[i].gpu_cap,
		       gpu->migs[i].compute_cap);
}

static void print(const struct installation *installation)
{
	const struct devices *devices = &installation->devices;
	const struct majors *majors = &devices->majors;
	size_t i;

	printf("driver %s\n", installation->version);
	printf("majors %u uvm %u caps %u imex %u nvswitch %u\n", majors->nvidia,
	       majors->uvm, majors->caps, majors->imex, majors->nvswitch);
	for (i = 0; i < devices->n_gpus; i++)
		print_gpu(&devices->gpus[i]);
	printf("config %u monitor %u\n", devices->mig_config, devices->mig_monitor);
	for (i = 0; i < devices->n_imex; i++)
		printf("imex %u\n", devices->imex[i]);
}

static void make_nodes(const struct installation *installation, char **channels,
		       size_t n, struct strv *problems)
{
	uint32_t *imex = xcalloc(n + 1, sizeof(*imex));
	const struct selection chosen = { .imex = imex, .n_imex = n };
	size_t i;

	for (i = 0; i < n; i++)
		imex[i] = (uint32_t)atoi(channels[i]);
	nodes_make(&installation->devices, &installation->root, NULL, problems);
	nodes_make(&installation->devices, &installation->root, &chosen, problems);
	free(imex);
	nodes_link(&installation->devices, &installation->root, problems);
}

int main(int argc, char **argv)
{
	struct installation installation;
	struct strv problems = { 0 };
	char why[WHY_SIZE];
	size_t i;

	if (argc < 2)
		return 2;
	if (argc > 2)
		modules_load(argv[1], &problems);
	if (installation_read(&installation, argv[1], CAPABILITY_ALL, NULL, why)) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	print(&installation);
	if (argc > 2)
		make_nodes(&installation, argv + 2, (size_t)argc - 2, &problems);
	nodes_check(&installation.devices, &installation.root, &problems);
	for (i = 0; i < problems.n; i++)
		printf("problem %s\n", problems.word[i]);
	strv_free(&problems);
	installation_free(&installation);
	return 0;
}
