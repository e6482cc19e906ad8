// SPDX-License-Identifier: GPL-2.0-only
/*
 * Talking to mpu agent: see agent_client.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/agent_client.h"
#include "cli/cli.h"

/* It gives a client that dawdles one second, and serves one after another. */
#define PATIENCE_S	5

int agent_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval wait = { .tv_sec = PATIENCE_S };
	int sock, err;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -errno;
	/* Of connect(), too: for as long as too many wait to be accepted. */
	setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (!connect(sock, (struct sockaddr *)&address, sizeof(address)))
		return sock;
	err = -errno;
	close(sock);
	return err;
}

/* All that comes, however many containers there are. */
static int read_answer(int sock, struct json_object **answer)
{
	struct json_tokener *parser = json_tokener_new();
	char text[16384];
	ssize_t n = 0, sum = 0;

	if (!parser)
		return -ENOMEM;
	while (!*answer && (n = recv(sock, text, sizeof(text), 0)) > 0) {
		*answer = json_tokener_parse_ex(parser, text, (int)n);
		sum += n;
	}
	json_tokener_free(parser);
	if (json_object_is_type(*answer, json_type_object))
		return 0;
	json_object_put(*answer);
	*answer = NULL;
	if (n < 0)
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	/* It hangs up on users it does not trust. */
	return sum ? -EPROTO : -EACCES;
}

int agent_ask(const char *path, struct json_object **answer, pid_t *pid)
{
	static const char question[] = "{\"mpu\":\"status\"}";
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);
	int sock = agent_connect(path), ret = 0;

	*answer = NULL;
	*pid = 0;
	if (sock < 0)
		return sock == -EAGAIN ? -ETIMEDOUT : sock;
	if (!getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		*pid = peer.pid;
	if (send(sock, question, strlen(question), MSG_NOSIGNAL) < 0)
		ret = -errno;
	if (!ret)
		ret = read_answer(sock, answer);
	close(sock);
	return ret;
}
