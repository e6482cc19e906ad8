// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks what agent and worker hold open, and what those who talk to the agent, and
 * its manager, may do to it.
 *
 *	clients MPU CALLER [CASE]
 *
 * Needs root.
 */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "lib/clock.h"

/* --- descriptors --- */

/*
 * Counts descriptors of a process, or a thread, that lead to a name that holds @what.
 */
static int descriptors(const char *folder, const char *what)
{
	char path[PATH_MAX], link[256];
	struct dirent *one;
	DIR *dir = opendir(folder);
	int n = 0;
	ssize_t got;

	while (dir && (one = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, one->d_name);
		got = readlink(path, link, sizeof(link) - 1);
		link[got > 0 ? got : 0] = '\0';
		n += strstr(link, what) != NULL;
	}
	if (dir)
		closedir(dir);
	return n;
}

/* Counts the listeners that a thread has open, once it has closed what it began with. */
static int thread_listeners(const char *folder)
{
	struct wait moment = wait_begin(20, 60000);
	int n = descriptors(folder, "seccomp notify");

	while (n > 1 && wait_moment(&moment))
		n = descriptors(folder, "seccomp notify");
	return n;
}

/*
 * A thread holds its own descriptors only, or one that hangs would keep those of
 * all containers open.
 */
STAGE("listener threads hold their own descriptors")
{
	char path[64];
	struct dirent *one;
	int n, threads = 0;
	DIR *dir;

	start_containers();
	snprintf(path, sizeof(path), "/proc/%d/task", state->worker);
	dir = opendir(path);
	while (dir && (one = readdir(dir))) {
		if (one->d_name[0] == '.' || atoi(one->d_name) == state->worker)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.20s/fd", state->worker, one->d_name);
		n = thread_listeners(path);
		threads++;
		if (n != 1)
			fail("a thread has %d listeners open", n);
	}
	if (dir)
		closedir(dir);
	if (threads < CONTAINERS)
		fail("%d threads", threads);
	end_containers();
}

/* The worker does not hold the agent's descriptors. */
STAGE("worker holds no others")
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd", agent);
	if (!descriptors(path, AGENT_LOG))
		fail("the agent has no log");
	snprintf(path, sizeof(path), "/proc/%d/fd", state->worker);
	if (descriptors(path, AGENT_LOG))
		fail("the worker has a descriptor of the agent's");
}

/*
 * Returns how many files the worker waits for: the first tells it of its monitor's end.
 */
static int watched(void)
{
	char path[64], line[256];
	FILE *file;
	int n = 0, fd;

	/* Only an epoll has such lines. */
	for (fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", state->worker, fd);
		file = fopen(path, "re");
		while (file && fgets(line, sizeof(line), file))
			n += !strncmp(line, "tfd:", 4);
		if (file)
			fclose(file);
	}
	return n;
}

static bool monitor_alone_is_watched(void)
{
	return watched() == 2;
}

/*
 * While somebody else has them open, epoll would go on to say that they have
 * hung up, and the worker to listen to that.
 */
STAGE("listeners of others")
{
	int fd[KEPT], i;

	start_containers();
	for (i = 0; i < KEPT; i++)
		fd[i] = kept[i].fd ? dup(kept[i].fd) : -1;
	if (watched() != 2 + CONTAINERS)
		fail("%d descriptors are watched", watched());
	end_containers();
	if (!within_reason(none_is_served) || !within_reason(monitor_alone_is_watched))
		fail("%d descriptors are watched", watched());
	for (i = 0; i < KEPT; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

/* --- the agent and those who talk to it --- */

/* A byte now and then, for as long as it is listened to. */
static void dribble(void)
{
	int sock = connect_agent();

	while (write(sock, " ", 1) == 1)
		usleep(1000);
	_exit(0);
}

/*
 * Clients that send nothing, or one byte after the other, keep no other client
 * waiting.
 */
STAGE("slow clients")
{
	pid_t child = fork();
	int idle[20], i, status;
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);
	char answer[65536];

	if (!child)
		dribble();
	for (i = 0; i < 20; i++)
		idle[i] = connect_agent();
	nap(300);		/* it dribbles */
	if (!ask_agent(answer, sizeof(answer)))
		fail("a client that does not end keeps others waiting");
	if (getsockopt(idle[0], SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.pid != agent)
		fail("the socket is said to be PID %d's, not the agent's", peer.pid);
	waitpid(child, &status, 0);
	if (status)
		fail("status 0x%x", status);
	for (i = 0; i < 20; i++)
		close(idle[i]);
}

/*
 * A message of 2 MiB, for a container with large annotations, is read; of one of
 * 5 MiB not the end, and that is logged. Both containers are supervised.
 */
STAGE("large annotation")
{
	static const size_t sizes[] = { 2 * 1024 * 1024, 5 * 1024 * 1024 };
	int status, i;

	for (i = 0; i < 2; i++) {
		waitpid(start_container("1", sizes[i]), &status, 0);
		if (status)
			fail("%zu bytes: the container ended with status 0x%x", sizes[i], status);
	}
	if (!log_lines("is too long, and its container is supervised"))
		fail("nobody is told");
}

static bool status_names_all(void)
{
	char command[PATH_MAX + 16], line[512];
	FILE *answer;
	int n = 0;

	snprintf(command, sizeof(command), "%s status -j", mpu);
	answer = popen(command, "r");
	while (answer && fgets(line, sizeof(line), answer))
		n += strstr(line, "\"name\": \"nnnnn") != NULL;
	return answer && !pclose(answer) && n == STATE_SLOTS;
}

/*
 * All slots, with long names. mpu gives up soon, on a busy host too soon. The
 * worker frees the slot of the case before, and a name in it, when it sees to it.
 */
STAGE("status of many")
{
	int i;

	stage_is_empty();
	for (i = 0; i < STATE_SLOTS; i++) {
		memset(state->slot[i].name, 'n', 64);
		snprintf(state->slot[i].name + 59, 6, "%05d", i);
		state->used[i] = true;
	}
	if (!within_reason(status_names_all))
		fail("the status does not have them all");
	for (i = 0; i < STATE_SLOTS; i++) {
		memset(&state->slot[i], 0, sizeof(state->slot[i]));
		state->used[i] = false;
	}
}

static bool says_worker_answers(void)
{
	char answer[65536];

	return ask_agent(answer, sizeof(answer)) && strstr(answer, "\"worker_answers\": true");
}

static unsigned int signs;

static bool more_signs_of_life(void)
{
	return watchdogs > signs;
}

/*
 * While the worker hangs, the agent says so, and no longer tells its manager
 * that all is well.
 */
STAGE("worker hangs")
{
	if (!within_reason(says_worker_answers))
		fail("a worker is said to hang");
	kill(state->worker, SIGSTOP);
	if (!within_reason(worker_is_stopped) || says_worker_answers())
		fail("a worker that hangs is said to answer");
	listen_to_agent();
	signs = watchdogs;
	nap(2500);
	if (more_signs_of_life())
		fail("the manager is told that all is well");
	kill(state->worker, SIGCONT);
	if (!within_reason(more_signs_of_life) || !within_reason(says_worker_answers))
		fail("it is said to hang still");
}

static bool one_is_kept(void)
{
	int i, n = 0;

	for (i = 0; i < KEPT; i++)
		n += kept[i].fd && !strncmp(kept[i].name, "slot", 4);
	return n > 0;
}

static bool one_is_served(void)
{
	return slots_used() > 0;
}

/* The manager is out for a moment: it hears of the container later. */
STAGE("manager busy")
{
	pid_t pid;
	int status;

	if (!within_reason(none_is_served))
		fail("%d slots in use", slots_used());
	rename(FOLDER "/notify", FOLDER "/away");
	pid = start_container("5", 0);
	if (!within_reason(one_is_served))
		fail("it is not served");
	nap(300);
	rename(FOLDER "/away", FOLDER "/notify");
	if (!within_reason(one_is_kept))
		fail("it would not outlive a restart of the agent");
	restart_agent(SIGKILL);
	waitpid(pid, &status, 0);
	if (status)
		fail("status 0x%x", status);
}
