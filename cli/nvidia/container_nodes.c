// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu container nodes: make the device nodes that are missing, and the links by
 * which systemd finds them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/nvidia/internal.h"
#include "nvidia/modules.h"
#include "nvidia/nodes.h"

/**
 * struct job - one call
 */
struct job {
	const struct command_call *call;
	const struct nodes_work *work;
	struct driver_root root;
	struct devices devices;
};

static int read_devices(struct job *job)
{
	const char *dev = job->work->dev;
	char why[WHY_SIZE];

	if (driver_root_open(&job->root, job->work->root, why) ||
	    devices_read(&job->devices, &job->root, why))
		return command_fail(job->call, CLI_FAILED, "%s", why);
	if (dev)
		snprintf(job->root.dev, PATH_MAX, "%s", strcmp(dev, "/") ? dev : "");
	return CLI_DONE;
}

static int make(const struct job *job, struct strv *problems)
{
	int ret = 0;

	if (job->work->nodes)
		ret = nodes_make(&job->devices, &job->root, job->devices.imex,
				 job->devices.n_imex, problems);
	if (!ret && job->work->links)
		ret = nodes_link(&job->devices, &job->root, problems);
	return ret;
}

static int check(const struct job *job, struct strv *problems)
{
	int ret = 0;

	if (job->work->nodes)
		ret = nodes_check(&job->devices, &job->root, problems);
	if (!ret && job->work->links)
		ret = nodes_check_links(&job->devices, &job->root, problems);
	return ret;
}

/*
 * Prints problems: they are the answer of a check, and an error if they were to be
 * mended.
 */
static int say(const struct job *job, const struct strv *problems)
{
	if (!job->work->check)
		return command_report(job->call, CLI_FAILED, problems);
	command_print_words(job->call, "problems", problems);
	return problems->n ? CLI_NO : CLI_DONE;
}

int nodes_do(const struct command_call *call, const struct nodes_work *work)
{
	struct job job = { .call = call, .work = work, .root.fd = -1 };
	struct strv problems = { 0 };
	int ret = 0, status;

	if (work->load && !work->check)
		ret = modules_load(work->root, &problems);
	status = ret ? CLI_FAILED : read_devices(&job);
	if (!status) {
		ret = (work->check ? check : make)(&job, &problems);
		status = ret ? command_fail(call, CLI_FAILED, "no memory") :
			 say(&job, &problems);
	}
	strv_free(&problems);
	devices_free(&job.devices);
	driver_root_close(&job.root);
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
