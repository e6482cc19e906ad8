// SPDX-License-Identifier: GPL-2.0-only
/*
 * The agent: supervises containers whose runtime hands their listeners over.
 *
 * It is the monitor of the listeners. Under systemd they are in its descriptor store, too, with
 * the state: an agent that is restarted or upgraded takes over from the old one's worker, which
 * serves until then. If it is killed, the next one finds what was not stored yet in its twin, a
 * process with the same descriptors. Stopped, it leaves the worker behind, for as long as the
 * containers live, or until the next agent has taken them over from it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/dirtree.h"
#include "lib/json.h"
#include "lib/service.h"
#include "lib/process.h"

#define CLIENTS		64	/* clients at once; more wait to be accepted */
/*
 * The last slots are for containers that have not more listeners than that; each command that is
 * executed in one, and leaves a process behind, has its own.
 */
#define RESERVED	1024
#define FEW_LISTENERS	256
#define TICK_MS		100	/* resolution of clients' time limits */
#define SEND_US		1000	/* time between a client's connect() and its message */
#define RETRY_MS	1000	/* time until the manager is told of a slot again */
#define ANSWER_MS	1000	/* time in which a worker that does not hang answers */

struct agent {
	struct monitor monitor;
	struct client client[CLIENTS];	/* clients that talk to it, @clients of them */
	unsigned int clients;
	int sock;	/* socket that runtimes connect to */
	const char *path;	/* the socket's path, if the agent made it */
	int signals;	/* signalfd of those that end the agent */
	bool ending;	/* a signal has come: nobody is accepted any more */
	pid_t recorded;	/* worker whose start the state and the note of agent_handover.c hold */
	bool unsaved[STATE_SLOTS];	/* slots of which the manager could not be told */
	bool any_unsaved;	/* there are such slots */
	u64 last_ping_ms;	/* when the manager was last told that the agent lives */
};

static struct agent agent;

/* --- what the manager keeps over a restart --- */

static int store_fd(const char *name, int fd)
{
	char text[64];

	snprintf(text, sizeof(text), "FDSTORE=1\nFDNAME=%s", name);
	return service_tell(text, fd);
}

static int remove_stored(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "FDSTOREREMOVE=1\nFDNAME=%s", name);
	return service_tell(text, -1);
}

/*
 * Have the manager keep the listener of a slot, or none. A manager that is busy
 * is told again: else a restart would lose the listener, or find an old one.
 */
static void store_slot(unsigned int index)
{
	int fd = agent.monitor.fd[index], ret = 0;
	char name[32];

	snprintf(name, sizeof(name), "slot%u", index);
	if (fd < 0 || agent.unsaved[index])
		ret = remove_stored(name);
	if (!ret && fd >= 0)
		ret = store_fd(name, fd);
	agent.unsaved[index] = ret != 0;
	agent.any_unsaved |= ret != 0;
}

/* A slot that is another's by the time a client names its container is not its own. */
static void slot_changed(unsigned int index)
{
	unsigned int i;

	for (i = 0; i < agent.clients; i++)
		if (agent.client[i].slot == (int)index)
			agent.client[i].slot = -ESRCH;
	store_slot(index);
}

static void store_unsaved(void)
{
	unsigned int i;

	agent.any_unsaved = false;
	/* If one slot fails again the others would, too. */
	for (i = 0; i < STATE_SLOTS && !agent.any_unsaved; i++)
		if (agent.unsaved[i])
			store_slot(i);
}

static void take_stored(int fd, const char *name, void *unused)
{
	unsigned int index;

	(void)unused;
	if (!strcmp(name, "state") && agent.monitor.state_fd < 0)
		agent.monitor.state_fd = fd;
	else if (sscanf(name, "slot%u", &index) == 1 && index < STATE_SLOTS &&
		 agent.monitor.fd[index] < 0)
		agent.monitor.fd[index] = fd;
	else if (agent.sock < 0)
		agent.sock = fd;
	else
		close(fd);
}

/* The call that it has in hand is in the state, for our own worker. */
static void kill_old_worker(const struct state *state)
{
	if (handover_kill(state->worker, state->worker_start))
		fprintf(stderr, "mpu agent: worker %d of the agent before does not die: the kernel is busy for a call it had in hand\n",
			state->worker);
}

/* Take over an older agent's listeners, in the slots where its state has them. */
static void take_over(struct state *state)
{
	unsigned int i;

	kill_old_worker(state);
	for (i = 0; i < STATE_SLOTS; i++) {
		if (state->used[i] && agent.monitor.fd[i] < 0)
			slot_free(state, i);
	}
}

/*
 * Take the listeners over from an agent of another version, with the names of their
 * containers and the calls that its worker had in hand; what it counted is lost. Without
 * its state (-1) there are the listeners alone.
 */
static void carry_over(struct state *state, int old_fd)
{
	struct old_state old = { 0 };
	bool found = old_fd >= 0 && !old_state_map(&old, old_fd);
	unsigned int i;

	if (found)
		kill_old_worker(old_state_head(&old));
	for (i = 0; found && i < STATE_SLOTS; i++)
		if (agent.monitor.fd[i] >= 0)
			slot_carry_over(&state->slot[i], old_state_slot(&old, i));
	if (found)
		munmap(old.memory, old.size);
}

static void replace_state(void)
{
	struct monitor *monitor = &agent.monitor;
	int old_fd = monitor->state_fd;

	monitor->state = state_new(&monitor->state_fd);
	if (monitor->state)
		carry_over(monitor->state, old_fd);
	if (old_fd >= 0)
		close(old_fd);
}

/* An agent that was stopped, and not restarted, has left only a worker. */
static void adopt_left(void)
{
	pid_t worker;
	int ret = handover_adopt(&agent.monitor, agent.sock, &worker);
	unsigned int i;

	if (ret)
		fprintf(stderr, "mpu agent: containers of an agent before are served by its worker %d, and not shown here: %s\n",
			worker, strerror(-ret));
	for (i = 0; i < STATE_SLOTS; i++)
		if (agent.monitor.fd[i] >= 0)
			store_slot(i);
}

static void open_state(void)
{
	struct monitor *monitor = &agent.monitor;
	int kept = monitor->state_fd;

	if (kept < 0)
		adopt_left();
	if (monitor->state_fd >= 0)
		monitor->state = state_map(monitor->state_fd);
	if (monitor->state)
		take_over(monitor->state);
	else
		replace_state();
	if (!monitor->state || monitor->state_fd == kept)
		return;
	remove_stored("state");
	store_fd("state", monitor->state_fd);
}

static void record_worker(void)
{
	struct state *state = agent.monitor.state;
	int ret;

	if (state->worker == agent.recorded)
		return;
	agent.recorded = state->worker;
	state->worker_start = handover_start(state->worker);
	/* Leave a note for the next agent, however this one ends. */
	ret = handover_write_note(&agent.monitor, agent.sock);
	if (ret)
		fprintf(stderr, "mpu agent: cannot write beside its socket which worker it has: %s; if this agent ends, the next one will not show the containers of now\n",
			strerror(-ret));
}

/* Log each death: there is at most about one a second. */
static void log_death(const struct monitor *monitor, pid_t worker, const char *why)
{
	if (worker)
		fprintf(stderr, "mpu agent: worker %d has died: %s (%llu so far); calls wait for the next\n",
			worker, why,
			(unsigned long long)monitor->state->restarts);
	else
		fprintf(stderr, "mpu agent: cannot start a worker: %s; calls wait, and it is tried again\n",
			why);
}

/* --- the socket --- */

/*
 * Removes a socket that nobody listens at, and nothing else. An agent that is about to listen, or
 * serves clients still, has the lock, until it ends.
 */
static int clear_path(const struct sockaddr_un *address, int lock)
{
	const struct wait wait = wait_begin(20, 0);
	struct stat st;

	do
		if (!connect(agent.sock, (const struct sockaddr *)address, sizeof(*address)))
			return -EADDRINUSE;
	while (flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK && wait_moment(&wait));
	if (lstat(address->sun_path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return -ENOTSOCK;
	return unlink(address->sun_path) ? -errno : 0;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char beside[sizeof(address.sun_path) + 8];
	int lock, err;
	mode_t mask;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	agent.sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(beside, sizeof(beside), "%s.lock", path);
	lock = open(beside, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (agent.sock < 0 || lock < 0)
		return -errno;
	err = clear_path(&address, lock);
	mask = umask(0177);
	if (!err && (bind(agent.sock, (struct sockaddr *)&address, sizeof(address)) ||
		     listen(agent.sock, 128)))
		err = -errno;
	umask(mask);
	agent.path = path;
	return err;
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

/*
 * Have a listener handled from the moment that it is here: the rest of its message says
 * no more than whose it is.
 */
static void keep_listeners(struct client *client)
{
	size_t i = client->fds;
	int fd;

	while (i--) {
		fd = client->fd[i];
		if (!is_listener(fd))
			continue;
		client->fd[i] = client->fd[--client->fds];
		client->slot = monitor_add(&agent.monitor, fd);
		agent.monitor.state->refused += client->slot < 0;
	}
}

/*
 * Refuses a listener of a container that has many where there are few slots left: else the health
 * checks of one, each of which leaves a process behind, would in time leave none to others.
 */
static void limit_listeners(const struct client *client)
{
	const struct state *state = agent.monitor.state;
	unsigned int i, n = 0;
	const char *name;

	if (client->slot < 0 || monitor_listeners(&agent.monitor) <= STATE_SLOTS - RESERVED)
		return;
	name = state->slot[client->slot].name;
	for (i = 0; i < STATE_SLOTS; i++)
		n += state->used[i] && !strcmp(state->slot[i].name, name);
	if (n <= FEW_LISTENERS)
		return;
	fprintf(stderr, "mpu agent: a command in container %s is not supervised, and its GPU calls will fail: processes of %u such commands live in it\n",
		*name ? name : "without a name", n - 1);
	monitor_refuse(&agent.monitor, (u32)client->slot);
}

static void name_container(const struct client *client, struct json_object *message)
{
	const char *name = agent_container(message);

	if (client->slot == -ENOENT)
		fprintf(stderr, "mpu agent: a message from PID %d without the listener of a container was ignored\n",
			client->peer);
	else if (client->slot < 0 && client->slot != -ESRCH)
		fprintf(stderr, "mpu agent: container %s is not supervised, and its GPU calls will fail: %s\n",
			name ? name : "without a name", strerror(-client->slot));
	else if (client->slot >= 0 && name)
		slot_set_name(&agent.monitor.state->slot[client->slot], name);
	limit_listeners(client);
}

/* Return: true if the client is to get an answer. */
static bool take_client_message(struct client *client, struct json_object *message)
{
	const char *question = member_text(message, "mpu");
	struct json_object *status;

	if (!question || strcmp(question, "status")) {
		name_container(client, message);
		return false;
	}
	status = agent_describe(agent.monitor.state, monitor_ask(&agent.monitor, ANSWER_MS));
	client_answer(client, json_object_to_json_string(status));
	json_object_put(status);
	return true;
}

static void refuse_client(struct client *client, const char *why)
{
	fprintf(stderr, "mpu agent: a message of %zu bytes from PID %d %s, and %s\n",
		client->length, client->peer, why, client->slot >= 0 ?
		"its container is supervised without a name" :
		"was ignored; if it was of a container, its GPU calls will fail");
	limit_listeners(client);
	client_close(client);
}

static void read_or_write(struct client *client)
{
	struct json_object *message;
	const char *why;

	if (client->answer) {
		client_write(client);
		return;
	}
	message = client_read(client, keep_listeners, &why);
	if (why)
		refuse_client(client, why);
	else if (message && !take_client_message(client, message))
		client_close(client);
	json_object_put(message);
}

/* Return: false if nobody can be accepted now. */
static bool accept_one(void)
{
	struct pollfd waiting = { .fd = agent.sock, .events = POLLIN };
	struct client *client = &agent.client[agent.clients];
	int sock;

	if (agent.clients == CLIENTS || poll(&waiting, 1, 0) != 1)
		return false;
	sock = accept4(agent.sock, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (sock < 0)
		return false;
	client_open(client, sock);
	if (client->sock >= 0)
		read_or_write(client);
	agent.clients += client->sock >= 0;
	return true;
}

/*
 * Accepts a client when its message is there. Before that it waits for whatever agent
 * comes next; after that for this one and its twin, and somebody may kill both.
 */
static void accept_waiting(void)
{
	usleep(SEND_US);
	while (accept_one())
		;
}

/* Takes a connection that the agent before had accepted, which had room for as many. */
static void take_connection(int sock)
{
	struct client *client = &agent.client[agent.clients];

	if (agent.clients == CLIENTS) {
		close(sock);
		return;
	}
	client_open(client, sock);
	agent.clients += client->sock >= 0;
}

/* --- from start to end --- */

static int block_end_signals(void)
{
	static const int ends[] = { SIGTERM, SIGINT, 0 };

	signal(SIGPIPE, SIG_IGN);
	agent.signals = signals_hold(ends);
	return agent.signals < 0 ? agent.signals : 0;
}

/*
 * Tells the manager that a worker hangs, so that it starts another agent, which kills
 * that worker. A dead worker is no reason for that: it is being replaced.
 */
static void tell_manager(void)
{
	unsigned int period = service_watchdog_ms() / 2;

	if (agent.any_unsaved)
		store_unsaved();
	if (!period || clock_ms() - agent.last_ping_ms < period)
		return;
	agent.last_ping_ms = clock_ms();
	if (!agent.monitor.worker || monitor_ask(&agent.monitor, (int)period / 2))
		service_tell("WATCHDOG=1", -1);
}

enum { SIGNALS = MONITOR_POLLS, SOCK, FIRST_CLIENT, POLLS = FIRST_CLIENT + CLIENTS };

/* Return: how long there is nothing to do but wait, in ms. */
static int fill_polls(struct pollfd *polls)
{
	int period = (int)service_watchdog_ms() / 2;
	int look = state_tell_denied(agent.monitor.state, "mpu agent");
	bool room = agent.clients < CLIENTS && !agent.ending;
	unsigned int i;

	polls[SIGNALS] = (struct pollfd){ agent.ending ? -1 : agent.signals, POLLIN, 0 };
	polls[SOCK] = (struct pollfd){ room ? agent.sock : -1, POLLIN, 0 };
	for (i = 0; i < agent.clients; i++)
		polls[FIRST_CLIENT + i] = (struct pollfd){
			.fd = agent.client[i].sock,
			.events = client_events(&agent.client[i]),
		};
	if (agent.clients)
		return TICK_MS;
	return agent.any_unsaved ? RETRY_MS : look >= 0 || !period ? look : period;
}

static void serve_client(struct client *client, bool ready)
{
	if (ready || client->waits)
		read_or_write(client);
	/* A client that always has something to say is late, too. */
	if (client->sock < 0 || !client_is_late(client))
		return;
	if (client->length && !client->answer)
		refuse_client(client, "has not ended in time");
	else
		client_close(client);
}

static void serve_clients(const struct pollfd *polls)
{
	unsigned int i = agent.clients;

	/* Backwards, since the last client takes the place of one that has gone. */
	while (i--) {
		serve_client(&agent.client[i], polls[FIRST_CLIENT + i].revents);
		if (agent.client[i].sock < 0)
			agent.client[i] = agent.client[--agent.clients];
	}
	if (polls[SOCK].revents)
		accept_waiting();
}

/* A manager keeps its socket, and who waits there, for the next agent. */
static void stop_accepting(void)
{
	if (agent.path && !unlink(agent.path))
		accept_waiting();
	agent.ending = true;
}

/*
 * An agent without a twin works, and loses containers when it is killed. Where no manager
 * made the socket there is no next agent that could take over, and a twin would only keep
 * the socket of a killed one open.
 */
static void start_twin(void)
{
	int ret = agent.path ? 0 :
		  handover_start_twin(agent.monitor.state, agent.sock, take_connection);

	if (ret)
		fprintf(stderr, "mpu agent: cannot start a process that keeps connections if this one is killed: %s\n",
			strerror(-ret));
}

/* A twin that somebody kills is replaced before the next connection is accepted. */
static void replace_twin(void)
{
	pid_t twin = agent.monitor.state->twin;

	if (twin > 0 && waitpid(twin, NULL, WNOHANG) == twin)
		start_twin();
}

/* Serves until a signal has come, and clients that were accepted by then are served. */
static void serve(void)
{
	struct pollfd polls[POLLS];
	int ms;

	while (!agent.ending || agent.clients) {
		tell_manager();
		ms = fill_polls(polls);
		if (!monitor_wait(&agent.monitor, polls, FIRST_CLIENT + agent.clients, ms))
			continue;
		record_worker();
		replace_twin();
		serve_clients(polls);
		if (polls[SIGNALS].revents)
			stop_accepting();
	}
}

static void leave_containers(void)
{
	unsigned int containers = monitor_listeners(&agent.monitor);
	int ret;

	if (containers) {
		ret = monitor_leave(&agent.monitor);
		record_worker();
		if (ret)
			fprintf(stderr, "mpu agent: GPU calls of %u containers will fail: no worker can be left to them: %s\n",
				containers, strerror(-ret));
	} else {
		monitor_stop(&agent.monitor);
		handover_remove_note(agent.sock);
	}
}

static int start_monitor(const struct monitor_options *options)
{
	int ret = block_end_signals();

	if (ret)
		return ret;
	open_state();
	if (!agent.monitor.state)
		return -errno;
	agent.monitor.changed = slot_changed;
	agent.monitor.died = log_death;
	ret = monitor_start(&agent.monitor, options);
	if (ret)
		return ret;
	record_worker();
	start_twin();
	return 0;
}

static int open_socket(const char *path, char why[WHY_SIZE])
{
	int ret;

	monitor_init(&agent.monitor, worker_run);
	agent.sock = -1;
	service_take(take_stored, NULL);
	if (agent.sock >= 0) {
		/* Clients are told the PID of who has listened last, which was the manager. */
		listen(agent.sock, SOMAXCONN);
		return 0;
	}
	ret = dirtree_make(path, why);
	if (ret)
		return ret;
	ret = listen_at(path);
	if (ret == -EADDRINUSE)
		return why_fail(why, ret, "there is an agent already, at %s", path);
	if (ret == -ENOTSOCK)
		return why_fail(why, ret,
				"%s is there and is no socket: it is left as it is", path);
	return ret ? why_fail(why, ret, "cannot listen at %s: %s", path, strerror(-ret)) : 0;
}

int agent_run(const char *socket, const struct monitor_options *options, char why[WHY_SIZE])
{
	int ret = kernel_check(getpid(), why);

	if (!ret)
		ret = open_socket(socket, why);
	if (ret)
		return ret;
	ret = start_monitor(options);
	if (ret)
		return why_fail(why, ret, "cannot start a worker: %s", strerror(-ret));
	service_tell("READY=1", -1);
	agent.last_ping_ms = clock_ms();
	serve();
	handover_kill(agent.monitor.state->twin, agent.monitor.state->twin_start);
	agent.monitor.state->twin = 0;
	leave_containers();
	return 0;
}
