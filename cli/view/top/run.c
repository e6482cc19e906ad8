// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu top: who uses the GPUs, live; or as plain text, one snapshot after the other.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/view/top/internal.h"
#include "cli/view/top/top.h"
#include "lib/clock.h"
#include "lib/process.h"

#define BATCH_COLUMNS	160	/* width where COLUMNS says nothing */

#define FIRST_MS	2000	/* then there is a screen, with or without an answer */
#define LATE_MS		5000

/**
 * struct session - mpu top while it runs
 * @since_ms:	when it began to wait for the driver; 0: it does not
 */
struct session {
	const struct command_call *call;
	struct usage_reader *reader;
	uint64_t since_ms;
	struct top top;
	struct screen screen;
};

/*
 * Asks the driver: it may have gone, and be back the next time. While it has not answered
 * (-ETIMEDOUT) what it said last stays on the screen for LATE_MS.
 */
static int read_usage(struct session *session, int patience_ms, char why[WHY_SIZE])
{
	const struct usage *usage;
	int ret;

	if (!session->since_ms)
		session->since_ms = clock_ms();
	ret = usage_read(session->reader, patience_ms, &usage, why);
	if (!ret)
		top_take(&session->top, usage);
	else if (ret != -ETIMEDOUT || !session->top.usage ||
		 clock_ms() - session->since_ms >= LATE_MS)
		top_lose(&session->top, why);
	if (ret != -ETIMEDOUT)
		session->since_ms = 0;
	return ret;
}

/* --- As plain text --- */

static int batch_columns(void)
{
	const char *columns = getenv("COLUMNS");
	int n = columns ? atoi(columns) : 0;

	return n >= 40 && n <= 1000 ? n : BATCH_COLUMNS;
}

/* The first reading is there. A driver that goes is said to be gone, and asked again. */
static enum cli_exit print_batch(struct session *session, unsigned long times)
{
	enum cli_exit status = CLI_DONE;
	char why[WHY_SIZE];
	unsigned long i;
	int ret;

	for (i = 0; !times || i < times; i++) {
		ret = 0;
		if (i) {
			interval_sleep(session->top.interval);
			command_tell_late(session->call);
			ret = read_usage(session, USAGE_PATIENCE_MS, why);
			command_tell_late(NULL);
		}
		status = ret ? command_fail(session->call, CLI_FAILED, "%s", why) : CLI_DONE;
		if (ret)
			continue;
		top_draw_all(&session->top, &session->screen, batch_columns());
		if (screen_print(&session->screen, stdout) || fflush(stdout))
			return command_fail(session->call, CLI_FAILED,
					    "cannot write to standard output: %s", strerror(errno));
	}
	return status;
}

/* --- On a terminal --- */

/* Takes the signals that end mpu top: it must give the terminal back first. */
static int take_signals(void)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, 0 };

	return signals_hold(ends);
}

/* Return: false: the user wants no more. */
static bool press_keys(struct session *session)
{
	enum top_step step;
	unsigned int key;

	while (terminal_read_key(&key)) {
		step = top_press(&session->top, key, session->screen.columns);
		if (step == TOP_QUIT)
			return false;
		if (step == TOP_REDRAW_ALL)
			terminal_forget();
	}
	return true;
}

/*
 * Waits for a key, for the driver's answer (@asked), or until @next_ms. Return: false: it is
 * over.
 */
static bool wait_for_user(struct session *session, int signals, int asked, uint64_t next_ms)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
		{ .fd = asked, .events = POLLIN },
	};
	uint64_t now = clock_ms();
	int timeout = session->top.is_paused ? -1 : asked >= 0 ? 1000 :
		      now < next_ms ? (int)(next_ms - now) : 0;

	if (poll(fds, 3, timeout) < 0)
		return errno == EINTR;	/* the window has another size, mostly */
	return !fds[1].revents && !(fds[0].revents & (POLLHUP | POLLERR | POLLNVAL));
}

static void watch(struct session *session, int signals)
{
	struct top *top = &session->top;
	uint64_t next_ms = top->usage ? clock_ms() + (uint64_t)(1000 * top->interval) : 0;
	char why[WHY_SIZE];
	int asked;

	do {
		asked = -1;
		if (!top->is_paused && clock_ms() >= next_ms) {
			if (read_usage(session, 0, why) == -ETIMEDOUT)
				asked = usage_ask(session->reader);
			else
				next_ms = clock_ms() + (uint64_t)(1000 * top->interval);
		}
		terminal_fit(&session->screen);
		terminal_take_mouse(top->has_mouse);
		top_draw(top, &session->screen);
		terminal_show(&session->screen);
	} while (wait_for_user(session, signals, asked, next_ms) && press_keys(session));
}

static enum cli_exit show(struct session *session)
{
	char why[WHY_SIZE];
	int signals;

	if (terminal_open(why))
		return command_fail(session->call, CLI_FAILED, "%s", why);
	signals = take_signals();
	watch(session, signals);
	terminal_close();
	close(signals);
	return CLI_DONE;
}

/* --- The command --- */

static enum cli_exit read_options(const struct command_call *call, double *interval,
				  unsigned long *times)
{
	const char *count = command_value(call, "times");
	enum cli_exit status;
	char *end;

	*interval = 1;
	*times = 0;
	status = interval_read(call, "interval", interval);
	if (status || !count)
		return status;
	*times = strtoul(count, &end, 10);
	if (*end || *count == '-' || !*times)
		return command_fail_usage(call, "invalid value '%s' for --times: use a number from 1 on",
					  count);
	if (!command_value(call, "batch"))
		return command_fail_usage(call, "--times is for --batch: a screen ends when you quit it");
	return CLI_DONE;
}

static int run_top(const struct command_call *call)
{
	struct session session = { .call = call };
	enum cli_exit status;
	char why[WHY_SIZE];
	unsigned long times;
	double interval;
	int ret;

	status = read_options(call, &interval, &times);
	top_begin(&session.top, 1);
	if (!command_value(call, "batch"))
		top_read_settings(&session.top);
	if (command_value(call, "interval") || command_value(call, "batch"))
		session.top.interval = interval;
	if (!status)
		status = filter_read(call, &session.top.view.filter);
	if (status)
		return status;
	session.reader = usage_open(RM_SAMPLES_NEW, true, true);
	terminal_set_locale(&session.screen);
	session.top.is_printed = command_value(call, "batch");
	session.top.is_read_only = command_value(call, "read-only");
	if (session.top.is_printed)
		command_tell_late(call);
	ret = read_usage(&session, session.top.is_printed ? USAGE_PATIENCE_MS : FIRST_MS, why);
	command_tell_late(NULL);
	if (ret && (ret != -ETIMEDOUT || session.top.is_printed))
		status = command_fail(call, CLI_FAILED, "%s", why);
	else if (!ret)
		status = filter_check(call, &session.top.view.filter, session.top.usage);
	if (!status)
		status = session.top.is_printed ? print_batch(&session, times) : show(&session);
	top_free(&session.top);
	screen_free(&session.screen);
	usage_close(session.reader);
	return status;
}

static const struct command_option options[] = {
	{ "interval", 'i', "SECONDS", NULL, "from one reading to the next (default: 1)" },
	{ "batch", 'B', NULL, NULL, "print plain text, for files and pipes" },
	{ "times", 't', "N", NULL,
	  "how often to print, with --batch (default: until it is stopped)" },
	{ "read-only", 0, NULL, NULL, "send no signals, and write no settings" },
	{ .name = NULL },
};

const struct command command_top = {
	.name = "top", .options = { options, process_filter_options }, .run = run_top,
	.offer = usage_offer,
	.what = "show who uses the GPUs, live",
};
