// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu node: the command of a pod that has MPU on its node, from setting up to undoing.
 *
 * While one pod takes over from another both are there. Each holds a shared lock on
 * the node; one that ends undoes everything if it is the last. A pod that is killed
 * loses the lock and undoes nothing: the next goes on with what is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "cli/engine/commands.h"
#include "cli/engine/node.h"
#include "container/setup/engine.h"
#include "engines/engine.h"

#define LOCK		NODE_RUN "/lock"
#define AGAIN_S		60	/* until a node that could not be set up is tried again */

/*
 * An abstract address, gone with the process. It has the number of the container's mount
 * namespace: pods with the node's network do not have addresses of their own.
 */
static socklen_t name_ready(struct sockaddr_un *address)
{
	struct stat namespace = { 0 };
	int length;

	stat("/proc/self/ns/mnt", &namespace);
	length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			  "mpu-node-%llu", (unsigned long long)namespace.st_ino);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

/* Return: a socket that has that address, or is connected to it; or negative errno. */
static int open_ready(int (*use)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = name_ready(&address);
	int sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int err;

	if (sock < 0)
		return -errno;
	if (!use(sock, (struct sockaddr *)&address, length))
		return sock;
	err = errno;
	close(sock);
	return -err;
}

/* From now on this process sees the node's files, and runs the node's programs. */
static int enter(const struct command_call *call)
{
	const char *host = command_value(call, "host");

	if (chroot(host ? host : "/host") || chdir("/"))
		return command_fail(call, CLI_FAILED, "cannot enter %s: %s; the pod needs the node's / there, and CAP_SYS_CHROOT",
				    host ? host : "/host", strerror(errno));
	if (access("/run/systemd/system", F_OK))
		return command_fail(call, CLI_FAILED, "there is no systemd on this node: MPU is put on it with what provisions it, see docs/install.md");
	/* Else systemctl sees that / is not that of PID 1, and does nothing. */
	if (setenv("SYSTEMD_IGNORE_CHROOT", "1", 1) ||
	    setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1))
		return command_fail(call, CLI_FAILED, "no memory");
	return CLI_DONE;
}

static int run_check(const struct command_call *call)
{
	int sock = open_ready(connect), status;
	struct json_object *answer;
	char why[WHY_SIZE];
	bool works;

	if (sock < 0)
		return command_fail(call, CLI_NO, "the node is not set up yet: see what the pod's log says");
	close(sock);
	status = enter(call);
	if (status)
		return status;
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

/* Wait until nobody undoes. Return: the lock, shared; or negative errno. */
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

/* Undo everything, unless another pod is there. */
static int leave(const struct command_call *call, int lock)
{
	char why[WHY_SIZE];

	if (flock(lock, LOCK_EX | LOCK_NB)) {
		fprintf(stderr, "%s: another pod is on this node: it is left as it is\n",
			call->name);
		return CLI_DONE;
	}
	if (node_undo(why))
		return command_fail(call, CLI_FAILED, "%s; what is left on the node is in " NODE_FOLDER,
				    why);
	/* What containers that live are ended with may stay in there. */
	unlink(LOCK);
	rmdir(NODE_RUN);
	fprintf(stderr, "%s: the node is as it was\n", call->name);
	return CLI_DONE;
}

/* Until we are to end. What cannot be done now may be possible later. */
static void stay(const struct command_call *call, const struct node *node,
		 const sigset_t *ends)
{
	const struct timespec again = { .tv_sec = AGAIN_S };
	char why[WHY_SIZE];
	int ready;

	while (node_set_up(node, why)) {
		command_warn(call, "%s; it is tried again in %d s", why, AGAIN_S);
		if (sigtimedwait(ends, NULL, &again) > 0)
			return;
	}
	ready = open_ready(bind);
	if (ready < 0)
		command_warn(call, "cannot say that the node is set up: %s", strerror(-ready));
	node_works(why);
	fprintf(stderr, "%s: the node is set up; %s\n", call->name, why);
	while (sigwaitinfo(ends, NULL) < 0)
		;
	close(ready);
}

static int run_node(const struct command_call *call)
{
	const char *runtime = command_value(call, "runtime");
	const char *engine = command_value(call, "engine");
	struct node node = { .engine = engine };
	sigset_t ends;
	int status, lock;

	if (engine && !strcmp(engine, "auto"))
		node.engine = NULL;
	else if (engine && !engine_find(engine))
		return command_fail_usage(call, "this mpu was built without engine %s", engine);
	if (runtime)
		node.runtime = setup_engine_find(runtime);
	node.image = open(NODE_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (node.image < 0)
		return command_fail(call, CLI_FAILED, "there is no " NODE_FOLDER " here: this is for a pod of MPU's image");
	/* Nothing of what follows may be left half done. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	status = enter(call);
	if (status)
		return status;
	lock = lock_node();
	if (lock < 0)
		return command_fail(call, CLI_FAILED, "cannot lock " LOCK ": %s", strerror(-lock));
	stay(call, &node, &ends);
	return leave(call, lock);
}

static const struct command_option options[] = {
	{ "host", 0, "DIR", NULL, "where the pod has the node's / (default: /host)" },
	{ "engine", 0, "auto|" ENGINE_NAMES, NULL, "engine to use (default: auto)" },
	{ "runtime", 0, "containerd|crio", NULL,
	  "container engine to be told of the runtime \"mpu\"" },
	{ .name = NULL },
};

static const struct command *const commands[] = {
	COMMAND(.name = "check", .run = run_check,
		.what = "succeed if it is set up, and its engine works"),
	NULL
};

const struct command command_node = {
	.name = "node", .options = { options }, .commands = commands, .run = run_node,
	.what = "install MPU on this cluster node for the life of the pod",
};
