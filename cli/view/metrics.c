// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu metrics: who uses the GPUs, how the engine is doing and what mpu doctor finds, for
 * Prometheus: by HTTP, or in a file for the node exporter. It remembers who used them, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/view/internal.h"
#include "engines/engines.h"
#include "lib/clock.h"
#include "lib/host.h"
#include "lib/http.h"
#include "lib/listen.h"
#include "lib/path.h"
#include "lib/service.h"
#include "lib/text_file.h"
#include "lib/worker_thread.h"

#define PATH		"/metrics"
#define LISTEN		"127.0.0.1:9836"
#define FRESH_MS	1000	/* at most one scrape a second, whoever asks */
#define READING_MS	10000	/* read again, if nobody asks before */
#define GAP_MS		(3 * READING_MS)	/* a longer time was not watched */
#define LATE_MS		8000	/* Prometheus gives up after 10 s, by default */
#define READ_MS		7000	/* of these, for a file */
#define HEAD_MS		5000	/* until a request is complete */
#define LIFE_MS		30000
#define EXAMINE_MS	60000	/* at most one examination of the node a minute */
#define LIMIT		1000
#define LIMIT_TEXT	"1000"

/**
 * struct metrics - what is remembered from one scrape to the next
 * @extent:	how much is said
 * @served:	by this process, as long as it lives
 * @file:	else where it is written
 * @begin_ms:	when the program began
 * @late:	the file lacks what could not be found out in time
 * @reader:	NULL: nothing is
 * @history:	where who used the GPUs is remembered, in the file @path
 * @said:	why it is not remembered now; "": it is
 * @failures:	scrapes without the driver's answer
 * @failed:	the last one was one of these
 * @doctor:	the thread that examines the node, for no scrape waits until that is done
 * @examined:	what it has found; its own while it is busy
 * @node:	what was found last; without a time: nothing yet
 */
struct metrics {
	struct metrics_extent extent;
	bool served, late;
	const char *file;
	uint64_t begin_ms;
	struct usage_reader *reader;
	struct history history;
	char path[PATH_MAX];
	char said[WHY_SIZE];
	uint64_t failures;
	bool failed;
	struct worker_thread doctor;
	struct node_state examined;
	struct node_state node;
};

/* --- the node --- */

/*
 * Examines the node, in the thread @doctor. A server that answers anybody runs no
 * program of an engine.
 */
static void examine(void *arg)
{
	struct metrics *metrics = arg;
	struct measurement measurement;

	doctor_examine(&metrics->examined, &measurement, false);
}

static void add_node(struct exposition *e, struct metrics *metrics)
{
	struct pollfd done = { .fd = metrics->doctor.done, .events = POLLIN };
	const uint64_t now = clock_ms(), until = metrics->begin_ms + LATE_MS;

	if (!metrics->served && !metrics->late) {
		worker_thread_ask(&metrics->doctor);
		poll(&done, 1, until > now ? (int)(until - now) : 0);
	}
	if (worker_thread_is_done(&metrics->doctor))
		metrics->node = metrics->examined;
	else if (!metrics->served)
		metrics->late = true;
	if (metrics->node.time)
		node_state_add_metrics(e, &metrics->node);
}

/*
 * Has the node examined for the next scrape: after this one has read who uses the GPUs,
 * as an examination uses one itself.
 */
static void examine_for_next(struct metrics *metrics)
{
	if (clock_ms() - metrics->doctor.since_ms >= EXAMINE_MS)
		worker_thread_ask(&metrics->doctor);
}

/* --- a scrape --- */

/*
 * Reads once, for a file. A child that hangs keeps the folder's lock, so that not one more of them
 * is left in the driver each time that cron starts one. The folder itself any user could lock.
 */
static int read_in_turn(struct metrics *metrics, const struct usage **usage, char why[WHY_SIZE])
{
	struct wait turn = wait_begin(20, READ_MS);
	char path[PATH_MAX];
	uint64_t now;
	int lock;

	snprintf(path, sizeof(path), "%.*s.mpu-metrics.lock",
		 (int)(path_name(metrics->file) - metrics->file), metrics->file);
	lock = strcmp(metrics->file, "-") ?
	       open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
	while (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		if (!wait_moment(&turn))
			return why_fail(why, -ETIMEDOUT,
				"another mpu metrics waits for the NVIDIA driver, and keeps %s locked: the driver hangs; see the end of 'dmesg'",
				path);
	usage_keep(metrics->reader, lock);
	now = clock_ms();
	return usage_read(metrics->reader, now < turn.until_ms ? (int)(turn.until_ms - now) : 0,
			  usage, why);
}

/* Remembers a reading; why that fails is said once. */
static void remember(struct metrics *metrics, const struct usage *usage)
{
	const uint64_t since = usage->at_ms - usage->before_ms;
	char why[WHY_SIZE] = "";
	int ret;

	if (!metrics->served || !metrics->history.days)
		return;
	ret = history_record(&metrics->history, metrics->path, usage, !usage->before_ms ? 0 :
		       (double)(since < GAP_MS ? since : READING_MS) / 1e3, why);
	if (strcmp(why, metrics->said))
		fprintf(stderr, "mpu metrics: %s%s\n", why[0] ? why : metrics->path,
			ret ? "; who uses the GPUs is not recorded" :
			why[0] ? "" : ": recorded again");
	snprintf(metrics->said, sizeof(metrics->said), "%s", why);
}

static const struct usage *read_usage(struct metrics *metrics)
{
	const struct usage *usage = NULL;
	char why[WHY_SIZE];
	int ret;

	if (!metrics->reader)
		metrics->reader = usage_open(metrics->served ? READING_MS / 1000 : RM_SAMPLES_ALL,
					     metrics->extent.processes, true);
	if (metrics->served)
		usage_keep_idle(metrics->reader);
	ret = metrics->served ? usage_read(metrics->reader, -1, &usage, why) :
	      read_in_turn(metrics, &usage, why);
	metrics->late = ret == -ETIMEDOUT;
	/* Once for each time that it is missed, not for each scrape. */
	if (ret && !metrics->failed)
		fprintf(stderr, "mpu metrics: %s\n", why);
	metrics->failures += ret != 0;
	metrics->failed = ret != 0;
	if (!ret)
		remember(metrics, usage);
	return ret ? NULL : usage;
}

static void add_engine(struct exposition *e)
{
	const struct engine *engine = engine_current();
	struct engine_status status = { 0 };

	if (engine)
		engine_status(engine, &status);
	engine_add_metrics(e, engine, &status);
	engine_status_free(&status);
	/* For containers from before that engine was started, as mpu status says. */
	if (!engine || !engine->everywhere || !engine_notify.is_up())
		return;
	engine_status(&engine_notify, &status);
	engine_add_agent_metrics(e, &status);
	engine_status_free(&status);
}

static uint64_t as_ns(const struct timeval *time)
{
	return ((uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec) * 1000;
}

/* Adds what the process that serves takes itself. */
static void add_self(struct exposition *e, const struct metrics *metrics)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long resident = 0;
	struct rusage rusage;

	exposition_one(e, "mpu_scrape_failures_total", "counter",
		       "Scrapes that the NVIDIA driver gave no answer to.", metrics->failures, 0);
	if (!getrusage(RUSAGE_SELF, &rusage))
		exposition_one(e, "mpu_metrics_cpu_seconds_total", "counter",
			       "CPU time that mpu metrics has used.",
			       as_ns(&rusage.ru_utime) + as_ns(&rusage.ru_stime), 9);
	if (file && fscanf(file, "%*u %lu", &resident) == 1)
		exposition_one(e, "mpu_metrics_resident_memory_bytes", "gauge",
			       "Memory that mpu metrics has.",
			       resident * (uint64_t)sysconf(_SC_PAGESIZE), 0);
	if (file)
		fclose(file);
}

/* Writes all metrics into a new @text, which the caller has to free. */
static int scrape(void *arg, const char *path, bool asked, char **text, size_t *length)
{
	const struct exposition_label version = { "version", MPU_VERSION };
	struct metrics *metrics = arg;
	struct exposition e = { 0 };
	uint64_t start = clock_ns();

	if (!strcmp(path, "/"))
		return page_make(read_usage(metrics), metrics->history.days ? metrics->path : NULL,
				 text, length);
	exposition_family(&e, "mpu_build_info", "gauge", "What mpu is; always 1.");
	exposition_labels(&e, &version, 1);
	exposition_sample(&e, 1);
	add_engine(&e);
	usage_add_metrics(&e, read_usage(metrics), &metrics->extent);
	add_node(&e, metrics);
	if (asked)
		examine_for_next(metrics);
	if (metrics->served)
		add_self(&e, metrics);
	exposition_one(&e, "mpu_scrape_duration_seconds", "gauge",
		       "How long it took to find all this out.", clock_ns() - start, 9);
	if (e.error) {
		int ret = e.error;

		exposition_free(&e);
		return ret;
	}
	*text = e.text.bytes;
	*length = e.text.length;
	e.text.bytes = NULL;
	exposition_free(&e);
	return 0;
}

/* --- by HTTP --- */

static bool says_json;

/* JSON has the address as the answer. */
static void say_ready(int sock)
{
	char address[LISTEN_ADDRESS], url[LISTEN_ADDRESS + 32];

	service_tell("READY=1", -1);
	if (sock < 0)
		return;
	listen_address(sock, address);
	snprintf(url, sizeof(url), "http://%s" PATH, address);
	if (says_json) {
		command_print_member("url", url);
		fflush(stdout);
	} else {
		fprintf(stderr, "mpu metrics: %s\n", url);
	}
}

static void say_alive(void)
{
	service_tell("WATCHDOG=1", -1);
}

typedef int page_maker(void *arg, const char *path, bool asked, char **text, size_t *length);

static int serve(const struct command_call *call, page_maker *make, void *arg, unsigned int every_ms)
{
	const char *address = command_value(call, "listen");
	const bool is_off = address && !strcmp(address, "off");
	struct http_page page = {
		.path = PATH, .type = EXPOSITION_TYPE,
		.make = make, .arg = arg, .every_ms = every_ms,
		.fresh_ms = FRESH_MS, .late_ms = LATE_MS,
		.head_ms = HEAD_MS, .life_ms = LIFE_MS,
		.ready = say_ready, .alive = say_alive,
		.alive_ms = service_watchdog_ms() / 2,
	};
	char why[WHY_SIZE];
	int ret;

	says_json = command_wants_json(call);
	page.sock = is_off ? -1 : listen_open(address ? address : LISTEN, why);
	if (page.sock == -EINVAL)
		return command_fail_usage(call, "%s", why);
	if (page.sock < 0 && !is_off)
		return command_fail(call, CLI_FAILED, "%s", why);
	ret = http_serve(&page, why);
	return ret ? command_fail(call, CLI_FAILED, "%s", why) : CLI_DONE;
}

static int serve_node(const struct command_call *call, struct metrics *metrics)
{
	int status;

	worker_thread_ask(&metrics->doctor);
	status = serve(call, scrape, metrics, READING_MS);
	worker_thread_stop(&metrics->doctor);
	return status;
}

/* --- from another --- */

/* Reads a whole answer. Return: is the page all of it? Then *text is its own, to be freed. */
static bool fetch_once(int sock, const char *path, char **text, size_t *length)
{
	static const char size[] = "\r\nContent-Length: ";
	FILE *answer = open_memstream(text, length);
	char piece[16384], *head, *page;
	ssize_t n = -1;

	if (!answer)
		return false;
	if (dprintf(sock, "GET %s HTTP/1.0\r\n\r\n", path) > 0)
		while ((n = read(sock, piece, sizeof(piece))) > 0)
			fwrite(piece, 1, (size_t)n, answer);
	if (fclose(answer))
		return false;
	head = strcasestr(*text, size);
	page = strstr(*text, "\r\n\r\n");
	*length -= page ? (size_t)(page + 4 - *text) : 0;
	if (n || strncmp(*text, "HTTP/1.1 200 ", 13) != 0 || !head || !page ||
	    strtoul(head + sizeof(size) - 1, NULL, 10) != *length) {
		free(*text);
		return false;
	}
	memmove(*text, page + 4, *length + 1);
	return true;
}

/* Makes the page of what another one says, and asks until it does: clients are told "late". */
static int fetch(void *arg, const char *path, bool asked, char **text, size_t *length)
{
	const char *from = arg;
	bool is_there = false, is_said = false;
	int sock;

	(void)asked;
	while (!is_there) {
		sock = listen_connect(from, LATE_MS / 1000);
		is_there = sock >= 0 && fetch_once(sock, path, text, length);
		if (!is_there && !is_said)
			fprintf(stderr, "mpu metrics: no answer at %s (%s): is mpu-metrics.service up on this node?\n",
				from, sock < 0 ? strerror(-sock) : "not a whole page");
		is_said = true;
		if (sock >= 0)
			close(sock);
		if (!is_there)
			sleep(1);
	}
	return 0;
}

/* --- into a file --- */

static int write_text(const struct command_call *call, const char *path, const char *text)
{
	const struct stat file = {
		.st_mode = 0644, .st_uid = geteuid(), .st_gid = getegid(),
	};
	char why[WHY_SIZE];

	if (!strcmp(path, "-"))
		fputs(text, stdout);	/* program_run() looks whether that was done */
	else if (text_file_write(path, text, &file, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	else
		command_print_file(call, path);
	return CLI_DONE;
}

static int write_once(const struct command_call *call, struct metrics *metrics, const char *path)
{
	size_t length;
	char *text;
	int status;

	if (command_value(call, "listen"))
		return command_fail_usage(call, "--listen is not for --textfile, which serves nobody");
	if (!strcmp(path, "-") && command_wants_json(call))
		return command_fail_usage(call, "--textfile - is no answer in JSON");
	if (scrape(metrics, PATH, false, &text, &length))
		return command_fail(call, CLI_FAILED, "no memory");
	status = write_text(call, path, text);
	free(text);
	usage_close(metrics->reader);
	return status ? status : metrics->late ? CLI_FAILED : CLI_DONE;
}

/* A number of rows; false: it is none. */
static bool read_limit(const char *text, size_t *limit)
{
	char *end;

	if (!text)
		return true;
	errno = 0;
	*limit = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int run_metrics(const struct command_call *call)
{
	static struct metrics metrics;
	const char *path = command_value(call, "textfile");
	const char *limit = command_value(call, "limit");
	const char *from = command_value(call, "from"), *keep = command_value(call, "keep");
	const char *history = command_value(call, "history");
	size_t days = HISTORY_DAYS;
	int ret;

	if (from && path)
		return command_fail_usage(call, "--from is not for --textfile, which nobody asks for");
	metrics = (struct metrics){
		.extent = { command_is_on(call, "processes"), LIMIT }, .served = !path,
		.file = path, .begin_ms = clock_ms(),
	};
	if (!read_limit(limit, &metrics.extent.limit))
		return command_fail_usage(call, "invalid value '%s' for --limit: use a number", limit);
	if (!read_limit(keep, &days) || days > 3660)
		return command_fail_usage(call, "invalid value '%s' for --keep: use a number of days, 0 for none", keep);
	metrics.history.days = (unsigned int)days;
	if (from)
		return serve(call, fetch, (void *)(uintptr_t)from, EXAMINE_MS);
	if (history)
		snprintf(metrics.path, sizeof(metrics.path), "%s", history);
	else if (host_path(metrics.path, sizeof(metrics.path), HISTORY))
		metrics.history.days = 0;
	ret = worker_thread_start(&metrics.doctor, examine, &metrics);
	if (ret)
		return command_fail(call, CLI_FAILED, "cannot start a thread: %s", strerror(-ret));
	return path ? write_once(call, &metrics, path) : serve_node(call, &metrics);
}

static const struct command_option options[] = {
	{ "listen", 0, "ADDRESS", NULL,
	  "where Prometheus asks, off: nowhere (default: " LISTEN ")" },
	{ "processes", 0, NULL, NULL, "of each process, too" },
	{ "limit", 0, "N", NULL,
	  "of containers at most, of pods and so on likewise (default: " LIMIT_TEXT ")" },
	{ "keep", 0, "DAYS", NULL, "of the history, which mpu usage shows, 0: none (default: 35)" },
	{ "history", 0, "FILE", NULL, "where that is kept (default: " HISTORY ")" },
	{ "textfile", 0, "FILE", NULL,
	  "serve nobody: write this file, once, for the node exporter (-: standard output)" },
	{ "from", 0, "ADDRESS", NULL,
	  "in a pod, which needs no right then: hand on what another mpu metrics says" },
	{ .name = NULL },
};

const struct command command_metrics = {
	.name = "metrics", .options = { options }, .run = run_metrics,
	.what = "serve GPU usage, engine state and findings to Prometheus",
};
