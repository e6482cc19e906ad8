// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of engines/notify/agent_client.c: messages with descriptors, from a runtime that is broken
 * and for an agent that has no room.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/fds.h"
#include "lib/json.h"
#include "tests/unit/unit.h"

static struct client client;
static const char *why;
static int pair[2];

static int begin(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair))
		return -1;
	client_open(&client, pair[0]);
	return client.sock < 0;
}

static int end(void)
{
	if (client.sock >= 0)
		client_close(&client);
	return close(pair[1]);
}

static void got_fds(struct client *unused)
{
	(void)unused;
}

/* Sends a text with that many descriptors, and reads it. Return: the message, or NULL. */
static struct json_object *pass(const char *text, size_t size, int fds)
{
	char control[CMSG_SPACE(16 * sizeof(int))] = { 0 };
	struct iovec iov = { (void *)text, size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = fds ? control : NULL,
			      .msg_controllen = CMSG_SPACE((size_t)fds * sizeof(int)) };
	struct cmsghdr *c = (struct cmsghdr *)control;
	int i, fd[16];

	for (i = 0; i < fds; i++)
		fd[i] = pair[1];
	*c = (struct cmsghdr){ CMSG_LEN((size_t)fds * sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(c), fd, (size_t)fds * sizeof(int));
	if (!fds)
		msg.msg_controllen = 0;
	assert_int_equal(sendmsg(pair[1], &msg, 0), (ssize_t)size);
	return client_read(&client, got_fds, &why);
}

TEST_WITH("a message that is too long brings no more descriptors than there is room for", begin, end)
{
	static char spaces[16384];
	size_t sent;

	memset(spaces, ' ', sizeof(spaces));
	for (sent = 0; sent <= AGENT_MESSAGE; sent += sizeof(spaces))
		assert_null(pass(spaces, sizeof(spaces), 0));
	assert_null(pass(" ", 1, 8));
	assert_null(why);
	assert_null(pass(" ", 1, 8));
	assert_string_equal(why, "has too many descriptors");
}

TEST_WITH("more descriptors than a message may have are refused", begin, end)
{
	assert_null(pass("{}", 2, 9));
	assert_string_equal(why, "has too many descriptors");
}

TEST_WITH("a message waits while the agent has no room for its descriptors", begin, end)
{
	struct rlimit before, none;
	struct json_object *message;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	message = pass("{}", 2, 1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_null(message);
	assert_null(why);
	assert_int_equal(client_events(&client), 0);
	message = client_read(&client, got_fds, &why);
	assert_non_null(message);
	assert_int_equal(client.fds, 1);
	json_object_put(message);
}

int main(void)
{
	return unit_run();
}
