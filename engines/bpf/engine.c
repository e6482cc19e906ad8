// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine "bpf": programs in the kernel, and a resident process that follows the
 * driver.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/regimes.h"
#include "engines/bpf/pins.h"
#include "engines/bpf/resident.h"
#include "engines/engine.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/wait.h"

static bool bpf_available(char *why, char *todo)
{
	return !resident_possible(why, todo);
}

/* Where links cannot be pinned, the resident process is what holds them. */
static bool read_state(struct bpf_state *state)
{
	bool linked;

	return !host_is_other() && !pins_read(state, &linked) && state->on &&
	       (linked || pins_resident());
}

static bool bpf_is_up(void)
{
	struct bpf_state state;

	return read_state(&state);
}

/* Only root can tell, and only root can see to it. */
static bool bpf_remains(void)
{
	bool whole = bpf_is_up() && pins_resident();

	return !whole && !geteuid() && (pins_left() || event_exists());
}

/* Somebody else's `mpu up` may have been killed, and what it started not. */
static bool wait_for_other(void)
{
	struct wait wait = wait_begin(20, 0);

	while (pins_resident() && !bpf_is_up() && wait_moment(&wait))
		;
	return bpf_is_up() && pins_resident();
}

static int hook_wish(const char *name, unsigned int *hook, char *why)
{
	*hook = HOOK_AUTO;
	if (!name || !strcmp(name, "auto"))
		return 0;
	for (*hook = 0; *hook < BPF_HOOKS; ++*hook)
		if (!strcmp(name, hook_names[*hook]))
			return 0;
	engine_why(why, "engine bpf has no hook %s: fentry, kprobe or tracepoint",
		   name);
	return -EINVAL;
}

static void tell_ready(void *pipe)
{
	int fd = *(int *)pipe;

	if (write(fd, "", 1) == 1)
		close(fd);
}

/* In the child. What it says first is a byte of 0, or why it failed. */
static void reside(unsigned int hook, bool pass_unknown, int out)
{
	char why[RESIDENT_WHY] = "", dev[96];
	int err = host_path(dev, sizeof(dev), "/dev");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int fd;

	setsid();
	signal(SIGPIPE, SIG_IGN);	/* nobody may be listening any more */
	for (fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	if (!err)
		err = resident_run(hook, pass_unknown, dev, tell_ready, &out,
				   why);
	if (err && write(out, why, strlen(why)) < 0)
		_exit(1);
	_exit(!!err);
}

static int bpf_up(const struct engine_wish *wish, char *why)
{
	bool pass = wish->unknown && !strcmp(wish->unknown, "pass");
	unsigned int hook;
	int pipes[2], err;
	ssize_t n;
	pid_t pid;

	err = hook_wish(wish->hook, &hook, why);
	if (err)
		return err;
	if (wait_for_other())
		return 0;
	if (pipe2(pipes, O_CLOEXEC)) {
		engine_why(why, "cannot make a pipe: %s", strerror(errno));
		return -errno;
	}
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		reside(hook, pass, pipes[1]);
	}
	close(pipes[1]);
	n = pid < 0 ? -1 : read(pipes[0], why, ENGINE_WHY - 1);
	close(pipes[0]);
	if (n == 1 && !why[0])
		return 0;
	if (n > 0)
		why[n] = '\0';
	else
		engine_why(why, "the resident process did not start: see the end of 'dmesg'");
	return -EIO;
}

static int bpf_down(void (*waiting)(const char *what), char *why)
{
	struct wait wait = wait_begin(20, 0);
	pid_t pid = pins_resident();
	struct bpf_state state;
	char text[96];
	bool linked;

	if (pid && kill(pid, SIGTERM) && errno != ESRCH) {
		engine_why(why, "cannot stop the resident process %d: %s", pid,
			   strerror(errno));
		return -errno;
	}
	while (pins_resident() && wait_moment(&wait)) {
		if (!wait_second(&wait) || pins_read(&state, &linked) ||
		    !state.calls)
			continue;
		snprintf(text, sizeof(text),
			 "waiting, calls in flight: %" PRIu64,
			 (uint64_t)state.calls);
		waiting(text);
	}
	/* What one that was killed has left. */
	pins_clear();
	event_remove_others();
	pins_bury();
	return 0;
}

/* What the programs count, as status shows it. */
static const enum mpu_counter counted[] = {
	MPU_TRANSLATED, MPU_SEEN, MPU_HIDDEN, MPU_ODD_SIZE, MPU_REFUSED,
	MPU_FAULT, MPU_NO_MEMORY,
};

static void add_counters(struct json_object *answer,
			 const struct bpf_state *state, bool all)
{
	struct json_object *controls = json_object_new_object();
	unsigned int i, n;

	for (i = 0; i < MPU_CONTROLS; i++) {
		struct json_object *one = json_object_new_object();

		for (n = 0; n < sizeof(counted) / sizeof(*counted); n++) {
			enum mpu_counter which = counted[n];
			u64 sum = state->counter[i][which];

			if (sum || all)
				json_add_number(one, mpu_counter_names[which],
						(int64_t)sum);
		}
		if (json_object_object_length(one))
			json_object_object_add(controls, mpu_control_names[i],
					       one);
		else
			json_object_put(one);
	}
	json_object_object_add(answer, "controls", controls);
}

/* Whose numbers the driver speaks, as it is taken now. */
static void add_speech(struct json_object *answer,
		       const struct bpf_state *state)
{
	struct json_object *list = json_object_new_object();
	unsigned int i;

	for (i = 0; i < MPU_CONTROLS; i++) {
		struct json_object *one = json_object_new_object();

		json_add(one, "speech",
			 mpu_speech_names[state->speech[i] % MPU_SPEECHES]);
		json_object_object_add(one, "measured",
			json_object_new_boolean(state->measured[i]));
		json_object_object_add(list, mpu_control_names[i], one);
	}
	json_object_object_add(answer, "speech", list);
}

static void bpf_status(struct json_object *answer, bool all)
{
	struct bpf_state state;
	pid_t resident = pins_resident();
	const char *off;

	if (!read_state(&state))
		return;
	off = state.hook < BPF_HOOKS ? hook_off(state.hook) : NULL;
	json_add(answer, "version", MPU_VERSION);
	json_add(answer, "driver", state.module[0] ? state.module : NULL);
	json_add(answer, "driver_version",
		 state.version[0] ? state.version : NULL);
	json_add(answer, "hook", off ? "off" : state.hook < BPF_HOOKS ?
		 hook_names[state.hook] : NULL);
	json_add(answer, "hook_why", off ? off : state.why);
	json_add(answer, "unknown", state.pass_unknown ? "pass" : "refuse");
	json_add(answer, "arguments", "caller");
	json_add_number(answer, "resident", resident);
	json_add_number(answer, "calls", (int64_t)state.calls);
	json_add_number(answer, "missed",
			(int64_t)(state.missed + event_missed() + pins_missed()));
	add_counters(answer, &state, all);
	add_speech(answer, &state);
}

const struct engine engine_bpf = {
	.name = "bpf",
	.everywhere = true,
	.available = bpf_available,
	.is_up = bpf_is_up,
	.remains = bpf_remains,
	.up = bpf_up,
	.down = bpf_down,
	.status = bpf_status,
};
