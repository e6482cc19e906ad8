// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu run: a command in a container of its own, under engine notify.
 */
#include <signal.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cli/cli.h"
#include "engines/notify/launcher.h"

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

static enum cli_exit check_place(const struct cli *cli)
{
	if (!cli->words || !cli->words[0])
		return cli_fail(cli, CLI_USAGE,
			"no command given; see 'mpu help run'");
	return cli_need_host(cli);
}

enum cli_exit cmd_run(const struct cli *cli)
{
	const struct keeper_options options = {
		.cpu_percent = cli_cpu_percent(cli),
		.pass_unknown = cli_passes_unknown(cli),
	};
	enum cli_exit status = check_place(cli);
	char why[WHY_SIZE];
	int ended;

	if (status)
		return status;
	if (launcher_run(cli->words, &options, &ended, why))
		return cli_fail(cli, CLI_FAILED, "%s", why);
	end_like(ended);
}
