/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small client of NVIDIA's resource manager (RM): the ioctl interface of
 * /dev/nvidiactl without libnvidia-ml, for drivers 390 to 595.
 *
 * Everything here returns 0, a negative errno (the ioctl or the system
 * failed), or a positive RM status (RM was asked and said no). No driver
 * version is looked at: where a layout differs by version the client tries the
 * known ones, and RM refuses all but its own (resControlLookup_IMPL compares
 * paramsSize exactly).
 */
#ifndef MPU_NVIDIA_RM_H
#define MPU_NVIDIA_RM_H

#include <stddef.h>

#include "core/env.h"

/* NV0000_CTRL_GPU_MAX_PROBED_GPUS, and slots of NV_ESC_CARD_INFO. */
#define RM_GPUS		32
#define RM_PIDS		4000	/* longest list of any control: accounting */
#define RM_CLASSES	256
#define RM_SAMPLES	600	/* 100 samples of 6 engines at most */

/*
 * Seconds of samples. The driver keeps those of the last 14, one each 200 ms (H200, 580).
 * All of them together are late: of two processes that are as busy, the one that had begun
 * 3 seconds before had 13 % of the GPU, and the other 81 %.
 */
#define RM_SAMPLES_NEW	3
#define RM_SAMPLES_ALL	60

/* Two "classes" that rm_list_pids() takes and that are no class of channels. */
#define RM_CLASS_SUBDEVICE	0x2080	/* every process that uses the GPU */
#define RM_CLASS_MPS		0x900e	/* clients of the MPS server */

/* Engines of a utilisation sample, in RM's order. */
enum rm_engine {
	RM_ENGINE_MEMORY, RM_ENGINE_SM, RM_ENGINE_ENCODER, RM_ENGINE_DECODER,
	RM_ENGINE_JPEG, RM_ENGINE_OFA, RM_ENGINES,
};

/* Names for users: "memory", "sm" ... */
extern const char *const rm_engine_names[RM_ENGINES];

/* The GPU instance and compute instance of a process on no MIG device. */
#define RM_NO_INSTANCE	0xffffffffu

struct mpu_row;

/**
 * struct rm_ops - how the client reaches the driver
 *
 * Signatures and errno as in the C library. Tests put their own here.
 */
struct rm_ops {
	int (*open)(const char *path, int flags);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	int (*close)(int fd);
};

/**
 * struct rm - one RM client; the fields are the library's own
 */
struct rm {
	const struct rm_ops *ops;
	char dev[128];
	int fd;
	u32 client;
	u32 handles;
	const struct mpu_row *answered;
};

/**
 * struct rm_gpu - one GPU as RM lists it
 * @id:		gpuId
 * @minor:	of its device node, -1 if the driver did not say
 * @domain:	PCI address, as are @bus and @slot
 * @fd:		node held open while attached, else -1
 * @device:	handle of its device object, 0 until rm_attach()
 * @subdevice:	handle of its subdevice object
 * @name:	product name, "" until rm_attach()
 * @uuid:	"GPU-...", "" until rm_attach() or if it has none
 */
struct rm_gpu {
	u32 id;
	int minor;
	u32 domain;
	u8 bus;
	u8 slot;
	int fd;
	u32 device;
	u32 subdevice;
	char name[65];
	char uuid[65];
};

/**
 * struct rm_process - one question and answer of rm_read_memory()
 * @pid:	in: whom to ask about; out: the number that came back
 * @status:	RM status of this entry
 * @bytes:	GPU memory, private and shared owned, as nvidia-smi adds it up
 * @compute_instance: MIG, RM_NO_INSTANCE if none
 * @gpu_instance: MIG, RM_NO_INSTANCE if none
 */
struct rm_process {
	u32 pid;
	u32 status;
	u64 bytes;
	u32 compute_instance;
	u32 gpu_instance;
};

/**
 * struct rm_sample - one process on one engine at one time
 * @time_ns:	when, since 1970
 * @engine:	enum rm_engine
 * @pid:	0xffffffff: nobody
 * @util:	in hundredths of a percent
 * @pointer:	pOsPidInfo (570 and later), else 0
 */
struct rm_sample {
	u64 time_ns;
	u32 engine;
	u32 pid;
	u32 util;
	u64 pointer;
};

/**
 * struct rm_account - accounting record of one process
 */
struct rm_account {
	u32 pid;
	u32 gpu_percent;
	u32 memory_percent;
	u64 max_bytes;
	u64 start_us;
	u64 end_us;
};

/**
 * rm_open() - open the control node and allocate a client
 * @rm:		uninitialised; rm_close() is due only after success
 * @dev:	folder of the device nodes, "/dev"
 * @ops:	NULL: the C library's
 *
 * Never creates a node and never loads a driver. -ENOENT, -ENXIO or -ENODEV:
 * there is none.
 */
int rm_open(struct rm *rm, const char *dev, const struct rm_ops *ops);

/**
 * rm_error_text() - what a return value of this library means
 * @text:	room for the answer
 *
 * Return: @text.
 */
const char *rm_error_text(int ret, char *text, size_t size);

/** rm_close() - free the client and everything under it */
void rm_close(struct rm *rm);

/**
 * rm_read_version() - the driver's version, "580.159.04"
 *
 * Drivers before 530 answer only to a mismatch, which they log
 * (RmPerformVersionCheck): prefer /sys/module/nvidia/version where readable.
 */
int rm_read_version(struct rm *rm, char *version, size_t size);

/**
 * rm_control() - NV_ESC_RM_CONTROL
 * @object:	handle; 0 stands for the client itself
 * @params:	@size bytes, in and out
 */
int rm_control(struct rm *rm, u32 object, u32 cmd, void *params, u32 size);

/**
 * rm_alloc() - NV_ESC_RM_ALLOC below the client
 * @parent:	handle; 0 stands for the client itself
 * @params:	the class's allocation parameters, or NULL; RM knows their size
 * @object:	receives the new handle
 */
int rm_alloc(struct rm *rm, u32 parent, u32 class, void *params, u32 *object);

/** rm_open_node() - open a device node: a descriptor of the caller's, or negative errno */
int rm_open_node(struct rm *rm, const char *name);

/** rm_free() - NV_ESC_RM_FREE, what hangs below @object included */
int rm_free(struct rm *rm, u32 parent, u32 object);

/**
 * rm_list_gpus() - list the GPUs, in PCI order
 * @gpu:	room for RM_GPUS
 * @count:	receives how many
 */
int rm_list_gpus(struct rm *rm, struct rm_gpu *gpu, u32 *count);

#define RM_ADDRESS	24	/* room for a PCI address */

/** rm_format_address() - "0000:17:00.0" */
void rm_format_address(char *text, size_t size, const struct rm_gpu *gpu);

/**
 * rm_attach() - open a GPU: its node, device and subdevice objects, its name
 *
 * -ENOENT, -EPERM, -EACCES: this container or user was not given the node.
 */
int rm_attach(struct rm *rm, struct rm_gpu *gpu);

/** rm_detach() - undo rm_attach(); does nothing to a GPU not attached */
void rm_detach(struct rm *rm, struct rm_gpu *gpu);

#define RM_UUID		41	/* room for "MIG-", a UUID and its end */

/**
 * struct rm_mig - a MIG device: a compute instance of a GPU instance
 * @gpu_instance, @compute_instance: as procfs numbers them, too
 * @gpu_cap, @compute_cap: descriptors of their nodes in /dev/nvidia-caps: who
 *		has these may use it
 */
struct rm_mig {
	u32 gpu_instance, compute_instance;
	int gpu_cap, compute_cap;
};

/** rm_read_mig_uuid() - "MIG-...", of a MIG device of @gpu, which is attached */
int rm_read_mig_uuid(struct rm *rm, const struct rm_gpu *gpu,
		     const struct rm_mig *mig, char uuid[RM_UUID]);

/**
 * rm_allocate_memory() - take GPU memory, as a CUDA process would
 * @memory:	receives the handle, its parent is @gpu->device
 */
int rm_allocate_memory(struct rm *rm, const struct rm_gpu *gpu, u64 bytes,
		       u32 *memory);

/**
 * rm_list_classes() - object classes the GPU supports
 * @class:	room for RM_CLASSES
 * @count:	receives how many
 */
int rm_list_classes(struct rm *rm, const struct rm_gpu *gpu, u32 *class,
		    u32 *count);

/**
 * rm_read_total() - how much memory the GPU has, and how much of it is taken
 * @total:	bytes
 * @used:	bytes, as nvidia-smi has it since 510: without what the driver keeps for
 *		itself from its start on
 */
int rm_read_total(struct rm *rm, const struct rm_gpu *gpu, u64 *total, u64 *used);

/* Is a class from rm_list_classes() one of compute, or one of 3D? */
bool rm_class_is_compute(u32 class);
bool rm_class_is_graphics(u32 class);

/**
 * rm_list_pids() - GET_PIDS: processes that own an object of a class
 * @class:	a compute or graphics class, or RM_CLASS_*
 * @pid:	room for RM_PIDS
 * @count:	receives how many
 */
int rm_list_pids(struct rm *rm, const struct rm_gpu *gpu, u32 class, u32 *pid,
		 u32 *count);

/**
 * rm_read_memory() - GET_PID_INFO: memory of @count processes
 *
 * Asks in as many calls as the driver's table needs (200 a call).
 */
int rm_read_memory(struct rm *rm, const struct rm_gpu *gpu,
		   struct rm_process *process, u32 count);

/**
 * rm_list_samples() - utilisation samples, what `nvidia-smi pmon` shows
 * @seconds:	before the newest: older ones are left out
 * @sample:	room for RM_SAMPLES
 * @count:	receives how many; entries of nobody are left out
 */
int rm_list_samples(struct rm *rm, const struct rm_gpu *gpu, unsigned int seconds,
		    struct rm_sample *sample, u32 *count);

/**
 * rm_answered_row() - which control the driver answered, in which layout
 *
 * Return: the row of the last question about PIDs that succeeded, NULL before.
 * rm_read_account(), which has one layout in all drivers, does not count.
 */
const struct mpu_row *rm_answered_row(const struct rm *rm);

/** rm_accounting_is_on() - is accounting on? */
int rm_accounting_is_on(struct rm *rm, const struct rm_gpu *gpu, bool *on);

/**
 * rm_list_accounted() - processes that have an accounting record
 * @pid:	room for RM_PIDS
 */
int rm_list_accounted(struct rm *rm, const struct rm_gpu *gpu, u32 *pid,
		      u32 *count);

/**
 * rm_read_account() - the record of @account->pid
 * @account:	@pid in, everything else out; @pid as it came back
 */
int rm_read_account(struct rm *rm, const struct rm_gpu *gpu,
		    struct rm_account *account);

/**
 * rm_probe_layouts() - ask controls of the table in their newest layouts
 * @taken:	set of those (1 << control) whose layout the driver has
 * @changed:	set of those which it has in another
 *
 * In neither are those that the driver does not have, or not for this GPU.
 */
void rm_probe_layouts(struct rm *rm, const struct rm_gpu *gpu, u32 *taken,
		      u32 *changed);

#endif /* MPU_NVIDIA_RM_H */
