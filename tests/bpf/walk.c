// SPDX-License-Identifier: GPL-2.0-only
/*
 * PIDs as engine bpf finds them, in the kernel's own tree, against /proc: every
 * task there is, seen from here and from namespaces below. It only reads, so it
 * runs where lockdown refuses the engine itself.
 *
 *	walk [PID...]	also from the namespaces of these processes: those that
 *			use a GPU, say
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tests/bpf/walk.h"
#include "walk.skel.h"

static unsigned int passed, failed;
static struct walk_bpf *skel;
static struct walk *walk;

static void report(bool ok, const char *what)
{
	printf("%s %s\n", ok ? "ok" : "not ok", what);
	passed += ok;
	failed += !ok;
}

static int open_namespace(u32 task)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/ns/pid", task);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static ino_t inode_of(int fd)
{
	struct stat stat = { 0 };

	fstat(fd, &stat);
	return stat.st_ino;
}

/* Returns how many namespaces @seer is above @task's, -1 if it is not above. */
static int levels_up(u32 task, ino_t seer)
{
	int fd = open_namespace(task), up = 0;

	while (fd >= 0 && inode_of(fd) != seer) {
		int parent = ioctl(fd, NS_GET_PARENT);

		close(fd);
		fd = parent;
		up++;
	}
	if (fd < 0)
		return -1;
	close(fd);
	return up;
}

/* "NStgid: 4711 12 1": a process's numbers, outermost first. */
static int read_numbers(u32 task, u32 *numbers, int room)
{
	char path[64], line[512], *word;
	FILE *file;
	int n = 0;

	snprintf(path, sizeof(path), "/proc/%u/status", task);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NStgid:", 7))
			continue;
		for (word = strtok(line + 7, "\t "); word && n < room; word = strtok(NULL, "\t "))
			numbers[n++] = (u32)strtoul(word, NULL, 10);
	}
	if (file)
		fclose(file);
	return n;
}

/*
 * The PID in a namespace of the process of a task of the host; 0: it has none.
 */
static u32 truth(u32 task, ino_t seer)
{
	u32 numbers[40];
	int n = read_numbers(task, numbers, 40);
	int up = n ? levels_up(task, seer) : -1;

	return up < 0 || up >= n ? 0 : numbers[n - 1 - up];
}

static void add(u32 number)
{
	if (walk->count < WALK_MAX)
		walk->number[walk->count++] = number;
}

/*
 * Every PID of the host, those of threads included, and PIDs that no task has.
 */
static void list_tasks(void)
{
	DIR *proc = opendir("/proc"), *tasks;
	struct dirent *one, *task;
	char path[300];

	walk->count = 0;
	add(0);
	add(~0u);
	add(1u << 22);
	while (proc && (one = readdir(proc))) {
		if (one->d_name[0] < '1' || one->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/task", one->d_name);
		tasks = opendir(path);
		while (tasks && (task = readdir(tasks)))
			if (task->d_name[0] != '.')
				add((u32)strtoul(task->d_name, NULL, 10));
		if (tasks)
			closedir(tasks);
	}
	if (proc)
		closedir(proc);
}

/*
 * The BPF program runs in the task that calls it, so a child enters the
 * namespace and calls it there.
 */
static int walk_in(u32 task)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int fd = open_namespace(task), status = -1;
	pid_t pid = fork();

	if (!pid && setns(fd, CLONE_NEWPID))
		_exit(1);
	if (!pid) {
		pid = fork();
		if (!pid)
			_exit(!!bpf_prog_test_run_opts(bpf_program__fd(
					skel->progs.walk_all), &opts));
		waitpid(pid, &status, 0);
		_exit(status ? 1 : 0);
	}
	close(fd);
	waitpid(pid, &status, 0);
	return status;
}

/* The task ended meanwhile, or /proc does not show its namespace. */
static bool is_unknown(u32 task)
{
	int fd = open_namespace(task);

	if (fd >= 0)
		close(fd);
	return fd < 0;
}

/*
 * Looks PIDs up both ways: the host's in a namespace, and the results on the
 * host again.
 */
static void compare(u32 task, const char *what)
{
	int fd = open_namespace(task);
	ino_t seer = inode_of(fd);
	u32 i, seen = 0, wrong = 0;
	char text[200];

	close(fd);
	list_tasks();
	if (walk_in(task))
		return report(false, what);
	for (i = 0; i < walk->count; i++) {
		u32 want = truth(walk->number[i], seer);

		seen += walk->local[i] != 0;
		if (walk->local[i] == want || (walk->local[i] && is_unknown(walk->number[i])))
			continue;
		printf("# %u: %u, the walk says %u\n", walk->number[i], want, walk->local[i]);
		wrong++;
	}
	for (i = 0; i < walk->count; i++)
		walk->number[i] = walk->local[i];
	if (walk_in(task))
		return report(false, what);
	for (i = 0; i < walk->count; i++)
		wrong += walk->number[i] && walk->global[i] &&
			 truth(walk->global[i], seer) != walk->number[i] &&
			 !is_unknown(walk->global[i]);
	snprintf(text, sizeof(text), "%s: %u numbers, %u seen", what, walk->count, seen);
	report(!wrong && seen, text);
}

static void *sleep_for_ever(void *unused)
{
	pause();
	return unused;
}

/*
 * Makes a PID namespace with processes, a thread and, if asked to, another
 * namespace inside it.
 */
static int populate(int depth, int out)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 3; i++)
		if (!fork())
			_exit(pause());
	pthread_create(&thread, NULL, sleep_for_ever, NULL);
	if (depth > 1 && !unshare(CLONE_NEWPID) && !fork())
		_exit(populate(depth - 1, out));
	if (depth == 1 && write(out, "", 1) != 1)
		return 1;
	return pause();
}

/*
 * Starts the first process of a new PID namespace. Return: its PID on the host.
 */
static pid_t make_namespace(int depth)
{
	int pipes[2];
	char byte;
	pid_t pid;

	if (pipe(pipes) || unshare(CLONE_NEWPID))
		return -errno;
	pid = fork();
	if (!pid)
		_exit(populate(depth, pipes[1]));
	if (read(pipes[0], &byte, 1) != 1)
		return -EIO;
	return pid;
}

/*
 * Runs in a child, because a process that has made a PID namespace for its children can
 * make no more threads.
 */
static int check_below(int depth)
{
	char text[64];
	pid_t pid = make_namespace(depth);

	if (pid <= 0)
		return 1;
	snprintf(text, sizeof(text), "a namespace, %d deep", depth);
	failed = 0;
	compare((u32)pid, text);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return failed != 0;
}

static void run_below(int depth)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		status = check_below(depth);
		fflush(stdout);
		_exit(status);
	}
	waitpid(pid, &status, 0);
	passed += !status;
	failed += !!status;
}

int main(int argc, char **argv)
{
	char text[64];
	int i;

	libbpf_set_print(NULL);
	skel = walk_bpf__open_and_load();
	if (!skel) {
		printf("skip this kernel does not load the program here: %s\n", strerror(errno));
		printf("0 passed, 0 failed, 1 skipped\n");
		return 0;
	}
	walk = &skel->bss->walk;
	compare((u32)getpid(), "here");
	for (i = 1; i <= 3; i++)
		run_below(i);
	for (i = 1; i < argc; i++) {
		snprintf(text, sizeof(text), "the namespace of %.32s", argv[i]);
		compare((u32)strtoul(argv[i], NULL, 10), text);
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	walk_bpf__destroy(skel);
	return !!failed;
}
