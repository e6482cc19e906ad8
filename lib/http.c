// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of one page: see http.h.
 *
 * All is done in one thread, but making the page in another.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/background.h"
#include "lib/clock.h"
#include "lib/http.h"
#include "lib/microhttpd.h"
#include "lib/signals.h"
#include "lib/text_file.h"
#include "lib/token.h"

#define CLIENTS		32	/* at once; more wait to be accepted */
#define CLIENT_MEMORY	16384	/* of each, for its request */
#define TICK_MS		100	/* how exactly times are kept */

/**
 * struct client - a connection
 * @sock:	-1: this place is free
 * @since_ms:	when it was accepted
 * @waits:	suspended, until there is a page; NULL: it is not
 */
struct client {
	int sock;
	uint64_t since_ms;
	struct MHD_Connection *waits;
};

/**
 * struct server - the server
 * @made, @length, @result: written by the thread while it makes a page
 * @response:	the page; NULL: none has been made, or it could not be
 * @response_ms: when it was ready; 0: never
 * @log:	what libmicrohttpd complained of last
 */
struct server {
	const struct http_page *page;
	struct microhttpd mhd;
	struct MHD_Daemon *daemon;
	struct background maker;
	char *made;
	size_t length;
	int result;
	struct MHD_Response *response;
	uint64_t response_ms;
	struct token token;
	struct client client[CLIENTS];
	int sock;
	int signals;
	uint64_t alive_ms;
	char log[256];
};

/* --- answers --- */

static enum MHD_Result answer(struct server *server, struct MHD_Connection *to,
			      unsigned int status, const char *text,
			      const char *header, const char *value)
{
	struct MHD_Response *response =
		server->mhd.create_response_from_buffer(strlen(text), (void *)text,
							MHD_RESPMEM_PERSISTENT);
	enum MHD_Result ret;

	if (!response)
		return MHD_NO;
	server->mhd.add_response_header(response, "Content-Type",
					"text/plain; charset=utf-8");
	server->mhd.add_response_header(response, "Connection", "close");
	if (header)
		server->mhd.add_response_header(response, header, value);
	ret = server->mhd.queue_response(to, status, response);
	server->mhd.destroy_response(response);
	return ret;
}

static bool is_late(const struct server *server)
{
	return background_busy_ms(&server->maker) >= server->page->late_ms;
}

static enum MHD_Result answer_late(struct server *server, struct MHD_Connection *to)
{
	return answer(server, to, MHD_HTTP_SERVICE_UNAVAILABLE,
		      "this takes too long: something on this machine hangs\n",
		      NULL, NULL);
}

/* Who reads it keeps it. */
static void drop_response(struct server *server)
{
	if (server->response)
		server->mhd.destroy_response(server->response);
	server->response = NULL;
}

/* Have the page made, in place of the old one, and this connection wait for it. */
static enum MHD_Result wait_for_page(struct server *server,
				     struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = server->mhd.get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (!client)
		return MHD_NO;
	client->waits = connection;
	server->mhd.suspend_connection(connection);
	if (!server->maker.busy)
		drop_response(server);
	background_ask(&server->maker);
	return MHD_YES;
}

static bool is_fresh(const struct server *server)
{
	return server->response_ms &&
	       clock_ms() - server->response_ms < server->page->fresh_ms;
}

/* @waited: for a page, which then is fresh enough. */
static enum MHD_Result answer_page(struct server *server, struct MHD_Connection *to,
				   void **waited)
{
	const char *authorization = server->mhd.lookup_connection_value(
		to, MHD_HEADER_KIND, "Authorization");

	if (server->page->token && !token_matches(&server->token, authorization))
		return answer(server, to, MHD_HTTP_UNAUTHORIZED,
			      "this needs the right bearer token\n",
			      "WWW-Authenticate", "Bearer");
	if (is_late(server))
		return answer_late(server, to);
	if (server->maker.busy || !(*waited || is_fresh(server))) {
		*waited = server;
		return wait_for_page(server, to);
	}
	if (!server->response)
		return answer(server, to, MHD_HTTP_INTERNAL_SERVER_ERROR,
			      "this could not be made\n", NULL, NULL);
	return server->mhd.queue_response(to, MHD_HTTP_OK, server->response);
}

/* Called for each request, and again after a wait. */
static enum MHD_Result take_request(void *arg, struct MHD_Connection *connection,
				    const char *url, const char *method,
				    const char *version, const char *upload,
				    size_t *upload_size, void **context)
{
	struct server *server = arg;
	bool asks_health;

	(void)version;
	(void)upload;
	(void)upload_size;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return answer(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "GET and HEAD are understood here\n", "Allow",
			      "GET, HEAD");
	if (!strcmp(url, server->page->path))
		return answer_page(server, connection, context);
	asks_health = !strcmp(url, "/healthz");
	if (asks_health && is_late(server))
		return answer_late(server, connection);
	if (asks_health || !strcmp(url, "/livez"))
		return answer(server, connection, MHD_HTTP_OK, "ok\n", NULL, NULL);
	return answer(server, connection, MHD_HTTP_NOT_FOUND,
		      "there is nothing here\n", NULL, NULL);
}

/* --- the page --- */

/* In the thread. */
static void make_page(void *arg)
{
	struct server *server = arg;

	server->result = server->page->make(server->page->arg, &server->made,
					    &server->length);
}

static void resume_clients(struct server *server)
{
	size_t i;

	for (i = 0; i < CLIENTS; i++) {
		if (!server->client[i].waits)
			continue;
		server->mhd.resume_connection(server->client[i].waits);
		server->client[i].waits = NULL;
	}
}

static void take_page(struct server *server)
{
	if (!background_take(&server->maker))
		return;
	server->response = server->result ? NULL :
		server->mhd.create_response_from_buffer(server->length, server->made,
							MHD_RESPMEM_MUST_FREE);
	if (server->response) {
		server->mhd.add_response_header(server->response, "Content-Type",
						server->page->type);
		server->mhd.add_response_header(server->response, "Connection", "close");
	} else {
		free(server->made);
	}
	server->made = NULL;
	server->response_ms = clock_ms();
	resume_clients(server);
}

/* --- connections --- */

static void note_client(void *arg, struct MHD_Connection *connection, void **context,
			enum MHD_ConnectionNotificationCode code)
{
	struct server *server = arg;
	struct client *client = *context;
	size_t i;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED && client)
		client->sock = -1;
	if (code != MHD_CONNECTION_NOTIFY_STARTED)
		return;
	for (i = 0; i < CLIENTS && server->client[i].sock >= 0; i++)
		;
	if (i == CLIENTS)
		return;		/* not above MHD_OPTION_CONNECTION_LIMIT */
	client = &server->client[i];
	client->sock = server->mhd.get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	client->since_ms = clock_ms();
	client->waits = NULL;
	*context = client;
}

/* Return: is there any? */
static bool end_old_clients(struct server *server)
{
	uint64_t now = clock_ms();
	bool any = false;
	size_t i;

	for (i = 0; i < CLIENTS; i++) {
		struct client *client = &server->client[i];

		any |= client->sock >= 0;
		if (client->sock >= 0 && now - client->since_ms >= server->page->life_ms)
			shutdown(client->sock, SHUT_RDWR);
	}
	return any;
}

/* --- from start to end --- */

static void keep_log(void *arg, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

static void keep_log(void *arg, const char *fmt, va_list args)
{
	struct server *server = arg;

	vsnprintf(server->log, sizeof(server->log), fmt, args);
	server->log[strcspn(server->log, "\n")] = '\0';
}

static int block_signals(struct server *server, char why[WHY_SIZE])
{
	static const int ends[] = { SIGTERM, SIGINT, 0 };

	signal(SIGPIPE, SIG_IGN);
	server->signals = signals_hold(ends);
	return server->signals >= 0 ? 0 :
	       why_fail(why, server->signals, "cannot wait for signals: %s",
			strerror(-server->signals));
}

/* Return: milliseconds until there is something to do. */
static int until_next(const struct server *server, bool any_client)
{
	MHD_UNSIGNED_LONG_LONG ms;
	int wait = any_client ? TICK_MS :
		   server->page->alive_ms ? (int)server->page->alive_ms : -1;

	if (server->mhd.get_timeout(server->daemon, &ms) == MHD_YES &&
	    (wait < 0 || ms < (MHD_UNSIGNED_LONG_LONG)wait))
		wait = (int)ms;
	return wait;
}

static void say_alive(struct server *server)
{
	uint64_t now = clock_ms();

	if (!server->page->alive_ms || now - server->alive_ms < server->page->alive_ms)
		return;
	server->alive_ms = now;
	server->page->alive();
}

enum { SIGNALS, DAEMON, MAKER, POLLS };

static void serve_until_signal(struct server *server)
{
	struct pollfd polls[POLLS] = {
		[SIGNALS] = { .fd = server->signals, .events = POLLIN },
		[DAEMON] = { .events = POLLIN, .fd = server->mhd.get_daemon_info(
			server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd },
		[MAKER] = { .fd = server->maker.done, .events = POLLIN },
	};
	bool any_client = false;

	do {
		say_alive(server);
		poll(polls, POLLS, until_next(server, any_client));
		take_page(server);
		if (is_late(server))
			resume_clients(server);
		/*
		 * Asked before clients leave: once more it is run then, when it finds
		 * that there is room for others again.
		 */
		any_client = end_old_clients(server);
		server->mhd.run(server->daemon);
	} while (!(polls[SIGNALS].revents & POLLIN));
}

static int start_daemon(struct server *server, const char *certificate,
			const char *key, char why[WHY_SIZE])
{
	unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0,
		  "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (certificate)
		flags |= MHD_USE_TLS;
	else
		tls[0].option = MHD_OPTION_END;
	server->daemon = server->mhd.start_daemon(
		flags, 0, NULL, NULL, take_request, server,
		MHD_OPTION_EXTERNAL_LOGGER, keep_log, server,
		MHD_OPTION_LISTEN_SOCKET, server->sock,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CLIENTS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CLIENT_MEMORY,
		MHD_OPTION_NOTIFY_CONNECTION, note_client, server,
		MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
	if (server->daemon)
		return 0;
	if (certificate)
		return why_fail(why, -EIO, "cannot speak TLS with the certificates of %s and the key of %s: %s",
				server->page->certificate, server->page->key, server->log);
	return why_fail(why, -EIO, "libmicrohttpd does not start: %s", server->log);
}

/* A file that must be there: its text. */
static int read_file(const char *path, struct text_file *file, char why[WHY_SIZE])
{
	int ret = text_file_read(path, file, why);

	if (!ret && !file->is_there)
		ret = why_fail(why, -ENOENT, "cannot read %s: there is no such file", path);
	return ret;
}

static int start_with_tls(struct server *server, char why[WHY_SIZE])
{
	struct text_file certificate = { 0 }, key = { 0 };
	int ret;

	if (!server->page->certificate)
		return start_daemon(server, NULL, NULL, why);
	ret = read_file(server->page->certificate, &certificate, why);
	if (!ret)
		ret = read_file(server->page->key, &key, why);
	if (!ret)
		ret = start_daemon(server, certificate.text, key.text, why);
	if (key.text)
		explicit_bzero(key.text, strlen(key.text));
	text_file_free(&certificate);
	text_file_free(&key);
	return ret;
}

static int serve(struct server *server, char why[WHY_SIZE])
{
	int ret = background_start(&server->maker, make_page, server);

	if (ret)
		return why_fail(why, ret, "cannot start a thread: %s", strerror(-ret));
	ret = start_with_tls(server, why);
	if (ret)
		goto stop_maker;
	server->page->ready(server->sock);
	server->alive_ms = clock_ms();
	serve_until_signal(server);
	resume_clients(server);
	server->mhd.stop_daemon(server->daemon);	/* closes the socket, too */
	server->sock = -1;
stop_maker:
	if (!background_stop(&server->maker))
		return ret;	/* the thread still writes to what is @server's */
	drop_response(server);
	free(server->made);
	return ret;
}

int http_serve(const struct http_page *page, char why[WHY_SIZE])
{
	static struct server server;
	size_t i;
	int ret;

	server = (struct server){ .page = page, .sock = page->sock, .signals = -1 };
	for (i = 0; i < CLIENTS; i++)
		server.client[i].sock = -1;
	ret = microhttpd_load(&server.mhd, why);
	if (!ret && page->token)
		ret = token_read(&server.token, page->token, why);
	if (!ret)
		ret = block_signals(&server, why);
	if (!ret)
		ret = serve(&server, why);
	if (server.sock >= 0)
		close(server.sock);
	if (server.signals >= 0)
		close(server.signals);
	return ret;
}
