// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running the host's ldconfig on a container's files: see ldconfig.h. The files are
 * a stranger's, and ldconfig was not written to be safe from them.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "container/rootfs/ldconfig.h"
#include "container/rootfs/ldconfig_filter.h"
#include "lib/caps.h"
#include "lib/fds.h"
#include "lib/process.h"
#include "nvidia/ldcache.h"

#define CAP(name)	((uint64_t)1 << CAP_##name)

/* How long it computes: 16,000 libraries took 10 s (measured). */
#define SECONDS	30

#define SEALS	(F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

#ifndef MFD_EXEC
#define MFD_EXEC	0x0010U		/* Linux 6.3 */
#endif

/* memfd_create(2) refuses flags that it does not know. */
static int make_memory(void)
{
	unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int fd = memfd_create("ldconfig", flags | MFD_EXEC);

	return fd >= 0 || errno != EINVAL ? fd : memfd_create("ldconfig", flags);
}

/*
 * Does it run by itself? A dynamic program would start with the loader of the
 * image, a script (Ubuntu's /sbin/ldconfig) with its shell.
 */
static bool is_static(int fd)
{
	Elf64_Ehdr head;
	Elf64_Phdr part;
	size_t i;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(part))
		return false;
	for (i = 0; i < head.e_phnum; i++) {
		off_t at = (off_t)(head.e_phoff + i * sizeof(part));

		if (pread(fd, &part, sizeof(part), at) != sizeof(part) ||
		    part.p_type == PT_INTERP)
			return false;
	}
	return true;
}

static int copy_program(int from, int to)
{
	struct stat st;
	ssize_t n = 1;
	off_t left;

	if (fstat(from, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || !(st.st_mode & S_IXUSR))
		return -EACCES;
	for (left = st.st_size; left > 0 && n > 0; left -= n)
		n = sendfile(to, from, NULL, (size_t)left);
	if (n < 0 || left > 0)
		return n < 0 ? -errno : -EIO;
	if (fchmod(to, 0555) || fcntl(to, F_ADD_SEALS, SEALS))
		return -errno;
	return is_static(to) ? 0 : -ELIBEXEC;
}

int ldconfig_open(struct ldconfig *ldconfig, const char *path,
		  char why[WHY_SIZE])
{
	int from, ret;

	ldconfig->program = -1;
	ldconfig->seconds = ldconfig->seconds ?: SECONDS;
	if (path[0] != '@')
		return why_fail(why, -EPERM,
				"ldconfig %s is a program of the image, which is not run: write @%s in config.toml, for the host's",
				path, path);
	from = open(path + 1, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return why_fail(why, -errno, "%s: %s", path + 1, strerror(errno));
	ldconfig->program = make_memory();
	ret = ldconfig->program < 0 ? -errno : copy_program(from, ldconfig->program);
	close(from);
	if (!ret)
		return 0;
	ldconfig_close(ldconfig);
	if (ret == -ELIBEXEC)
		return why_fail(why, ret,
				"%s is no static program, so that the image's loader or shell would run: name one that is, mostly /sbin/ldconfig.real or /sbin/ldconfig",
				path + 1);
	return why_fail(why, ret, "to copy %s: %s", path + 1, strerror(-ret));
}

/*
 * The container's root becomes this process's. The whole container stays in sight,
 * for the driver's files are mounted there.
 */
static int change_root(const struct ldconfig *ldconfig)
{
	const char *root = ldconfig->root;

	if (mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL) ||
	    mount(root, root, NULL, MS_BIND | MS_REC, NULL) || chdir(root) ||
	    mount(NULL, ".", NULL, MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV, NULL))
		return -errno;
	if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH))
		return -errno;
	return chdir("/") ? -errno : 0;
}

/* In the image's own place for them, wherever its links lead in the new root. */
static int cover_kernel(void)
{
	static const char *const folders[] = { "/proc", "/sys", "/dev" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (mount("none", folders[i], "tmpfs", MS_RDONLY | MS_NOSUID |
			  MS_NODEV | MS_NOEXEC, "size=4k") && errno != ENOENT &&
		    errno != ENOTDIR)
			return -errno;
	return 0;
}

static int limit_resources(void)
{
	static const struct {
		int what;
		rlim_t limit;
	} limits[] = {
		{ RLIMIT_CPU, SECONDS }, { RLIMIT_AS, 2ul << 30 }, { RLIMIT_NOFILE, 64 },
		{ RLIMIT_FSIZE, LDCACHE_SIZE_MAX }, { RLIMIT_CORE, 0 },
	};
	struct rlimit limit;
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		limit.rlim_cur = limit.rlim_max = limits[i].limit;
		if (setrlimit(limits[i].what, &limit))
			return -errno;
	}
	return 0;
}

/* Who the container's root is, and of its rights the one to write its files. */
static int become_owner(const struct target *target)
{
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	    setresgid(target->gid, target->gid, target->gid) ||
	    setresuid(target->uid, target->uid, target->uid) ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL))	/* another user has cleared it */
		return -errno;
	return caps_hand_on(CAP(DAC_OVERRIDE));
}

/*
 * Its descriptors: nothing to read from, our own standard error, the program, and
 * until that runs a pipe on which to say why it does not.
 */
#define PROGRAM	3
#define STATUS	4
#define HIGH	(STATUS + 1)

static int keep_descriptors(int null, int program, int status)
{
	if (dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup3(program, PROGRAM, O_CLOEXEC) < 0 ||
	    dup3(status, STATUS, O_CLOEXEC) < 0)
		return -errno;
	return fd_close_range(HIGH, ~0u, 0);
}

static int execute(void)
{
	static char *const words[] = { "ldconfig", "-f", "/etc/ld.so.conf",
				       "-C", "/etc/ld.so.cache", NULL };
	static char *const none[] = { NULL };

	syscall(SYS_execveat, PROGRAM, "", words, none, AT_EMPTY_PATH);
	return -errno;
}

/* Has nobody an end of the pipe any more? Whoever was to wait for this has died. */
static bool is_orphan(int status)
{
	struct pollfd end = { .fd = status };

	return poll(&end, 1, 0) > 0 && (end.revents & POLLERR);
}

static int confine(const struct ldconfig *ldconfig, const struct target *target)
{
	int ret = change_root(ldconfig);

	if (!ret)
		ret = cover_kernel();
	if (!ret)
		ret = limit_resources();
	if (!ret)
		ret = become_owner(target);
	if (!ret && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = -errno;
	if (!ret && is_orphan(STATUS))
		ret = -ESRCH;
	return ret ?: ldconfig_filter();
}

/*
 * Return: negative errno; not at all if ldconfig runs. @program, @status: HIGH or
 * above; *@status is STATUS where it is that by now.
 */
static int run_child(const struct ldconfig *ldconfig, const struct target *target,
		     int program, int *status)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), ret = 0;

	umask(022);
	null = fcntl(null, F_DUPFD_CLOEXEC, HIGH);
	if (null < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    (target->mounts >= 0 && setns(target->mounts, CLONE_NEWNS)) ||
	    unshare(CLONE_NEWNS))
		ret = -errno;
	if (!ret)
		ret = keep_descriptors(null, program, *status);
	if (ret)
		return ret;
	*status = STATUS;
	ret = confine(ldconfig, target);
	return ret ?: execute();
}

/* The child, in PID and IPC namespaces of its own. Return: its PID, or -1. */
static pid_t start_child(const struct ldconfig *ldconfig,
			 const struct target *target, int program, int status)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWPID | CLONE_NEWIPC | SIGCHLD,
				   0, 0, 0, 0);
	int ret;

	if (pid)
		return pid;
	ret = run_child(ldconfig, target, program, &status);
	_exit(write(status, &ret, sizeof(ret)) == sizeof(ret) ? 126 : 127);
}

int ldconfig_run(const struct ldconfig *ldconfig, const struct target *target,
		 char why[WHY_SIZE])
{
	int pipe_fd[2], program, status, ret, error = 0;
	pid_t pid;

	if (pipe2(pipe_fd, O_CLOEXEC))
		return why_fail(why, -errno, "to start ldconfig: %s", strerror(errno));
	program = fcntl(ldconfig->program, F_DUPFD_CLOEXEC, HIGH);
	status = fcntl(pipe_fd[1], F_DUPFD_CLOEXEC, HIGH);
	close(pipe_fd[1]);
	pid = start_child(ldconfig, target, program, status);
	ret = errno;
	close(program);
	close(status);
	if (pid < 0) {
		close(pipe_fd[0]);
		return why_fail(why, -ret, "to start ldconfig: %s", strerror(ret));
	}
	/* Nothing comes once ldconfig runs, whose descriptors are not this one. */
	if (read(pipe_fd[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(pipe_fd[0]);
	ret = process_wait_for(pid, ldconfig->seconds);
	if (error)
		return why_fail(why, error, "to start ldconfig in the container: %s",
				strerror(-error));
	if (ret == -ETIMEDOUT)
		return why_fail(why, ret, "ldconfig did not end in %d seconds on the image's files, and was stopped: look for a FIFO among /etc/ld.so.conf and the files that it names",
				ldconfig->seconds);
	return ret ? why_fail(why, -EIO, "process ldconfig failed with error code: %d",
			      ret) : 0;
}

void ldconfig_close(struct ldconfig *ldconfig)
{
	if (ldconfig->program >= 0)
		close(ldconfig->program);
	ldconfig->program = -1;
}
