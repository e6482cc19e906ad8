// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu run: a command in a container of its own, under engine notify.
 */
#include <signal.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cli/engine/commands.h"
#include "cli/engine/options.h"
#include "engines/notify/notify.h"

/* End as the command has ended; by the same signal, if it was one. */
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
	int ended, status = read_monitor_options(call, &options);
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
