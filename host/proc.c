// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc's files of processes: of thousands at a time, so each is opened once, in its folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/internal.h"
#include "lib/host.h"
#include "lib/proc.h"
#include "lib/xalloc.h"

#define CGROUPS_SIZE	65536	/* 16 hierarchies, each with as long a path as there is */

#define NOBODY		((ino_t)-1)	/* no folder has this inode */

/* The time of a look, in microseconds, about: docs/performance.md has the measurements. */
#define LOOK_TAKES	1
#define READ_TAKES	30
#define HELPED		3000	/* work that pays for another thread */

#define HELPERS		15	/* threads beside the caller's */
#define SHARE		32	/* processes that a thread takes at a time */

#define SPARED		256	/* descriptors left for all else */
#define HELD_AT_ONCE	1000	/* processes a reading: to open two descriptors takes 5 us */

static uint64_t changed_ns(const struct stat *st)
{
	return (uint64_t)st->st_ctim.tv_sec * 1000000000 + (uint64_t)st->st_ctim.tv_nsec;
}

/* "btime SECONDS" stands behind a line for each CPU, and one of all interrupts. */
static uint64_t read_start(void)
{
	FILE *file = host_fopen("/proc/stat");
	uint64_t seconds = 0;
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return 0;
	while (!seconds && getline(&line, &size, file) > 0)
		if (!strncmp(line, "btime ", 6))
			seconds = strtoull(line + 6, NULL, 10);
	free(line);
	fclose(file);
	return seconds * 1000000;
}

/* Returns how many pidfds this process may open; 0 where another system's /proc is read. */
static size_t count_room(void)
{
	struct rlimit limit, most;

	if (host_is_other() || getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	most = limit;
	most.rlim_cur = limit.rlim_max;
	if (!setrlimit(RLIMIT_NOFILE, &most))
		limit = most;
	return limit.rlim_cur > SPARED ? (size_t)limit.rlim_cur - SPARED : 0;
}

/* Raises the limit of this process's descriptors as far as it may. */
void host_proc_open(struct host_proc *proc, bool details)
{
	char path[4096];

	proc->details = details;
	proc->held = proc->turn = 0;
	proc->renewed = details ? 64 : 0;
	proc->most = count_room();
	proc->started_us = read_start();
	proc->ticks = (uint64_t)sysconf(_SC_CLK_TCK);
	proc->fd = host_path(path, sizeof(path), "/proc") ? -1 :
		   open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void host_proc_close(struct host_proc *proc)
{
	if (proc->fd >= 0)
		close(proc->fd);
}

static void read_status(int folder, struct host_process *process)
{
	struct proc_status status = { .euid = (uid_t)-1 };

	proc_status(folder, &status);	/* a kernel without PID namespaces lacks a line */
	process->uid = status.euid;
	if (process->uid != (uid_t)-1)
		process->own_pid = status.level ? (pid_t)status.number[status.level - 1] :
				   process->pid;
}

/*
 * Says what a process without a command line is: one that has ended, and that its parent has not
 * asked about, first, for mpu top cuts the end off; one whose first thread alone has; else a thread
 * of the kernel.
 */
static void describe_end(struct host_process *process, const struct proc_stat *stat)
{
	char *text = process->command;
	size_t size = sizeof(process->command);

	process->has_ended = stat->state == 'Z' && stat->threads < 2;
	if (process->has_ended && stat->parent)
		snprintf(text, size, "(has ended: zombie of PID %d) %s", stat->parent, process->name);
	else if (process->has_ended)
		snprintf(text, size, "(has ended: zombie) %s", process->name);
	else if (stat->state == 'Z')
		snprintf(text, size, "%s (its first thread has ended, %d others have not)",
			 process->name, stat->threads - 1);
	else
		snprintf(text, size, "%s", process->name);
}

/* Arguments end with a NUL each. */
static void read_command(int folder, struct host_process *process, const struct proc_stat *stat)
{
	char *text = process->command;
	size_t size = sizeof(process->command), i;
	int n = host_read_at(folder, "cmdline", text, size);

	while (n > 0 && !text[n - 1])
		n--;
	for (i = 0; n > 0 && i < (size_t)n; i++)
		if (!text[i])
			text[i] = ' ';
	if (n > 0)
		text_clean(text);
	else
		describe_end(process, stat);
}

static void read_stat(const struct host_proc *proc, int folder, struct host_process *process)
{
	struct proc_stat stat = { .state = '?' };

	if (!proc_stat(folder, &stat)) {
		text_copy(process->name, sizeof(process->name), stat.name, strlen(stat.name));
		process->start = stat.start;
		if (proc->started_us)
			process->started_us = proc->started_us +
					      stat.start / proc->ticks * 1000000 +
					      stat.start % proc->ticks * 1000000 / proc->ticks;
	}
	if (proc->details)
		read_command(folder, process, &stat);
}

static void read_files(const struct host_proc *proc, int folder, struct host_look *look)
{
	char cgroups[CGROUPS_SIZE];

	read_status(folder, &look->process);
	read_stat(proc, folder, &look->process);
	host_read_at(folder, "cgroup", cgroups, sizeof(cgroups));
	look->cgroups = xstrdup(cgroups);
}

/*
 * Return: is it another one than was looked at before? For a process that /proc hides
 * this cannot be seen, nor whether it still is there.
 */
static bool look_at(const struct host_proc *proc, struct host_look *look)
{
	struct stat st;

	if (fstatat(proc->fd, look->folder, &st, 0))
		st = (struct stat){ .st_ino = NOBODY };
	if (look->inode == st.st_ino && look->changed_ns == changed_ns(&st) &&
	    (st.st_ino != NOBODY || look->process.is_gone))
		return false;
	look->inode = st.st_ino;
	look->changed_ns = changed_ns(&st);
	return true;
}

/* A process of another system is known by its files alone. */
static bool has_ended(pid_t pid, bool has_folder)
{
	return host_is_other() ? !has_folder : kill(pid, 0) && errno == ESRCH;
}

static void read_new(const struct host_proc *proc, struct host_look *look)
{
	pid_t pid = look->process.pid;
	const struct host_process unknown = { .pid = pid, .uid = (uid_t)-1 };
	int folder = openat(proc->fd, look->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	look->process = unknown;
	look->cgroups = NULL;
	if (folder >= 0) {
		read_files(proc, folder, look);
		close(folder);
	}
	if (look->process.uid != (uid_t)-1)
		return;
	/* A process that is there and not seen is another user's: hidepid. */
	if (!has_ended(pid, folder >= 0)) {
		look->cgroups = look->cgroups ? look->cgroups : xstrdup("");
		return;
	}
	free(look->cgroups);
	look->cgroups = NULL;
	look->process = unknown;
	look->process.is_gone = true;
}

/* Asks all of them by one call, which takes a tenth of what the looks would. */
static void ask_held(struct host_look *const *looks, size_t n)
{
	struct pollfd *held = xcalloc(n + 1, sizeof(*held));
	size_t count = 0, i;
	bool asked;

	for (i = 0; i < n; i++)
		if (looks[i]->pidfd >= 0)
			held[count++] = (struct pollfd){ .fd = looks[i]->pidfd,
							 .events = POLLIN };
	asked = poll(held, count, 0) >= 0;
	for (i = count = 0; i < n; i++) {
		bool is_held = asked && looks[i]->pidfd >= 0;

		looks[i]->has_ended = is_held && held[count].revents;
		looks[i]->lives = is_held && !looks[i]->has_ended;
		count += looks[i]->pidfd >= 0;
	}
	free(held);
}

/*
 * Holds processes that are met again, which may stay for long. A descriptor is opened
 * before the look, which says whether it is the process that was read.
 */
static void hold(struct host_proc *proc, struct host_look *const *looks, size_t n)
{
	size_t most = proc->held + HELD_AT_ONCE, i;

	for (i = 0; i < n && proc->held < most && proc->held < proc->most; i++) {
		struct host_look *look = looks[i];

		if (look->pidfd >= 0 || !look->inode || look->inode == NOBODY)
			continue;
		/* Not in every C library that this is built with; Linux 5.3 has it. */
		look->pidfd = (int)syscall(SYS_pidfd_open, look->process.pid, 0);
		if (look->pidfd >= 0)
			proc->held++;
		else if (errno != ESRCH)
			proc->most = proc->held;
	}
}

void host_proc_forget(struct host_proc *proc, struct host_look *look)
{
	if (look->pidfd < 0)
		return;
	close(look->pidfd);
	look->pidfd = -1;
	proc->held--;
}

/* Looks first: a process that comes in its place meanwhile will be another. */
static void look_and_read(const struct host_proc *proc, struct host_look *look)
{
	if (!look->folder[0])
		snprintf(look->folder, sizeof(look->folder), "%d", look->process.pid);
	look->is_other = !look->lives && look_at(proc, look);
	look->is_new = look->is_other ||
		       ((look->has_ended || look->is_due) && !look->process.is_gone);
	if (look->is_new)
		read_new(proc, look);
}

/* The work that is left, for all threads. */
struct work {
	const struct host_proc *proc;
	struct host_look *const *looks;
	size_t n;
	atomic_size_t next;
};

static void *take_work(void *arg)
{
	struct work *work = arg;
	size_t i, end;

	while ((i = atomic_fetch_add(&work->next, SHARE)) < work->n)
		for (end = i + SHARE; i < end && i < work->n; i++)
			look_and_read(work->proc, work->looks[i]);
	return NULL;
}

/* Threads that share a table of descriptors wait for each other at each open(). */
static void *help(void *arg)
{
	unshare(CLONE_FILES);	/* where it is refused, they wait */
	return take_work(arg);
}

/*
 * Returns how many threads are to help this one: none with few processes, or one CPU.
 * Where most processes are known more of them would save little time, and take more of
 * the CPUs'.
 */
static size_t count_helpers(struct host_look *const *looks, size_t n)
{
	size_t takes = 0, helpers, i;
	long cpus;

	for (i = 0; i < n; i++)
		takes += looks[i]->lives ? 0 : looks[i]->inode ? LOOK_TAKES : READ_TAKES;
	helpers = takes / HELPED < HELPERS ? takes / HELPED : HELPERS;
	cpus = helpers ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
	return cpus > (long)helpers ? helpers : cpus > 1 ? (size_t)cpus - 1 : 0;
}

/*
 * Looks at processes, no two of them one, and reads those that were never looked at or are
 * another than the one that had the PID then: a look takes a microsecond, to read one tens.
 * Thousands are looked at by several threads; for processes that are met again and again
 * descriptors are opened, which one call asks all together. Some are read again each time, by turns:
 * a program may change its title, or its group, and end without being waited for.
 */
void host_proc_read(struct host_proc *proc, struct host_look *const *looks, size_t n)
{
	struct work work = { .proc = proc, .looks = looks, .n = n };
	size_t helpers, i, started = 0;
	pthread_t thread[HELPERS];

	ask_held(looks, n);
	hold(proc, looks, n);
	for (i = 0; i < n; i++)
		looks[i]->is_due = (i + n - proc->turn % n) % n < proc->renewed;
	proc->turn += proc->renewed;
	helpers = count_helpers(looks, n);
	while (started < helpers && !pthread_create(&thread[started], NULL, help, &work))
		started++;
	take_work(&work);
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < n; i++)
		if (looks[i]->is_other)
			host_proc_forget(proc, looks[i]);
}
