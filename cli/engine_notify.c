// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine "notify": mpu agent, which containers are sent to by mpu runtime.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/agent.h"
#include "cli/cli.h"
#include "cli/engine.h"
#include "lib/host.h"

#define UNITS	"mpu-agent.socket", "mpu-agent.service"

static int reach_agent(void)
{
	struct sockaddr_un address = { AF_UNIX, AGENT_SOCKET };
	struct timeval second = { .tv_sec = 1 };
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int err;

	if (sock < 0)
		return -errno;
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
	if (!connect(sock, (struct sockaddr *)&address, sizeof(address)))
		return sock;
	err = -errno;
	close(sock);
	return err;
}

/* Return: NULL if there is no agent, or none for this user. */
static struct json_object *ask_agent(void)
{
	static const char question[] = "{\"mpu\":\"status\"}";
	char *text = calloc(1, AGENT_MESSAGE);
	struct json_object *answer = NULL;
	int sock = reach_agent();
	size_t len = 0;
	ssize_t n = 1;

	if (sock < 0 || !text ||
	    send(sock, question, strlen(question), MSG_NOSIGNAL) < 0)
		goto out;
	for (; n > 0 && len < AGENT_MESSAGE - 1; len += n > 0 ? (size_t)n : 0)
		n = recv(sock, text + len, AGENT_MESSAGE - 1 - len, 0);
	answer = json_tokener_parse(text);
out:
	if (sock >= 0)
		close(sock);
	free(text);
	return answer;
}

static bool notify_available(char *why, char *todo)
{
	char actions[256];

	if (host_read(actions, sizeof(actions),
		      "/proc/sys/kernel/seccomp/actions_avail") > 0 &&
	    strstr(actions, "user_notif"))
		return true;
	engine_why(why, "this kernel has no seccomp user notification");
	engine_why(todo, "boot Linux 5.10 or later, built with CONFIG_SECCOMP_FILTER");
	return false;
}

static bool notify_is_up(void)
{
	int sock = host_is_other() ? -ENOENT : reach_agent();

	if (sock >= 0)
		close(sock);
	return sock >= 0 || sock == -EACCES;
}

/* Return: exit status, 127: there is no such program, or negative errno. */
static int run_program(const char *const *words)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (!pid) {
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
	const char *const words[] = { "systemctl", "-q", "cat", UNITS, NULL };

	return host_exists("/run/systemd/system") && !run_program(words);
}

static int run_systemctl(const char *verb, char *why)
{
	const char *const words[] = { "systemctl", verb, UNITS, NULL };
	int ret = run_program(words);

	if (!ret)
		return 0;
	engine_why(why, "systemctl could not %s the agent: see 'systemctl status mpu-agent'",
		verb);
	return -EIO;
}

static int start_alone(void)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid)
		return 0;
	setsid();
	if (!freopen("/dev/null", "r", stdin) ||
	    !freopen("/dev/null", "w", stdout) ||
	    !freopen("/dev/null", "w", stderr))
		_exit(1);
	execl("/proc/self/exe", "mpu", "agent", (char *)NULL);
	_exit(127);
}

static int notify_up(const struct engine_wish *wish, char *why)
{
	int tries, ret;

	(void)wish;
	if (has_units())
		return run_systemctl("start", why);
	ret = start_alone();
	for (tries = 0; !ret && !notify_is_up(); tries++) {
		usleep(20000);
		if (tries == 100)
			ret = -ETIMEDOUT;
	}
	if (ret)
		engine_why(why, "cannot start the agent: %s; see what 'mpu agent' says",
			strerror(-ret));
	return ret;
}

/* Containers that live are served by the worker it leaves behind. */
static int notify_down(void (*waiting)(const char *what), char *why)
{
	struct json_object *status;
	int tries;
	pid_t pid;

	if (has_units())
		return run_systemctl("stop", why);
	status = ask_agent();
	pid = status ? (pid_t)json_number(status, "pid") : 0;
	json_object_put(status);
	if (pid <= 0 || kill(pid, SIGTERM)) {
		engine_why(why, "the agent does not answer: end it by its PID");
		return -ESRCH;
	}
	for (tries = 1; notify_is_up(); tries++) {
		usleep(20000);
		if (!(tries % 50))
			waiting("waiting for the agent to end");
	}
	return 0;
}

static void notify_status(struct json_object *answer, bool all)
{
	struct json_object *status = ask_agent();

	(void)all;
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
