/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that use the GPUs of this machine, and how much of them: the driver is asked
 * by RM; users, containers and pods are read from /proc and from the files that container
 * engines and the kubelet leave on the host. No daemon is asked, nothing is written.
 */
#ifndef MPU_HOST_HOST_H
#define MPU_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/proc.h"
#include "lib/recent.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

enum owner_kind {
	OWNER_NONE,		/* a plain process: a login, a shell */
	OWNER_UNIT,		/* a service of systemd */
	OWNER_SLURM,		/* a job of Slurm */
	OWNER_CONTAINER,	/* of a runtime alone: runc, crun */
	OWNER_DOCKER,
	OWNER_CONTAINERD,
	OWNER_CRIO,
	OWNER_PODMAN,
	OWNER_KINDS,
};

/* "plain", "unit", "slurm", "container", "docker" ... */
extern const char *const owner_kind_names[OWNER_KINDS];

#define OWNER_DIGITS	64	/* hex digits of a container's id */
#define OWNER_ID	(OWNER_DIGITS + 1)
#define OWNER_NAME	254	/* a name of Kubernetes, and of docker */
#define OWNER_FULL	(3 * OWNER_NAME)	/* room for "NAMESPACE/POD/CONTAINER" */

/**
 * struct owner - one container, job or service; many processes may have the same one
 *
 * For containers in containers it is the outermost: what is in it has chosen all else.
 *
 * @kind:	OWNER_NONE: all else is "" but @uid
 * @uid:	the user in whose slice it is, or whose job; else -1.
 * @id:		of the container; of a runtime alone, the name that it was given
 * @container, @pod: their names, "" if none is known
 * @pod_uid:	with dashes
 * @unit:	of systemd: "sshd.service"
 * @job, @step:	of Slurm: "42" or a SLUID, and "0", "batch", "extern"; of a unit below which each
 *		job has its group, the name of that
 */
struct owner {
	enum owner_kind kind;
	uid_t uid;
	char id[OWNER_ID];
	char container[OWNER_NAME];
	char pod[OWNER_NAME];
	char namespace[OWNER_NAME];
	char pod_uid[37];
	char unit[OWNER_NAME];
	char job[64];
	char step[16];
};

/**
 * owner_is_users() - is it kept by a user other than root, as a rootless container? Then
 * that user has chosen its kind and its id.
 */
static inline bool owner_is_users(const struct owner *owner)
{
	return owner->uid && owner->uid != (uid_t)-1;
}

/**
 * owner_find_names() - find the names of containers whose kind and id are set
 *
 * A rootless container gets none: its user's home is neither read as root nor waited for.
 */
void owner_find_names(struct owner *owners, size_t n);

/** owner_name_pod() - "NAMESPACE/POD"; of an unnamed pod its UID; "" without one */
void owner_name_pod(char name[OWNER_FULL], const struct owner *owner);

/**
 * owner_name() - the one name by which every command shows a container, and takes it:
 * "NAMESPACE/POD/CONTAINER", or its name alone; its id's first 12 digits, if it has none here;
 * "" outside of containers
 */
void owner_name(char name[OWNER_FULL], const struct owner *owner);

/**
 * struct host_process - a process; @command is a detail
 * @pid:	as this process sees it: on the host, the global PID
 * @own_pid:	as its own PID namespace numbers it; 0: not known, as where /proc hides it
 * @uid:	the user of its slice, or its job; else its effective one
 * @user:	the name of @uid in this machine's /etc/passwd; the number, if it has none
 * @start, @started_us: in ticks since the machine started, which tell processes of one @pid
 *		apart, and since 1970; 0: not known
 * @command:	cut at the end; its comm, if it has no command line, and what of it has
 *		ended; "" of one that is hidden
 * @owner:	lives as long as this process's entry
 * @has_ended:	a detail: it is a zombie, whose memory stays while another process holds its
 *		descriptors
 * @is_gone:	it has ended, though the driver still names it (another process may
 *		hold its descriptors): only @pid is known
 */
struct host_process {
	pid_t pid;
	pid_t own_pid;
	uid_t uid;
	char user[33];
	uint64_t start, started_us;
	char name[16];
	char command[128];
	const struct owner *owner;
	bool has_ended, is_gone;
};

/* State kept from one reading to the next. */
struct host_reader;

/** host_reader_open() - @details: read them, too: a sixth of the work */
struct host_reader *host_reader_open(bool details);

/**
 * host_reader_read() - who are the processes with these numbers now?
 * @processes:	receives as many; they are valid until the next host_reader_sweep()
 *
 * Known facts of a process are not read again while it lives; what is not known of its
 * container is looked for again less and less often, after 16 sweeps at the latest. A process
 * that took the number of another is told apart; one that /proc hides (hidepid) has its
 * numbers alone.
 */
void host_reader_read(struct host_reader *reader, const pid_t *pids, size_t n,
		      const struct host_process **processes);

/** host_reader_sweep() - forget the processes not asked for since the last one */
void host_reader_sweep(struct host_reader *reader);

void host_reader_close(struct host_reader *reader);

/**
 * struct host_use - what changes of a process while it lives
 * @is_there:	all below is known
 * @has_cpu:	@cpu is known, as from the second reading on
 * @cpu:	hundredths of a percent of one processor
 * @stat:	as /proc has it; another process with its PID has another start
 */
struct host_use {
	struct recent_thing thing;
	bool is_there, has_cpu;
	uint64_t cpu, read_us;
	struct proc_stat stat;
};

/** host_uses_begin() - a reading begins: those that the last one had no need of are forgotten */
void host_uses_begin(struct recent *uses);

/** host_uses_get() - read a process, unless it was in this reading; valid until the next call */
const struct host_use *host_uses_get(struct recent *uses, pid_t pid);

/**
 * struct usage_process - a process on one GPU; on two GPUs it is there twice
 * @gpu_instance, @compute_instance: of MIG, RM_NO_INSTANCE if none
 * @use, @has_memory, @memory, @utilisation: as in struct gpu_process
 * @has_idle:	@idle_ms is known: for so long it has used no engine of that GPU
 */
struct usage_process {
	size_t gpu;
	uint32_t gpu_instance, compute_instance;
	unsigned int use;
	bool has_memory;
	uint64_t memory;
	uint32_t utilisation[RM_ENGINES];
	bool has_idle;
	uint64_t idle_ms;
	const struct host_process *process;
};

/**
 * struct usage - all of it, at one time
 * @time_us:	since 1970
 * @at_ms, @before_ms: this reading and the one before, also of a mpu metrics before this one, by
 *		clock_ms(); 0: there was none
 * @host, @driver: name of the machine, version of the driver; "": not known
 * @gpus:	in PCI order, as nvidia-smi numbers them; their processes are @processes
 * @processes:	by GPU, then by PID
 * @uses:	struct host_use of those that are asked for: host_uses_get()
 */
struct usage {
	uint64_t time_us, at_ms, before_ms;
	char host[256];
	char driver[64];
	struct gpu_processes gpus[RM_GPUS];
	size_t n_gpus;
	struct usage_process *processes;
	size_t n_processes;
	struct recent *uses;
};

/*
 * State kept from one reading to the next. The driver is not held between two: it can
 * be unloaded, and another be loaded, while somebody watches.
 */
struct usage_reader;

/**
 * usage_open() - begin
 * @seconds:	of utilisation: RM_SAMPLES_NEW for people, RM_SAMPLES_ALL for programs that ask
 *		less often, or the time between two readings, for sums over them
 * @details:	of processes, as of host_reader_open()
 * @states:	of GPUs; a reading then takes as long as gpu_state_wait() says
 */
struct usage_reader *usage_open(unsigned int seconds, bool details, bool states);

/**
 * usage_ask() - begin to ask the driver, unless it is being asked
 *
 * A child does it: a driver that hangs may keep it for ever, and who asked goes on.
 *
 * Return: a descriptor, readable when usage_read() would not wait; or negative errno.
 */
int usage_ask(struct usage_reader *reader);

/** usage_keep() - have the children keep a descriptor open */
void usage_keep(struct usage_reader *reader, int fd);

/** usage_keep_idle() - keep since when processes are idle, for others too where a service runs */
void usage_keep_idle(struct usage_reader *reader);

/* For a command that ends with the answer: GPUs that nobody holds take seconds each to wake. */
#define USAGE_PATIENCE_MS	60000

/**
 * usage_read() - ask who uses the GPUs now; @usage lives until the next usage_read()
 * @patience_ms: how long to wait, negative: for ever
 *
 * Return: 0, or as rm_open() or rm_list_gpus() and a sentence in @why; -ETIMEDOUT: the driver
 * has not answered so far, and goes on being asked.
 */
int usage_read(struct usage_reader *reader, int patience_ms, const struct usage **usage,
	       char why[WHY_SIZE]);

/** usage_read_raw() - likewise, what the driver has said alone, and its version or "" */
int usage_read_raw(struct usage_reader *reader, int patience_ms, struct process_list **list,
		   char version[DRIVER_VERSION], char why[WHY_SIZE]);

/** usage_close() - end; a child that hangs is killed, and not waited for */
void usage_close(struct usage_reader *reader);

enum usage_by { USAGE_BY_GPU, USAGE_BY_CONTAINER, USAGE_BY_POD, USAGE_BY_USER,
		USAGE_BY_KINDS };

extern const char *const usage_by_names[USAGE_BY_KINDS];

/**
 * struct usage_sum - what one GPU, container, pod or user takes, of one GPU or of all
 * @example:	a process of it: its owner and its user say what it is; one that has ended
 *		only if all have; NULL: a GPU that nobody uses
 * @gpu:	index of the GPU; USAGE_ALL_GPUS: of all of them together
 * @processes:	one on two GPUs counts once in a sum of all
 * @no_memory:	of none of them the driver said how much
 * @utilisation: by enum rm_engine, hundredths of a percent of one GPU; a sum of all
 *		GPUs may be above 10000
 * @has_idle, @idle_ms: of the process that is so for the shortest time; of all it is known
 */
struct usage_sum {
	const struct usage_process *example;
	size_t gpu;
	size_t processes;
	uint64_t memory;
	bool no_memory;
	uint64_t utilisation[RM_ENGINES];
	bool has_idle;
	uint64_t idle_ms;
};

#define USAGE_ALL_GPUS	((size_t)-1)

/**
 * usage_sum() - add processes up
 * @each_gpu:	a sum for each GPU that it uses; else one of all GPUs
 *
 * By container or pod, processes that are in none are summed by job or unit and user.
 *
 * Return: @n of them, the caller's to free; the largest memory first, with USAGE_BY_GPU by GPU.
 */
struct usage_sum *usage_sum(const struct usage *usage, enum usage_by by, bool each_gpu, size_t *n);

/* Are two processes of one GPU in the same sums, whatever these are by? */
bool usage_is_alike(const struct usage_process *a, const struct usage_process *b);

/**
 * usage_find_id() - a number of the sum that a process belongs to, the same at each reading
 * and never 0; @process: may be NULL with USAGE_BY_GPU
 */
uint64_t usage_find_id(enum usage_by by, size_t gpu, const struct usage_process *process);

/**
 * struct usage_filter - which processes are meant
 * @gpu:	index, address or UUID; NULL: any, as are all below
 * @container:	as owner_name(), or what is behind a "/" of that; or the beginning of an id of 4
 *		digits or more
 * @pod:	name, or NAMESPACE/NAME
 * @user:	name or number
 * @idle_ms:	for so long at least
 */
struct usage_filter {
	const char *gpu, *container, *pod, *namespace, *user;
	pid_t pid;	/* on the host; 0: any */
	uint64_t idle_ms;
};

/** usage_lacks_gpu() - the first of a list by commas that is no GPU here; NULL: there is none */
const char *usage_lacks_gpu(const struct usage *usage, const char *wanted);

/** usage_is_gpu() - is it one of a list: by index, address or UUID? */
bool usage_is_gpu(const struct usage *usage, size_t gpu, const char *wanted);

enum usage_silence { SILENT_NONE, SILENT_SOME, SILENT_ALL };

/** usage_silence() - which of a list of GPUs (NULL: all) did not say who uses them? */
enum usage_silence usage_silence(const struct usage *usage, const char *wanted);

bool usage_matches(const struct usage *usage, const struct usage_process *process,
		   const struct usage_filter *filter);

#endif /* MPU_HOST_HOST_H */
