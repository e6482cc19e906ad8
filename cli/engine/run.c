// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu run: a command in a container of its own, under engine notify; and mpu agent: the
 * daemon of that engine, in the foreground.
 */
#include <signal.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/engine/internal.h"
#include "engines/notify/notify.h"
#include "lib/host.h"

const struct command_option unknown_option[] = {
	{ "unknown", 'u', "refuse|pass", NULL,
	  "what to do with a known control in an unknown layout (default: refuse)" },
	{ .name = NULL },
};

static const struct command_option cpu_option[] = {
	{ "cpu", 'c', "25|50|100", NULL,
	  "percent of a CPU that one container may take (default: 50)" },
	{ .name = NULL },
};

/*
 * Refuses where engine notify cannot translate: to a worker in another PID namespace the
 * driver's numbers would say nothing.
 */
static int read_options(const struct command_call *call, struct monitor_options *options)
{
	const char *unknown = command_value(call, "unknown");
	const char *percent = command_value(call, "cpu");

	*options = (struct monitor_options){
		.cpu_percent = percent ? (unsigned int)atoi(percent) : BUDGET_PERCENT,
		.pass_unknown = unknown && !strcmp(unknown, "pass"),
	};
	if (access("/proc/self/ns/pid", F_OK))
		return command_fail(call, CLI_FAILED, "/proc is not mounted: mount it first");
	if (!host_is_initial())
		return command_fail(call, CLI_FAILED,
			"this is inside of a container: drivers that name processes by the host's PIDs can be translated on the host only");
	return CLI_DONE;
}

/* Ends as the command has ended; by the same signal, if it was one. */
static noreturn void end_like(int status)
{
	struct rlimit none = { 0, 0 };
	sigset_t set;
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (!sig)
		exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &none);	/* the core is the command's */
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	exit(128 + sig);
}

static int run_run(const struct command_call *call)
{
	struct monitor_options options;
	int ended, status = read_options(call, &options);
	char why[WHY_SIZE];

	if (status)
		return status;
	if (launcher_run(call->words, &options, &ended, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	end_like(ended);
}

const struct command command_run = {
	.name = "run", .argument = "COMMAND...", .options = { cpu_option, unknown_option },
	.run = run_run, .flags = COMMAND_STARTS | COMMAND_RUNS,
	.what = "run a command in a PID namespace of its own, supervised by mpu",
};

static int run_agent(const struct command_call *call)
{
	const char *socket = command_value(call, "socket");
	struct monitor_options options;
	int status = read_options(call, &options);
	char why[WHY_SIZE];

	if (!status && agent_run(socket ? socket : AGENT_SOCKET, &options, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	return status;
}

static const struct command_option agent_options[] = {
	{ "socket", 's', "FILE", NULL, "socket for runtimes to connect to (default: " AGENT_SOCKET ")" },
	{ .name = NULL },
};

const struct command command_agent = {
	.name = "agent", .options = { agent_options, cpu_option, unknown_option },
	.run = run_agent, .flags = COMMAND_STARTS,
	.what = "supervise containers whose OCI runtime asks for it",
};
