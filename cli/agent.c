// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu agent: supervises containers whose runtime hands their listeners over.
 *
 * It is the keeper of the listeners. Under systemd they are in its descriptor
 * store, too, with the state: an agent that is restarted or upgraded takes
 * over from the old one's worker, which serves until then. Stopped, it leaves
 * that worker behind, for as long as the containers live.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/agent.h"
#include "cli/cli.h"
#include "engines/notify/keeper.h"
#include "engines/notify/state.h"
#include "lib/fds.h"
#include "lib/service.h"

#define FDS	8	/* of one message; a runtime sends one or two */

/**
 * struct agent - the agent
 * @sock:	where runtimes connect
 * @path:	of the socket, if we made it
 */
struct agent {
	struct keeper keeper;
	int sock;
	const char *path;
	int signals;
};

static struct agent agent = { .keeper.state_fd = -1, .sock = -1 };

/* --- what is kept over a restart --- */

static void store(const char *name, int fd)
{
	char text[64];

	snprintf(text, sizeof(text), "FDSTORE=1\nFDNAME=%s", name);
	service_tell(text, fd);
}

static void store_slot(unsigned int index, int fd)
{
	char name[32];

	snprintf(name, sizeof(name), "slot%u", index);
	store(name, fd);
}

static void forget_slot(unsigned int index)
{
	char text[64];

	snprintf(text, sizeof(text), "FDSTOREREMOVE=1\nFDNAME=slot%u", index);
	service_tell(text, -1);
}

static void take(int fd, const char *name, void *unused)
{
	unsigned int index;

	(void)unused;
	if (!strcmp(name, "state") && agent.keeper.state_fd < 0)
		agent.keeper.state_fd = fd;
	else if (sscanf(name, "slot%u", &index) == 1 && index < STATE_SLOTS &&
		 !agent.keeper.fd[index])
		agent.keeper.fd[index] = fd;
	else if (agent.sock < 0)
		agent.sock = fd;
	else
		close(fd);
}

/* When a process started, in ticks since boot; 0: there is none. */
static u64 started(pid_t pid)
{
	char path[32], text[1024], *at;
	unsigned long long start;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strrchr(text, ')');	/* a name may hold anything */
	return at && sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u"
			    " %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			    &start) == 1 ? start : 0;
}

/* What it was doing is in the state, for our own worker. */
static void end_old_worker(struct state *state)
{
	pid_t pid = state->worker;
	int pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	struct pollfd dead = { .fd = pidfd, .events = POLLIN };

	if (pidfd < 0)
		return;
	if (state->worker_start == started(pid)) {
		syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
		poll(&dead, 1, 1000);
	}
	close(pidfd);
}

/* Listeners of an older agent, in the slots where its state has them. */
static void take_over(struct state *state)
{
	unsigned int i;

	end_old_worker(state);
	state->leaving = false;
	for (i = 0; i < STATE_SLOTS; i++) {
		if (state->used[i] && !agent.keeper.fd[i])
			slot_free(state, i);
		state->used[i] = agent.keeper.fd[i] != 0;
	}
}

/*
 * Without the state that goes with them, or with one of another version, the
 * listeners are left to the worker that has them.
 */
static void open_state(void)
{
	unsigned int i;

	if (agent.keeper.state_fd >= 0)
		agent.keeper.state = state_map(agent.keeper.state_fd);
	if (agent.keeper.state) {
		take_over(agent.keeper.state);
		return;
	}
	for (i = 0; i < STATE_SLOTS; i++) {
		if (!agent.keeper.fd[i])
			continue;
		forget_slot(i);
		close(agent.keeper.fd[i]);
		agent.keeper.fd[i] = 0;
	}
	service_tell("FDSTOREREMOVE=1\nFDNAME=state", -1);
	agent.keeper.state = state_new(&agent.keeper.state_fd);
	if (agent.keeper.state)
		store("state", agent.keeper.state_fd);
}

static void note_worker(void)
{
	struct state *state = agent.keeper.state;

	state->worker_start = started(state->worker);
}

/* --- the socket --- */

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[sizeof(address.sun_path)];
	mode_t mask;
	int err = 0;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	strcpy(folder, path);
	if (strrchr(folder, '/') > folder) {
		*strrchr(folder, '/') = '\0';
		mkdir(folder, 0755);
	}
	agent.sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (agent.sock < 0)
		return -errno;
	if (!connect(agent.sock, (struct sockaddr *)&address, sizeof(address)))
		return -EADDRINUSE;
	unlink(path);
	mask = umask(0177);
	if (bind(agent.sock, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(agent.sock, 128))
		err = -errno;
	umask(mask);
	agent.path = path;
	return err;
}

/* Only root's runtimes, and our own user's. */
static bool trusted(int sock)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       (!peer.uid || peer.uid == geteuid());
}

static bool is_listener(int fd)
{
	char path[32], link[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = '\0';
	return !strcmp(link, "anon_inode:seccomp notify");
}

static void add_listener(struct json_object *message, int *fd, size_t fds)
{
	const char *name;
	int i = agent_listener(message, fds, &name);
	int own, index;

	if (i < 0 || !is_listener(fd[i])) {
		fprintf(stderr, "mpu agent: a message without the listener of a container was ignored\n");
		return;
	}
	own = fcntl(fd[i], F_DUPFD_CLOEXEC, 0);
	index = own < 0 ? -errno : keeper_add(&agent.keeper, own, name);
	if (index < 0)
		fprintf(stderr, "mpu agent: container %s is not supervised, and its GPU calls will fail: %s\n",
			name, strerror(-index));
	else
		store_slot((unsigned int)index, own);
}

static void answer(int sock)
{
	struct json_object *status = agent_describe(agent.keeper.state);
	const char *text = json_object_to_json_string(status);

	send(sock, text, strlen(text), MSG_NOSIGNAL);
	json_object_put(status);
}

static void handle(int sock, const char *text, int *fd, size_t fds)
{
	struct json_object *message = json_tokener_parse(text);
	const char *question;

	if (!json_object_is_type(message, json_type_object)) {
		fprintf(stderr, "mpu agent: a message that is no JSON object was ignored\n");
		json_object_put(message);
		return;
	}
	question = json_text(message, "mpu");
	if (question && !strcmp(question, "status"))
		answer(sock);
	else
		add_listener(message, fd, fds);
	json_object_put(message);
}

/* One connection, one message, up to the end or to where JSON is complete. */
static void serve(int sock)
{
	struct json_tokener *parser = json_tokener_new();
	char *text = malloc(AGENT_MESSAGE);
	struct timeval second = { .tv_sec = 1 };
	size_t len = 0, fds = 0, more;
	int fd[2 * FDS];
	ssize_t n = 0;

	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
	setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof(second));
	while (parser && text && len < AGENT_MESSAGE - 1 && fds <= FDS) {
		n = fd_receive(sock, text + len, AGENT_MESSAGE - 1 - len,
			       fd + fds, FDS, &more);
		if (n <= 0)
			break;
		fds += more;
		json_object_put(json_tokener_parse_ex(parser, text + len,
						      (int)n));
		len += (size_t)n;
		if (json_tokener_get_error(parser) != json_tokener_continue)
			break;
	}
	if (len) {
		text[len] = '\0';
		handle(sock, text, fd, fds);
	}
	while (fds)
		close(fd[--fds]);
	json_tokener_free(parser);
	free(text);
}

static void accept_one(void)
{
	int sock = accept4(agent.sock, NULL, NULL, SOCK_CLOEXEC);

	if (sock < 0)
		return;
	if (trusted(sock))
		serve(sock);
	close(sock);
}

/* --- its life --- */

static int block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	agent.signals = signalfd(-1, &set, SFD_CLOEXEC);
	return agent.signals < 0 ? -errno : 0;
}

static int look_after(void)
{
	struct pollfd polls[KEEPER_POLLS + 2];
	int ret;

	for (;;) {
		keeper_polls(&agent.keeper, polls);
		polls[KEEPER_POLLS] = (struct pollfd){
			.fd = agent.signals, .events = POLLIN,
		};
		polls[KEEPER_POLLS + 1] = (struct pollfd){
			.fd = agent.sock, .events = POLLIN,
		};
		if (poll(polls, KEEPER_POLLS + 2, -1) < 0)
			continue;
		ret = keeper_event(&agent.keeper, polls);
		if (ret)
			return ret;
		note_worker();
		if (polls[KEEPER_POLLS + 1].revents)
			accept_one();
		if (polls[KEEPER_POLLS].revents)
			return 0;
	}
}

/* Containers that live go on under the worker alone. */
static void leave(void)
{
	agent.keeper.state->leaving = true;
	if (!keeper_busy(&agent.keeper))
		keeper_stop(&agent.keeper);
	if (agent.path)
		unlink(agent.path);
}

/* Else a worker that outlives us would hold a socket nobody answers at. */
static void let_go(void)
{
	close(agent.sock);
	close(agent.signals);
}

static int start(const struct cli *cli)
{
	const char *path = cli->option[OPT_SOCKET];
	int ret;

	service_take(take, NULL);
	ret = agent.sock < 0 ? listen_at(path ? path : AGENT_SOCKET) : 0;
	if (!ret)
		ret = block_signals();
	if (ret)
		return ret;
	open_state();
	if (!agent.keeper.state)
		return -errno;
	agent.keeper.forked = let_go;
	agent.keeper.freed = forget_slot;
	agent.keeper.state->strict = cli->option[OPT_STRICT] != NULL;
	agent.keeper.state->pass_unknown = cli_passes_unknown(cli);
	agent.keeper.state->managed = service_managed();
	ret = keeper_start(&agent.keeper);
	if (!ret)
		note_worker();
	return ret;
}

enum cli_exit cmd_agent(const struct cli *cli)
{
	int ret = start(cli);

	if (ret == -EADDRINUSE)
		return cli_fail(cli, CLI_FAILED, "there is an agent already");
	if (ret)
		return cli_fail(cli, CLI_FAILED, "cannot start: %s",
				strerror(-ret));
	service_tell("READY=1", -1);
	ret = look_after();
	leave();
	return ret ? cli_fail(cli, CLI_FAILED, "cannot start a worker: %s",
			      strerror(-ret)) : CLI_DONE;
}
