// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what the driver answers from here, without NVML in between:
 *
 *	gpu-ask		prints "gpu GPU" for each GPU, and of it "process GPU PID
 *			BYTES", "sample GPU PID", "pointer GPU VALUE" for each
 *			sample that carries a kernel address, "account GPU PID";
 *			each once, itself left out
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nvidia/internal.h"

static void print_processes(struct rm *rm, u32 number, struct rm_gpu *gpu)
{
	static u32 pid[RM_PIDS];
	struct rm_process process;
	u32 i, n = 0;

	if (rm_list_pids(rm, gpu, RM_CLASS_SUBDEVICE, pid, &n))
		return;
	for (i = 0; i < n; i++) {
		if (pid[i] == (u32)getpid())
			continue;
		memset(&process, 0, sizeof(process));
		process.pid = pid[i];
		if (rm_read_memory(rm, gpu, &process, 1))
			continue;
		printf("process %u %u %llu\n", number, pid[i], (unsigned long long)process.bytes);
	}
}

static void print_samples(struct rm *rm, u32 number, struct rm_gpu *gpu)
{
	static struct rm_sample sample[RM_SAMPLES];
	u32 i, j, n = 0;

	if (rm_list_samples(rm, gpu, RM_SAMPLES_ALL, sample, &n))
		return;
	for (i = 0; i < n; i++) {
		for (j = 0; j < i && sample[j].pid != sample[i].pid; j++)
			;
		if (j == i)
			printf("sample %u %u\n", number, sample[i].pid);
		for (j = 0; j < i && sample[j].pointer != sample[i].pointer; j++)
			;
		if (j == i && sample[i].pointer)
			printf("pointer %u %llx\n", number, (unsigned long long)sample[i].pointer);
	}
}

static void print_accounts(struct rm *rm, u32 number, struct rm_gpu *gpu)
{
	static u32 pid[RM_PIDS];
	u32 i, n = 0;

	if (rm_list_accounted(rm, gpu, pid, &n))
		return;
	for (i = 0; i < n; i++)
		printf("account %u %u\n", number, pid[i]);
}

int main(void)
{
	static struct rm_gpu gpu[RM_GPUS];
	struct rm rm;
	u32 i, n;

	if (rm_open(&rm, "/dev", NULL) || rm_list_gpus(&rm, gpu, &n) || !n) {
		fprintf(stderr, "gpu-ask: no GPU here\n");
		return 1;
	}
	for (i = 0; i < n; i++) {
		if (rm_attach(&rm, &gpu[i])) {
			fprintf(stderr, "gpu-ask: GPU %u is not for us\n", i);
			return 1;
		}
		printf("gpu %u\n", i);
		print_processes(&rm, i, &gpu[i]);
		print_samples(&rm, i, &gpu[i]);
		print_accounts(&rm, i, &gpu[i]);
		rm_detach(&rm, &gpu[i]);
	}
	rm_close(&rm);
	return 0;
}
