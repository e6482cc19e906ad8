// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine "notify": mpu agent, which containers are sent to by mpu runtime.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/engines.h"
#include "engines/notify/internal.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/process.h"
#include "lib/clock.h"

#define UNITS	"mpu-agent.socket", "mpu-agent.service"

static bool notify_available(char *why, char *todo)
{
	char actions[256];

	if (host_read(actions, sizeof(actions),
		      "/proc/sys/kernel/seccomp/actions_avail") <= 0 ||
	    !strstr(actions, "user_notif")) {
		why_fail(why, 0, "this kernel has no seccomp user notification");
		why_fail(todo, 0, "boot Linux 5.10 or later, built with CONFIG_SECCOMP_FILTER");
		return false;
	}
	if (host_is_other() || !kernel_check(getpid(), why))
		return true;
	why_fail(todo, 0, "boot Linux 5.10 or later; on one, look at kernel.yama.ptrace_scope and at the seccomp profile that this runs under");
	return false;
}

static bool notify_is_up(void)
{
	int sock = host_is_other() ? -ENOENT : agent_connect(AGENT_SOCKET);

	if (sock >= 0)
		close(sock);
	return sock >= 0 || sock == -EACCES || sock == -EAGAIN;
}

/* Installed by make install, and known to systemd? */
static bool has_units(void)
{
	const char *const words[] = { "systemctl", "cat", UNITS, NULL };
	const int fd[3] = { STDIN_FILENO, PROCESS_NULL, PROCESS_NULL };

	return host_exists("/run/systemd/system") && !process_run(words, fd);
}

static int run_systemctl(const char *verb, char *why)
{
	const char *const words[] = { "systemctl", verb, UNITS, NULL };
	/* The output of systemctl is no part of our answer; its complaints are. */
	const int fd[3] = { STDIN_FILENO, PROCESS_NULL, STDERR_FILENO };
	int ret = process_run(words, fd);

	return ret ? why_fail(why, -EIO,
			      "systemctl could not %s the agent: see 'systemctl status mpu-agent'",
			      verb) : 0;
}

/* The agent has ended: the first line that it wrote says why. */
static int explain_end(int complaints, char *why)
{
	char text[256];
	ssize_t n = read(complaints, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return why_fail(why, -ESRCH, "the agent did not start: %s",
			*text ? text : "see what 'mpu agent' says");
}

/* Waits until the agent listens, or that of another mpu up does, or it has ended. */
static int wait_for_agent(const struct process *agent, char *why)
{
	struct wait wait = wait_begin(20, 30000);
	bool has_ended;
	int status;

	do {
		has_ended = process_ended(agent->pid, &status);
		if (notify_is_up())
			return 0;
		if (has_ended)
			return explain_end(agent->output, why);
	} while (wait_moment(&wait));
	return why_fail(why, -ETIMEDOUT,
			"the agent (PID %d) has not come to listen in 30 s: see what 'mpu agent' says",
			(int)agent->pid);
}

static int notify_up(const struct engine_options *options, char *why)
{
	const char *const words[] = { "mpu", "agent", NULL };
	const int fd[3] = { PROCESS_NULL, PROCESS_NULL, PROCESS_PIPE };
	struct process agent;
	int ret;

	(void)options;
	if (has_units())
		return run_systemctl("start", why);
	ret = process_start_self(&agent, words, fd);
	if (ret)
		return why_fail(why, ret, "cannot start the agent: %s", strerror(-ret));
	ret = wait_for_agent(&agent, why);
	close(agent.output);
	return ret;
}

/* Containers that live are served by the worker it leaves behind. */
static int notify_down(bool force, void (*waiting)(const char *what), char *why)
{
	struct wait wait = wait_begin(20, 0);
	struct engine_status status = { 0 };
	struct pollfd agent = { .fd = -1, .events = POLLIN };
	struct json_object *answer;
	pid_t listens;
	int ret = 0;

	(void)force;
	if (has_units())
		return run_systemctl("stop", why);
	if (!agent_ask(AGENT_SOCKET, &answer, &listens))
		engine_status_parse(&status, answer);
	json_object_put(answer);
	if (status.agent.pid > 0)
		agent.fd = (int)syscall(SYS_pidfd_open, status.agent.pid, 0);
	engine_status_free(&status);
	if (agent.fd >= 0 && !syscall(SYS_pidfd_send_signal, agent.fd, SIGTERM, NULL, 0)) {
		/* Another mpu up may have started the next by then, which stays. */
		while (!poll(&agent, 1, 0) && wait_moment(&wait))
			if (wait_second(&wait))
				waiting("waiting for the agent to end");
	} else if (notify_is_up()) {	/* another mpu down was not first */
		ret = why_fail(why, -ESRCH,
			       "the agent (PID %d) does not answer: end it with 'kill %d', or kill -9",
			       (int)listens, (int)listens);
	}
	if (agent.fd >= 0)
		close(agent.fd);
	return ret;
}

/* Checks the worker of an agent that has told its status. */
static void check_worker(struct engine_status *status)
{
	const struct engine_agent *agent = &status->agent;

	if (status->error[0] || agent->worker_answers)
		return;
	if (agent->worker)
		why_fail(status->error, 0, "the agent's worker (PID %d) does not answer: calls of containers may hang",
			 (int)agent->worker);
	else
		why_fail(status->error, 0, "the agent has no worker now: calls of containers wait until it can start one");
}

static void notify_status(struct engine_status *status)
{
	struct json_object *answer;
	pid_t pid;
	int ret = agent_ask(AGENT_SOCKET, &answer, &pid);

	status->supervises = true;
	if (!ret) {
		ret = engine_status_parse(status, answer);
		json_object_put(answer);
	}
	if (!ret)
		check_worker(status);
	else if (ret != -EACCES)
		why_fail(status->error, 0, "the agent (PID %d) does not answer: %s",
			 (int)pid, strerror(-ret));
}

const struct engine engine_notify = {
	.name = "notify",
	.available = notify_available,
	.is_up = notify_is_up,
	.up = notify_up,
	.down = notify_down,
	.status = notify_status,
};
