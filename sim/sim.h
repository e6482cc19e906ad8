/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated resource manager (RM): what stands behind /dev/nvidiactl.
 *
 * Freestanding: compiled by Kbuild into nvsim.ko and by user space into tests
 * and a preloaded shim. All state is one struct sim without pointers, so that
 * it can live in vmalloc memory or in a mapping that processes share.
 *
 *	escapes.c	whose an escape is, and those that are not RM's
 *	rmapi.c		RM's escapes: RM_ALLOC, RM_FREE, RM_CONTROL
 *	objects.c	clients and objects
 *	version.c	what a driver version means
 *	procs.c		the process list and what a process holds
 *	samples.c	utilisation samples
 *	accounting.c	accounting list and record
 *	sessions.c	encoder, capture, profiler and error owners
 *	testing.c	controls that exist for tests only (below)
 *	board.c		what else nvidia-smi asks: names, memory, clocks
 *	hosts/		where it lives: in nvsim.ko (kernel/), or in a program (shim.c)
 *	load/		nvsim-load, a GPU process
 *
 * Where behaviour is copied from the driver the function's name in
 * open-gpu-kernel-modules stands beside it.
 */
#ifndef MPU_SIM_SIM_H
#define MPU_SIM_SIM_H

#include "core/env.h"
#include "core/nvrm.h"

/* nvstatuscodes.h, beyond core/nvrm.h */
#define NV_ERR_INSERT_DUPLICATE_NAME		0x19
#define NV_ERR_INSUFFICIENT_RESOURCES		0x1a
#define NV_ERR_INSUFFICIENT_PERMISSIONS		0x1b
#define NV_ERR_INVALID_CLASS			0x22
#define NV_ERR_INVALID_CLIENT			0x23
#define NV_ERR_INVALID_COMMAND			0x24
#define NV_ERR_INVALID_DEVICE			0x26
#define NV_ERR_INVALID_OBJECT			0x31
#define NV_ERR_INVALID_OBJECT_HANDLE		0x33
#define NV_ERR_INVALID_OBJECT_PARENT		0x36
#define NV_ERR_INVALID_PARAM_STRUCT		0x3a
#define NV_ERR_INVALID_POINTER			0x3d
#define NV_ERR_INVALID_STATE			0x40
#define NV_ERR_MISSING_TABLE_ENTRY		0x4a
#define NV_ERR_STATE_IN_USE			0x63

/* Classes (src/common/sdk/nvidia/inc/class/) that the model itself knows. */
#define NV01_ROOT		0x0000
#define NV01_ROOT_CLIENT	0x0041
#define NV01_MEMORY_LOCAL_USER	0x0040
#define NV01_DEVICE_0		0x0080
#define NV20_SUBDEVICE_0	0x2080
#define MPS_COMPUTE		0x900e
#define GF100_PROFILER		0x90cc
#define NVENC_SW_SESSION	0xa0bc
#define NVFBC_SW_SESSION	0xa0bd

#define SIM_GPUS	8
#define SIM_CLIENTS	4096
#define SIM_OBJECTS	24576
#define SIM_RECORDS	4096	/* accounting records, live and dead */
#define SIM_ERRORS	32	/* MAX_RCDB_RCDIAG_WRAP_BUFF */
#define SIM_ENGINES	6	/* fb, gr, nvenc, nvdec, nvjpg, nvofa */
#define SIM_NONE	0xffffffffu

/* Versions compare as numbers: 535.288.01 is SIM_VERSION(535, 288, 1). */
#define SIM_VERSION(a, b, c)	((a) * 100000u + (b) * 100u + (c))

/* No driver: what one looks like that is newer than the table. */
#define SIM_NEWER	SIM_VERSION(900, 0, 0)

enum sim_flavour { SIM_OPEN, SIM_PROPRIETARY };

/*
 * What the open driver does with namespaces; the proprietary one is always
 * R0. R1: the list is local. R2: PID_INFO too. R3: samples and accounting
 * too, each in its own way. R4: a client is its process, not its thread.
 */
enum sim_regime { SIM_R0, SIM_R1, SIM_R2, SIM_R3, SIM_R4 };

/*
 * Who is busy when, in utilisation samples: a column of them names one process
 * at a time. The same in every answer, by age, so that two answers can be
 * compared.
 */
enum sim_pattern {
	SIM_ALTERNATING,	/* busy processes take turns */
	SIM_MIXED,		/* at random, each engine for itself, or idle */
	SIM_BURSTY,		/* nine samples of each in a row, nine idle */
	SIM_IDLE,		/* nobody */
	SIM_PATTERNS,
};

#define SIM_SAMPLE_NS	200000000ull	/* from one sample to the next */

struct sim_config {
	u32 flavour;
	u32 regime;
	u32 version;		/* SIM_VERSION() */
	char version_text[32];	/* "535.274.02" */
	u32 gpus;
	u32 accounting;		/* accounting mode at start, 1: on */
};

/* One RM object. Index 0 of every table is a real entry; SIM_NONE is none. */
struct sim_object {
	u32 handle;
	u32 parent;		/* handle */
	u32 class;
	u32 client;		/* index */
	u32 gpu;		/* index, SIM_NONE above the device */
	u32 next;		/* of the same client, or free */
	u64 bytes;		/* memory it holds on the GPU */
	u32 session;		/* number of an encoder or capture session */
};

/* One RM client (RmClient): whoever allocated a root. */
struct sim_client {
	u32 handle;
	u32 file;		/* struct sim_file.id it was allocated on; 0: free */
	u32 pid;		/* RmClient.ProcID: tgid in the initial namespace */
	u32 objects;		/* first of its list */
	u64 pid_info;		/* RmClient.pOsPidInfo: opaque, 0 if none */
	u32 sub_pid;		/* NV0000_CTRL_CMD_SET_SUB_PROCESS_ID */
	u32 fail;		/* test: status of the next control */
	u32 util[SIM_ENGINES];	/* test: percent, in utilisation samples */
};

/* What a process used of a GPU (gpu_acct.c): outlives it until cleared. */
struct sim_record {
	u32 gpu;
	u32 pid;		/* global; 0: free */
	u32 live;
	u32 util;
	u64 max_bytes;
	u64 start_us, end_us;
};

struct sim_gpu {
	u32 index;		/* minor, and number in the tables here */
	u32 id;			/* gpuId: 0x100, 0x200, ... */
	u64 fb_bytes;
	u64 used_bytes;		/* by all clients */
	u32 accounting;		/* mode, 1: on */
	u32 hwpm_client;	/* index of the client that reserved it */
	u32 pattern;		/* enum sim_pattern */
};

/* An error of a recovered channel, for NVD_GET_RCERR_RPT. */
struct sim_error {
	u32 pid;		/* global tgid of the owner */
	u32 gpu;
	u64 time_us;
};

/**
 * struct sim - the whole state
 *
 * Everything but @config is guarded by os_acquire_rm()/os_release_rm(), which
 * the model takes itself; the functions below are called without it except
 * where stated.
 */
struct sim {
	u32 next_file;
	u32 next_session;
	u32 clients_end;	/* high-water mark of the table */
	u32 objects_free;	/* first of the list */
	u32 objects_end;
	u32 errors;		/* all there ever were: the last SIM_ERRORS are kept */
	struct sim_config config;
	struct sim_error error[SIM_ERRORS];
	struct sim_gpu gpu[SIM_GPUS];
	struct sim_client client[SIM_CLIENTS];
	struct sim_object object[SIM_OBJECTS];
	struct sim_record record[SIM_RECORDS];
};

/* An open descriptor (nv_file_private_t); belongs to the host layer. */
struct sim_file {
	u32 id;
	u32 minor;
};

/* --- For the host layer (nvsim.ko, the shim, unit tests) --- */

/**
 * sim_parse_version() - read "535.274.02"
 * Return: false if it is not two or three decimal numbers.
 */
bool sim_parse_version(struct sim_config *config, const char *text);

/**
 * sim_regime_of() - the regime of a driver version
 *
 * From the ranges in version.c: open drivers by tag, proprietary always R0.
 */
u32 sim_regime_of(u32 flavour, u32 version);

/** sim_init() - @sim must be zeroed; @config complete */
void sim_init(struct sim *sim, const struct sim_config *config);

void sim_open(struct sim *sim, struct sim_file *file, u32 minor);

/** sim_close() - free every client that was allocated on @file */
void sim_close(struct sim *sim, struct sim_file *file);

/**
 * sim_escape() - one ioctl (nvidia_ioctl() after its copy-in)
 * @nr:		_IOC_NR, XFER already unwrapped
 * @data:	the caller's argument block, in the host layer's memory
 * @size:	_IOC_SIZE, or the inner size of an XFER
 *
 * Return: 0 or negative errno. The host layer copies the block back unless
 * it is -EFAULT, as nvidia_ioctl() does.
 */
int sim_escape(struct sim *sim, struct sim_file *file, u32 nr, void *data,
	       u32 size);

/**
 * rm_ioctl() - RM_ALLOC, RM_FREE and RM_CONTROL
 *
 * Shape of the function in the driver's prelinked object, which is global and
 * has no ftrace entry. Pointers inside @data are the caller's.
 */
u32 rm_ioctl(void *sp, struct sim *nv, struct sim_file *nvfp, u32 nr,
	     void *data, u32 size);

/* --- What the host layer must provide (kernel-open/nvidia/os-interface.c) --- */

u32 os_memcpy_from_user(void *to, const void *from, u32 n);
u32 os_memcpy_to_user(void *to, const void *from, u32 n);
u32 os_alloc_mem(void **address, u64 size);
void os_free_mem(void *address);
u32 os_get_current_process(void);	/* global tgid */
bool os_is_administrator(void);
u32 os_get_current_time(u32 *sec, u32 *usec);
u32 os_delay(u32 ms);
void *os_get_pid_info(void);
void os_put_pid_info(void *pid_info);
u32 os_find_ns_pid(void *pid_info, u32 *ns_pid);
bool os_is_init_ns(void);
/* The RM API lock; os_acquire_rm() may sleep. */
void os_acquire_rm(struct sim *sim);
void os_release_rm(struct sim *sim);

/* --- Between the parts of the model; the lock is held --- */

/**
 * struct sim_embedded - a user pointer inside the params of a control
 *
 * As in embedded_param_copy.c: RM allocates @count * @elem bytes, puts their
 * address in the place of the user's during the control, copies in before
 * (unless @out_only) and out after, and restores the user's pointer.
 */
struct sim_embedded {
	u32 cmd;
	u32 size;		/* paramsSize */
	u16 ptr;		/* u64 in the params */
	u16 count;		/* u32 in the params */
	u16 elem;		/* bytes; 1: the count is in bytes */
	u16 out_only;		/* skip the copy-in */
};

/**
 * struct sim_call - one RM_CONTROL under way
 * @object:	index of the target object; SIM_NONE: the client itself
 * @gpu:	the GPU it belongs to, or NULL
 * @params:	kernel copy, @size bytes
 * @table:	kernel copy behind the embedded pointer, or NULL
 * @table_size:	its bytes
 */
struct sim_call {
	struct sim_client *client;
	u32 object;
	struct sim_gpu *gpu;
	u32 cmd;
	u32 size;
	void *params;
	void *table;
	u32 table_size;
};

/*
 * Statuses: RM's. Unknown control: NV_ERR_NOT_SUPPORTED, and the next part
 * is asked; a known one with a wrong size: NV_ERR_INVALID_PARAM_STRUCT.
 */
u32 sim_procs_control(struct sim *sim, struct sim_call *call);
u32 sim_samples_control(struct sim *sim, struct sim_call *call);
u32 sim_accounting_control(struct sim *sim, struct sim_call *call);
u32 sim_sessions_control(struct sim *sim, struct sim_call *call);
u32 sim_testing_control(struct sim *sim, struct sim_call *call);
u32 sim_board_control(struct sim *sim, struct sim_call *call);

/* Pointer controls; NULL: not one. The board is asked last. */
const struct sim_embedded *sim_samples_embedded(struct sim *sim, u32 cmd);
const struct sim_embedded *sim_sessions_embedded(const struct sim *sim,
						 u32 cmd);
const struct sim_embedded *sim_board_embedded(struct sim *sim, u32 cmd);

/**
 * sim_board_class() - may an object of this class be allocated?
 *
 * Asked for classes other than those named above and the classes of
 * sim_board_compute()'s family (channel 0x..6f, compute 0x..c0, 3D 0x..97).
 */
bool sim_board_class(struct sim *sim, u32 class);

/** sim_board_compute() - compute class of the simulated GPU: 0xc3c0, ... */
u32 sim_board_compute(const struct sim *sim);

/** sim_board_fb() - bytes of memory of a simulated GPU */
u64 sim_board_fb(const struct sim *sim);

u64 sim_time_us(void);

/** sim_has_device() - does the client hold a device object of this GPU? */
bool sim_has_device(const struct sim *sim, const struct sim_client *client,
		    u32 gpu);

/** sim_client_bytes() - memory a client holds on a GPU */
u64 sim_client_bytes(const struct sim *sim, const struct sim_client *client,
		     u32 gpu);

/**
 * sim_client_pid() - the client as the caller's namespace knows it
 *
 * From R1 on; global in R0. NV_ERR_OBJECT_NOT_FOUND if it cannot be seen.
 */
u32 sim_client_pid(const struct sim_client *client, u32 *pid);

/* The client got a channel; memory; the process lost a device. */
void sim_account_start(struct sim *sim, struct sim_client *client, u32 gpu);
void sim_account_memory(struct sim *sim, struct sim_client *client, u32 gpu);
void sim_account_stop(struct sim *sim, u32 pid, u32 gpu);

static inline bool sim_at_least(const struct sim *sim, u32 version)
{
	return sim->config.version >= version;
}

static inline void sim_fill(void *buf, u8 byte, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		((u8 *)buf)[i] = byte;
}

/*
 * --- Controls that exist for tests, on any object of the client ---
 *
 * Everything else happens as with a real driver: encoder and capture sessions
 * are objects of NVENC_SW_SESSION and NVFBC_SW_SESSION below the subdevice,
 * the profiler is reserved by 0x90cc0101 on a GF100_PROFILER, and a process
 * that had a channel while accounting was on leaves a record behind.
 *
 * SLEEP	u32 ms: sleeps in the driver, the RM lock not held
 * ECHO		any size: every byte of the params comes back inverted, so a
 *		PID rewritten on the way in or out shows
 * FAIL		u32 status: the next control of this client is carried out and
 *		then fails with it (params are not copied out); SIM_FAIL_OOPS
 *		is no status: the driver oopses, and takes the caller along
 * UTIL		u32[6] percent: this client shows in utilisation samples
 * PATTERN	u32 enum sim_pattern: when they do, on this GPU (on an object of it)
 * RCERR	no params: the calling process has had a channel error
 */
#define SIM_CTRL_SLEEP		0x5ca10001
#define SIM_CTRL_ECHO		0x5ca10002
#define SIM_CTRL_FAIL		0x5ca10003
#define SIM_CTRL_UTIL		0x5ca10004
#define SIM_CTRL_RCERR		0x5ca10005
#define SIM_CTRL_PATTERN	0x5ca10006

#define SIM_FAIL_OOPS		0x0a0a0a0a

#endif /* MPU_SIM_SIM_H */
