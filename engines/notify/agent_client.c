// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections to mpu agent, from both ends: how a client asks, and how the agent serves several
 * clients side by side, so that one that says nothing keeps nobody waiting.
 */
#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/fds.h"
#include "lib/listen.h"

/*
 * The time limit of a whole message, and so of an idle client. A message of 5 MiB has
 * taken more than a second where 45 processes wanted two CPUs.
 */
#define MESSAGE_MS	10000
/*
 * The time that a client waits for the agent's answer, and the agent for the client to
 * take it. About 10,240 containers the answer has 1 MB, and took 0.1 s in all (2 CPUs
 * under load): a host may be fifty times as slow.
 */
#define ANSWER_S	5
#define PIECE		16384

/* --- the client's end --- */

int agent_connect(const char *path)
{
	return listen_connect(path, ANSWER_S);
}

/* Read an answer of any length: it names all containers. */
static int read_answer(int sock, struct json_object **answer)
{
	struct json_tokener *parser = json_tokener_new();
	char text[PIECE];
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
	/* The agent hangs up on users whom it does not trust. */
	return sum ? -EPROTO : -EACCES;
}

/*
 * Asks the agent how it is doing. @answer: or NULL; @pid: who listens, 0 if not known.
 * Return: 0 or negative errno; -EACCES: it does not tell this user.
 */
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

/* --- the agent's end --- */

/* The agent trusts root, and the user that it runs as. */
static bool is_trusted(int sock, pid_t *pid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return false;
	*pid = peer.pid;
	return !peer.uid || peer.uid == geteuid();
}

void client_open(struct client *client, int sock)
{
	*client = (struct client){ .sock = sock, .slot = -ENOENT };
	client->until_ms = clock_ms() + MESSAGE_MS;
	client->parser = json_tokener_new();
	if (!client->parser || !is_trusted(sock, &client->peer))
		client_close(client);
}

short client_events(const struct client *client)
{
	return client->waits ? 0 : client->answer ? POLLOUT : POLLIN;
}

/*
 * Takes what has come. @got_fds: called at once if descriptors have, of which it may take
 * some away; @why: receives what is wrong with the message, or NULL. Return: the message,
 * the caller's to put, when it is complete; NULL: not yet, if the client is still open.
 */
struct json_object *client_read(struct client *client, void (*got_fds)(struct client *),
				const char **why)
{
	struct json_object *message;
	char text[PIECE];
	size_t fds;
	ssize_t n = fd_peek(client->sock, text, sizeof(text),
			    client->fd + client->fds, CLIENT_FDS, &fds);

	*why = NULL;
	/* It was looked at only: with more room for descriptors it can be taken. */
	client->waits = n == -EMSGSIZE;
	if (n == -EAGAIN || n == -EMSGSIZE)
		return NULL;
	if (n < 0) {
		*why = n == -E2BIG ? "has too many descriptors" : "could not be received";
	} else if (n) {
		client->fds += fds;
		client->length += (size_t)n;
		if (fds)
			got_fds(client);
		/* Only now: if this agent is killed before, the next one finds it there. */
		recv(client->sock, text, (size_t)n, 0);
		if (client->fds > CLIENT_FDS) {
			*why = "has too many descriptors";
			return NULL;
		}
		/* The rest is read and dropped: its sender would fail otherwise. */
		if (client->length > AGENT_MESSAGE)
			return NULL;
		message = json_tokener_parse_ex(client->parser, text, (int)n);
		if (json_object_is_type(message, json_type_object))
			return message;
		json_object_put(message);
		if (json_tokener_get_error(client->parser) != json_tokener_continue)
			*why = "is no JSON object";
		else
			return NULL;
	} else if (client->length) {
		*why = client->length > AGENT_MESSAGE ? "is too long" : "is no whole JSON object";
	} else {
		client_close(client);
	}
	return NULL;
}

/* Sends a text, as the client takes it, then closes. */
void client_answer(struct client *client, const char *text)
{
	client->until_ms = clock_ms() + ANSWER_S * 1000;
	client->answer = strdup(text);
	client_write(client);
}

void client_write(struct client *client)
{
	size_t left = client->answer ? strlen(client->answer + client->sent) : 0;
	ssize_t n = left ? send(client->sock, client->answer + client->sent,
				left, MSG_NOSIGNAL) : 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		client->sent += (size_t)n;
	if (n <= 0 || (size_t)n == left)
		client_close(client);
}

bool client_is_late(const struct client *client)
{
	return clock_ms() >= client->until_ms;
}

void client_close(struct client *client)
{
	while (client->fds)
		close(client->fd[--client->fds]);
	close(client->sock);
	client->sock = -1;
	if (client->parser)
		json_tokener_free(client->parser);
	free(client->answer);
	client->parser = NULL;
	client->answer = NULL;
}
