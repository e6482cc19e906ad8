// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/http.c: what clients get while a page is made, takes too long or cannot
 * be made, and what slow clients get.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <zlib.h>

#include "lib/http.h"
#include "lib/listen.h"
#include "tests/unit/unit.h"

#define HANG_MS	60000	/* only something that hangs takes as long */
#define AGES	3600000
#define MANY	400	/* clients: more than are served at once */
/**
 * struct fixture - what this process and the server's share
 * @made:	how many pages
 * @zeros:	what each begins with
 * @fails:	the next one cannot be made
 */
struct fixture {
	unsigned int made;
	unsigned int zeros;
	bool fails;
};

static struct fixture *fixture;
static pid_t server;
static uint16_t port;
static int gate[2];	/* a page is made once there is a byte to read, if this is open */
static int started[2];	/* a byte when one begins to be made */
static unsigned int head_ms = AGES;

static int make(void *arg, const char *path, bool asked, char **text, size_t *length)
{
	char byte = 0;
	int n;

	if (write(started[1], &byte, 1) != 1 || (gate[0] >= 0 && read(gate[0], &byte, 1) != 1))
		return -EIO;
	if (fixture->fails)
		return -ENOMEM;
	n = !strcmp(path, "/") ? asprintf(text, "<p>home\n") : asprintf(text, "%.*dpage %u\n", (int)fixture->zeros, 0, ++fixture->made);
	*length = (size_t)n;
	return n < 0 ? -ENOMEM : 0;
}

static void ready(int sock)
{
}

/* @closed: pages are made when open_gate() says so. */
static void start(unsigned int fresh_ms, unsigned int late_ms, unsigned int life_ms, bool closed)
{
	char why[WHY_SIZE] = "", address[LISTEN_ADDRESS];
	struct http_page page = {
		.sock = listen_open("127.0.0.1:0", why), .path = "/page",
		.type = "text/plain; x=y",
		.make = make, .ready = ready,
		.fresh_ms = fresh_ms, .late_ms = late_ms, .head_ms = head_ms, .life_ms = life_ms,
	};

	assert_true(page.sock >= 0);
	listen_address(page.sock, address);
	port = (uint16_t)atoi(strrchr(address, ':') + 1);
	gate[0] = gate[1] = -1;
	if (closed)
		assert_int_equal(pipe(gate), 0);
	assert_int_equal(pipe(started), 0);
	memset(fixture, 0, sizeof(*fixture));
	server = fork();
	if (!server)
		exit(http_serve(&page, why) ? 1 : 0);
	close(page.sock);
}

static void open_gate(void)
{
	assert_int_equal(write(gate[1], "", 1), 1);
}

static void wait_until_started(void)
{
	struct pollfd poll_it = { .fd = started[0], .events = POLLIN };
	char byte;

	assert_int_equal(poll(&poll_it, 1, HANG_MS), 1);
	assert_int_equal(read(started[0], &byte, 1), 1);
}

static void stop(void)
{
	int status;

	assert_int_equal(kill(server, SIGTERM), 0);
	assert_int_equal(waitpid(server, &status, 0), server);
	assert_int_equal(status, 0);
	close(started[0]);
	close(started[1]);
	if (gate[0] >= 0) {
		close(gate[0]);
		close(gate[1]);
	}
}

static int connect_to_server(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int sock = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(sock >= 0);
	assert_int_equal(connect(sock, (struct sockaddr *)&address, sizeof(address)), 0);
	return sock;
}

static void say(int sock, const char *text)
{
	assert_int_equal(send(sock, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static int ask(const char *method, const char *path)
{
	char text[256];
	int sock = connect_to_server();

	snprintf(text, sizeof(text), "%s %s HTTP/1.1\r\nHost: x\r\n\r\n", method, path);
	say(sock, text);
	return sock;
}

/* All that comes, to the end of the connection. */
static const char *hear(int sock)
{
	static char text[4096];
	struct pollfd poll_it = { .fd = sock, .events = POLLIN };
	size_t length = 0;
	ssize_t n;

	do {
		assert_int_equal(poll(&poll_it, 1, HANG_MS), 1);
		n = recv(sock, text + length, sizeof(text) - 1 - length, 0);
		length += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	text[length] = '\0';
	close(sock);
	return text;
}

static void check_answer(int sock, const char *status, const char *end)
{
	const char *text = hear(sock);

	assert_ptr_equal(strstr(text, status), text);
	assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
	assert_true(strlen(text) >= strlen(end));
	assert_string_equal(text + strlen(text) - strlen(end), end);
}

#define OK	"HTTP/1.1 200 "
#define LATE	"HTTP/1.1 503 "

TEST("each path has its answer: a page, health, home, or an error")
{
	start(AGES, AGES, AGES, false);
	check_answer(ask("GET", "/page"), OK, "\r\n\r\npage 1\n");
	check_answer(ask("GET", "/page?x=1"), OK, "\r\n\r\npage 1\n");
	check_answer(ask("HEAD", "/page"), OK, "Content-Length: 7\r\n\r\n");
	check_answer(ask("GET", "/healthz"), OK, "\r\n\r\nok\n");
	check_answer(ask("GET", "/livez"), OK, "\r\n\r\nok\n");
	check_answer(ask("GET", "/"), OK, "\r\n\r\n<p>home\n");
	check_answer(ask("GET", "/page/"), "HTTP/1.1 404 ", "\n");
	check_answer(ask("POST", "/page"), "HTTP/1.1 405 ", "\n");
	stop();
}

TEST("all who ask while a page is made get that one, later ones another")
{
	int sock[5];
	size_t i;

	start(0, AGES, AGES, true);
	for (i = 0; i < 5; i++)
		sock[i] = ask("GET", "/page");
	wait_until_started();
	/* It answers in the order of events: all five have been read before this. */
	check_answer(ask("GET", "/healthz"), OK, "ok\n");
	open_gate();
	for (i = 0; i < 5; i++)
		check_answer(sock[i], OK, "page 1\n");
	open_gate();
	check_answer(ask("GET", "/page"), OK, "page 2\n");
	stop();
}

TEST("a page that cannot be made is an error 500, and is tried again")
{
	start(0, AGES, AGES, false);
	fixture->fails = true;
	check_answer(ask("GET", "/page"), "HTTP/1.1 500 ", "\n");
	fixture->fails = false;
	check_answer(ask("GET", "/page"), OK, "page 1\n");
	stop();
}

TEST("a page that hangs is reported; once it does not, pages are made again")
{
	const char *text;

	start(0, 1, AGES, true);
	check_answer(ask("GET", "/page"), LATE, "\n");
	check_answer(ask("GET", "/page"), LATE, "\n");
	check_answer(ask("GET", "/healthz"), LATE, "\n");
	check_answer(ask("GET", "/livez"), OK, "ok\n");
	open_gate();
	do
		text = hear(ask("GET", "/healthz"));
	while (strstr(text, LATE));
	assert_non_null(strstr(text, "ok\n"));
	assert_int_equal(fixture->made, 1);
	stop();
}

TEST("the server ends even while a page hangs")
{
	int sock;

	start(0, AGES, AGES, true);
	sock = ask("GET", "/page");
	wait_until_started();
	stop();
	hear(sock);
}

/* Clients that say nothing, never finish, wait, or do not read: others are answered. */
TEST("slow or silent clients do not keep others from an answer")
{
	int sock[MANY];
	size_t i;

	start(0, AGES, AGES, true);
	for (i = 0; i < MANY; i++) {
		sock[i] = i % 4 == 3 ? ask("GET", "/page") : connect_to_server();
		if (i % 4 == 1)
			say(sock[i], "GET /page HTTP/1.1\r\nHost: ");
	}
	check_answer(ask("GET", "/healthz"), OK, "ok\n");
	wait_until_started();
	fixture->zeros = 8 << 20;
	open_gate();
	check_answer(ask("GET", "/livez"), OK, "ok\n");
	for (i = 0; i < MANY; i++)
		close(sock[i]);
	stop();
	/* Without others, by time. */
	head_ms = 300;
	start(AGES, AGES, AGES, false);
	sock[0] = connect_to_server();
	say(sock[0], "GET /page HTTP/1.1\r\nHost: ");
	hear(sock[0]);
	head_ms = AGES;
	stop();
	start(AGES, AGES, 300, true);
	hear(ask("GET", "/page"));
	stop();
}

static int say_all(const char *text)
{
	int sock = connect_to_server();

	say(sock, text);
	return sock;
}

static const char *hear_form(const char *headers)
{
	char text[512];

	snprintf(text, sizeof(text), "GET /page HTTP/1.1\r\nHost: x\r\n%s\r\n", headers);
	return hear(say_all(text));
}

TEST("a client that does not ask for gzip gets the page as it is, of the one type")
{
	static const char *const headers[] = {
		"", "Accept: */*\r\n", "Accept: application/openmetrics-text\r\n",
		"Accept-Encoding: gzip;q=0, deflate\r\n", "Accept-Encoding: gzip; q=0.000\r\n",
		"Accept-Encoding: gzi, gzipped, ,;q=1,g\r\n", "Accept-Encoding: GZIP ; Q=0\r\n",
	};
	const char *text;

	start(AGES, AGES, AGES, false);
	each_row(row, headers) {
		text = hear_form(*row);
		assert_non_null(strstr(text, "\r\n\r\npage 1\n"));
		assert_non_null(strstr(text, "\r\nVary: Accept-Encoding\r\n"));
		assert_non_null(strstr(text, "Content-Type: text/plain; x=y\r\n"));
		assert_null(strstr(text, "Content-Encoding"));
	}
	stop();
}

TEST("a client that accepts gzip gets the page compressed")
{
	static char page[1 << 16];
	z_stream stream = { .next_out = (Bytef *)page, .avail_out = sizeof(page) };
	const char *text;
	char *body;

	start(AGES, AGES, AGES, false);
	fixture->zeros = 10000;
	hear(ask("GET", "/page"));
	text = hear_form("Accept-Encoding: deflate, GZIP;q=0.5\r\n");
	assert_non_null(strstr(text, "\r\nContent-Encoding: gzip\r\n"));
	assert_non_null(strstr(text, "\r\nContent-Type: text/plain; x=y\r\n"));
	body = strstr(text, "\r\n\r\n") + 4;
	stream.next_in = (Bytef *)body;
	stream.avail_in = (uInt)atoi(strstr(text, "Content-Length: ") + 16);
	assert_true(stream.avail_in < 200);
	assert_int_equal(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	page[stream.total_out] = '\0';
	assert_memory_equal(page, "000", 3);
	assert_int_equal(strlen(page), 10000 + 7);
	assert_string_equal(page + strlen(page) - 7, "page 1\n");
	stop();
}

TEST("a request may come in pieces, or with more behind it")
{
	int sock;

	start(AGES, AGES, AGES, false);
	sock = say_all("GET /page HTTP/1.1\r");
	check_answer(ask("GET", "/page"), OK, "page 1\n");
	say(sock, "\nHost: x\r\n");
	check_answer(ask("GET", "/livez"), OK, "ok\n");
	say(sock, "\r\n");
	check_answer(sock, OK, "page 1\n");
	sock = say_all("POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n");
	say(sock, "abc");
	check_answer(sock, "HTTP/1.1 405 ", "\n");
	stop();
}

TEST("a slow reader gets its whole page while newer ones are made")
{
	static char text[1 << 20];
	const size_t zeros = 8 << 20;
	size_t length = 0;
	ssize_t n;
	int sock;

	start(0, AGES, AGES, false);
	fixture->zeros = (unsigned int)zeros;
	sock = ask("GET", "/page");
	assert_true(recv(sock, text, 1, MSG_PEEK) == 1);
	fixture->zeros = 1;
	check_answer(ask("GET", "/page"), OK, "\r\n\r\n0page 2\n");
	check_answer(ask("GET", "/page"), OK, "\r\n\r\n0page 3\n");
	do {
		n = recv(sock, text, sizeof(text), 0);
		assert_true(n >= 0);
		length += (size_t)n;
		if (n >= 7)
			memcpy(text, text + n - 7, 7);
	} while (n);
	close(sock);
	assert_memory_equal(text, "page 1\n", 7);
	assert_true(length > zeros);
	stop();
}

int main(void)
{
	fixture = mmap(NULL, sizeof(*fixture), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fixture == MAP_FAILED)
		return 1;
	return unit_run();
}
