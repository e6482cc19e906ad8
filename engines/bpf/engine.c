// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine "bpf": programs in the kernel, and a daemon that follows the driver.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/regimes.h"
#include "engines/bpf/internal.h"
#include "engines/engines.h"
#include "lib/clock.h"
#include "lib/fds.h"
#include "lib/host.h"

static bool bpf_available(char *why, char *todo)
{
	const char *problem;

	if (features_check(why, todo))
		return false;
	problem = preempt_problem();
	if (!problem)
		return true;
	why_fail(why, 0, "%s", problem);
	why_fail(todo, 0, "use mpu.ko or engine notify");
	return false;
}

/* Links that cannot be pinned end with the daemon. */
static bool read_state(struct bpf_state *state)
{
	bool linked;

	return !host_is_other() && !pins_read(state, &linked) && state->on &&
	       (linked || pins_daemon());
}

static bool bpf_is_up(void)
{
	struct bpf_state state;

	return read_state(&state);
}

/* Only root can see what is left, and remove it. */
static bool bpf_leftovers(void)
{
	bool whole = bpf_is_up() && pins_daemon();

	return !whole && !geteuid() && (pins_exist() || kprobe_event_exists());
}

/* Another `mpu up` may have started a daemon that is not ready yet. */
static bool wait_for_daemon(void)
{
	struct wait wait = wait_begin(20, 0);

	while (pins_daemon() && !bpf_is_up() && wait_moment(&wait))
		;
	return bpf_is_up() && pins_daemon();
}

static void tell_ready(void *pipe)
{
	int fd = *(int *)pipe;

	if (write(fd, "", 1) == 1)
		close(fd);
}

/* Writes to @out a byte of 0 when calls are translated, or why they are not. */
static void run_daemon(bool pass_unknown, int out)
{
	char why[WHY_SIZE] = "", dev[96];
	int err = host_path(dev, sizeof(dev), "/dev");
	int fd, null;

	/* Keeps no file and no folder of who started it, as mpu agent. */
	fd_close_others(&out, 1, 0);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	setsid();
	if (chdir("/"))
		_exit(1);
	signal(SIGPIPE, SIG_IGN);	/* nobody may be listening any more */
	for (fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	if (!err)
		err = daemon_run(pass_unknown, dev, tell_ready, &out, why);
	if (err && write(out, why, strlen(why)) < 0)
		_exit(1);
	_exit(!!err);
}

static int bpf_up(const struct engine_options *options, char *why)
{
	bool pass = options->unknown && !strcmp(options->unknown, "pass");
	int pipes[2];
	ssize_t n;
	pid_t pid;

	if (wait_for_daemon())
		return 0;
	if (pipe2(pipes, O_CLOEXEC))
		return why_fail(why, -errno, "cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		run_daemon(pass, pipes[1]);
	}
	close(pipes[1]);
	n = pid < 0 ? -1 : read(pipes[0], why, WHY_SIZE - 1);
	close(pipes[0]);
	if (n == 1 && !why[0])
		return 0;
	if (n <= 0)
		return why_fail(why, -EIO, "the daemon did not start: see the end of 'dmesg'");
	why[n] = '\0';
	return -EIO;
}

/* Programs that are pinned stay at work until those of the next take over, others would end. */
static int bpf_replace_running(const struct engine_options *options, char *why)
{
	struct wait wait = wait_begin(10, 0);
	pid_t pid = pins_daemon();
	struct bpf_state state;
	bool linked;

	/* The next could not start there. */
	if (!pid || hook_off() || pins_read(&state, &linked) || !linked)
		return 0;
	if (kill(pid, SIGKILL) && errno != ESRCH)
		return why_fail(why, -errno, "cannot replace the daemon %d: %s",
				pid, strerror(errno));
	while (pins_daemon() == pid && wait_moment(&wait))
		;
	return bpf_up(options, why);
}

static int bpf_down(bool force, void (*waiting)(const char *what), char *why)
{
	struct wait wait = wait_begin(20, 0);
	pid_t pid = pins_daemon();
	struct bpf_state state;
	char text[96];
	bool linked;

	(void)force;
	if (pid && kill(pid, SIGTERM) && errno != ESRCH)
		return why_fail(why, -errno, "cannot stop the daemon %d: %s", pid, strerror(errno));
	while (pid && pins_daemon() == pid && wait_moment(&wait)) {
		if (!wait_second(&wait) || pins_read(&state, &linked) || !state.calls)
			continue;
		snprintf(text, sizeof(text),
			 "waiting, calls in flight: %" PRIu64,
			 (uint64_t)state.calls);
		waiting(text);
	}
	if (pins_daemon())
		return 0;	/* another mpu up has started it since */
	/* A daemon that was killed has left this. */
	pins_clear();
	kprobe_event_remove_others();
	pins_remove_stale_lock();
	return 0;
}

#define COUNTED	(1u << MPU_TRANSLATED | 1u << MPU_SEEN | 1u << MPU_HIDDEN | \
		 1u << MPU_ODD_SIZE | 1u << MPU_REFUSED | 1u << MPU_FAULT | \
		 1u << MPU_NO_MEMORY | 1u << MPU_IMPOSSIBLE)

static void fill_controls(struct engine_status *status, const struct bpf_state *state)
{
	struct engine_control *control;
	unsigned int i, n;

	for (i = 0; i < MPU_CONTROLS; i++) {
		control = engine_status_control(status, mpu_control_names[i]);
		if (!control)
			return;
		control->counted = COUNTED;
		for (n = 0; n < MPU_COUNTERS; n++)
			control->count[n] = state->counter[i][n];
		control->pid_space = state->pid_space[i] % MPU_PID_SPACES;
		control->measured = state->measured[i];
	}
}

static void bpf_status(struct engine_status *status)
{
	struct engine_place *place = &status->place;
	struct bpf_state state;
	const char *off;

	snprintf(status->version, sizeof(status->version), "%s", MPU_VERSION);
	place->has_daemon = true;
	place->daemon = pins_daemon();
	status->answered = read_state(&state);
	if (!status->answered)
		return;
	/* A result for the last driver says nothing about one that has come since. */
	if (driver_is_known(&state)) {
		memcpy(place->driver, state.module, sizeof(place->driver));
		memcpy(place->driver_version, state.version, sizeof(place->driver_version));
	}
	place->missed = pins_missed(&state);
	off = hook_off();
	snprintf(place->hook, sizeof(place->hook), "%s", off ? "off" : "kprobe");
	if (!off && (place->missed > state.missed_known || clock_ms() < state.missed_until))
		off = "the kernel does not run the programs for every call, see 'missed': who works with bpf(2) keeps it from that";
	why_fail(place->off, 0, "%s", off ? off : "");
	place->arguments = ENGINE_ARGUMENTS_CALLER;
	place->odd_size = state.pass_unknown ? ENGINE_ODD_SIZE_PASS : ENGINE_ODD_SIZE_REFUSE;
	place->has_counters = true;
	place->in_flight = state.calls;
	place->has_pid_space = true;
	fill_controls(status, &state);
}

const struct engine engine_bpf = {
	.name = "bpf",
	.options = ENGINE_UNKNOWN,
	.everywhere = true,
	.available = bpf_available,
	.is_up = bpf_is_up,
	.leftovers = bpf_leftovers,
	.up = bpf_up,
	.replace_running = bpf_replace_running,
	.down = bpf_down,
	.status = bpf_status,
};
