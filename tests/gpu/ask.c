// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the driver answers from here, without NVML in between:
 *
 *	gpu-ask		prints "process PID BYTES", "sample PID", "pointer VALUE"
 *			for each sample that carries a kernel address, "account
 *			PID"; each once, itself left out
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/rm.h"

static void print_processes(struct rm *rm, struct rm_gpu *gpu)
{
	static u32 pid[RM_PIDS];
	struct rm_process process;
	u32 i, n = 0;

	if (rm_pids(rm, gpu, RM_CLASS_SUBDEVICE, pid, &n))
		return;
	for (i = 0; i < n; i++) {
		if (pid[i] == (u32)getpid())
			continue;
		memset(&process, 0, sizeof(process));
		process.pid = pid[i];
		if (rm_process_info(rm, gpu, &process, 1))
			continue;
		printf("process %u %llu\n", pid[i],
		       (unsigned long long)process.bytes);
	}
}

static void print_samples(struct rm *rm, struct rm_gpu *gpu)
{
	static struct rm_sample sample[RM_SAMPLES];
	u32 i, j, n = 0;

	if (rm_samples(rm, gpu, sample, &n))
		return;
	for (i = 0; i < n; i++) {
		for (j = 0; j < i && sample[j].pid != sample[i].pid; j++)
			;
		if (j == i)
			printf("sample %u\n", sample[i].pid);
		for (j = 0; j < i && sample[j].pointer != sample[i].pointer; j++)
			;
		if (j == i && sample[i].pointer)
			printf("pointer %llx\n",
			       (unsigned long long)sample[i].pointer);
	}
}

static void print_accounts(struct rm *rm, struct rm_gpu *gpu)
{
	static u32 pid[RM_PIDS];
	u32 i, n = 0;

	if (rm_accounting_pids(rm, gpu, pid, &n))
		return;
	for (i = 0; i < n; i++)
		printf("account %u\n", pid[i]);
}

int main(void)
{
	static struct rm_gpu gpu[RM_GPUS];
	struct rm rm;
	u32 n;

	if (rm_open(&rm, "/dev", NULL) || rm_gpus(&rm, gpu, &n) || !n ||
	    rm_attach(&rm, &gpu[0])) {
		fprintf(stderr, "gpu-ask: no GPU here\n");
		return 1;
	}
	print_processes(&rm, &gpu[0]);
	print_samples(&rm, &gpu[0]);
	print_accounts(&rm, &gpu[0]);
	rm_detach(&rm, &gpu[0]);
	rm_close(&rm);
	return 0;
}
