// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers between PID namespaces, as the kernel answers (Linux 6.12) and as
 * /proc tells before: of a process with two threads and of a container in it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/proc.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

/* The container's numbers of them, in the order in which they come. */
enum { FIRST = 1, INNER, THREAD, NOBODY };

static u32 first, inner, thread;	/* and what here */
static struct pidns ns;

static pid_t spawn(unsigned long flags)
{
	return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* The container's first process. */
static void live(int ready)
{
	pthread_t other;

	signal(SIGCHLD, SIG_IGN);	/* an ended process is gone at once */
	if (!spawn(CLONE_NEWPID))
		wait_for_ever(NULL);
	if (pthread_create(&other, NULL, wait_for_ever, NULL) || write(ready, "", 1) != 1)
		_exit(1);
	wait_for_ever(NULL);
}

/* The thread of the container's first process that is not the first. */
static u32 other_thread(void)
{
	struct dirent *entry;
	u32 number, other = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", first);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		number = (u32)strtoul(entry->d_name, NULL, 10);
		other = number && number != first ? number : other;
	}
	if (dir)
		closedir(dir);
	return other;
}

static u32 only_child(void)
{
	char path[64];
	FILE *file;
	u32 child;
	int n;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/children", first, first);
	file = fopen(path, "r");
	if (!file)
		return 0;
	n = fscanf(file, "%u", &child);
	fclose(file);
	return n == 1 ? child : 0;
}

static int begin(void)
{
	int ready[2], dir;
	char byte;

	if (pipe(ready))
		return -1;
	first = (u32)spawn(CLONE_NEWPID);
	if (!first)
		live(ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		return -1;
	close(ready[0]);
	thread = other_thread();
	inner = only_child();
	if (!thread || !inner)
		return -1;
	ns = (struct pidns){ 0 };
	dir = proc_open(first);
	return dir < 0 || pidns_open(&ns, dir, 2) || close(dir);
}

static int end(void)
{
	pidns_close(&ns);
	pidns_use_proc(false);
	kill((pid_t)first, SIGKILL);
	return waitpid((pid_t)first, NULL, 0) != (pid_t)first;
}

TEST_EACH(begin, end)

static void is_translated(void)
{
	assert_int_equal(pidns_local(&ns, first), FIRST);
	assert_int_equal(pidns_local(&ns, inner), INNER);
	assert_int_equal(pidns_local(&ns, (u32)getpid()), 0);
	assert_int_equal(pidns_local(&ns, 1), 0);
	assert_int_equal(pidns_local(&ns, 0), 0);
	assert_int_equal(pidns_local(&ns, 0xffffffff), 0);
	assert_int_equal(pidns_global(&ns, FIRST), first);
	assert_int_equal(pidns_global(&ns, INNER), inner);
	assert_int_equal(pidns_global(&ns, THREAD), 0);
	assert_int_equal(pidns_global(&ns, NOBODY), 0);
	assert_int_equal(pidns_global(&ns, 0), 0);
	assert_int_equal(pidns_global(&ns, 0xffffffff), 0);
}

/* A driver may know a process by one of its threads: it is the process still. */
static void is_its_process(void)
{
	assert_int_equal(pidns_local(&ns, thread), FIRST);
	assert_int_equal(pidns_global(&ns, FIRST), first);
}

static void is_gone(void)
{
	char path[64];

	assert_int_equal(pidns_local(&ns, inner), INNER);
	kill((pid_t)inner, SIGKILL);
	snprintf(path, sizeof(path), "/proc/%u", inner);
	while (!access(path, F_OK))
		usleep(1000);
	ns.call++;
	assert_int_equal(pidns_local(&ns, inner), 0);
	assert_int_equal(pidns_global(&ns, INNER), 0);
}

TEST("PIDs are translated by the kernel")
{
	is_translated();
}

TEST("PIDs are translated by /proc")
{
	pidns_use_proc(true);
	is_translated();
}

TEST("a thread counts as its process, by the kernel")
{
	is_its_process();
}

TEST("a thread counts as its process, by /proc")
{
	pidns_use_proc(true);
	is_its_process();
}

TEST("a process that has ended has no PID, by the kernel")
{
	is_gone();
}

TEST("a process that has ended has no PID, by /proc")
{
	pidns_use_proc(true);
	is_gone();
}

/*
 * A machine that has not been told the time counts from its start: its clock is ahead
 * of the clock of processes by nothing, or by a little less.
 */
static u64 epoch;

u64 clock_epoch(void)
{
	return epoch;
}

TEST("a process has lived at a time only if it began before it")
{
	const u64 century = 3155760000000000;	/* no machine has been up for longer */

	epoch = 1000 * century;
	assert_true(pidns_lived(&ns, FIRST, first, 2 * century));
	assert_false(pidns_lived(&ns, FIRST, first, century));
	assert_false(pidns_lived(&ns, NOBODY, first, 2 * century));
	epoch = (u64)-1000;
	assert_true(pidns_lived(&ns, FIRST, first, century));
	assert_false(pidns_lived(&ns, FIRST, first, 0));
}

int main(void)
{
	if (!have_root())
		return 0;
	return pidns_init() ? 1 : unit_run();
}
