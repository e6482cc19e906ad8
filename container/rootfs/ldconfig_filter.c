// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which system calls ldconfig may make: see ldconfig_filter.h.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "container/rootfs/ldconfig_filter.h"
#include "lib/seccomp.h"

#define ALLOW(name)	IF(SYS_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)

/*
 * What static programs of glibc and musl take to start, to read and write files,
 * and to end. (Seen with strace(1): glibc 2.36; older ones take the older calls of
 * the same kind.) A number of x32 is none of these.
 */
static const struct sock_filter program[] = {
	LOAD(arch),
	IF(ARCH, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(nr),
	ALLOW(brk), ALLOW(mmap), ALLOW(mprotect), ALLOW(mremap), ALLOW(munmap),
	ALLOW(madvise), ALLOW(futex), ALLOW(getrandom), ALLOW(uname),
	ALLOW(execve), ALLOW(execveat), ALLOW(exit), ALLOW(exit_group),
	ALLOW(set_tid_address), ALLOW(set_robust_list), ALLOW(prlimit64),
	ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn),
	ALLOW(getpid), ALLOW(gettid), ALLOW(tgkill), ALLOW(getuid), ALLOW(geteuid),
	ALLOW(getgid), ALLOW(getegid), ALLOW(clock_gettime), ALLOW(gettimeofday),
	ALLOW(openat), ALLOW(close), ALLOW(read), ALLOW(readv), ALLOW(pread64),
	ALLOW(write), ALLOW(writev), ALLOW(lseek), ALLOW(fcntl), ALLOW(ioctl),
	ALLOW(fstat), ALLOW(statx), ALLOW(faccessat), ALLOW(getdents64),
	ALLOW(getcwd), ALLOW(chdir), ALLOW(fsync), ALLOW(fdatasync),
	ALLOW(ftruncate), ALLOW(readlinkat), ALLOW(renameat), ALLOW(unlinkat),
	ALLOW(symlinkat), ALLOW(mkdirat), ALLOW(fchmod), ALLOW(fchmodat),
	ALLOW(newfstatat),
#ifdef SYS_rseq
	ALLOW(rseq),
#endif
#ifdef SYS_renameat2
	ALLOW(renameat2),
#endif
#ifdef SYS_faccessat2
	ALLOW(faccessat2),
#endif
#ifdef __x86_64__
	ALLOW(arch_prctl), ALLOW(open), ALLOW(stat), ALLOW(lstat), ALLOW(access),
	ALLOW(getdents), ALLOW(readlink), ALLOW(rename), ALLOW(unlink),
	ALLOW(symlink), ALLOW(mkdir), ALLOW(chmod), ALLOW(time),
#endif
	RETURN(SECCOMP_RET_ERRNO | EPERM),
};

int ldconfig_filter(void)
{
	struct sock_fprog fprog = {
		.len = sizeof(program) / sizeof(program[0]),
		.filter = (struct sock_filter *)program,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog) ? -errno : 0;
}
