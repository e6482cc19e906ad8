// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: the driver's device nodes.
 */
#include <limits.h>

#include "cli/doctor/internal.h"
#include "lib/host.h"
#include "nvidia/nvidia.h"

static void report(struct findings *findings, const struct devices *devices,
		   const struct strv *problems)
{
	if (!problems->n)
		finding_add(findings, FOUND_NODES_OK, NOTHING,
			    "all device nodes of %zu GPUs are there",
			    devices->n_gpus);
	else
		finding_add(findings, FOUND_NODES_WRONG,
			    "sudo mpu container nodes; it lists all with --check",
			    "%zu device nodes or links are missing or wrong, e.g. %.800s",
			    problems->n, problems->word[0]);
}

void doctor_nodes(struct findings *findings)
{
	char why[WHY_SIZE];
	struct strv problems = { 0 };
	struct driver_root root;
	struct devices devices;

	if (driver_root_open(&root, "", why))
		return;
	/* A driver that is not loaded has been reported already. */
	if (!devices_read(&devices, &root, why)) {
		nodes_check(&devices, &root, &problems);
		/* Systemd finds devices by the links. */
		if (host_exists("/run/systemd/system"))
			nodes_check_links(&devices, &root, &problems);
		report(findings, &devices, &problems);
		strv_free(&problems);
		devices_free(&devices);
	}
	driver_root_close(&root);
}
