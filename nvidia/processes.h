/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that use the GPUs, as the driver shows them to this process.
 */
#ifndef MPU_NVIDIA_PROCESSES_H
#define MPU_NVIDIA_PROCESSES_H

#include "nvidia/state.h"

/* Uses of a GPU by a process: a set of these. */
enum gpu_use { GPU_COMPUTE = 1, GPU_GRAPHICS = 2, GPU_MPS = 4 };

/**
 * struct gpu_process - one process on one GPU
 * @pid:	as the driver names it to this process: its global PID on the host;
 *		in a container its local PID where an engine translates
 * @use:	set of enum gpu_use, never empty
 * @has_memory:	the driver said how much; else @memory is 0
 * @memory:	bytes of the GPU, private and shared
 * @gpu_instance, @compute_instance: of MIG, RM_NO_INSTANCE if none
 * @utilisation: by enum rm_engine, hundredths of a percent, on average over the
 *		seconds of which the driver keeps samples
 */
struct gpu_process {
	u32 pid;
	unsigned int use;
	bool has_memory;
	u64 memory;
	u32 gpu_instance, compute_instance;
	u32 utilisation[RM_ENGINES];
};

/**
 * struct gpu_processes - one GPU, and who uses it
 * @gpu:	the GPU; detached
 * @attached:	its name and its UUID could be asked for
 * @error:	why @process is empty, as nvidia/rm.h returns it; else 0
 * @has_memory:	figures were asked for, and the driver said how much it has
 * @memory_total, @memory_used: as rm_read_total()
 * @has_utilisation: figures were asked for, and the driver keeps samples
 * @utilisation: of all processes that the samples name, those that have ended since
 *		included
 * @state:	how it is, as far as it was asked for
 * @count:	of @process, at most RM_PIDS
 * @process:	by PID; processes_free() frees it
 */
struct gpu_processes {
	struct rm_gpu gpu;
	bool attached;
	int error;
	bool has_memory;
	u64 memory_total, memory_used;
	bool has_utilisation;
	u32 utilisation[RM_ENGINES];
	struct gpu_state state;
	u32 count;
	struct gpu_process *process;
};

/**
 * struct process_list - all GPUs that this process may open, in PCI order
 * @count:	of @gpu
 */
struct process_list {
	u32 count;
	struct gpu_processes gpu[RM_GPUS];
};

/**
 * processes_read() - ask the driver who uses the GPUs
 * @list:	uninitialised; processes_free() is due only after success
 * @seconds:	of utilisation, and ask for the memory of the GPU, too; 0: do not
 * @branch:	of the driver: ask how the GPUs are, too, which takes as long as
 *		gpu_state_wait() says; 0: do not
 *
 * A GPU that this process was not given (RM lists all, a container may open some)
 * is left out; one that refuses its list has an error.
 *
 * Return: 0, or as rm_list_gpus(): the GPUs could not be listed.
 */
int processes_read(struct rm *rm, struct process_list *list, unsigned int seconds, u32 branch);

/** processes_free() - free what processes_read() has made */
void processes_free(struct process_list *list);

#endif /* MPU_NVIDIA_PROCESSES_H */
