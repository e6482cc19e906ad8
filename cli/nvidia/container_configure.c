// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-cli configure: select, require, plan, and carry the plan out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/image/image.h"
#include "container/oci/oci.h"
#include "container/plan/plan.h"
#include "container/request/request.h"
#include "container/rootfs/rootfs.h"
#include "nvidia/nvidia.h"

#define REQUIREMENTS	32	/* the limit of existing tools */

/**
 * struct job - a container, and what it is to be given
 * @edits:	valid if @status is 0
 */
struct job {
	struct container_cli cli;
	pid_t pid;
	const char *root;
	struct strv requirements;
	struct gpu_memory memory;
	struct layout layout;
	struct edits edits;
};

static int fail_input(const struct command_call *call, const char *what)
{
	return command_fail(call, CLI_FAILED, "input error: %s", what);
}

static int read_pid(const struct command_call *call, pid_t *pid)
{
	const char *text = command_value(call, "pid");
	char *end;
	long n;

	if (!text) {
		*pid = getppid();
		return 0;
	}
	errno = 0;
	n = strtol(text, &end, 10);
	if (!*text || *end || errno || n <= 0 || n > INT_MAX)
		return command_fail(call, CLI_FAILED, "input error: invalid process id: %s", text);
	*pid = (pid_t)n;
	return 0;
}

/* An expression has commas in it, so they are not split. */
static int read_requirements(const struct command_call *call, struct strv *words)
{
	size_t i;

	for (i = 0; i < call->n_given; i++) {
		if (strcmp(call->given[i].option->name, "require") != 0)
			continue;
		if (words->n == REQUIREMENTS)
			return fail_input(call, "too many requirements");
		strv_add(words, call->given[i].value);
	}
	return 0;
}

static int read_input(struct job *job, const struct command_call *call)
{
	const char *mode = command_value(call, "cuda-compat-mode");
	char why[WHY_SIZE];
	int status;

	job->root = call->words[0];
	if (job->root[0] != '/' || !job->root[strspn(job->root, "/")])
		return fail_input(call, "invalid rootfs directory");
	if (mode && strcmp(mode, "mount") != 0 && strcmp(mode, "ldconfig") != 0 &&
	    strcmp(mode, "disabled") != 0)
		return command_fail(call, CLI_FAILED, "input error: invalid value of --cuda-compat-mode: %s",
				    mode);
	if (gpu_memory_read(&job->memory, command_value(call, "gpu-memory-request"),
			    command_value(call, "gpu-memory-limit"), why))
		return fail_input(call, why);
	status = read_pid(call, &job->pid);
	return status ? status : read_requirements(call, &job->requirements);
}

static int read_layout(struct job *job)
{
	const struct installation *host = &job->cli.installation;
	const char *mode = command_value(job->cli.call, "cuda-compat-mode");
	char why[WHY_SIZE];

	if (layout_read(&job->layout, job->root, host->version,
			*host->cuda ? host->cuda : NULL, why))
		return container_cli_fail(&job->cli, "container", why);
	if (command_is_on(job->cli.call, "no-cntlibs") || (mode && !strcmp(mode, "disabled")))
		job->layout.compat[0] = '\0';
	container_cli_log(&job->cli, 'I', "container %s: libraries in %s, programs in %s, newer CUDA libraries of its own %s%s",
			  job->root, job->layout.library, job->layout.program,
			  *job->layout.compat ? "in " : "none", job->layout.compat);
	return 0;
}

/* Nodes may be made in one phase alone. */
static int make_channels(struct job *job)
{
	const struct selection *selection = &job->cli.selection;
	struct strv problems = { 0 };
	int status;

	if (!selection->n_imex || command_is_on(job->cli.call, "no-create-imex-channels"))
		return 0;
	status = container_cli_phase(&job->cli, PHASE_KMODS);
	if (status)
		return status;
	nodes_make(&job->cli.installation.devices, &job->cli.installation.root, selection,
		   &problems);
	container_cli_warn(&job->cli, &problems);
	strv_free(&problems);
	return container_cli_phase(&job->cli, PHASE_INFO);
}

static unsigned int capabilities(const struct command_call *call)
{
	unsigned int set = 0;
	size_t i;

	for (i = 0; i < CAPABILITY_COUNT; i++)
		if (command_is_on(call, capability_names[i]))
			set |= 1u << i;
	return set;
}

static int plan(struct job *job)
{
	const struct container_cli_caller *caller = job->cli.call->context;
	const struct plan_inputs plan = {
		.installation = &job->cli.installation,
		.selection = &job->cli.selection,
		.layout = &job->layout,
		.settings = caller ? caller->settings : NULL,
		.root = job->root,
		.read_only = caller && container_is_read_only(caller->config),
		.capabilities = capabilities(job->cli.call),
		.without = job->cli.without,
		.why_devices = "--device",
		.why_capabilities = "options of configure",
	};
	char why[WHY_SIZE];
	int status;

	if (requirement_check_all(&job->requirements, plan.installation, plan.selection, why))
		return container_cli_fail(&job->cli, NULL, why);
	status = make_channels(job);
	if (status)
		return status;
	if (plan_edits(&job->edits, &plan, why) ||
	    plan_memory(&job->edits, plan.selection, &job->memory, why))
		return container_cli_fail(&job->cli, "detection", why);
	container_cli_warn(&job->cli, &job->edits.lacks);
	return 0;
}

/* Lists the mount points to make: deleting the container removes them, come what may. */
static int record(struct job *job)
{
	const struct container_cli_caller *caller = job->cli.call->context;
	const struct container container = { .root = (char *)job->root };
	struct strv problems = { 0 };
	struct places places = { 0 };
	char why[WHY_SIZE];
	int status = container_cli_phase(&job->cli, PHASE_CONTAINER);

	if (!status && caller &&
	    (places_open(&places, &container, why) ||
	     oci_mount_points_record(caller->bundle, &places, caller->config, &job->edits, why))) {
		strv_add(&problems, why);
		container_cli_warn(&job->cli, &problems);
		strv_free(&problems);
	}
	places_close(&places);
	return status;
}

static void log_line(const void *cli, const char *line)
{
	container_cli_log(cli, 'I', "%s", line);
}

static int carry_out(struct job *job)
{
	const struct command_call *call = job->cli.call;
	const struct container_cli_caller *caller = call->context;
	const struct rootfs_options options = {
		.pid = job->pid, .root = job->root,
		.driver = &job->cli.installation.root,
		.no_cgroups = command_is_on(call, "no-cgroups"),
		.no_devbind = command_is_on(call, "no-devbind"),
		.allow_old_kernel = command_is_on(call, "allow-legacy-kernel"),
		.device_rules = caller ? caller->device_rules : NULL,
		.log = job->cli.log ? log_line : NULL, .context = &job->cli,
	};
	struct strv warnings = { 0 };
	char why[WHY_SIZE];
	int ret = rootfs_configure(&job->edits, &options, &warnings, why);

	container_cli_warn(&job->cli, &warnings);
	strv_free(&warnings);
	return ret ? container_cli_fail(&job->cli, NULL, why) : 0;
}

static int configure(struct job *job)
{
	int status = container_cli_phase(&job->cli, PHASE_CONTAINER);

	if (!status)
		status = read_layout(job);
	if (!status)
		status = container_cli_phase(&job->cli, PHASE_INFO);
	if (!status)
		status = container_cli_select(&job->cli, NULL);
	if (!status)
		status = plan(job);
	if (!status)
		status = record(job);
	/* The job begins its phases by itself. */
	return status ? status : carry_out(job);
}

int container_cli_configure(const struct command_call *call)
{
	struct job job = { 0 };
	int status = read_input(&job, call);

	if (!status) {
		status = container_cli_open(&job.cli, call, capabilities(call));
		if (!status)
			status = configure(&job);
		/* Text has no answer. */
		if (!status && command_wants_json(call))
			command_print_json(explain_json(&job.edits));
		edits_free(&job.edits);
		container_cli_close(&job.cli);
	}
	strv_free(&job.requirements);
	return status;
}
