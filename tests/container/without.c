// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program as on a kernel that does not have a system call yet: ENOSYS.
 *
 *	without close_range|mount_setattr|openat2 COMMAND...
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned int find_call(const char *name)
{
	return !strcmp(name, "openat2") ? SYS_openat2 :
	       !strcmp(name, "close_range") ? SYS_close_range : SYS_mount_setattr;
}

int main(int argc, char **argv)
{
	unsigned int call = argc > 2 ? find_call(argv[1]) : 0;
	const struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		sizeof(filter) / sizeof(*filter), (struct sock_filter *)filter,
	};

	if (argc < 3 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("without");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 2;
}
