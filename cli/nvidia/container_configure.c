// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-cli configure: select, require, plan, and carry the plan out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/container_cli.h"
#include "container/image/layout.h"
#include "container/oci/oci.h"
#include "container/plan/explain.h"
#include "container/plan/memory.h"
#include "container/plan/plan.h"
#include "container/request/requirement.h"
#include "container/rootfs/rootfs.h"
#include "nvidia/nodes.h"

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
		return command_fail(call, CLI_FAILED, "input error: invalid process id: %s",
				    text);
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
		if (strv_add(words, call->given[i].value))
			return fail_input(call, "no memory");
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

static bool takes_compat(const struct command_call *call)
{
	const char *mode = command_value(call, "cuda-compat-mode");

	return !command_is_on(call, "no-cntlibs") &&
	       (!mode || strcmp(mode, "disabled") != 0);
}

static int read_layout(struct job *job)
{
	const struct installation *host = &job->cli.installation;
	char why[WHY_SIZE];

	if (layout_read(&job->layout, job->root, host->version,
			*host->cuda ? host->cuda : NULL, why))
		return container_cli_fail(&job->cli, "container", why);
	if (!takes_compat(job->cli.call))
		job->layout.compat[0] = '\0';
	return 0;
}

static int require(struct job *job)
{
	char why[WHY_SIZE];

	if (requirement_check_all(&job->requirements, REQUIREMENT_CLI,
				  &job->cli.installation, &job->cli.selection, why))
		return container_cli_fail(&job->cli, NULL, why);
	return 0;
}

static int make_channels(struct job *job)
{
	const struct selection *selection = &job->cli.selection;
	struct strv problems = { 0 };
	size_t i;

	if (!selection->n_imex ||
	    command_is_on(job->cli.call, "no-create-imex-channels"))
		return 0;
	if (nodes_make(&job->cli.installation.devices,
		       &job->cli.installation.root, selection->imex,
		       selection->n_imex, &problems))
		return container_cli_fail(&job->cli, "device", "no memory");
	for (i = 0; i < problems.n; i++)
		container_cli_warn(&job->cli, problems.word[i]);
	strv_free(&problems);
	return 0;
}

static bool is_wanted(const struct command_call *call,
		      const struct driver_file *file)
{
	if (file->kind == DRIVER_FIRMWARE)
		return !command_is_on(call, "no-gsp-firmware");
	return file->kind != DRIVER_SOCKET ||
	       ((!command_is_on(call, "no-persistenced") ||
		 !strstr(file->path, "nvidia-persistenced")) &&
		(!command_is_on(call, "no-fabricmanager") ||
		 !strstr(file->path, "nvidia-fabricmanager")));
}

/* Move what is not wanted to the end. Return: how many files are left before it. */
static size_t part_files(const struct command_call *call, struct driver_files *files)
{
	size_t i, n = 0;

	for (i = 0; i < files->n; i++) {
		struct driver_file one = files->file[i];

		if (!is_wanted(call, &one))
			continue;
		memmove(&files->file[n + 1], &files->file[n],
			(i - n) * sizeof(one));
		files->file[n++] = one;
	}
	return n;
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
	struct driver_files *files = &job->cli.installation.files;
	const struct plan_inputs plan = {
		.installation = &job->cli.installation,
		.selection = &job->cli.selection,
		.layout = &job->layout,
		.root = job->root,
		.capabilities = capabilities(job->cli.call),
		.why_devices = "--device",
		.why_capabilities = "options of configure",
	};
	size_t i, all = files->n;
	char why[WHY_SIZE];
	int ret;

	files->n = part_files(job->cli.call, files);
	ret = plan_edits(&job->edits, &plan, why) ?:
	      plan_memory(&job->edits, plan.selection, &job->memory, why);
	files->n = all;
	if (ret)
		return container_cli_fail(&job->cli, "detection", why);
	for (i = 0; i < job->edits.lacks.n; i++)
		container_cli_warn(&job->cli, job->edits.lacks.word[i]);
	return 0;
}

/* Lists the mount points to make: deleting the container removes them, come what may. */
static int record(struct job *job)
{
	const struct container_cli_caller *caller = job->cli.call->context;
	char why[WHY_SIZE];
	int status = container_cli_phase(&job->cli, PHASE_CONTAINER);

	if (!status && caller &&
	    oci_mount_points_record(caller->bundle, job->root, caller->config,
				    &job->edits, why))
		container_cli_warn(&job->cli, why);
	return status;
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
	};
	struct strv warnings = { 0 };
	char why[WHY_SIZE];
	int ret = rootfs_configure(&job->edits, &options, &warnings, why);
	size_t i;

	for (i = 0; i < warnings.n; i++)
		container_cli_warn(&job->cli, warnings.word[i]);
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
		status = require(job);
	if (!status)
		status = make_channels(job);
	if (!status)
		status = plan(job);
	if (!status)
		status = record(job);
	/* The job begins its phases by itself. */
	return status ? status : carry_out(job);
}

/* The edits are the answer in JSON; as text there is none. */
static int answer(const struct job *job)
{
	struct json_object *answer;

	if (!command_wants_json(job->cli.call))
		return CLI_DONE;
	answer = explain_json(&job->edits);
	if (!answer)
		return command_fail(job->cli.call, CLI_FAILED, "no memory for the answer");
	command_print_json(answer);
	return CLI_DONE;
}

int container_cli_configure(const struct command_call *call)
{
	struct job job = { 0 };
	int status = read_input(&job, call);

	if (!status) {
		status = container_cli_open(&job.cli, call, capabilities(call));
		if (!status)
			status = configure(&job);
		if (!status)
			status = answer(&job);
		edits_free(&job.edits);
		container_cli_close(&job.cli);
	}
	strv_free(&job.requirements);
	return status;
}
