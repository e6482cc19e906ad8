/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connections to mpu agent, from both ends: how a client asks, and how the agent
 * serves several clients side by side, so that one that says nothing keeps nobody
 * waiting.
 */
#ifndef MPU_NOTIFY_AGENT_CLIENT_H
#define MPU_NOTIFY_AGENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct json_object;
struct json_tokener;

/* --- the client's end --- */

/**
 * agent_connect() - connect to the agent's socket, within some seconds
 *
 * Only so it shows whether there is an agent: the socket's file outlives it.
 *
 * Return: a socket, or negative errno; -EACCES: this user may not, -EAGAIN: so
 * many wait there already that it cannot be taken for one that works.
 */
int agent_connect(const char *path);

/**
 * agent_ask() - how is the agent doing?
 * @answer:	receives what it says, or NULL
 * @pid:	receives who listens, 0 if that is not known
 *
 * Return: 0 or negative errno; -EACCES: it does not tell this user.
 */
int agent_ask(const char *path, struct json_object **answer, pid_t *pid);

/* --- the agent's end --- */

#define CLIENT_FDS	8	/* descriptors of a message; runtimes send one or two */

/**
 * struct client - one connection: one message, up to the end or to where JSON
 * is complete, and perhaps an answer
 * @sock:	-1: none
 * @peer:	PID of who connected
 * @until_ms:	when the agent closes it: ten seconds after it began, or some seconds
 *		after the answer was ready
 * @parser:	has all of the message so far
 * @length:	bytes of the message so far
 * @fd:		descriptors that came with the message, closed with the connection
 * @fds:	how many
 * @slot:	where the listener that came with the message is handled; negative errno:
 *		it cannot be; -ENOENT: none has come
 * @answer:	NULL: the message is not complete
 * @sent:	bytes of @answer that the client has taken
 */
struct client {
	int sock;
	pid_t peer;
	uint64_t until_ms;
	struct json_tokener *parser;
	size_t length;
	int fd[2 * CLIENT_FDS];
	size_t fds;
	int slot;
	char *answer;
	size_t sent;
};

/** client_open() - take over a connection; that of an untrusted user is closed */
void client_open(struct client *client, int sock);

/** client_events() - what to poll() its socket for */
short client_events(const struct client *client);

/**
 * client_read() - take what has come
 * @got_fds:	called at once if descriptors have come; may take some of them away
 * @why:	receives what is wrong with the message, or NULL
 *
 * Return: the message, the caller's to put, as soon as it is complete. NULL:
 * not yet, if the client is still open; else there is none.
 */
struct json_object *client_read(struct client *client, void (*got_fds)(struct client *),
				const char **why);

/** client_answer() - send a text, as the client takes it, then close */
void client_answer(struct client *client, const char *text);

/** client_write() - go on sending the answer */
void client_write(struct client *client);

/** client_is_late() - has the time of the connection passed? */
bool client_is_late(const struct client *client);

/** client_close() - end the connection, and drop what came by it */
void client_close(struct client *client);

#endif /* MPU_NOTIFY_AGENT_CLIENT_H */
