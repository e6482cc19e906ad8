// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callers as they come: real processes in a PID namespace, under the filter,
 * that do to themselves what plain Linux allows. /dev/null stands for the
 * control node: a call that is issued in their place ends with ENOTTY.
 *
 * caller_old_test.c includes this file with a PIDFD_THREAD that no kernel knows: as
 * before 6.9.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/nvrm.h"

#undef NV_MAJOR
#undef NV_MINOR_CTL
#define NV_MAJOR	1
#define NV_MINOR_CTL	3

#include "engines/notify/internal.h"
#include "engines/notify/caller.c"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#ifndef BEFORE_6_9
#define BEFORE_6_9	false
#endif

#define REQUEST		_IOWR('F', NV_ESC_RM_CONTROL, struct nv_control)
#define GET_PIDS	0x2080018d
#define PIDS_SIZE	3812
#define HANGS_S		60	/* no host is that busy */

/* Returned by a scenario for what this kernel does not have. */
#define NOT_HERE	200

static struct slot slot;
static struct call_memory memory;
static struct caller caller;
static struct seccomp_notif_resp response;
static unsigned int received;
static void (*on_call)(void);		/* before it is handled, or NULL */

/* --- scenarios: in a container; each returns errno of its call --- */

static int control_node;
static pid_t unused_number;
static struct nv_control block;
static u8 params[PIDS_SIZE];

static struct nv_control *fill(struct nv_control *control)
{
	*control = (struct nv_control){ .cmd = GET_PIDS, .size = PIDS_SIZE,
		.params = (uintptr_t)params, .status = 0xbad };
	return control;
}

static int call_with(int fd, struct nv_control *control)
{
	return ioctl(fd, REQUEST, control) ? errno : 0;
}

static int plain(void)
{
	return call_with(control_node, fill(&block));
}

/* Another request with number 0x2a: TCGETS2, of terminals. */
static int of_terminals(void)
{
	ioctl(control_node, 0x802c542a, &block);
	ioctl(control_node, 0x2a, &block);
	ioctl(control_node, _IOWR('F', NV_ESC_XFER, struct nv_control), &block);
	return plain();
}

static int in_groups(void)
{
	static gid_t group[65536];
	unsigned int i;

	for (i = 0; i < 65536; i++)
		group[i] = 1000000000 + i;
	return setgroups(65536, group) ? NOT_HERE : plain();
}

static void *secret_memory(void)
{
	int fd = (int)syscall(447 /* memfd_secret */, 0);
	void *memory;

	if (fd < 0 || ftruncate(fd, 4096))
		return NULL;
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static int secret_block(void)
{
	struct nv_control *control = secret_memory();

	return control ? call_with(control_node, fill(control)) : NOT_HERE;
}

static int secret_params(void)
{
	int ret;

	fill(&block);
	block.params = (uintptr_t)secret_memory();
	if (!block.params)
		return NOT_HERE;
	ret = call_with(control_node, &block);
	return !ret && block.status != NV_ERR_INVALID_ADDRESS ? 99 : ret;
}

/* The driver cannot answer there, either. */
static int read_only_block(void)
{
	struct nv_control *control = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (control == MAP_FAILED || mprotect(fill(control), 4096, PROT_READ))
		return NOT_HERE;
	return call_with(control_node, control);
}

/* A line of /proc/PID/maps may be longer than any buffer, and its end look like another. */
static int read_only_block_beside_a_name(void)
{
	char path[2048] = "/tmp";
	size_t n = strlen(path);
	int fd;

	if (mount("none", path, "tmpfs", 0, NULL))
		return NOT_HERE;
	for (; n < 4 * 256; n += 256) {
		snprintf(path + n, sizeof(path) - n, "/%255s", "");
		memset(path + n + 1, '\n', 255);	/* four characters there */
		mkdir(path, 0700);
	}
	snprintf(path + n, sizeof(path) - n, "/%061d0-ffffffffffff rw", 0);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	mmap((void *)0x20000, 4096, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	return read_only_block();
}

/* Where a program of ours has a page that it guards. */
#define GUARDED	((u8 *)0x20000000)

/* Said by the program that took the caller's number over, and to it. */
static int to_worker[2], to_program[2];
static int own_program;

static int be_guard(void)
{
	u8 *page = mmap(GUARDED, 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	char go;

	if (page != GUARDED || write(4, "r", 1) != 1 || read(3, &go, 1) != 1)
		return NOT_HERE;
	return page[0] ? 66 : 0;
}

static void *execute_when_told(void *unused)
{
	char *const words[] = { (char[]){ "guard" }, NULL };
	char go;

	(void)unused;
	if (read(to_program[0], &go, 1) == 1 && dup2(to_program[0], 3) == 3 &&
	    dup2(to_worker[1], 4) == 4)
		execveat(own_program, "", words, environ, AT_EMPTY_PATH);
	_exit(95);
}

static int execute_beside(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute_when_told, NULL);
	return plain();
}

static int no_block(void)
{
	return call_with(control_node, NULL);
}

static int no_block_elsewhere(void)
{
	return call_with(open("/dev/zero", O_RDWR), NULL);
}

static int elsewhere(void)
{
	return call_with(open("/dev/zero", O_RDWR), fill(&block));
}

static int nowhere(void)
{
	return call_with(77, fill(&block));
}

static pthread_barrier_t ready;

static void *call_with_own_files(void *ret)
{
	*(int *)ret = unshare(CLONE_FILES) ? NOT_HERE : 0;
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&ready);
	if (!*(int *)ret)
		*(int *)ret = plain();
	return NULL;
}

static int own_files(void)
{
	pthread_t thread;
	int ret;

	pthread_barrier_init(&ready, NULL, 2);
	pthread_create(&thread, NULL, call_with_own_files, &ret);
	pthread_barrier_wait(&ready);
	dup2(open("/dev/zero", O_RDWR), control_node);
	pthread_barrier_wait(&ready);
	pthread_join(thread, NULL);
	return ret;
}

static void *call_in_thread(void *ret)
{
	*(int *)ret = plain();
	return NULL;
}

static int other_thread(void)
{
	pthread_t thread;
	int ret;

	pthread_create(&thread, NULL, call_in_thread, &ret);
	pthread_join(thread, NULL);
	return ret;
}

/* Calls from a process of that number, which another had before. */
static int call_as(pid_t *number)
{
	struct clone_args args = { .exit_signal = SIGCHLD, .set_tid = (uintptr_t)number,
				   .set_tid_size = 2 };
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	int status;

	if (!pid)
		_exit(plain());
	return pid < 0 || waitpid(pid, &status, 0) != pid ? 95 : WEXITSTATUS(status);
}

static int same_number(void)
{
	pid_t number[] = { 7, unused_number };
	int ret = call_as(number);

	return ret == ENOTTY ? call_as(number) : ret;
}

static void *call_when_alone(void *unused)
{
	(void)unused;
	usleep(200000);		/* either way its files are no other's */
	_exit(plain());
}

static int main_thread_gone(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, call_when_alone, NULL);
	pthread_exit(NULL);
}

/* Counters of questions to a file's server while its process makes the call. */
static _Atomic bool in_call;
static _Atomic unsigned int asked;

static void *serve(void *fuse)
{
	static union {
		u8 bytes[1 << 17];
		struct { u32 len, opcode; u64 unique, nodeid; } head;
	} in;
	int fd = *(int *)fuse;

	while (read(fd, in.bytes, sizeof(in)) > 0) {
		struct {
			u32 len;
			int error;
			u64 unique;
			u32 word[40];
		} out = { .len = 16, .unique = in.head.unique };
		u32 size = 0;

		switch (in.head.opcode) {
		case 26:	/* FUSE_INIT: version 7.31 */
			out.word[0] = 7;
			out.word[1] = 31;
			out.word[5] = 4096;
			size = 64;
			break;
		case 1:		/* FUSE_LOOKUP: a regular file, for no time */
			out.word[0] = 2;
			out.word[10] = 2;
			out.word[10 + 15] = S_IFREG | 0666;
			size = 128;
			break;
		case 14:	/* FUSE_OPEN */
			size = 16;
			break;
		case 39:	/* FUSE_IOCTL */
			out.error = -ENOTTY;
			break;
		default:	/* FUSE_GETATTR, FUSE_FLUSH, ... */
			out.error = -ENOSYS;
			asked += in_call;
		}
		out.len += size;
		if (write(fd, &out, out.len) < 0)
			break;
	}
	return NULL;
}

static int on_fuse(void)
{
	char options[64], path[] = "/tmp/caller_test.XXXXXX";
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC), fd = -1;
	pthread_t thread;
	int ret;

	if (fuse < 0 || !mkdtemp(path))
		return NOT_HERE;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
	if (!mount("none", path, "fuse", MS_NODEV, options)) {
		char file[64];

		pthread_create(&thread, NULL, serve, &fuse);
		snprintf(file, sizeof(file), "%s/file", path);
		fd = open(file, O_RDONLY);
		umount2(path, MNT_DETACH);
	}
	rmdir(path);
	if (fd < 0)
		return NOT_HERE;
	in_call = true;
	ret = call_with(fd, fill(&block));
	in_call = false;
	close(fd);		/* asks, too: while there is who answers */
	return asked ? 99 : ret;
}

/* --- the worker --- */

static struct seccomp_notif *in_hand;

static void supervise(int listener, pid_t child)
{
	struct call_context context = { .slot = &slot, .memory = &memory,
		.caller = &caller };
	struct pollfd wait = { .fd = listener, .events = POLLIN };
	struct seccomp_notif request;

	memset(&slot, 0, sizeof(slot));
	memset(&response, 0, sizeof(response));
	received = 0;
	caller.listener = listener;
	while (poll(&wait, 1, HANGS_S * 1000) == 1 && wait.revents & POLLIN) {
		memset(&request, 0, sizeof(request));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request))
			continue;
		received++;
		in_hand = &request;
		if (on_call)
			on_call();
		call_handle(&context, &request, &response);
		response.id = request.id;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
	}
	caller_forget(&caller);
	close(listener);
	if (!received)
		fail_msg("process %d made no call", child);
}

static noreturn void be_container(int (*scenario)(void), int sock)
{
	int listener;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		_exit(98);
	control_node = open("/dev/null", O_RDWR | O_CLOEXEC);
	listener = filter_install();
	if (listener < 0 || write(sock, &listener, sizeof(listener)) < 0)
		_exit(97);
	/* It is taken: nobody but the worker is to hold it. */
	if (read(sock, &listener, sizeof(listener)) < 0)
		_exit(96);
	close(listener);
	_exit(scenario());
}

/* Return: what the scenario returned. */
static int play(int (*scenario)(void), bool namespace)
{
	unsigned long flags = namespace ? CLONE_NEWPID | SIGCHLD : SIGCHLD;
	int pair[2], listener, pidfd, status;
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
	assert_true(pid >= 0);
	if (!pid)
		be_container(scenario, pair[1]);
	close(pair[1]);
	assert_int_equal(read(pair[0], &listener, sizeof(listener)), sizeof(listener));
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	status = (int)syscall(SYS_pidfd_getfd, pidfd, listener, 0);
	assert_true(status >= 0);
	close(pidfd);
	assert_int_equal(write(pair[0], &listener, sizeof(listener)), sizeof(listener));
	supervise(status, pid);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(pair[0]);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NOT_HERE)
		skip();
	return WEXITSTATUS(status);
}

static u64 counted(u32 control, enum mpu_counter counter)
{
	return slot.count[control][counter];
}

static u32 pids(void)
{
	u32 i = 0;

	while (mpu_rows[i].cmd != GET_PIDS)
		i++;
	return mpu_rows[i].control;
}

static void is_issued(int (*scenario)(void))
{
	assert_int_equal(play(scenario, true), ENOTTY);
	assert_int_equal(response.flags, 0);
	assert_int_equal(counted(pids(), MPU_REFUSED), 1);
}

static void is_continued(int (*scenario)(void), bool namespace, int error)
{
	int i;

	assert_int_equal(play(scenario, namespace), error);
	assert_int_equal(response.flags, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
	for (i = 0; i < MPU_COUNTERS; i++)
		assert_int_equal(counted(pids(), i), 0);
}

static void is_impossible(int (*scenario)(void))
{
	assert_int_equal(play(scenario, true), EPERM);
	assert_int_equal(counted(pids(), MPU_IMPOSSIBLE), 1);
}

static void is_unreadable(int (*scenario)(void))
{
	assert_int_equal(play(scenario, true), EFAULT);
	assert_int_equal(response.flags, 0);
	assert_int_equal(counted(NOTIFY_UNKNOWN, MPU_UNREADABLE), 1);
}

TEST("a plain call is made in the caller's place, from any thread")
{
	is_issued(plain);
	is_issued(other_thread);
}

/* Files of a caller before say nothing about the next one of its number. */
TEST("a process with the number of a caller before is met anew")
{
	unused_number = getpid() > 30000 ? 20000 : 31000;
	while (!kill(unused_number, 0))
		unused_number++;
	assert_int_equal(play(same_number, true), ENOTTY);
	assert_int_equal(counted(pids(), MPU_REFUSED), 2);
}

static struct rlimit before;

static void *give_back(void *unused)
{
	usleep(50000);
	setrlimit(RLIMIT_NOFILE, &before);
	return unused;
}

static void lack_descriptors(void)
{
	struct rlimit none;
	pthread_t thread;

	on_call = NULL;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(pthread_create(&thread, NULL, give_back, NULL), 0);
	pthread_detach(thread);
}

static int of_a_user(void)
{
	/* As a program that a runtime has executed for a user. */
	if (syscall(SYS_setresuid, 1000, 1000, 1000) || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
		_exit(94);
	return plain();
}

TEST("a user's call is made by an agent that has the capabilities of its unit")
{
	uint64_t all = 0;

	assert_int_equal(caps_get(&all), 0);
	assert_int_equal(caps_set(1ull << CAP_SYS_PTRACE | 1ull << CAP_DAC_READ_SEARCH |
				  1ull << CAP_SETUID | 1ull << CAP_SYS_ADMIN), 0);
	is_issued(of_a_user);
	assert_int_equal(caps_set(all), 0);
}

TEST("a call waits while the worker lacks descriptors, and is then made")
{
	on_call = lack_descriptors;
	is_issued(plain);
}

TEST("only the driver's requests reach the worker")
{
	is_issued(of_terminals);
	assert_int_equal(received, 1);
}

TEST("a caller may be in 65536 groups")
{
	is_issued(in_groups);
}

TEST("a caller may be in 65536 groups where /proc is read, too")
{
	pidns_use_proc(true);
	is_issued(in_groups);
	pidns_use_proc(false);
}

TEST("a block in secret memory is refused")
{
	is_unreadable(secret_block);
}

TEST("params in secret memory are refused")
{
	assert_int_equal(play(secret_params, true), 0);
	assert_int_equal(counted(pids(), MPU_UNREADABLE), 1);
}

TEST("nothing is written where the caller itself could not write")
{
	assert_int_equal(play(read_only_block, true), EFAULT);
	assert_int_equal(play(read_only_block_beside_a_name, true), EFAULT);
}

/* Is called while the call waits; afterwards another program has the caller's number. */
static void write_after_exec(void)
{
	struct caller who = { .listener = caller.listener };
	u8 bytes[16];
	char ready;

	on_call = NULL;
	memset(bytes, 'A', sizeof(bytes));
	assert_int_equal(caller_open(&who, in_hand), 0);
	assert_int_equal(write(to_program[1], "e", 1), 1);
	assert_int_equal(read(to_worker[0], &ready, 1), 1);
	assert_int_equal(caller_write(&who, (uintptr_t)GUARDED, bytes, sizeof(bytes)), -EFAULT);
	caller_close(&who);
	caller_forget(&who);
	assert_int_equal(write(to_program[1], "c", 1), 1);
}

TEST("a program that another thread executes is not written into")
{
	assert_int_equal(pipe(to_worker), 0);
	assert_int_equal(pipe(to_program), 0);
	own_program = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	on_call = write_after_exec;
	assert_int_equal(play(execute_beside, true), 0);
}

TEST("a call without a block is refused")
{
	is_unreadable(no_block);
}

TEST("calls to other files, and those of the host, continue")
{
	is_continued(elsewhere, true, ENOTTY);
	is_continued(no_block_elsewhere, true, ENOTTY);
	is_continued(nowhere, true, EBADF);
	is_continued(plain, false, ENOTTY);
}

TEST("a FUSE server is asked nothing while its process makes a call")
{
	is_continued(on_fuse, true, ENOTTY);
}

/* The file of that thread's number is to be had by its own pidfd only. */
TEST("a thread with its own files is served, or refused before Linux 6.9")
{
	void (*holds)(int (*scenario)(void)) = BEFORE_6_9 ? is_impossible : is_issued;

	holds(own_files);
	holds(main_thread_gone);
}

int main(int argc, char **argv)
{
	if (argc && !strcmp(argv[0], "guard"))
		return be_guard();
	if (!have_root())
		return 0;
	if (caller_init() || pidns_init())
		return 1;
	return unit_run();
}
