// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints how many BPF programs and maps the kernel holds: "PROGRAMS MAPS".
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned int count(int next)
{
	union bpf_attr attr;
	unsigned int n = 0;

	memset(&attr, 0, sizeof(attr));
	while (!syscall(SYS_bpf, next, &attr, sizeof(attr))) {
		attr.start_id = attr.next_id;
		n++;
	}
	return n;
}

int main(void)
{
	printf("%u %u\n", count(BPF_PROG_GET_NEXT_ID), count(BPF_MAP_GET_NEXT_ID));
	return 0;
}
