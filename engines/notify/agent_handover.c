// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handover from an agent that was stopped or killed to the next one: no manager keeps
 * its descriptors then, but the worker that serves its containers has them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/fds.h"
#include "lib/proc.h"

#define NOTE	128	/* a socket's path has 108 at most */

/* The time to wait for a killed process, and between two looks at it. */
#define LOOK_MS		10
#define STUCK_MS	1000	/* when it is stuck in the kernel */
#define DEATH_MS	30000	/* otherwise */

#define TWIN_S		60	/* time that a twin waits for the next agent */

/* Returns when a process started, in ticks since the machine did; 0: it is gone. */
u64 handover_start(pid_t pid)
{
	int dir = proc_open((u32)pid);
	struct proc_stat stat;

	if (dir < 0)
		return 0;
	if (proc_stat(dir, &stat))
		stat.start = 0;
	close(dir);
	return stat.start;
}

static bool is_stuck(int tasks, const char *thread)
{
	int dir = openat(tasks, thread, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct proc_stat stat;
	bool is_there;

	if (dir < 0)
		return true;
	is_there = !proc_stat(dir, &stat);
	close(dir);
	return !is_there || strchr("DXZ", stat.state);
}

/*
 * Does a process that was killed need but a CPU to die? Not if each thread that is
 * left of it waits where no signal reaches it (D).
 */
static bool is_dying(pid_t pid)
{
	struct dirent *thread;
	bool dying = false;
	char path[32];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && !dying && (thread = readdir(tasks)))
		dying = thread->d_name[0] != '.' && !is_stuck(dirfd(tasks), thread->d_name);
	if (tasks)
		closedir(tasks);
	return dying;
}

static int wait_for_death(pid_t pid, int pidfd)
{
	struct pollfd dead = { .fd = pidfd, .events = POLLIN };
	struct wait wait = wait_begin(LOOK_MS, STUCK_MS);
	u64 until = clock_ms() + DEATH_MS;

	while (poll(&dead, 1, 0) != 1) {
		if (is_dying(pid) && clock_ms() < until)
			wait = wait_begin(LOOK_MS, STUCK_MS);
		if (!wait_moment(&wait))
			return -ETIMEDOUT;
	}
	return 0;
}

/*
 * Kills a worker, and waits until it is dead: as long as it lives it may still receive a
 * call, into a slot that is its successor's by then, and that call would hang for ever.
 * Another process of its PID is left alone. Return: 0, or -ETIMEDOUT: a thread of it is in
 * the hands of the kernel, or of a container's own file system, and receives no calls.
 */
int handover_kill(pid_t pid, u64 start)
{
	int pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	int ret = 0;

	if (pidfd < 0)
		return 0;
	if (handover_start(pid) == start) {
		syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
		ret = wait_for_death(pid, pidfd);
	}
	close(pidfd);
	return ret;
}

static bool find_note(int sock, char *path)
{
	struct sockaddr_un address = { 0 };
	socklen_t size = sizeof(address) - 1;

	if (getsockname(sock, (struct sockaddr *)&address, &size) ||
	    address.sun_family != AF_UNIX || address.sun_path[0] != '/')
		return false;
	snprintf(path, NOTE, "%s.worker", address.sun_path);
	return true;
}

/*
 * Writes down which worker has state and listeners, in a file beside the agent's socket.
 * The folder may be another user's, who must not choose what is written or read.
 * Return: 0 or negative errno: the note before stands; no later agent takes over.
 */
int handover_write_note(const struct monitor *monitor, int sock)
{
	pid_t worker = monitor->worker;
	char path[NOTE], beside[NOTE + 1];
	int fd, ret = 0;

	if (!worker || !find_note(sock, path))
		return 0;
	snprintf(beside, sizeof(beside), "%s~", path);
	unlink(beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (dprintf(fd, "%d %llu %d\n", worker, (unsigned long long)handover_start(worker),
		    monitor->state_fd) < 0 || rename(beside, path)) {
		ret = -errno;
		unlink(beside);
	}
	close(fd);
	return ret;
}

/* The content of the file: see handover_write_note(). */
struct note {
	int worker;
	unsigned long long start;
	int state_fd;
};

void handover_remove_note(int sock)
{
	char path[NOTE];

	if (find_note(sock, path))
		unlink(path);
}

static bool read_note(int sock, struct note *note)
{
	char path[NOTE], text[64] = "";
	bool found = false;
	struct stat st;
	int fd = find_note(sock, path) ?
		 open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_uid == geteuid() &&
	    fd_read_all(fd, text, sizeof(text) - 1) > 0)
		found = sscanf(text, "%d %llu %d", &note->worker, &note->start,
			       &note->state_fd) == 3;
	close(fd);
	return found;
}

static int get_fd(int pidfd, int number)
{
	int fd = (int)syscall(SYS_pidfd_getfd, pidfd, number, 0);

	return fd < 0 ? -errno : fd;
}

/* Get the listeners; one that ends meanwhile is left out. */
static int get_listeners(struct monitor *monitor, int pidfd, const struct old_state *old)
{
	const struct slot *slot;
	int i, fd;

	for (i = 0; i < STATE_SLOTS; i++) {
		slot = old_state_slot(old, (unsigned int)i);
		/* A slot of zeros is free; the manager may have kept the listener. */
		if (slot->fd <= 0 || monitor->fd[i] >= 0)
			continue;
		fd = get_fd(pidfd, slot->fd);
		if (fd >= 0)
			monitor->fd[i] = fd;
		else if (slot->fd > 0)
			return fd;
	}
	return 0;
}

static int get_all(struct monitor *monitor, int pidfd, int state_fd)
{
	struct old_state old;
	int i, ret;

	monitor->state_fd = get_fd(pidfd, state_fd);
	if (monitor->state_fd < 0)
		return monitor->state_fd;
	ret = old_state_map(&old, monitor->state_fd);
	if (!ret) {
		ret = get_listeners(monitor, pidfd, &old);
		munmap(old.memory, old.size);
	}
	if (!ret)
		return 0;
	for (i = 0; i < STATE_SLOTS; i++) {
		if (monitor->fd[i] >= 0)
			close(monitor->fd[i]);
		monitor->fd[i] = -1;
	}
	close(monitor->state_fd);
	monitor->state_fd = -1;
	return ret;
}

/*
 * Takes state and listeners over from the worker that a note names. @worker: its PID, 0:
 * there is none. Return: 0, or negative errno: they are left to that worker.
 */
int handover_adopt(struct monitor *monitor, int sock, pid_t *worker)
{
	struct note note;
	int pidfd, ret = 0;

	*worker = 0;
	if (!read_note(sock, &note))
		return 0;
	pidfd = (int)syscall(SYS_pidfd_open, note.worker, 0);
	if (pidfd < 0)
		return errno == ESRCH ? 0 : -errno;
	/* The worker's PID may be another process's by now. */
	if (handover_start(note.worker) == note.start) {
		*worker = note.worker;
		ret = get_all(monitor, pidfd, note.state_fd);
	}
	close(pidfd);
	/* Nothing is left of one that has died meanwhile. */
	return ret == -ESRCH ? 0 : ret;
}

/* --- connections that an agent had accepted when it was killed --- */

/* The listening socket itself has the same name. */
static bool is_connection(int fd, int sock)
{
	struct sockaddr_un name = { 0 }, ours = { 0 };
	socklen_t name_size = sizeof(name), size = sizeof(ours);
	int listens = 0;
	socklen_t listens_size = sizeof(listens);

	return !getsockname(fd, (struct sockaddr *)&name, &name_size) &&
	       !getsockname(sock, (struct sockaddr *)&ours, &size) &&
	       !memcmp(&name, &ours, sizeof(name)) &&
	       !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listens_size) &&
	       !listens;
}

/* A listener that was stored, and is in a connection still, gets a second thread: no harm. */
static void take_connections(pid_t twin, int pidfd, int sock, void (*take)(int sock))
{
	struct dirent *entry;
	char path[32];
	struct stat st;
	DIR *folder;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd", twin);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		/* Most are listeners. */
		if (fstatat(dirfd(folder), entry->d_name, &st, 0) || !S_ISSOCK(st.st_mode))
			continue;
		fd = get_fd(pidfd, atoi(entry->d_name));
		if (fd >= 0 && is_connection(fd, sock))
			take(fd);
		else if (fd >= 0)
			close(fd);
	}
	if (folder)
		closedir(folder);
}

/* The agent holds back the signals that end it, and so does its twin. */
static noreturn void be_twin(pid_t agent)
{
	sigset_t death;

	sigemptyset(&death);
	sigaddset(&death, SIGUSR1);
	sigprocmask(SIG_BLOCK, &death, NULL);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	while (getppid() == agent)
		sigwaitinfo(&death, NULL);
	sleep(TWIN_S);
	_exit(0);
}

/*
 * Takes connections over from the twin of the agent before, and starts another.
 *
 * A connection that was accepted is the agent's alone, and with it a listener that has
 * not reached the manager: an agent that is killed would lose both. A twin is a process
 * that does nothing, and shares the descriptors, those of the future, too.
 */
int handover_start_twin(struct state *state, int sock, void (*take)(int sock))
{
	pid_t agent = getpid(), old = state->twin, twin;
	u64 old_start = state->twin_start;
	int pidfd = old > 0 ? (int)syscall(SYS_pidfd_open, old, 0) : -1;
	int ret;

	twin = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (!twin)
		be_twin(agent);
	ret = twin < 0 ? -errno : 0;
	if (pidfd >= 0 && handover_start(old) == old_start)
		take_connections(old, pidfd, sock, take);
	if (pidfd >= 0)
		close(pidfd);
	state->twin_start = twin > 0 ? handover_start(twin) : 0;
	state->twin = twin > 0 ? twin : 0;
	handover_kill(old, old_start);
	return ret;
}
