// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of one page: see http.h.
 *
 * All is done in one thread, but making the page in another. Of a request the first line
 * is looked at, and nothing else: no header changes what is answered.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/background.h"
#include "lib/clock.h"
#include "lib/http.h"
#include "lib/signals.h"

#define CLIENTS		32	/* at once; more wait to be accepted */
#define REQUEST		8192	/* room for a request, without its body */
#define TICK_MS		100	/* how exactly times are kept */
#define TEXT		"text/plain; charset=utf-8"

/**
 * struct answer - what is sent to clients, some of which may still be reading it when
 * the next page is made
 * @users:	how many hold it; with the last one it is freed
 * @head:	how much of @text a HEAD is answered with
 */
struct answer {
	unsigned int users;
	size_t head;
	size_t length;
	char text[];
};

/**
 * struct client - a connection
 * @sock:	-1: this place is free
 * @since_ms:	when it was accepted
 * @got:	bytes of @request
 * @waits:	until there is a page
 * @answer:	what it is sent; NULL: that is not known yet
 * @sent, @end:	how much of that has been sent, and how much is to be
 */
struct client {
	int sock;
	uint64_t since_ms;
	size_t got;
	char request[REQUEST + 1];
	bool waits;
	bool wants_head;
	struct answer *answer;
	size_t sent;
	size_t end;
};

/**
 * struct server - the server
 * @made, @length, @result: written by the thread while it makes a page
 * @answer:	the page, or that it could not be made; NULL: there was none yet
 * @answer_ms:	when it was ready
 */
struct server {
	const struct http_page *page;
	struct background maker;
	char *made;
	size_t length;
	int result;
	struct answer *answer;
	uint64_t answer_ms;
	struct client client[CLIENTS];
	int signals;
	uint64_t alive_ms;
};

/* --- answers --- */

/*
 * Returns an answer with one user; NULL: there is no memory. @status: of the response,
 * and more headers of it.
 */
static struct answer *make_answer(const char *status, const char *type, const char *text,
				  size_t length)
{
	char head[256];
	int n = snprintf(head, sizeof(head),
			 "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
			 status, type, length);
	struct answer *answer = malloc(sizeof(*answer) + (size_t)n + length);

	if (!answer)
		return NULL;
	*answer = (struct answer){ .users = 1, .head = (size_t)n,
				   .length = (size_t)n + length };
	memcpy(answer->text, head, (size_t)n);
	memcpy(answer->text + n, text, length);
	return answer;
}

static void drop_answer(struct answer *answer)
{
	if (answer && !--answer->users)
		free(answer);
}

static void close_client(struct client *client)
{
	drop_answer(client->answer);
	/* A child of another thread may have the socket, too. */
	shutdown(client->sock, SHUT_RDWR);
	close(client->sock);
	client->answer = NULL;
	client->waits = false;
	client->sock = -1;
}

/* Has it sent from now on. The answer's user is the client. */
static void give(struct client *client, struct answer *answer)
{
	client->waits = false;
	client->answer = answer;
	if (answer)
		client->end = client->wants_head ? answer->head : answer->length;
	else
		close_client(client);
}

static void give_text(struct client *client, const char *status, const char *text)
{
	give(client, make_answer(status, TEXT, text, strlen(text)));
}

static void give_late(struct client *client)
{
	give_text(client, "503 Service Unavailable",
		  "this takes too long: something on this machine hangs\n");
}

/* --- the page --- */

/* In the thread. */
static void make_page(void *arg)
{
	struct server *server = arg;

	server->result = server->page->make(server->page->arg, &server->made,
					    &server->length);
}

static bool is_late(const struct server *server)
{
	return background_busy_ms(&server->maker) >= server->page->late_ms;
}

static bool is_fresh(const struct server *server)
{
	return server->answer && !server->maker.busy &&
	       clock_ms() - server->answer_ms < server->page->fresh_ms;
}

static void give_page(struct server *server, struct client *client)
{
	if (server->answer)
		server->answer->users++;
	give(client, server->answer);
}

/* Gives all who wait the page that has been made, or says that it takes too long. */
static void give_waiting(struct server *server, bool late)
{
	struct client *client;

	for (client = server->client; client < server->client + CLIENTS; client++) {
		if (client->waits && late)
			give_late(client);
		else if (client->waits)
			give_page(server, client);
	}
}

static void take_page(struct server *server)
{
	static const char failed[] = "this could not be made\n";

	if (!background_take(&server->maker))
		return;
	drop_answer(server->answer);
	server->answer = server->result ?
		make_answer("500 Internal Server Error", TEXT, failed, strlen(failed)) :
		make_answer("200 OK", server->page->type, server->made, server->length);
	server->answer_ms = clock_ms();
	free(server->made);
	server->made = NULL;
	give_waiting(server, false);
}

/* --- requests --- */

/* @method, @target: the words of a request line that is of HTTP/1.0 or 1.1. */
static void answer_request(struct server *server, struct client *client,
			   const char *method, char *target)
{
	bool asks_health;

	client->wants_head = !strcmp(method, "HEAD");
	target[strcspn(target, "?")] = '\0';
	asks_health = !strcmp(target, "/healthz");
	if (!client->wants_head && strcmp(method, "GET") != 0) {
		give_text(client, "405 Method Not Allowed\r\nAllow: GET, HEAD",
			  "GET and HEAD are understood here\n");
	} else if (strcmp(target, server->page->path) != 0 && !asks_health) {
		if (!strcmp(target, "/livez"))
			give_text(client, "200 OK", "ok\n");
		else
			give_text(client, "404 Not Found", "there is nothing here\n");
	} else if (is_late(server)) {
		give_late(client);
	} else if (asks_health) {
		give_text(client, "200 OK", "ok\n");
	} else if (is_fresh(server)) {
		give_page(server, client);
	} else {
		client->waits = true;
		background_ask(&server->maker);
	}
}

/* Answers it once all of its headers are there. */
static void take_request(struct server *server, struct client *client)
{
	char method[16], target[256];
	int end = 0;

	if (!memmem(client->request, client->got, "\r\n\r\n", 4)) {
		if (client->got == REQUEST)
			give_text(client, "431 Request Header Fields Too Large",
				  "the headers are too long\n");
		return;
	}
	sscanf(client->request, "%15[^ \r\n] %255[^ \r\n] HTTP/1.%*1[01]%n",
	       method, target, &end);
	if (end && client->request[end] == '\r')
		answer_request(server, client, method, target);
	else
		give_text(client, "400 Bad Request", "this is no request of HTTP/1.1\n");
}

/* --- connections --- */

static void accept_client(struct server *server)
{
	int sock = accept4(server->page->sock, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct client *client = server->client;

	if (sock < 0)
		return;		/* it is gone again */
	while (client->sock >= 0)
		client++;	/* there is room: see fill_polls() */
	*client = (struct client){ .sock = sock, .since_ms = clock_ms() };
}

/*
 * After the answer, what comes is read and thrown away until the client ends: to close
 * before would have the kernel reset the connection, and the client lose the answer.
 */
static void receive(struct server *server, struct client *client)
{
	size_t at = client->answer ? 0 : client->got;
	ssize_t n = recv(client->sock, client->request + at, REQUEST - at, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close_client(client);
	} else if (!client->answer) {
		client->got += (size_t)n;
		client->request[client->got] = '\0';
		take_request(server, client);
	}
}

static void send_some(struct client *client)
{
	ssize_t n = send(client->sock, client->answer->text + client->sent,
			 client->end - client->sent, MSG_NOSIGNAL);

	if (n > 0)
		client->sent += (size_t)n;
	else if (errno != EAGAIN && errno != EINTR)
		close_client(client);
	if (client->sock >= 0 && client->sent == client->end)
		shutdown(client->sock, SHUT_WR);
}

static void serve_client(struct server *server, struct client *client, short events)
{
	if (clock_ms() - client->since_ms >= server->page->life_ms ||
	    (events & (POLLERR | POLLHUP)))
		close_client(client);
	else if (events & POLLOUT)
		send_some(client);
	else if (events & POLLIN)
		receive(server, client);
}

/* --- from start to end --- */

enum { SIGNALS, MAKER, LISTEN, CLIENT, POLLS = CLIENT + CLIENTS };

/* A client that waits for the page is not read from. */
static short events_of(const struct client *client)
{
	if (client->waits)
		return 0;
	return client->answer && client->sent < client->end ? POLLOUT : POLLIN;
}

/* Returns how many clients there are. */
static unsigned int fill_polls(const struct server *server, struct pollfd polls[POLLS])
{
	unsigned int i, clients = 0;

	for (i = 0; i < CLIENTS; i++) {
		const struct client *client = &server->client[i];

		clients += client->sock >= 0;
		polls[CLIENT + i] = (struct pollfd){ .fd = client->sock,
						     .events = events_of(client) };
	}
	polls[SIGNALS] = (struct pollfd){ .fd = server->signals, .events = POLLIN };
	polls[MAKER] = (struct pollfd){ .fd = server->maker.done, .events = POLLIN };
	polls[LISTEN] = (struct pollfd){ .events = POLLIN,
		.fd = clients < CLIENTS ? server->page->sock : -1 };
	return clients;
}

static void say_alive(struct server *server)
{
	uint64_t now = clock_ms();

	if (!server->page->alive_ms || now - server->alive_ms < server->page->alive_ms)
		return;
	server->alive_ms = now;
	server->page->alive();
}

static void serve_until_signal(struct server *server)
{
	struct pollfd polls[POLLS];
	unsigned int i, clients;

	do {
		say_alive(server);
		clients = fill_polls(server, polls);
		poll(polls, POLLS, clients ? TICK_MS :
		     server->page->alive_ms ? (int)server->page->alive_ms : -1);
		take_page(server);
		if (is_late(server))
			give_waiting(server, true);
		for (i = 0; i < CLIENTS; i++)
			if (polls[CLIENT + i].fd >= 0 && server->client[i].sock >= 0)
				serve_client(server, &server->client[i],
					     polls[CLIENT + i].revents);
		if (polls[LISTEN].revents & POLLIN)
			accept_client(server);
	} while (!(polls[SIGNALS].revents & POLLIN));
}

static int serve(struct server *server, char why[WHY_SIZE])
{
	int ret = background_start(&server->maker, make_page, server);
	size_t i;

	if (ret)
		return why_fail(why, ret, "cannot start a thread: %s", strerror(-ret));
	server->page->ready(server->page->sock);
	server->alive_ms = clock_ms();
	serve_until_signal(server);
	for (i = 0; i < CLIENTS; i++)
		if (server->client[i].sock >= 0)
			close_client(&server->client[i]);
	if (!background_stop(&server->maker))
		return 0;	/* the thread still writes to what is @server's */
	drop_answer(server->answer);
	free(server->made);
	return 0;
}

int http_serve(const struct http_page *page, char why[WHY_SIZE])
{
	static const int ends[] = { SIGTERM, SIGINT, 0 };
	static struct server server;
	size_t i;
	int ret;

	server = (struct server){ .page = page, .signals = signals_hold(ends) };
	for (i = 0; i < CLIENTS; i++)
		server.client[i].sock = -1;
	if (server.signals < 0)
		ret = why_fail(why, server.signals, "cannot wait for signals: %s",
			       strerror(-server.signals));
	else
		ret = serve(&server, why);
	close(page->sock);
	if (server.signals >= 0)
		close(server.signals);
	return ret;
}
