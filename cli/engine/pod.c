// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu node: the command of a pod that has MPU on its node, from setting up to undoing. Every
 * minute it looks whether all is still as it was set up, and repairs it.
 *
 * While one pod takes over from another both hold a shared lock on the node; one that ends
 * undoes everything if it is the last. A pod that is killed undoes nothing: the next goes on
 * with what is there. Only the newest looks: else each would install its own version.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/engine/internal.h"
#include "container/setup/setup.h"
#include "engines/engines.h"
#include "lib/clock.h"
#include "lib/fds.h"
#include "lib/process.h"
#include "nvidia/nvidia.h"

#define LOCK		NODE_RUN "/lock"
#define NEWEST		NODE_RUN "/newest"	/* locked by the newest pod */
#define AGAIN_S		60	/* time from one look to the next */
#define ANSWER_S	5	/* time that a pod at work has to answer */

/**
 * struct pod - this one
 * @signals, @asked: descriptors that signals, and those who check, are at
 * @lock: the file LOCK, shared; each look has it locked by lockf(), too, for itself
 */
struct pod {
	const struct command_call *call;
	struct node node;
	int signals, asked, lock;
	int newest;		/* the file NEWEST that it has made or taken over */
	char state[WHY_SIZE];	/* the reason that the node is not set up; "": it is */
};

/*
 * Opens a socket that has an abstract address, gone with the process, or is connected to
 * it. The address has the number of the container's mount namespace: pods with the node's
 * network do not have addresses of their own.
 */
static int open_ready(int (*use)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat namespace = { 0 };
	int length, err;

	if (sock < 0)
		return -errno;
	stat("/proc/self/ns/mnt", &namespace);
	length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			  "mpu-node-%llu", (unsigned long long)namespace.st_ino);
	if (!use(sock, (struct sockaddr *)&address,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)))
		return sock;
	err = errno;
	close(sock);
	return -err;
}

/* Asks the pod that this is called in why the node is not set up. Return: is it? */
static bool ask_pod(char state[WHY_SIZE])
{
	const struct timeval limit = { .tv_sec = ANSWER_S };
	int sock = open_ready(connect);
	ssize_t n = sock;

	if (sock >= 0) {
		setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
		n = fd_read_full(sock, state, WHY_SIZE - 1);
		close(sock);
	}
	if (n < 0)
		strcpy(state, "the node is not set up yet: see what the pod's log says");
	else
		state[n] = '\0';
	return !*state;
}

/*
 * Enters the node: from now on this process sees the node's files, and runs the node's
 * programs. @programs: the folder of more of them, or NULL
 */
static int enter(const struct command_call *call, const char *programs)
{
	const char *host = command_value(call, "host");
	char path[2 * PATH_MAX];

	if (chroot(host ? host : "/host") || chdir("/"))
		return command_fail(call, CLI_FAILED, "cannot enter %s: %s; the pod needs the node's / there, and CAP_SYS_CHROOT",
				    host ? host : "/host", strerror(errno));
	snprintf(path, sizeof(path), "%s%s/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		 programs ? programs : "", programs ? ":" : "");
	/* Else systemctl sees that / is not that of PID 1, and does nothing. */
	setenv("SYSTEMD_IGNORE_CHROOT", "1", 1);
	setenv("PATH", path, 1);
	return CLI_DONE;
}

static int run_check(const struct command_call *call)
{
	struct json_object *answer;
	char why[WHY_SIZE];
	bool works = ask_pod(why);
	int status = works ? enter(call, NULL) : CLI_DONE;

	if (status)
		return status;
	if (!works)
		return command_fail(call, CLI_NO, "%s", why);
	works = node_works(why);
	if (command_wants_json(call)) {
		answer = json_object_new_object();
		member_add_bool(answer, "works", works);
		member_add_text(answer, "state", why);
		command_print_json(answer);
	} else {
		fprintf(works ? stdout : stderr, "%s\n", why);
	}
	return works ? CLI_DONE : CLI_NO;
}

/* Does the driver tell this container its own processes, through whichever engine? */
static int run_test(const struct command_call *call)
{
	struct calibration found;
	int ret = calibrate_run(&found, "/dev", NULL, NULL);
	int seen = ret ? -1 : infer_is_translated(&found);

	if (seen < 0)
		return command_fail(call, CLI_FAILED, "no answer of the driver could be measured: this is for a pod with a GPU and CAP_SYS_ADMIN; 'mpu doctor' there says more");
	if (!seen)
		return command_fail(call, CLI_NO, "the driver does not tell this container its own processes: see what 'mpu status' says on the node, and whether the pod has a RuntimeClass that engine notify needs");
	if (command_wants_json(call))
		command_print_json(json_object_new_object());
	else
		printf("the driver tells this container its own processes, and no others\n");
	return CLI_DONE;
}

/* Waits until nobody undoes. Return: the lock, shared; or negative errno. */
static int lock_node(void)
{
	struct stat stat = { 0 };
	int fd;

	if (mkdir(NODE_RUN, 0700) && errno != EEXIST)
		return -errno;
	do {
		fd = open(LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_SH) || fstat(fd, &stat)) {
			close(fd);
			return -errno;
		}
		/* Whoever undid has removed it. */
		if (!stat.st_nlink)
			close(fd);
	} while (!stat.st_nlink);
	return fd;
}

/* Undoes everything, unless another pod is there, or containers need the engine. */
static int leave(const struct pod *pod)
{
	const char *name = pod->call->name;
	char why[WHY_SIZE];

	if (flock(pod->lock, LOCK_EX | LOCK_NB)) {
		fprintf(stderr, "%s: another pod is on this node: it is left as it is\n", name);
		return CLI_DONE;
	}
	if (node_in_use(&pod->node, why)) {
		if (!command_is_on(pod->call, "yes"))
			return command_fail(pod->call, CLI_FAILED, "the node is left as it is: %s",
					    why);
		command_warn(pod->call, "%s", why);
	}
	if (node_undo(&pod->node, why))
		return command_fail(pod->call, CLI_FAILED, "cannot remove all of MPU from this node: %s", why);
	/* Programs by which living containers are ended may stay in the folder. */
	unlink(NEWEST);
	unlink(LOCK);
	rmdir(NODE_RUN);
	fprintf(stderr, "%s: the node is as it was\n", name);
	return CLI_DONE;
}

static int lock_newest(const char *path, int flags)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd < 0 ? -errno : fd;
	close(fd);
	return -EWOULDBLOCK;
}

static int become_newest(struct pod *pod)
{
	pod->newest = lock_newest(NEWEST ".new", O_CREAT);
	if (pod->newest < 0)
		return pod->newest;
	return rename(NEWEST ".new", NEWEST) ? -errno : 0;
}

/* Is this the newest pod, or has that ended? Then it is from now on. */
static bool is_newest(struct pod *pod)
{
	struct stat ours = { 0 }, theirs = { 0 };
	int fd;

	fstat(pod->newest, &ours);
	if (!stat(NEWEST, &theirs) && ours.st_ino == theirs.st_ino)
		return true;
	fd = lock_newest(NEWEST, 0);
	if (fd == -ENOENT)
		return !become_newest(pod);
	if (fd >= 0) {
		close(pod->newest);
		pod->newest = fd;
	}
	return fd >= 0;
}

/* Has the node be as is wanted, and says so if that is news. */
static void look(struct pod *pod, bool is_first)
{
	char why[WHY_SIZE] = "", text[WHY_SIZE];
	bool is_set_up;

	is_set_up = !node_set_up(&pod->node, why);
	if (node_label(node_works(text) && is_set_up, why))
		is_set_up = false;
	if (is_set_up)
		*why = '\0';
	if (!is_set_up && strcmp(why, pod->state) != 0)
		command_warn(pod->call, "%s; it is tried again each minute", why);
	else if (is_set_up && (is_first || *pod->state))
		fprintf(stderr, "%s: the node is set up; %s\n", pod->call->name, text);
	strcpy(pod->state, why);
}

static void answer(const struct pod *pod)
{
	int sock = accept4(pod->asked, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (sock < 0)
		return;
	send(sock, pod->state, strlen(pod->state), MSG_NOSIGNAL);
	close(sock);
}

/* Answers, until it is time for a look, which SIGHUP says, too. Return: are we to end? */
static bool wait_for_look(const struct pod *pod, int limit_s)
{
	const uint64_t until = clock_ms() + (uint64_t)limit_s * 1000;
	struct pollfd fds[] = { { .fd = pod->signals, .events = POLLIN },
				{ .fd = pod->asked, .events = POLLIN } };
	struct signalfd_siginfo info;
	uint64_t now;

	while ((now = clock_ms()) < until || !limit_s) {
		if (poll(fds, 2, limit_s ? (int)(until - now) : -1) <= 0)
			continue;
		if (fds[0].revents && read(pod->signals, &info, sizeof(info)) > 0)
			return info.ssi_signo != SIGHUP;
		if (fds[1].revents)
			answer(pod);
	}
	return false;
}

static int keep(struct pod *pod)
{
	bool is_first = true;
	int ret;

	pod->lock = lock_node();
	ret = pod->lock < 0 ? pod->lock :
	      lockf(pod->lock, F_LOCK, 0) ? -errno : become_newest(pod);
	if (ret)
		return command_fail(pod->call, CLI_FAILED, "cannot lock " LOCK ": %s",
				    strerror(-ret));
	/* Two that look at once would rename each other's files. */
	do {
		lockf(pod->lock, F_LOCK, 0);
		if (is_newest(pod))
			look(pod, is_first);
		lockf(pod->lock, F_ULOCK, 0);
		is_first = false;
	} while (!wait_for_look(pod, AGAIN_S));
	return leave(pod);
}

/* Nothing can be done here: starting again and again would not change that. */
static int stay_away(struct pod *pod)
{
	strcpy(pod->state, "there is no systemd on this node: MPU is put on it with what provisions it, see docs/install.md");
	command_warn(pod->call, "%s", pod->state);
	while (!wait_for_look(pod, 0))
		;
	return CLI_DONE;
}

/* Nothing of what is done may be left half done. Return: as signals_hold() */
static int hold_signals(struct pod *pod)
{
	static const int ends[] = { SIGTERM, SIGINT, SIGHUP, 0 };

	pod->signals = signals_hold(ends);
	pod->asked = open_ready(bind);
	if (pod->asked >= 0 && listen(pod->asked, 8))
		return -errno;
	return pod->signals < 0 ? pod->signals : pod->asked;
}

/* Paths go into scripts and units as they are. @path: NULL: not given. Return: false: it is none */
static bool read_path(const struct command_call *call, const char *name, const char **path)
{
	*path = command_value(call, name);
	if (*path && !**path)
		*path = NULL;
	return !*path || (**path == '/' && (*path)[1] &&
		strspn(*path, "/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-") ==
		strlen(*path));
}

static int read_options(const struct command_call *call, struct node *node, const char **programs)
{
	const char *runtime = command_value(call, "runtime");
	const struct { const char *name; const char **path; } paths[] = {
		{ "folder", &node->folder }, { "driver-root", &node->driver_root },
		{ "config", &node->config }, { "programs", programs },
		{ "oci-runtime", &node->oci_runtime },
	};
	size_t i;

	node->engine = command_value(call, "engine");
	if (node->engine && !strcmp(node->engine, "auto"))
		node->engine = NULL;
	else if (node->engine && !engine_find(node->engine))
		return command_fail_usage(call, "this mpu was built without engine %s",
					  node->engine);
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!read_path(call, paths[i].name, paths[i].path))
			return command_fail_usage(call, "--%s needs an absolute path of letters, digits and ._+-",
						  paths[i].name);
	if (!node->folder)
		node->folder = NODE_FOLDER;
	node->unit = command_value(call, "unit");
	node->limit = command_value(call, "metrics");
	node->processes = command_is_on(call, "processes");
	if (node->limit && (!*node->limit || node->limit[strspn(node->limit, "0123456789")]))
		return command_fail_usage(call, "invalid value '%s' for --metrics: use a number",
					  node->limit);
	if (runtime)
		node->runtime = setup_engine_find(runtime);
	return CLI_DONE;
}

static int run_node(const struct command_call *call)
{
	struct pod pod = { .call = call };
	const char *programs;
	int status = read_options(call, &pod.node, &programs), ret;

	if (status)
		return status;
	pod.node.image = open(NODE_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (pod.node.image < 0)
		return command_fail(call, CLI_FAILED, "there is no " NODE_FOLDER " here: this is for a pod of MPU's image");
	ret = hold_signals(&pod);
	if (ret < 0)
		return command_fail(call, CLI_FAILED, "cannot wait for signals, or for checks: %s",
				    strerror(-ret));
	status = enter(call, programs);
	if (status)
		return status;
	return access("/run/systemd/system", F_OK) ? stay_away(&pod) : keep(&pod);
}

static const struct command_option host_options[] = {
	{ "host", 0, "DIR", NULL, "the node's / in the pod (default: /host)" },
	{ .name = NULL },
};

static const struct command_option options[] = {
	{ "engine", 0, "auto|" ENGINE_NAMES, NULL, "engine to use (default: auto)" },
	{ "folder", 0, "DIR", NULL, "where MPU goes on the node (default: /opt/mpu)" },
	{ "driver-root", 0, "DIR", NULL, "root of the driver's files, if a driver container has them" },
	{ "runtime", 0, "containerd|crio", NULL,
	  "container engine to be told of the runtime \"mpu\"" },
	{ "config", 0, "FILE", NULL, "its configuration, if not the engine's own" },
	{ "unit", 0, "UNIT", NULL, "systemd unit that has it running, if not its own" },
	{ "programs", 0, "DIR", NULL, "folder of the node's programs, besides PATH" },
	{ "oci-runtime", 0, "FILE", NULL, "the OCI runtime that mpu-runtime calls (default: runc or crun)" },
	{ "metrics", 0, "N", NULL, "serve metrics, too, of N containers at most, at " NODE_METRICS },
	{ "processes", 0, NULL, NULL, "metrics of each process, too" },
	{ "yes", 0, NULL, NULL, "undo also while containers depend on the engine" },
	{ .name = NULL },
};

static const struct command *const commands[] = {
	COMMAND(.name = "check", .options = { host_options }, .run = run_check,
		.what = "succeed if it is set up, and its engine works"),
	COMMAND(.name = "test", .run = run_test,
		.what = "succeed if this container is told its own GPU processes"),
	NULL
};

const struct command command_node = {
	.name = "node", .options = { host_options, options }, .commands = commands, .run = run_node,
	.what = "install MPU on this cluster node for the life of the pod",
};
