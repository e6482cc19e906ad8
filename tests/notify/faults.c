// SPDX-License-Identifier: GPL-2.0-only
/*
 * Things done to the supervisor while containers call the driver: no call may
 * fail or be forgotten, no answer name a stranger.
 *
 *	faults MPU CALLER
 *
 * Stands in for systemd, whose descriptor store mpu agent uses. Needs root.
 */
#include <errno.h>
#include <fcntl.h>
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

#include "engines/notify/filter.h"
#include "engines/notify/state.h"
#include "lib/fds.h"

#define CONTAINERS	4
#define HANGS_MS	120000	/* no host is that busy */
#define KEPT		64

static const char *mpu, *caller;
static char folder[] = "/tmp/faults.XXXXXX";
static int notify_sock, listen_sock;
static pid_t agent;
static bool agent_ready;
static struct state *state;
static struct { int fd; char name[32]; } kept[KEPT];
static unsigned int passed, failed;
static bool case_failed;

static void fail(const char *format, ...)
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

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* --- the manager --- */

static struct sockaddr_un address(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%s/%s", folder, name);
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

/* What the agent has said so far. */
static void listen_to_agent(void)
{
	struct pollfd p = { .fd = notify_sock, .events = POLLIN };
	char text[512], *name;
	size_t fds;
	ssize_t n;
	int fd;

	while (poll(&p, 1, 0) == 1) {
		n = fd_receive(notify_sock, text, sizeof(text) - 1, &fd, 1,
			       &fds);
		text[n > 0 ? n : 0] = '\0';
		name = strstr(text, "FDNAME=");
		if (strstr(text, "READY=1"))
			agent_ready = true;
		else if (name && strstr(text, "FDSTORE=1"))
			keep(name + 7, fd);
		else if (name && strstr(text, "FDSTOREREMOVE=1"))
			forget(name + 7);
	}
}

/* A manager always listens. */
static void nap(unsigned int ms)
{
	unsigned int slept;

	for (slept = 0; slept < ms; slept += 10) {
		usleep(10000);
		listen_to_agent();
	}
}

/* Does @is_so become true? */
static bool within_reason(bool (*is_so)(void))
{
	unsigned int waited;

	for (waited = 0; waited < HANGS_MS && !is_so(); waited += 10)
		nap(10);
	return is_so();
}

static void exec_agent(void)
{
	char names[KEPT * 32] = "agent", number[16];
	int fd[KEPT + 1], n = 0, i;

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

static void start_agent(void)
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

static void end_agent(int signal)
{
	kill(agent, signal);
	waitpid(agent, NULL, 0);
	listen_to_agent();
}

static void restart_agent(int signal)
{
	end_agent(signal);
	start_agent();
}

/* --- containers --- */

static void send_listener(void)
{
	static const char text[] = "{\"fds\":[\"seccompFd\"],\"pid\":1,"
				   "\"state\":{\"id\":\"container\"}}";
	struct sockaddr_un a = address("agent");
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int fd = filter_install();

	if (fd < 0 || connect(sock, (struct sockaddr *)&a, sizeof(a)) ||
	    fd_send(sock, text, strlen(text), fd))
		_exit(99);
	close(sock);
	close(fd);
}

static pid_t start_container(const char *seconds)
{
	pid_t pid = fork(), inner;
	int status;

	if (pid)
		return pid;
	if (unshare(CLONE_NEWPID | CLONE_NEWNS))
		_exit(98);
	inner = fork();
	if (inner) {
		waitpid(inner, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) :
		      128 + WTERMSIG(status));
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
	send_listener();
	execl(caller, caller, seconds, "2", (char *)NULL);
	_exit(97);
}

static pid_t containers[CONTAINERS];

static int slots_used(void)
{
	int i, used = 0;

	for (i = 0; i < STATE_SLOTS; i++)
		used += state->used[i];
	return used;
}

static bool all_are_served(void)
{
	return slots_used() >= CONTAINERS;
}

static bool none_is_served(void)
{
	return !slots_used();
}

static void start_containers(const char *seconds)
{
	int i;

	for (i = 0; i < CONTAINERS; i++)
		containers[i] = start_container(seconds);
	if (!within_reason(all_are_served))
		fail("%d containers are served", slots_used());
	nap(300);		/* they call */
}

/* @foreign: that strangers are named is allowed for once */
static void end_containers_that(bool foreign)
{
	int i, status;

	for (i = 0; i < CONTAINERS; i++) {
		if (!containers[i])
			continue;
		waitpid(containers[i], &status, 0);
		if (status && !(foreign && WIFEXITED(status) &&
				WEXITSTATUS(status) == 2))
			fail("container %d ended with status 0x%x", i, status);
		containers[i] = 0;
	}
}

static void end_containers(void)
{
	end_containers_that(false);
}

/* --- cases --- */

static void undisturbed(void)
{
	start_containers("2");
	end_containers();
}

static int killed;

static bool worker_is_another(void)
{
	return state->worker != killed;
}

static void worker_killed(void)
{
	int i;

	start_containers("4");
	for (i = 0; i < 20; i++) {
		killed = state->worker;
		kill(killed, SIGKILL);
		if (!within_reason(worker_is_another))
			fail("worker %d was not replaced", killed);
		nap(100);
	}
	end_containers();
}

static void agent_killed(void)
{
	int i;

	start_containers("4");
	for (i = 0; i < 10; i++) {
		restart_agent(SIGKILL);
		nap(100);
	}
	end_containers();
}

static void agent_upgraded(void)
{
	int i;

	start_containers("4");
	for (i = 0; i < 5; i++) {
		restart_agent(SIGTERM);
		nap(100);
	}
	end_containers();
}

static void agent_away(void)
{
	start_containers("3");
	end_agent(SIGTERM);
	nap(1500);		/* the worker it left serves */
	start_agent();
	end_containers();
}

/* In a call, since they do nothing else, with a worker that does not know. */
static void callers_killed(void)
{
	pid_t victim;
	int i;

	start_containers("4");
	for (i = 0; i < 10; i++) {
		victim = start_container("60");
		nap(150);
		kill(victim, SIGKILL);
		waitpid(victim, NULL, 0);
	}
	end_containers();
}

static void container_stopped(void)
{
	char path[64], text[16];
	FILE *file;
	pid_t inner = 0;

	start_containers("4");
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children",
		 containers[0], containers[0]);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof(text), file))
		inner = atoi(text);
	if (file)
		fclose(file);
	if (!inner)
		fail("no process to stop");
	kill(inner, SIGSTOP);
	nap(300);
	kill(inner, SIGCONT);
	end_containers();
}

/* Then calls go on untranslated, without --strict. */
static void no_descriptors(void)
{
	struct rlimit none = { 24, 24 }, many;

	start_containers("3");
	prlimit(state->worker, RLIMIT_NOFILE, NULL, &many);
	prlimit(state->worker, RLIMIT_NOFILE, &none, NULL);
	nap(1000);
	prlimit(state->worker, RLIMIT_NOFILE, &many, NULL);
	end_containers_that(true);
}

static void slots_come_free(void)
{
	int i;

	if (!within_reason(none_is_served))
		fail("%d slots of ended containers are in use", slots_used());
	listen_to_agent();
	for (i = 0; i < KEPT; i++)
		if (kept[i].fd && strcmp(kept[i].name, "state"))
			fail("%s is still kept", kept[i].name);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "undisturbed", undisturbed },
	{ "worker killed 20 times", worker_killed },
	{ "agent killed 10 times", agent_killed },
	{ "agent upgraded 5 times", agent_upgraded },
	{ "agent away for a while", agent_away },
	{ "callers killed", callers_killed },
	{ "container stopped", container_stopped },
	{ "no descriptors left", no_descriptors },
	{ "slots come free", slots_come_free },
};

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc < 3 || !mkdtemp(folder)) {
		fprintf(stderr, "usage: faults MPU CALLER [CASE]\n");
		return 2;
	}
	mpu = argv[1];
	caller = argv[2];
	notify_sock = make_socket(SOCK_DGRAM, "notify");
	listen_sock = make_socket(SOCK_STREAM, "agent");
	listen(listen_sock, 64);
	start_agent();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc > 3 && !strstr(cases[i].name, argv[3]))
			continue;
		case_failed = false;
		cases[i].run();
		printf("%s %s\n", case_failed ? "not ok" : "ok",
		       cases[i].name);
		fflush(stdout);
		passed += !case_failed;
		failed += case_failed;
	}
	end_agent(SIGTERM);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
