// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu container nodes: makes missing device nodes, and links by which systemd finds them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/nvidia/internal.h"
#include "nvidia/nvidia.h"

static void do_nodes(const struct nodes_work *work, const struct devices *devices,
		     const struct driver_root *root, struct strv *problems)
{
	if (work->nodes && work->check)
		nodes_check(devices, root, problems);
	else if (work->nodes)
		nodes_make(devices, root, NULL, problems);
	if (work->links && work->check)
		nodes_check_links(devices, root, problems);
	else if (work->links)
		nodes_link(devices, root, problems);
}

/* Return: an exit status; with @work->check CLI_NO if something is wrong */
int nodes_do(const struct command_call *call, const struct nodes_work *work)
{
	struct driver_root root = { .fd = -1 };
	struct devices devices = { 0 };
	struct strv problems = { 0 };
	char why[WHY_SIZE];
	int status;

	if (work->load && !work->check)
		modules_load(work->root, &problems);
	if (driver_root_open(&root, work->root, why) || devices_read(&devices, &root, why)) {
		status = command_fail(call, CLI_FAILED, "%s", why);
		goto out;
	}
	if (work->dev)
		snprintf(root.dev, PATH_MAX, "%s", strcmp(work->dev, "/") ? work->dev : "");
	do_nodes(work, &devices, &root, &problems);
	/* Problems are the answer of a check, and an error if they were to be mended. */
	if (work->check) {
		command_print_words(call, "problems", &problems);
		status = problems.n ? CLI_NO : CLI_DONE;
	} else {
		status = command_report(call, CLI_FAILED, &problems);
	}
out:
	strv_free(&problems);
	devices_free(&devices);
	driver_root_close(&root);
	return status;
}

static int run_nodes(const struct command_call *call)
{
	const struct nodes_work work = {
		.root = command_value(call, "root") ?: "",
		.load = command_is_on(call, "load-kmods"),
		.nodes = true, .links = true,
		.check = command_is_on(call, "check"),
	};

	return nodes_do(call, &work);
}

static const struct command_option options[] = {
	{ "check", 0, NULL, NULL, "make nothing: say what is wrong" },
	{ .name = NULL },
};

const struct command container_nodes = {
	.name = "nodes", .options = { options }, .run = run_nodes,
	.what = "make device nodes that are missing, and links that systemd finds them by",
};
