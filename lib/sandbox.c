// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child that computes: its input is in its memory, and so is where it writes.
 */
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/fds.h"
#include "lib/process.h"
#include "lib/sandbox.h"
#include "lib/seccomp.h"

#define FILE_MAX	(1l << 30)
#define MEMORY		(256l << 20)
#define COMPUTING	1	/* seconds */
#define TIME		10

/*
 * Memory for malloc(), and the end. mmap only of memory that is nobody else's, and not to
 * be executed. (json-c seeds its hash tables by getrandom; sanitizers call madvise.)
 */
static const struct sock_filter program[] = {
	/* 0 */ LOAD(arch),
	/* 1 */ IF(ARCH, 0, 13),
	/* 2 */ LOAD(nr),
	/* 3 */ IF(SYS_exit_group, 10, 0),
	/* 4 */ IF(SYS_brk, 9, 0),
	/* 5 */ IF(SYS_munmap, 8, 0),
	/* 6 */ IF(SYS_madvise, 7, 0),
	/* 7 */ IF(SYS_getrandom, 6, 0),
	/* 8 */ IF(SYS_mmap, 0, 6),
	/* 9 */ LOAD(args[2]),
	/* 10 */ IF_BIT(PROT_EXEC, 4, 0),
	/* 11 */ LOAD(args[3]),
	/* 12 */ IF_BIT(MAP_SHARED, 2, 0),
	/* 13 */ IF_BIT(MAP_ANONYMOUS, 0, 1),
	/* 14 */ RETURN(SECCOMP_RET_ALLOW),
	/* 15 */ RETURN(SECCOMP_RET_KILL_PROCESS),
};

struct work {
	sandbox_parser *parser;
	const void *arg;
	const void *bytes;
	size_t size;
	void *result;
};

/* Pages that this process has mapped: sanitizers map terabytes. */
static long read_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	long pages = 0;

	if (!file)
		return -errno;
	if (fscanf(file, "%ld", &pages) != 1)
		pages = -EIO;
	fclose(file);
	return pages;
}

static int limit_resources(void)
{
	struct rlimit none = { 0, 0 };
	struct rlimit computing = { COMPUTING, COMPUTING };
	struct rlimit memory;
	long pages = read_pages();

	if (pages < 0)
		return (int)pages;
	memory.rlim_max = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + MEMORY);
	memory.rlim_cur = memory.rlim_max;
	if (setrlimit(RLIMIT_AS, &memory) || setrlimit(RLIMIT_CPU, &computing) ||
	    setrlimit(RLIMIT_CORE, &none) || setrlimit(RLIMIT_NOFILE, &none))
		return -errno;
	signal(SIGALRM, SIG_DFL);
	alarm(TIME);
	return 0;
}

static int drop_rights(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct nothing[2] = { 0 };
	struct sock_fprog fprog = {
		.len = sizeof(program) / sizeof(program[0]),
		.filter = (struct sock_filter *)program,
	};

	if (syscall(SYS_capset, &head, nothing) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_DUMPABLE, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog))
		return -errno;
	return 0;
}

static int work(void *arg)
{
	struct work *work = arg;
	int ret = fd_close_range(0, ~0u, 0);

	if (!ret)
		ret = limit_resources();
	if (!ret)
		ret = drop_rights();
	if (!ret)
		ret = work->parser(work->bytes, work->size, work->arg, work->result);
	/* _exit() with sanitizers does more than the filter allows. */
	syscall(SYS_exit_group, -ret);
	return ret;
}

static int map_file(int fd, struct work *work)
{
	struct stat file;
	void *bytes;

	if (fstat(fd, &file))
		return -errno;
	if (!S_ISREG(file.st_mode))
		return -EINVAL;
	if (file.st_size > FILE_MAX)
		return -EFBIG;
	work->size = (size_t)file.st_size;
	work->bytes = "";
	if (!work->size)
		return 0;
	bytes = mmap(NULL, work->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	work->bytes = bytes;
	return 0;
}

static int parse(struct work *todo, void *result, size_t size)
{
	int ret;

	todo->result = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (todo->result == MAP_FAILED)
		return -errno;
	ret = process_try(work, todo);
	memcpy(result, todo->result, size);
	munmap(todo->result, size);
	return ret;
}

int sandbox_parse(int fd, sandbox_parser *parser, const void *arg, void *result, size_t size)
{
	struct work todo = { .parser = parser, .arg = arg };
	int ret = map_file(fd, &todo);

	if (ret)
		return ret;
	ret = parse(&todo, result, size);
	if (todo.size)
		munmap((void *)todo.bytes, todo.size);
	return ret;
}

int sandbox_parse_bytes(const void *bytes, size_t length, sandbox_parser *parser,
			const void *arg, void *result, size_t size)
{
	struct work todo = {
		.parser = parser, .arg = arg, .bytes = bytes, .size = length
	};

	return parse(&todo, result, size);
}
