// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command where something is missing that engine notify needs.
 *
 *	forbid memory CMD...	process_vm_readv() fails with EPERM
 *	forbid mounts CMD...	mount() does
 *	forbid listener CMD...	there is a seccomp listener already, of nobody's
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/notify/filter.h"

static int forbid_call(unsigned int number)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog fprog = { 4, program };

	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &fprog);
}

/* It is one for as long as somebody has it open. */
static int take_listener(void)
{
	int fd = filter_install();

	return fd < 0 ? fd : fcntl(fd, F_SETFD, 0);
}

int main(int argc, char **argv)
{
	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 99;
	if (!strcmp(argv[1], "listener") ? take_listener() :
	    forbid_call(strcmp(argv[1], "memory") ? SYS_mount : SYS_process_vm_readv)) {
		perror("forbid");
		return 99;
	}
	execvp(argv[2], argv + 2);
	return 99;
}
