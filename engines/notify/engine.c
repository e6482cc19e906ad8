// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine "notify": mpu agent, which containers are sent to by mpu runtime.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/engine.h"
#include "engines/notify/agent_message.h"
#include "engines/notify/agent_client.h"
#include "engines/notify/container.h"
#include "lib/host.h"
#include "lib/json.h"

#define UNITS	"mpu-agent.socket", "mpu-agent.service"

static bool notify_available(char *why, char *todo)
{
	char actions[256];
	int ret;

	if (host_read(actions, sizeof(actions),
		      "/proc/sys/kernel/seccomp/actions_avail") <= 0 ||
	    !strstr(actions, "user_notif")) {
		engine_why(why, "this kernel has no seccomp user notification");
		engine_why(todo, "boot Linux 5.10 or later, built with CONFIG_SECCOMP_FILTER");
		return false;
	}
	/* Arguments of calls are read from there. */
	ret = host_is_other() ? 0 : container_read(getpid());
	if (ret) {
		engine_why(why, "the memory of processes may not be read here: %s",
			   strerror(-ret));
		engine_why(todo, "look at kernel.yama.ptrace_scope, and at the seccomp profile that this runs under");
	}
	return !ret;
}

static bool notify_is_up(void)
{
	int sock = host_is_other() ? -ENOENT : agent_connect(AGENT_SOCKET);

	if (sock >= 0)
		close(sock);
	return sock >= 0 || sock == -EACCES || sock == -EAGAIN;
}

/*
 * What it prints is not part of our answer; what goes wrong is said on stderr,
 * unless @quiet.
 *
 * Return: exit status, 127: there is no such program, or negative errno.
 */
static int run_program(const char *const *words, bool quiet)
{
	pid_t pid = fork();
	int status, null;

	if (pid < 0)
		return -errno;
	if (!pid) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null < 0 || dup2(null, 1) < 0 ||
		    (quiet && dup2(null, 2) < 0))
			_exit(126);
		execvp(words[0], (char **)words);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

/* Installed by make install, and known to systemd? */
static bool has_units(void)
{
	const char *const words[] = { "systemctl", "cat", UNITS, NULL };

	return host_exists("/run/systemd/system") && !run_program(words, true);
}

static int run_systemctl(const char *verb, char *why)
{
	const char *const words[] = { "systemctl", verb, UNITS, NULL };
	int ret = run_program(words, false);

	if (!ret)
		return 0;
	engine_why(why, "systemctl could not %s the agent: see 'systemctl status mpu-agent'",
		verb);
	return -EIO;
}

/* Nothing of who called us: no descriptor, no folder, no session. */
static int start_alone(pid_t *pid, int *complaints)
{
	int pipes[2], null, ret;

	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	*pid = fork();
	ret = *pid < 0 ? -errno : 0;
	if (!*pid) {
		setsid();
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
		    dup2(pipes[1], 2) < 0 || chdir("/"))
			_exit(1);
		syscall(SYS_close_range, 3, ~0u, 0);	/* Linux 5.9 */
		execl("/proc/self/exe", "mpu", "agent", (char *)NULL);
		_exit(127);
	}
	close(pipes[1]);
	*complaints = pipes[0];
	if (ret)
		close(pipes[0]);
	return ret;
}

/* Until it listens, or has ended and said why. */
static int wait_for_agent(pid_t pid, int complaints, char *why)
{
	struct pollfd polls = { .fd = complaints, .events = POLLIN };
	char text[ENGINE_WHY / 2] = "";
	ssize_t n;
	int tries;

	for (tries = 0; tries < 500; tries++) {
		if (waitpid(pid, NULL, WNOHANG) == pid) {
			n = read(complaints, text, sizeof(text) - 1);
			text[n > 0 ? n : 0] = '\0';
			text[strcspn(text, "\n")] = '\0';
			engine_why(why, "the agent did not start: %s",
				   *text ? text : "see what 'mpu agent' says");
			return -ESRCH;
		}
		if (notify_is_up())
			return 0;
		polls.revents = 0;
		poll(&polls, 1, 20);
		if (polls.revents)
			usleep(20000);	/* it has written, and is about to end */
	}
	engine_why(why, "the agent (PID %d) has not come to listen in 10 s: see what 'mpu agent' says",
		   (int)pid);
	return -ETIMEDOUT;
}

static int notify_up(const struct engine_wish *wish, char *why)
{
	int complaints = -1, ret;
	pid_t pid = 0;

	(void)wish;
	if (has_units())
		return run_systemctl("start", why);
	ret = start_alone(&pid, &complaints);
	if (ret) {
		engine_why(why, "cannot start the agent: %s", strerror(-ret));
		return ret;
	}
	ret = wait_for_agent(pid, complaints, why);
	close(complaints);
	return ret;
}

/* Containers that live are served by the worker it leaves behind. */
static int notify_down(void (*waiting)(const char *what), char *why)
{
	struct json_object *status;
	pid_t pid, listens;
	int tries, ret;

	if (has_units())
		return run_systemctl("stop", why);
	ret = agent_ask(AGENT_SOCKET, &status, &listens);
	pid = ret ? 0 : (pid_t)json_number(status, "pid");
	json_object_put(status);
	if (pid <= 0 || kill(pid, SIGTERM)) {
		engine_why(why, "the agent (PID %d) does not answer: end it with 'kill %d', or kill -9",
			   (int)listens, (int)listens);
		return -ESRCH;
	}
	for (tries = 1; notify_is_up(); tries++) {
		usleep(20000);
		if (!(tries % 50))
			waiting("waiting for the agent to end");
	}
	return 0;
}

/* Return: false if there is nothing wrong. */
static bool notify_problem(struct json_object *status, int ret, pid_t agent,
			   char *why)
{
	pid_t worker;

	if (ret == -EACCES)
		return false;
	if (ret) {
		engine_why(why, "the agent (PID %d) does not answer: %s",
			   (int)agent, strerror(-ret));
		return true;
	}
	if (json_object_get_boolean(json_object_object_get(status,
							   "worker_answers")))
		return false;
	worker = (pid_t)json_number(status, "worker");
	if (worker)
		engine_why(why, "the agent's worker (PID %d) does not answer: calls of containers may hang",
			   (int)worker);
	else
		engine_why(why, "the agent has no worker now: calls of containers wait until it can start one");
	return true;
}

static void notify_status(struct json_object *answer, bool all)
{
	struct json_object *status;
	char why[ENGINE_WHY];
	pid_t pid;
	int ret = agent_ask(AGENT_SOCKET, &status, &pid);

	(void)all;
	if (notify_problem(status, ret, pid, why))
		json_add(answer, "error", why);
	if (!status)
		return;
	json_object_object_foreach(status, key, value)
		json_object_object_add(answer, key, json_object_get(value));
	json_object_put(status);
}

const struct engine engine_notify = {
	.name = "notify",
	.available = notify_available,
	.is_up = notify_is_up,
	.up = notify_up,
	.down = notify_down,
	.status = notify_status,
};
