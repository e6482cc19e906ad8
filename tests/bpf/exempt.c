// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has the programs of engine bpf leave a process alone for some seconds, as a
 * daemon does that measures, and that may be killed meanwhile:
 *
 *	exempt PID SECONDS
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engines/bpf/programs/state.h"

int main(int argc, char **argv)
{
	struct bpf_state *state;
	union bpf_attr attr;
	struct timespec now;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: exempt PID SECONDS\n");
		return 2;
	}
	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uintptr_t)"/sys/fs/bpf/mpu/state";
	fd = (int)syscall(SYS_bpf, BPF_OBJ_GET, &attr, sizeof(attr));
	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (state == MAP_FAILED) {
		perror("exempt");
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	state->exempt_until = (u64)(now.tv_sec + atoi(argv[2])) * 1000000000u;
	state->exempt_pid = (u32)atoi(argv[1]);
	return 0;
}
