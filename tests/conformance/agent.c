// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine notify in the suite: see suite.h.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "engines/notify/notify.h"
#include "lib/fds.h"
#include "tests/conformance/suite.h"

#define SOCKET "/run/conformance.sock"

static pid_t agent;

static int reach_agent(void)
{
	struct sockaddr_un address = { AF_UNIX, SOCKET };
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int err;

	if (sock < 0)
		return -errno;
	if (!connect(sock, (struct sockaddr *)&address, sizeof(address)))
		return sock;
	err = -errno;
	close(sock);
	return err;
}

int agent_start(const char *mpu, const char *unknown)
{
	int tries, sock = -ETIMEDOUT;

	agent = fork();
	if (agent < 0)
		return -errno;
	if (!agent) {
		/* An emulated CPU is no measure of what a container may take. */
		execl(mpu, mpu, "agent", "--socket", SOCKET, "--cpu", "100",
		      "--unknown", unknown, (char *)NULL);
		_exit(127);
	}
	for (tries = 0; tries < 12000 && sock < 0; tries++) {
		usleep(10000);
		sock = reach_agent();
	}
	if (sock >= 0)
		close(sock);
	return sock < 0 ? sock : 0;
}

int agent_stop(void)
{
	int status;

	kill(agent, SIGTERM);
	if (waitpid(agent, &status, 0) != agent || status)
		return -EIO;
	return 0;
}

static void die(const char *what, int err)
{
	fprintf(stderr, "conformance: %s: %s\n", what, strerror(-err));
	_exit(1);
}

void agent_supervise(void)
{
	char text[200];
	int fd, sock, ret;

	if (!agent)
		return;
	fd = filter_install();
	if (fd == -EBUSY)
		return;		/* nested: the outer filter holds */
	if (fd < 0)
		die("seccomp filter", fd);
	sock = reach_agent();
	if (sock < 0)
		die(SOCKET, sock);
	snprintf(text, sizeof(text), "{\"ociVersion\":\"0.2.0\","
		 "\"fds\":[\"seccompFd\"],\"pid\":%d,\"state\":{\"id\":\"actor\"}}",
		 getpid());
	ret = fd_send(sock, text, strlen(text), fd);
	if (ret)
		die(SOCKET, ret);
	close(sock);
	close(fd);
}
