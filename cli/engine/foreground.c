// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu up --foreground: the engine as a service, which stays and watches it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/engine/internal.h"
#include "engines/engines.h"
#include "lib/clock.h"
#include "lib/host.h"
#include "lib/service.h"

#define CHECK_MS	30000	/* time between two looks at an engine that works */
#define DEAD_S		3	/* time until a daemon that has ended counts as dead */
#define AGAIN_MS	1000	/* time between two looks at one that does not work */

/* Words of a command line, and how long they are together. */
#define WORDS		32
#define LINE		4096

/**
 * enum health - how an engine is
 * @BROKEN:	it is up, or about to be, and something is wrong
 * @DEAD:	its daemon has died, so that nobody follows the driver
 * @STOPPED:	somebody has stopped it, and nothing is left
 */
enum health { WORKS, BROKEN, DEAD, STOPPED };

/* @daemon: receives the PID of its daemon, 0: it has none */
static enum health check(const struct engine *engine, pid_t *daemon, char why[WHY_SIZE])
{
	bool up = engine->is_up(), leftovers = engine_leftovers(engine);
	char refused[WHY_SIZE];
	struct engine_status status;
	enum health health = BROKEN;

	engine_status(engine, &status);
	*daemon = status.place.daemon;
	if (!up && !leftovers)
		health = STOPPED;
	else if (status.place.has_daemon && !*daemon)
		health = DEAD;
	else if (!up)
		why_fail(why, 0, "it is not up");
	else if (status.error[0] || status.place.off[0])
		why_fail(why, 0, "%s", status.error[0] ? status.error : status.place.off);
	else if (engine->everywhere && measure_engine(&status.place, refused) == WRONG)
		why_fail(why, 0, "a container is told the driver's own numbers: run 'mpu doctor' to find out why");
	else
		health = WORKS;
	engine_status_free(&status);
	return health;
}

/* Tells the manager the state; it ends a service that has not worked for too long. */
static void tell_manager(const struct engine *engine, enum health health,
			 const char *why, bool *complained)
{
	char text[WHY_SIZE + 64];

	if (health == WORKS)
		snprintf(text, sizeof(text), "READY=1\nWATCHDOG=1\nSTATUS=engine %s is up",
			 engine->name);
	else
		snprintf(text, sizeof(text), "STATUS=engine %s: %s", engine->name, why);
	service_tell(text, -1);
	if (health != WORKS && !*complained)
		fprintf(stderr, "mpu: engine %s: %s\n", engine->name, why);
	*complained = health != WORKS;
}

/* Waits for a signal, whose number is returned, the end of @daemon, or the next look. */
static int wait_for_change(int signals, pid_t daemon, enum health health)
{
	int half = (int)service_watchdog_ms() / 2;
	int ms = half && half < CHECK_MS ? half : CHECK_MS;
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = daemon ? (int)syscall(SYS_pidfd_open, daemon, 0) : -1,
		  .events = POLLIN },
	};
	struct signalfd_siginfo info = { 0 };

	poll(fds, 2, health == WORKS ? ms : AGAIN_MS);
	if (fds[1].fd >= 0)
		close(fds[1].fd);
	if (fds[0].revents && read(signals, &info, sizeof(info)) != sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

/* Executes the installed program, maybe a newer one, in our place. Return: negative errno. */
static int go_on_as_installed(void)
{
	char line[LINE], *word[WORDS + 1] = { NULL };
	int at = 0, len = host_read(line, sizeof(line), "/proc/self/cmdline");
	unsigned int n;

	for (n = 0; n < WORDS && at < len; n++) {
		word[n] = line + at;
		at += (int)strlen(word[n]) + 1;
	}
	if (at < len || len <= 0 || len == LINE - 1)
		return len < 0 ? len : -E2BIG;
	execvp(word[0], word);
	return -errno;
}

/* Runs this program again; it takes the engine over: see struct engine, replace_running. */
static void reload(void)
{
	char text[64];
	int ret;

	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%llu",
		 (unsigned long long)clock_ms() * 1000);
	service_tell(text, -1);
	ret = go_on_as_installed();
	fprintf(stderr, "mpu: cannot go on as the program that is installed: %s\n", strerror(-ret));
}

static enum cli_exit stop(const struct command_call *call, const struct engine *engine)
{
	char why[WHY_SIZE];

	service_tell("STOPPING=1", -1);
	if (engine->down(false, show_progress, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	return CLI_DONE;
}

/* Says READY first: systemd would restart a service that ends without it. */
static enum cli_exit say_stopped(void)
{
	service_tell("READY=1", -1);
	puts("the engine was stopped by somebody else");
	return CLI_DONE;
}

/*
 * Watches an engine that is up, and stops it at the end. @engine: NULL: somebody has stopped
 * it already; @signals: SIGTERM and SIGINT stop the engine, SIGHUP has the program that is
 * installed now go on in our place. The service's manager hears of the engine only when it
 * works.
 */
enum cli_exit foreground_serve(const struct command_call *call, const struct engine *engine,
			       int signals)
{
	char why[WHY_SIZE];
	bool complained = false;
	enum health health;
	pid_t daemon;
	int got;

	fflush(stdout);		/* a journal gets the message of mpu up, too */
	if (!engine)
		return say_stopped();
	for (;;) {
		health = check(engine, &daemon, why);
		/* An engine that somebody stops lets go of its probes a moment later. */
		if (health == DEAD && !sleep(DEAD_S))
			health = check(engine, &daemon, why);
		if (health == STOPPED)
			return say_stopped();
		if (health == DEAD)
			return command_fail(call, CLI_FAILED,
				"engine %s: its daemon has died; what it has set up stays for the next",
				engine->name);
		tell_manager(engine, health, why, &complained);
		got = wait_for_change(signals, daemon, health);
		if (got == SIGHUP)
			reload();
		else if (got)
			return stop(call, engine);
		/* A daemon that was replaced was our child. */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}
