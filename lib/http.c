// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of one page: see http.h. One thread makes the page, another does all else.
 */
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/clock.h"
#include "lib/http.h"
#include "lib/process.h"
#include "lib/worker_thread.h"

#define CLIENTS		256	/* clients at once; more wait to be accepted */
#define ROOM		128	/* places left for clients who come next */
#define WAITING		64	/* clients that wait for a page; all others are answered at once */
#define CLIENT_MEMORY	16384	/* bytes of each client, for its request */
#define TICK_MS		100	/* resolution of time limits */

/**
 * struct client - a connection
 * @sock:	-1: this place is free
 * @since_ms:	when it was accepted
 * @number:	how many were accepted before it
 * @asked:	its request has been read
 * @waits:	suspended, until there is a page; NULL: it is not
 */
struct client {
	int sock;
	uint64_t since_ms;
	uint64_t number;
	bool asked, ended;
	struct MHD_Connection *waits;
};

/* Forms of a page, and the pages. */
enum { PLAIN, GZIP, FORMS };
enum which { FIRST, HOME, PAGES };

struct form {
	struct MHD_Response *response;	/* NULL: nobody has asked for this form */
	char *text;			/* lives as long as @response */
	size_t length;
};

/**
 * struct server
 * @made, @length, @result: written by the thread while it makes a page
 * @asked:	somebody waits for that
 * @which:	the page that is made, or was made last
 * @form:	of each page; without PLAIN: none has been made, or it could not be
 * @response_ms: when it was ready; 0: never
 * @log:	what libmicrohttpd complained of last
 */
struct server {
	const struct http_page *page;
	struct MHD_Daemon *daemon;
	struct worker_thread maker;
	char *made;
	size_t length;
	int result;
	bool asked;
	enum which which;
	struct form form[PAGES][FORMS];
	uint64_t response_ms[PAGES];
	struct client client[CLIENTS];
	uint64_t accepted;
	int sock;
	int signals;
	uint64_t alive_ms;
	char log[256];
};

static enum MHD_Result answer(struct MHD_Connection *to, unsigned int status,
			      const char *text, const char *header, const char *value)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(strlen(text), (void *)text,
						MHD_RESPMEM_PERSISTENT);
	enum MHD_Result ret;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
	MHD_add_response_header(response, "Connection", "close");
	if (header)
		MHD_add_response_header(response, header, value);
	ret = MHD_queue_response(to, status, response);
	MHD_destroy_response(response);
	return ret;
}

static bool is_late(const struct server *server)
{
	return worker_thread_busy_ms(&server->maker) >= server->page->late_ms;
}

static enum MHD_Result answer_late(struct MHD_Connection *to)
{
	return answer(to, MHD_HTTP_SERVICE_UNAVAILABLE,
		      "timed out: the driver or an engine does not answer\n",
		      NULL, NULL);
}

/* A client that reads the page keeps it. */
static void drop_page(struct server *server, enum which which)
{
	size_t i;

	for (i = 0; i < FORMS; i++)
		if (server->form[which][i].response)
			MHD_destroy_response(server->form[which][i].response);
	memset(server->form[which], 0, sizeof(server->form[which]));
}

static struct client *client_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* Have a page made, in place of the old one, unless one is being made. */
static void make_anew(struct server *server, enum which which, bool asked)
{
	if (server->maker.busy)
		return;
	drop_page(server, which);
	server->which = which;
	server->asked = asked;
	worker_thread_ask(&server->maker);
}

static enum MHD_Result wait_for_page(struct server *server, enum which which,
				     struct MHD_Connection *connection)
{
	size_t i, waiting = 0;

	for (i = 0; i < CLIENTS; i++)
		waiting += server->client[i].waits != NULL;
	if (waiting >= WAITING)
		return answer(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "too many wait for this\n", NULL, NULL);
	client_of(connection)->waits = connection;
	MHD_suspend_connection(connection);
	make_anew(server, which, true);
	return MHD_YES;
}

/* Returns true where Accept-Encoding names gzip, and not to refuse it ("gzip;q=0"). */
static bool takes_gzip(struct MHD_Connection *connection)
{
	const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							"Accept-Encoding");
	const char *q;
	char member[128];
	size_t n;

	for (; value && *value; value += n + (value[n] == ',')) {
		value += strspn(value, " \t");
		n = strcspn(value, ",");
		snprintf(member, sizeof(member), "%.*s", (int)n, value);
		if (strncasecmp(member, "gzip", 4) != 0 || !strchr(" \t;", member[4]))
			continue;
		q = strcasestr(member, "q=0");
		if (!q || strspn(q + 3, ".0") != strcspn(q + 3, " \t;"))
			return true;
	}
	return false;
}

/* Takes @text over. */
static void respond_with(struct server *server, enum which which, unsigned int coding, char *text,
			 size_t length)
{
	struct form *form = &server->form[which][coding];

	form->response = MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE);
	if (!form->response) {
		free(text);
		return;
	}
	form->text = text;
	form->length = length;
	MHD_add_response_header(form->response, "Content-Type",
				which == HOME ? "text/html; charset=utf-8" : server->page->type);
	if (coding == GZIP)
		MHD_add_response_header(form->response, "Content-Encoding", "gzip");
	MHD_add_response_header(form->response, "Vary", "Accept-Encoding");
	MHD_add_response_header(form->response, "Connection", "close");
}

/* The fastest: metrics shrink to a thirtieth, to a fortieth at the default level. */
static int compress_text(const struct form *from, char **text, size_t *length)
{
	z_stream stream = { .next_in = (Bytef *)from->text, .avail_in = (uInt)from->length };
	int ret = deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16 /* gzip */,
			       MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);

	if (ret != Z_OK)
		return -ENOMEM;
	stream.avail_out = (uInt)deflateBound(&stream, from->length);
	*text = malloc(stream.avail_out);
	stream.next_out = (Bytef *)*text;
	ret = *text ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
	*length = stream.total_out;
	deflateEnd(&stream);
	if (ret == Z_STREAM_END)
		return 0;
	free(*text);
	return -ENOMEM;
}

/* Returns the page as this client takes it, compressed when the first one asks for that. */
static const struct form *find_form(struct server *server, enum which which,
				    struct MHD_Connection *to)
{
	const struct form *form = server->form[which], *plain = &form[PLAIN];
	size_t length;
	char *text;

	if (!plain->response || !takes_gzip(to))
		return plain;
	if (!form[GZIP].response && !compress_text(plain, &text, &length))
		respond_with(server, which, GZIP, text, length);
	return &form[GZIP];
}

/* @waited: for a page; if it was this one, it is fresh enough, however long that took. */
static bool is_fresh(const struct server *server, enum which which, bool waited)
{
	const uint64_t made_ms = server->response_ms[which];

	if (server->which == which && (server->maker.busy || waited))
		return !server->maker.busy;
	return made_ms && clock_ms() - made_ms < server->page->fresh_ms;
}

static enum MHD_Result answer_page(struct server *server, enum which which,
				   struct MHD_Connection *to, void **waited)
{
	const struct form *form;

	if (is_late(server))
		return answer_late(to);
	if (!is_fresh(server, which, *waited != NULL)) {
		*waited = server;
		return wait_for_page(server, which, to);
	}
	form = find_form(server, which, to);
	if (!form->response)
		return answer(to, MHD_HTTP_INTERNAL_SERVER_ERROR,
			      "this could not be made\n", NULL, NULL);
	return MHD_queue_response(to, MHD_HTTP_OK, form->response);
}

/* Called for each request, and again after a wait. */
static enum MHD_Result take_request(void *arg, struct MHD_Connection *connection,
				    const char *url, const char *method,
				    const char *version, const char *upload,
				    size_t *upload_size, void **context)
{
	struct server *server = arg;
	struct client *client = client_of(connection);
	bool asks_health;

	(void)version;
	(void)upload;
	(void)upload_size;
	if (!client)
		return MHD_NO;
	client->asked = true;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "GET and HEAD are understood here\n", "Allow",
			      "GET, HEAD");
	if (!strcmp(url, server->page->path))
		return answer_page(server, FIRST, connection, context);
	if (!strcmp(url, "/"))
		return answer_page(server, HOME, connection, context);
	asks_health = !strcmp(url, "/healthz");
	if (asks_health && is_late(server))
		return answer_late(connection);
	if (asks_health || !strcmp(url, "/livez"))
		return answer(connection, MHD_HTTP_OK, "ok\n", NULL, NULL);
	return answer(connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n", NULL, NULL);
}

/* Runs in the thread. */
static void make_page(void *arg)
{
	struct server *server = arg;

	server->result = server->page->make(server->page->arg, server->which == HOME ? "/" :
					    server->page->path, server->asked, &server->made,
					    &server->length);
}

static void resume_clients(struct server *server)
{
	size_t i;

	for (i = 0; i < CLIENTS; i++) {
		if (!server->client[i].waits)
			continue;
		MHD_resume_connection(server->client[i].waits);
		server->client[i].waits = NULL;
	}
}

static void take_page(struct server *server)
{
	if (!worker_thread_is_done(&server->maker))
		return;
	if (!server->result)
		respond_with(server, server->which, PLAIN, server->made, server->length);
	server->made = NULL;
	server->response_ms[server->which] = clock_ms();
	resume_clients(server);
}

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
	*client = (struct client){
		.sock = MHD_get_connection_info(
			connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
		.since_ms = clock_ms(), .number = server->accepted++,
	};
	*context = client;
}

static bool is_open(const struct client *client)
{
	return client->sock >= 0 && !client->ended;
}

static void end_client(struct client *client)
{
	shutdown(client->sock, SHUT_RDWR);
	client->ended = true;
}

/* Finds the oldest client that has not asked yet, else that reads; NULL: all wait. */
static struct client *find_oldest(struct server *server)
{
	struct client *oldest = NULL, *client;
	size_t i;

	for (i = 0; i < CLIENTS; i++) {
		client = &server->client[i];
		if (is_open(client) && !client->waits &&
		    (!oldest || client->asked < oldest->asked ||
		     (client->asked == oldest->asked && client->number < oldest->number)))
			oldest = client;
	}
	return oldest;
}

/* Whoever asks is answered, however many say nothing. Return: is there any client? */
static bool end_old_clients(struct server *server)
{
	const struct http_page *page = server->page;
	uint64_t now = clock_ms();
	struct client *client;
	size_t i, n = 0;
	bool any = false;

	for (i = 0; i < CLIENTS; i++) {
		client = &server->client[i];
		any |= client->sock >= 0;
		if (is_open(client) && now - client->since_ms >=
				       (client->asked ? page->life_ms : page->head_ms))
			end_client(client);
		n += is_open(client);
	}
	for (; n > ROOM && (client = find_oldest(server)); n--)
		end_client(client);
	return any;
}

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
	int wait = any_client ? TICK_MS : server->page->alive_ms ? (int)server->page->alive_ms : -1;
	const uint64_t due = server->response_ms[FIRST] + server->page->every_ms, now = clock_ms();

	if (server->page->every_ms && !server->maker.busy && (wait < 0 || now + (uint64_t)wait > due))
		wait = due > now ? (int)(due - now) : 0;
	if (MHD_get_timeout(server->daemon, &ms) == MHD_YES &&
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
		[DAEMON] = { .events = POLLIN, .fd = MHD_get_daemon_info(
			server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd },
		[MAKER] = { .fd = server->maker.done, .events = POLLIN },
	};
	bool any_client = false;

	do {
		say_alive(server);
		if (server->page->every_ms &&
		    clock_ms() - server->response_ms[FIRST] >= server->page->every_ms)
			make_anew(server, FIRST, false);
		poll(polls, POLLS, until_next(server, any_client));
		take_page(server);
		if (is_late(server))
			resume_clients(server);
		/*
		 * Asked before clients leave: once more it is run then, when it finds
		 * that there is room for others again.
		 */
		any_client = end_old_clients(server);
		MHD_run(server->daemon);
	} while (!(polls[SIGNALS].revents & POLLIN));
}

static int start_daemon(struct server *server, char why[WHY_SIZE])
{
	server->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
		(server->sock < 0 ? MHD_USE_NO_LISTEN_SOCKET : 0), 0, NULL, NULL, take_request, server,
		MHD_OPTION_EXTERNAL_LOGGER, keep_log, server,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CLIENTS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CLIENT_MEMORY,
		MHD_OPTION_NOTIFY_CONNECTION, note_client, server,
		server->sock < 0 ? MHD_OPTION_END : MHD_OPTION_LISTEN_SOCKET, server->sock,
		MHD_OPTION_END);
	return server->daemon ? 0 :
	       why_fail(why, -EIO, "libmicrohttpd does not start: %s", server->log);
}

static int serve(struct server *server, char why[WHY_SIZE])
{
	int ret = worker_thread_start(&server->maker, make_page, server);

	if (ret)
		return why_fail(why, ret, "cannot start a thread: %s", strerror(-ret));
	ret = start_daemon(server, why);
	if (ret)
		goto stop_maker;
	server->page->ready(server->sock);
	server->alive_ms = clock_ms();
	serve_until_signal(server);
	resume_clients(server);
	MHD_stop_daemon(server->daemon);	/* closes the socket, too */
	server->sock = -1;
stop_maker:
	if (!worker_thread_stop(&server->maker))
		return ret;	/* the thread still writes to what is @server's */
	drop_page(server, FIRST);
	drop_page(server, HOME);
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
	ret = block_signals(&server, why);
	if (!ret)
		ret = serve(&server, why);
	if (server.sock >= 0)
		close(server.sock);
	if (server.signals >= 0)
		close(server.signals);
	return ret;
}
