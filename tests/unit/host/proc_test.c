// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of host/proc.c: what is read of processes, new, known, exchanged and gone
 * ones, by one thread and by several, and by descriptors of those that stay. Linked with
 * --wrap=pthread_create, --wrap=sysconf and --wrap=openat.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "host/internal.h"
#include "tests/unit/host/fixture.h"
#include "tests/unit/unit.h"

#define FIRST	1000
#define MOST	9000	/* processes */
static long cpus;		/* that the machine has; 0: those that it has indeed */
static int threads_started;
static int threads_allowed;

long __real_sysconf(int name);
long __wrap_sysconf(int name);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*start)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*start)(void *), void *arg);

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);

static atomic_int opened;

/* Nothing here creates a file, so that no mode is to be handed on. */
int __wrap_openat(int folder, const char *path, int flags, ...)
{
	opened++;
	return __real_openat(folder, path, flags);
}

long __wrap_sysconf(int name)
{
	return cpus && name == _SC_NPROCESSORS_ONLN ? cpus : __real_sysconf(name);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*start)(void *), void *arg)
{
	if (threads_started == threads_allowed)
		return EAGAIN;
	threads_started++;
	return __real_pthread_create(thread, attr, start, arg);
}

/**
 * struct crowd - processes from FIRST on, as they were at the last look
 * @looks:	pointers to all of @look
 */
struct crowd {
	struct host_proc proc;
	struct host_look look[MOST];
	struct host_look *looks[MOST];
	size_t n;
};

static struct crowd *begin_crowd(size_t n)
{
	struct crowd *crowd = calloc(1, sizeof(*crowd));
	size_t i;

	assert_non_null(crowd);
	host_proc_open(&crowd->proc, true);
	crowd->proc.renewed = 0;
	crowd->n = n;
	for (i = 0; i < n; i++) {
		crowd->look[i].process.pid = FIRST + (pid_t)i;
		crowd->look[i].pidfd = -1;
		crowd->looks[i] = &crowd->look[i];
	}
	return crowd;
}

static void end_crowd(struct crowd *crowd)
{
	size_t i;

	for (i = 0; i < crowd->n; i++)
		free(crowd->look[i].cgroups);
	host_proc_close(&crowd->proc);
	free(crowd);
}

static void read_each(struct crowd *crowd)
{
	size_t i;

	threads_started = 0;
	for (i = 0; i < crowd->n; i++)
		host_proc_read(&crowd->proc, &crowd->looks[i], 1);
	assert_int_equal(threads_started, 0);
}

static void read_together(struct crowd *crowd, int threads)
{
	threads_started = 0;
	host_proc_read(&crowd->proc, crowd->looks, crowd->n);
	assert_int_equal(threads_started, threads);
}

/* Also takes what is to be freed of both. */
static void check_same(struct host_look *a, struct host_look *b)
{
	assert_int_equal(a->is_new, b->is_new);
	assert_int_equal(a->process.pid, b->process.pid);
	assert_int_equal(a->process.own_pid, b->process.own_pid);
	assert_int_equal(a->process.uid, b->process.uid);
	assert_int_equal(a->process.started_us, b->process.started_us);
	assert_int_equal(a->process.is_gone, b->process.is_gone);
	assert_string_equal(a->process.name, b->process.name);
	assert_string_equal(a->process.command, b->process.command);
	assert_int_equal(a->cgroups != NULL, b->cgroups != NULL);
	if (a->cgroups)
		assert_string_equal(a->cgroups, b->cgroups);
	free(a->cgroups);
	free(b->cgroups);
	a->cgroups = b->cgroups = NULL;
}

/* --- The tests --- */

#define CROWD	6100	/* to be looked at by three threads */

/* By the last digit of its number a process of the crowd ... */
enum { COMES, IS_EXCHANGED, GOES, DIGITS = 10 };

static void start_process(int i, unsigned int uid)
{
	char cgroups[32];

	snprintf(cgroups, sizeof(cgroups), "0::/group%u\n", uid);
	add_process(FIRST + i, i + 1, uid, cgroups);
}

static void change_crowd(void)
{
	int i;

	for (i = 0; i < CROWD; i += DIGITS) {
		start_process(i + COMES, 5);
		end_process(FIRST + i + IS_EXCHANGED);
		start_process(i + IS_EXCHANGED, 6);
		end_process(FIRST + i + GOES);
	}
}

static void check_first(const struct host_look *look, int digit)
{
	assert_true(look->is_new);
	assert_int_equal(look->process.is_gone, digit == COMES);
	if (digit == COMES) {
		assert_null(look->cgroups);
		return;
	}
	assert_int_equal(look->process.uid, 4);
	assert_string_equal(look->cgroups, "0::/group4");
}

static void check_changed(const struct host_look *look, int digit)
{
	assert_int_equal(look->is_new, digit <= GOES);
	assert_int_equal(look->process.is_gone, digit == GOES);
	if (digit == GOES) {
		assert_int_equal(look->process.uid, (uid_t)-1);
		assert_string_equal(look->process.command, "");
		assert_null(look->cgroups);
		return;
	}
	assert_int_equal(look->process.own_pid, look->process.pid - FIRST + 1);
	assert_int_equal(look->process.uid, digit == COMES ? 5 : digit == IS_EXCHANGED ? 6 : 4);
	if (look->is_new)
		assert_string_equal(look->cgroups, digit == COMES ? "0::/group5" : "0::/group6");
}

static void check_same_again(const struct host_look *look, int digit)
{
	assert_false(look->is_new);
	assert_null(look->cgroups);
}

TEST_WITH("several threads find the same about processes as one", make_host, drop_host)
{
	static void (*const checks[])(const struct host_look *look, int digit) = {
		check_first, check_same_again, check_changed, check_same_again,
	};
	struct crowd *one = begin_crowd(CROWD), *many = begin_crowd(CROWD);
	size_t step;
	int i;

	cpus = 16;
	threads_allowed = CROWD;
	for (i = 0; i < CROWD; i++)
		if (i % DIGITS != COMES)
			start_process(i, 4);
	for (step = 0; step < sizeof(checks) / sizeof(checks[0]); step++) {
		if (checks[step] == check_changed)
			change_crowd();
		read_each(one);
		read_together(many, step ? 2 : 15);
		for (i = 0; i < CROWD; i++) {
			checks[step](&many->look[i], i % DIGITS);
			check_same(&one->look[i], &many->look[i]);
		}
	}
	end_crowd(one);
	end_crowd(many);
}

TEST_WITH("more threads help with more processes; all are read without, too", make_host, drop_host)
{
	static const struct {
		size_t n;
		long cpus;
		int allowed, started, again;
	} some[] = {
		{ 1, 16, 99, 0, 0 }, { 99, 16, 99, 0, 0 }, { 100, 16, 99, 1, 0 },
		{ 400, 1, 99, 0, 0 }, { 400, 2, 99, 1, 0 }, { 400, 16, 99, 4, 0 },
		{ 400, 16, 2, 2, 0 }, { 400, 16, 0, 0, 0 },
		{ MOST, 16, 99, 15, 3 }, { MOST, 256, 99, 15, 3 }, { MOST, 2, 99, 1, 1 },
	};
	struct crowd *crowd;
	size_t k;

	each_row(row, some) {
		cpus = row->cpus;
		threads_allowed = row->allowed;
		crowd = begin_crowd(row->n);
		read_together(crowd, row->started);
		for (k = 0; k < crowd->n; k++)
			assert_true(crowd->look[k].is_new && crowd->look[k].process.is_gone);
		read_together(crowd, row->again);
		for (k = 0; k < crowd->n; k++)
			assert_false(crowd->look[k].is_new);
		end_crowd(crowd);
	}
}

/* A process, looked at in a folder that each test fills as it likes. */
static struct one {
	char folder[32], path[64];	/* the folder of the process is there if a test makes it */
	struct host_proc proc;
	struct host_look look;
	pid_t pid;
} one;

static int begin_one(void)
{
	one = (struct one){ .folder = "/tmp/mpu-proc.XXXXXX", .pid = fork(), .look.pidfd = -1 };
	if (!one.pid)
		for (;;)
			pause();
	assert_true(one.pid > 0);
	one.look.process.pid = one.pid;
	assert_non_null(mkdtemp(one.folder));
	snprintf(one.path, sizeof(one.path), "%s/%d", one.folder, one.pid);
	host_proc_open(&one.proc, true);
	one.proc.renewed = 0;
	return 0;
}

/* Look in this test's folder, or in /proc again. */
static void look_in(const char *folder)
{
	close(one.proc.fd);
	one.proc.fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(one.proc.fd >= 0);
}

static void look_again(bool is_new, size_t held)
{
	struct host_look *looks[] = { &one.look };

	host_proc_read(&one.proc, looks, 1);
	free(one.look.cgroups);
	one.look.cgroups = NULL;
	assert_int_equal(one.look.is_new, is_new);
	assert_int_equal(one.proc.held, held);
	assert_int_equal(one.look.pidfd >= 0, held);
}

static void end_it(void)
{
	assert_int_equal(kill(one.pid, SIGKILL), 0);
	assert_int_equal(waitpid(one.pid, NULL, 0), one.pid);
}

static int end_one(void)
{
	host_proc_forget(&one.proc, &one.look);
	assert_int_equal(one.proc.held, 0);
	host_proc_close(&one.proc);
	return rmdir(one.folder);
}

/* A fact that changes is for host_use.c, which reads it when somebody asks for it. */
TEST_WITH("no file is opened of a process that is met again", make_host, drop_host)
{
	struct crowd *crowd = begin_crowd(50);
	int i;

	for (i = 0; i < 50; i++)
		start_process(i, 4);
	read_together(crowd, 0);
	assert_true(opened >= 50 * 5);
	opened = 0;
	for (i = 0; i < 3; i++)
		read_together(crowd, 0);
	assert_int_equal(opened, 0);
	end_crowd(crowd);
}

TEST_WITH("titles that change are read by turns, of each in its own", make_host, drop_host)
{
	struct crowd *crowd = begin_crowd(50);
	int i, turn, renewed = 0;

	for (i = 0; i < 50; i++)
		start_process(i, 4);
	read_together(crowd, 0);
	for (i = 0; i < 50; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/cmdline", FIRST + i);
		add_file(path, "ray::train", 11);
		free(crowd->look[i].cgroups);
		crowd->look[i].cgroups = NULL;
	}
	crowd->proc.renewed = 30;
	for (turn = 0; turn < 2; turn++) {
		read_together(crowd, 0);
		for (i = 0; i < 50; i++) {
			renewed += crowd->look[i].is_new;
			free(crowd->look[i].cgroups);
			crowd->look[i].cgroups = NULL;
		}
	}
	assert_int_equal(renewed, 60);
	for (i = 0; i < 50; i++)
		assert_string_equal(crowd->look[i].process.command, "ray::train");
	end_crowd(crowd);
}

TEST_WITH("a process whose first thread alone has ended says so", make_host, drop_host)
{
	struct crowd *crowd = begin_crowd(1);

	start_process(0, 4);
	add_text("/proc/1000/stat",
		 "1 (a) Z 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 3 0 150 9999 88\n");
	add_text("/proc/1000/cmdline", "");
	read_together(crowd, 0);
	assert_false(crowd->look->process.has_ended);
	assert_string_equal(crowd->look->process.command,
			    "a (its first thread has ended, 2 others have not)");
	end_crowd(crowd);
}

TEST_WITH("a living process that /proc hides is read anew until it has ended", begin_one, end_one)
{
	look_in(one.folder);
	look_again(true, 0);
	assert_false(one.look.process.is_gone);
	look_again(true, 0);
	assert_false(one.look.process.is_gone);
	end_it();
	look_again(true, 0);
	assert_true(one.look.process.is_gone);
	look_again(false, 0);
}

TEST_WITH("a process that ends while it is read has ended", begin_one, end_one)
{
	look_in(one.folder);
	assert_int_equal(mkdir(one.path, 0700), 0);
	look_again(true, 0);
	assert_false(one.look.process.is_gone);
	end_it();
	one.look.inode = 0;
	look_again(true, 0);
	assert_true(one.look.process.is_gone);
	assert_int_equal(one.look.process.uid, (uid_t)-1);
	look_again(false, 0);
	assert_int_equal(rmdir(one.path), 0);
	look_again(true, 0);
	assert_true(one.look.process.is_gone);
	look_again(false, 0);
}

/* A status as the kernel writes it: all groups of a process stand before its NSpid. */
static void add_status(int pid, int own_pid, unsigned int uid, int groups)
{
	size_t size = 512 + (size_t)groups * 8;
	char path[64], *text = malloc(size);
	int n, i;

	assert_non_null(text);
	n = snprintf(text, size, "Name:\ta\nTgid:\t%d\nUid:\t1\t%u\t1\t1\nGroups:\t", pid, uid);
	for (i = 0; i < groups; i++)
		n += snprintf(text + n, size - (size_t)n, "%d ", 100000 + i);
	snprintf(text + n, size - (size_t)n,
		 "\nNStgid:\t%d\t77\t%d\nNSpid:\t%d\t77\t%d\nCapEff:\t0000000000000000\n",
		 pid, own_pid, pid, own_pid);
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	add_text(path, text);
	free(text);
}

TEST_WITH("uid and PID are found however many groups a process has", make_host, drop_host)
{
	struct host_look look = { .pidfd = -1, .process.pid = 100 }, *looks[] = { &look };
	struct host_proc proc;
	int groups;

	add_process(100, 5, 1000, "0::/box\n");
	host_proc_open(&proc, false);
	for (groups = 0; groups <= 5000; groups += groups < 1200 ? 1 : 100) {
		add_status(100, 5, 1000, groups);
		look.inode = 0;		/* it is read anew */
		host_proc_read(&proc, looks, 1);
		assert_int_equal(look.process.uid, 1000);
		assert_int_equal(look.process.own_pid, 5);
		free(look.cgroups);
	}
	host_proc_close(&proc);
}

TEST_WITH("command lines are not read without details", make_host, drop_host)
{
	struct host_look look = { .pidfd = -1, .process.pid = 100 }, *looks[] = { &look };
	struct host_proc proc;

	add_process(100, 5, 1000, "0::/box\n");
	host_proc_open(&proc, false);
	host_proc_read(&proc, looks, 1);
	assert_int_equal(look.process.uid, 1000);
	assert_int_equal(look.process.own_pid, 5);
	assert_string_equal(look.cgroups, "0::/box");
	assert_int_equal(look.process.start, 150);
	assert_string_equal(look.process.command, "");
	free(look.cgroups);
	host_proc_close(&proc);
}

TEST_WITH("a process that is met again is held, and not read until it has ended", begin_one, end_one)
{
	siginfo_t info;
	char end[64];

	look_again(true, 0);
	look_again(false, 1);
	look_in(one.folder);
	look_again(false, 1);
	look_in("/proc");
	assert_int_equal(kill(one.pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)one.pid, &info, WEXITED | WNOWAIT), 0);
	look_again(true, 1);	/* nobody has waited for it: its number is its own */
	assert_true(one.look.process.has_ended);
	snprintf(end, sizeof(end), "(has ended: zombie of PID %d) ", getpid());
	assert_memory_equal(one.look.process.command, end, strlen(end));
	end_it();
	look_again(true, 0);
	assert_true(one.look.process.is_gone);
}

TEST_WITH("a process that took over a PID is read, and not held", begin_one, end_one)
{
	look_in(one.folder);
	assert_int_equal(mkdir(one.path, 0700), 0);
	look_again(true, 0);
	look_in("/proc");
	look_again(true, 0);
	look_again(false, 1);
	assert_int_equal(rmdir(one.path), 0);
	end_it();
}

TEST_WITH("every process is read each time if descriptors are short", begin_one, end_one)
{
	struct rlimit before, few;

	look_again(true, 0);
	one.proc.most = 0;
	look_again(false, 0);
	one.proc.most = 1;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	look_again(false, 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(one.proc.most, 0);
	end_it();
	look_again(true, 0);
	assert_true(one.look.process.is_gone);
}

TEST("processes are held 1000 at a time, as many as descriptors allow")
{
	struct rlimit before, few = { .rlim_cur = 300, .rlim_max = 300 };
	struct crowd *crowd;
	size_t i;

	cpus = 1;
	crowd = begin_crowd(1200);
	for (i = 0; i < crowd->n; i++)
		crowd->look[i].process.pid = getpid();
	crowd->proc.most = 1100;
	for (i = 0; i <= 3; i++) {
		read_together(crowd, 0);
		assert_int_equal(crowd->proc.held, i < 2 ? i * 1000 : 1100);
	}
	for (i = 0; i < crowd->n; i++) {
		assert_int_equal(crowd->look[i].is_new, false);
		assert_int_equal(crowd->look[i].lives, i < 1100);
		host_proc_forget(&crowd->proc, &crowd->look[i]);
	}
	end_crowd(crowd);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	crowd = begin_crowd(1);
	assert_int_equal(crowd->proc.most, before.rlim_max - 256);
	end_crowd(crowd);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST("a driver that cannot be asked for lack of descriptors takes memory once")
{
	struct usage_reader *reader = usage_open(0, false, false);
	int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC), i;
	struct rlimit before, few;
	char text[64] = "";
	long pages[2];

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ 0, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(usage_ask(reader), -EMFILE);
		assert_true(pread(statm, text, sizeof(text) - 1, 0) > 0);
		pages[i] = atol(text);
	}
	assert_int_equal(pages[0], pages[1]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	usage_close(reader);
	close(statm);
}
