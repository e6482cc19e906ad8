/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The use of this machine's GPUs, by process: shown by `mpu ps`, `mpu top` and `mpu
 * metrics`. The driver is asked by RM, without libnvidia-ml.
 */
#ifndef MPU_HOST_GPU_USAGE_H
#define MPU_HOST_GPU_USAGE_H

#include <stddef.h>

#include "host/owner.h"
#include "lib/why.h"
#include "nvidia/processes.h"

/**
 * struct usage_gpu - a GPU
 * @gpu:	its number, address, name and UUID; detached
 * @error:	why it has no processes here, as nvidia/rm.h returns it; else 0
 * @has_memory: the driver said how much it has
 * @memory_total, @memory_used: bytes, as nvidia-smi has them; what the driver takes for
 *		clients (contexts) is used, what it keeps from its start on is not
 * @has_utilisation: the driver keeps samples
 * @utilisation: by enum rm_engine, hundredths of a percent, of all its processes
 * @state:	how it is, where that was asked for
 */
struct usage_gpu {
	struct rm_gpu gpu;
	int error;
	bool has_memory;
	uint64_t memory_total, memory_used;
	bool has_utilisation;
	uint32_t utilisation[RM_ENGINES];
	struct gpu_state state;
};

/**
 * struct usage_process - a process on one GPU; on two GPUs it is there twice
 * @gpu:	index of the GPU
 * @gpu_instance, @compute_instance: of MIG, RM_NO_INSTANCE if none
 * @use, @has_memory, @memory, @utilisation: as in struct gpu_process
 * @process:	who it is
 */
struct usage_process {
	size_t gpu;
	uint32_t gpu_instance, compute_instance;
	unsigned int use;
	bool has_memory;
	uint64_t memory;
	uint32_t utilisation[RM_ENGINES];
	const struct host_process *process;
};

/**
 * struct usage - all of it, at one time
 * @time_us:	since 1970
 * @host:	name of the machine; "": not known
 * @driver:	its version; "": not known
 * @gpus:	in PCI order, as nvidia-smi numbers them
 * @processes:	by GPU, then by PID
 */
struct usage {
	uint64_t time_us;
	char host[256];
	char driver[64];
	struct usage_gpu gpus[RM_GPUS];
	size_t n_gpus;
	struct usage_process *processes;
	size_t n_processes;
};

/**
 * usage_open_driver() - open the driver of this machine
 *
 * Return: as rm_open(), and a sentence in @why.
 */
int usage_open_driver(struct rm *rm, char why[WHY_SIZE]);

/** usage_read_driver() - its version, "" if it does not say */
void usage_read_driver(struct rm *rm, char *version, size_t size);

/** usage_read_processes() - as processes_read(), and a sentence in @why */
int usage_read_processes(struct rm *rm, struct process_list *list, unsigned int seconds,
			 u32 branch, char why[WHY_SIZE]);

/*
 * State kept from one reading to the next. The driver is not held between two: it can
 * be unloaded, and another be loaded, while somebody watches.
 */
struct usage_reader;

/**
 * usage_open() - begin
 * @reader:	receives it; usage_close() is due only after success
 * @seconds:	of utilisation: RM_SAMPLES_NEW for people, RM_SAMPLES_ALL for programs that ask
 *		less often
 * @details:	of processes, as of host_reader_open()
 * @states:	of GPUs; a reading then takes as long as gpu_state_wait() says
 *
 * Return: 0, or -ENOMEM and a sentence in @why.
 */
int usage_open(struct usage_reader **reader, unsigned int seconds, bool details, bool states,
	       char why[WHY_SIZE]);

/**
 * usage_read() - ask who uses the GPUs now
 * @usage:	receives it: lives until the next usage_read() or usage_close()
 *
 * Return: 0, or as rm_open() or rm_list_gpus() and a sentence in @why.
 */
int usage_read(struct usage_reader *reader, const struct usage **usage,
	       char why[WHY_SIZE]);

void usage_close(struct usage_reader *reader);

/* The objects of sums. */
enum usage_by { USAGE_BY_GPU, USAGE_BY_CONTAINER, USAGE_BY_POD, USAGE_BY_USER,
		USAGE_BY_KINDS };

/* "gpu", "container", "pod", "user". */
extern const char *const usage_by_names[USAGE_BY_KINDS];

/**
 * struct usage_sum - what one GPU, container, pod or user takes, of one GPU or of all
 * @example:	a process of it: its owner and its user say what it is; one that has ended
 *		only if all have; NULL: a GPU that nobody uses
 * @gpu:	index of the GPU; USAGE_ALL_GPUS: of all of them together
 * @processes:	how many; one on two GPUs counts once in a sum of all
 * @memory:	bytes
 * @utilisation: by enum rm_engine, hundredths of a percent of one GPU; a sum of all
 *		GPUs may be above 10000
 */
struct usage_sum {
	const struct usage_process *example;
	size_t gpu;
	size_t processes;
	uint64_t memory;
	uint64_t utilisation[RM_ENGINES];
};

#define USAGE_ALL_GPUS	((size_t)-1)

/**
 * usage_sum() - add processes up
 * @each_gpu:	a sum for each GPU that it uses; else one of all GPUs
 * @sums:	receives them, the caller's to free; the largest memory first, with
 *		USAGE_BY_GPU by GPU
 *
 * By container or pod, processes that are in none are summed by job or unit and user.
 *
 * Return: 0 or -ENOMEM.
 */
int usage_sum(const struct usage *usage, enum usage_by by, bool each_gpu,
	      struct usage_sum **sums, size_t *n);

/** usage_is_alike() - are two processes of one GPU in the same sums, whatever these are by? */
bool usage_is_alike(const struct usage_process *a, const struct usage_process *b);

/**
 * usage_find_id() - a number of the sum that a process belongs to
 * @gpu:	of the sum: an index, or USAGE_ALL_GPUS
 * @process:	may be NULL with USAGE_BY_GPU
 *
 * Return: the same at each reading; never 0.
 */
uint64_t usage_find_id(enum usage_by by, size_t gpu,
		       const struct usage_process *process);

/**
 * struct usage_filter - which processes are meant
 * @gpu:	index, address or UUID; NULL: any, as are all below
 * @container:	name, or the beginning of an id of 4 digits or more
 * @pod:	name, or NAMESPACE/NAME
 * @namespace:	of Kubernetes
 * @user:	name or number
 * @pid:	on the host; 0: any
 */
struct usage_filter {
	const char *gpu, *container, *pod, *namespace, *user;
	pid_t pid;
};

/** usage_is_gpu() - is this the GPU that is named so? */
bool usage_is_gpu(const struct usage *usage, size_t gpu, const char *wanted);

/** usage_matches() - is it one of them? */
bool usage_matches(const struct usage *usage, const struct usage_process *process,
		   const struct usage_filter *filter);

#endif /* MPU_HOST_GPU_USAGE_H */
