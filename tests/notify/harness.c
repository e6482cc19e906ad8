// SPDX-License-Identifier: GPL-2.0-only
/*
 * An agent, the manager it talks to, and containers: see harness.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/notify.h"
#include "lib/clock.h"
#include "lib/fds.h"

#include "harness.h"

#define FOR_EVER	"86400"	/* seconds: end_container() ends it */

const char *caller;
const char *mpu;
static int notify_sock, listen_sock;
static bool agent_ready;
pid_t agent;
struct state *state;
struct kept kept[KEPT];
pid_t containers[CONTAINERS];
bool case_failed;
unsigned int watchdogs;

void fail(const char *format, ...)
{
	va_list ap;

	case_failed = true;
	printf("# ");
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
}

void die(const char *what)
{
	perror(what);
	exit(1);
}

/* --- the manager --- */

static struct sockaddr_un address(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), FOLDER "/%s", name);
	return a;
}

static int make_socket(int type, const char *name)
{
	struct sockaddr_un a = address(name);
	int sock = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (sock < 0 || bind(sock, (struct sockaddr *)&a, sizeof(a)))
		die(name);
	return sock;
}

static void forget(const char *name)
{
	int i;

	for (i = 0; i < KEPT; i++)
		if (kept[i].fd && !strcmp(kept[i].name, name)) {
			close(kept[i].fd);
			kept[i].fd = 0;
		}
}

void forget_all(void)
{
	int i;

	for (i = 0; i < KEPT; i++)
		if (kept[i].fd)
			forget(kept[i].name);
}

static void keep(const char *name, int fd)
{
	int i;

	for (i = 0; i < KEPT && kept[i].fd; i++)
		;
	if (i == KEPT)
		die("too many descriptors");
	kept[i].fd = fd;
	snprintf(kept[i].name, sizeof(kept[i].name), "%s", name);
	if (!strcmp(name, "state"))
		state = state_map(fd);
}

/* Reads the agent's messages so far. */
void listen_to_agent(void)
{
	struct pollfd p = { .fd = notify_sock, .events = POLLIN };
	char text[512], *name;
	size_t fds;
	ssize_t n;
	int fd;

	while (poll(&p, 1, 0) == 1) {
		n = fd_receive(notify_sock, text, sizeof(text) - 1, &fd, 1, &fds);
		text[n > 0 ? n : 0] = '\0';
		name = strstr(text, "FDNAME=");
		if (strstr(text, "READY=1"))
			agent_ready = true;
		else if (strstr(text, "WATCHDOG=1"))
			watchdogs++;
		else if (name && strstr(text, "FDSTORE=1"))
			keep(name + 7, fd);
		else if (name && strstr(text, "FDSTOREREMOVE=1"))
			forget(name + 7);
	}
}

/* A manager always listens. */
void nap(unsigned int ms)
{
	unsigned int slept;

	for (slept = 0; slept < ms; slept += 10) {
		usleep(10000);
		listen_to_agent();
	}
}

/* Does @is_so become true? */
bool within_reason(bool (*is_so)(void))
{
	u64 until = clock_ms() + HANGS_MS;

	while (!is_so()) {
		if (clock_ms() >= until)
			return false;
		nap(10);
	}
	return true;
}

static void exec_agent(void)
{
	char names[KEPT * 32] = "agent", number[16];
	int fd[KEPT + 1], n = 0, i, log;

	fd[n++] = listen_sock;
	for (i = 0; i < KEPT; i++)
		if (kept[i].fd) {
			strcat(strcat(names, ":"), kept[i].name);
			fd[n++] = kept[i].fd;
		}
	for (i = 0; i < n; i++)		/* out of the way first */
		fd[i] = fcntl(fd[i], F_DUPFD, 200);
	for (i = 0; i < n; i++)
		dup2(fd[i], 3 + i);
	for (i = 0; i < n; i++)
		close(fd[i]);
	log = open(AGENT_LOG, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(log, STDERR_FILENO);
	/* A descriptor that it inherits is its own business. */
	dup2(log, INHERITED);
	close(log);
	setenv("WATCHDOG_USEC", "1000000", 1);
	setenv("LISTEN_FDNAMES", names, 1);
	snprintf(number, sizeof(number), "%d", n);
	setenv("LISTEN_FDS", number, 1);
	snprintf(number, sizeof(number), "%d", getpid());
	setenv("LISTEN_PID", number, 1);
	setenv("NOTIFY_SOCKET", address("notify").sun_path, 1);
	execl(mpu, mpu, "agent", (char *)NULL);
	_exit(127);
}

static bool is_ready(void)
{
	return agent_ready;
}

void start_agent(void)
{
	agent_ready = false;
	agent = fork();
	if (agent < 0)
		die("fork");
	if (!agent)
		exec_agent();
	if (!within_reason(is_ready))
		fail("the agent did not get ready");
}

void end_agent(int signal)
{
	kill(agent, signal);
	waitpid(agent, NULL, 0);
	listen_to_agent();
}

void restart_agent(int signal)
{
	end_agent(signal);
	start_agent();
}

/* @letter: as in /proc/PID/stat, which has it after the name */
static bool worker_is(const char *letter)
{
	char path[64], text[256];
	struct dirent *one;
	bool is_so = true;
	FILE *file;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", state->worker);
	dir = opendir(path);
	while (dir && (one = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat",
			 state->worker, one->d_name);
		file = one->d_name[0] == '.' ? NULL : fopen(path, "re");
		if (!file)
			continue;
		is_so &= fgets(text, sizeof(text), file) && strstr(text, letter);
		fclose(file);
	}
	if (dir)
		closedir(dir);
	return is_so;
}

bool worker_is_stopped(void)
{
	return worker_is(") T ");
}

bool worker_is_dead(void)
{
	return worker_is(") Z ");
}

/* --- containers --- */

int connect_agent(void)
{
	struct sockaddr_un a = address("agent.sock");
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (sock < 0 || connect(sock, (struct sockaddr *)&a, sizeof(a)))
		die("agent.sock");
	return sock;
}

bool ask_agent(char *answer, size_t size)
{
	static const char question[] = "{\"mpu\":\"status\"}";
	int sock = connect_agent();
	struct pollfd p = { .fd = sock, .events = POLLIN };
	size_t length = 0;
	ssize_t n = 1;

	if (write(sock, question, strlen(question)) < 0)
		die("question");
	while (n > 0 && length < size - 1) {
		if (poll(&p, 1, HANGS_MS) != 1)
			break;
		n = read(sock, answer + length, size - 1 - length);
		length += n > 0 ? (size_t)n : 0;
	}
	answer[length] = '\0';
	close(sock);
	return length && !n;
}

unsigned int log_lines(const char *text)
{
	FILE *file = fopen(AGENT_LOG, "re");
	unsigned int lines = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		lines += strstr(line, text) != NULL;
	if (file)
		fclose(file);
	return lines;
}

static void send_listener(size_t annotation)
{
	static const char first[] = "{\"fds\":[\"seccompFd\"],\"pid\":1,"
		"\"state\":{\"id\":\"container\",\"annotations\":{\"x\":\"";
	static const char last[] = "\"}}}";
	char *text = calloc(1, sizeof(first) + sizeof(last) + annotation);
	int sock = connect_agent();
	int fd = filter_install();
	ssize_t n;

	if (!text || fd < 0)
		_exit(99);
	strcpy(text, first);
	memset(text + strlen(text), 'x', annotation);
	strcat(text, last);
	if (fd_send(sock, text, strlen(first), fd))
		_exit(99);
	for (text += strlen(first); *text; text += n) {
		n = write(sock, text, strlen(text));
		if (n < 0)
			_exit(99);
	}
	close(sock);
	close(fd);
}

pid_t start_container(const char *seconds, size_t annotation)
{
	pid_t pid = fork(), inner;
	int status;

	if (pid)
		return pid;
	/* A group, which end_containers() signals; this process only waits. */
	signal(SIGTERM, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setpgid(0, 0) || unshare(CLONE_NEWPID | CLONE_NEWNS))
		_exit(98);
	inner = fork();
	if (inner) {
		waitpid(inner, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
	send_listener(annotation);
	execl(caller, caller, seconds, "2", (char *)NULL);
	_exit(97);
}

#define AT_ONCE	8

/* Returns how many of the containers that have ended did so as they should not. */
static int count_lost(int *running)
{
	int status, lost = 0;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == agent)
			die("the agent has died");
		lost += status != 0;
		if (status)
			fprintf(stderr, "# one ended with status 0x%x\n", status);
		--*running;
	}
	return lost;
}

int start_many(int starts, void (*started)(int so_far))
{
	int n = 0, running = 0, lost = 0;

	while (n < starts || running) {
		if (n < starts && running < AT_ONCE) {
			start_container("0", 0);
			running++;
			started(++n);
		} else {
			usleep(1000);
		}
		lost += count_lost(&running);
	}
	return lost;
}

int slots_used(void)
{
	int i, used = 0;

	for (i = 0; i < STATE_SLOTS; i++)
		used += state->used[i];
	return used;
}

bool none_is_served(void)
{
	return !slots_used();
}

/* Each has a name, and calls. */
static bool all_are_served(void)
{
	int i, served = 0;

	for (i = 0; i < STATE_SLOTS; i++)
		served += state->used[i] && state->slot[i].name[0] && state->slot[i].calls;
	return served >= CONTAINERS;
}

void start_containers(void)
{
	int i;

	if (!within_reason(none_is_served))
		fail("%d of before are served", slots_used());
	for (i = 0; i < CONTAINERS; i++)
		containers[i] = start_container(FOR_EVER, 0);
	if (!within_reason(all_are_served))
		fail("%d containers are served", slots_used());
	nap(300);		/* they call */
}

int end_container(pid_t pid)
{
	int status;

	/* Again: it may not have come to where it sleeps. */
	while (!waitpid(pid, &status, WNOHANG)) {
		kill(-pid, SIGTERM);
		nap(10);
	}
	return status;
}

/* @foreign: that strangers are named is allowed for once */
void end_containers_that(bool foreign)
{
	int i, status;

	for (i = 0; i < CONTAINERS; i++) {
		if (!containers[i])
			continue;
		status = end_container(containers[i]);
		if (status && !(foreign && WIFEXITED(status) && WEXITSTATUS(status) == 2))
			fail("container %d ended with status 0x%x", i, status);
		containers[i] = 0;
	}
}

void end_containers(void)
{
	end_containers_that(false);
}

/*
 * Makes the socket as systemd does; of 10 messages, the kernel's own, a manager that is
 * not alone loses some.
 */
static void lengthen_queue(void)
{
	FILE *file = fopen("/proc/sys/net/unix/max_dgram_qlen", "we");

	if (!file || fprintf(file, "512") != 3 || fclose(file))
		die("max_dgram_qlen");
}

static void stage_open(void)
{
	if (unshare(CLONE_NEWNS | CLONE_NEWNET) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL) || mkdir(FOLDER, 0755))
		die(FOLDER);
	lengthen_queue();
	signal(SIGPIPE, SIG_IGN);
	notify_sock = make_socket(SOCK_DGRAM, "notify");
	listen_sock = make_socket(SOCK_STREAM, "agent.sock");
	listen(listen_sock, 64);
	start_agent();
}

/* A descriptor that is kept of a container, or NULL */
static const char *find_kept(void)
{
	int i;

	for (i = 0; i < KEPT; i++)
		if (kept[i].fd && strcmp(kept[i].name, "state"))
			return kept[i].name;
	return NULL;
}

static bool none_is_kept(void)
{
	return !find_kept();
}

void stage_is_empty(void)
{
	if (!within_reason(none_is_served))
		fail("%d slots of ended containers are in use", slots_used());
	/* The agent says so after the slot is free. */
	if (!within_reason(none_is_kept))
		fail("%s is still kept", find_kept());
}

static struct stage_case last = { "slots come free", stage_is_empty, INT_MAX, NULL };
static struct stage_case *stages = &last;

void stage_add(struct stage_case *stage)
{
	struct stage_case **at = &stages;

	while ((*at)->place < stage->place)
		at = &(*at)->next;
	stage->next = *at;
	*at = stage;
}

/* Weak: starts.c has one of its own. */
int __attribute__((weak)) main(int argc, char **argv)
{
	unsigned int passed = 0, failed = 0;
	const struct stage_case *stage;

	if (argc < 3) {
		fprintf(stderr, "usage: %s MPU CALLER [CASE]\n", argv[0]);
		return 2;
	}
	mpu = argv[1];
	caller = argv[2];
	stage_open();
	for (stage = stages; stage; stage = stage->next) {
		if (argc > 3 && !strstr(stage->name, argv[3]))
			continue;
		case_failed = false;
		stage->run();
		if (case_failed)
			printf("not ");
		printf("ok %s\n", stage->name);
		fflush(stdout);
		passed += !case_failed;
		failed += case_failed;
	}
	end_agent(SIGTERM);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
