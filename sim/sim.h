/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated resource manager (RM): what stands behind /dev/nvidiactl.
 *
 * Freestanding: compiled by Kbuild into nvsim.ko and by user space into tests
 * and a preloaded shim. All state is one struct sim without pointers, so that
 * it can live in vmalloc memory or in a mapping that processes share. This is
 * that state, what the OS layer around it calls, and what that provides. Highest first:
 *
 *	hosts/		the OS layers: nvsim.ko (kernel/), or the library shim.c
 *	escapes.c	whose an escape is, and those that are not RM's
 *	rmapi.c		RM's escapes: RM_ALLOC, RM_FREE, RM_CONTROL; open and close
 *	procs.c		controls: the process list and what a process holds
 *	samples.c	utilisation samples
 *	accounting.c	accounting list and record
 *	sessions.c	encoder, capture, profiler and error owners
 *	page.c		the page that is shared with all clients of a GPU
 *	testing.c	controls that exist for tests only
 *	board.c		what else nvidia-smi asks: names, memory, clocks
 *	objects.c	clients and objects
 *	gpu.c		the GPUs: which board, how much memory
 *	version.c	what a driver version means
 *
 * load/ is nvsim-load, a GPU process: a program that knows the RM client only.
 *
 * Where behaviour is copied from the driver the function's name in
 * open-gpu-kernel-modules stands beside it.
 */
#ifndef MPU_SIM_SIM_H
#define MPU_SIM_SIM_H

#include "core/env.h"
#include "core/nvrm.h"
#include "core/regimes.h"
#include "sim/interface.h"

#define SIM_GPUS	8
#define SIM_CLIENTS	4096
#define SIM_OBJECTS	24576
#define SIM_RECORDS	4096	/* accounting records, live and dead */
#define SIM_ERRORS	32	/* MAX_RCDB_RCDIAG_WRAP_BUFF */
#define SIM_NONE	0xffffffffu

/* From here on a version is one of no driver: see interface.h. */
#define SIM_NEWER	MPU_DRIVER(900, 0, 0)
#define SIM_NEWER_MOVED	MPU_DRIVER(901, 0, 0)

enum sim_flavour { SIM_OPEN, SIM_PROPRIETARY };

/* NV_REG_STR_RM_DEBUG_RUSD_POLLING_*: what the shared page is filled with. */
enum sim_polling { SIM_POLL_ASKED, SIM_POLL_NOTHING, SIM_POLL_ALL };

struct sim_config {
	u32 flavour;
	u32 version;		/* MPU_DRIVER() */
	char version_text[32];	/* "535.274.02" */
	u32 gpus;
	u32 accounting;		/* accounting mode at start, 1: on */
	u32 polling;		/* RMDebugRusdPolling: enum sim_polling */
	u32 arm64;		/* 1: RM does as it is compiled for arm64 */
};

/* One RM object. Index 0 of every array is a real entry; SIM_NONE is none. */
struct sim_object {
	u32 handle;
	u32 parent;		/* handle */
	u32 class;
	u32 client;		/* index */
	u32 gpu;		/* index, SIM_NONE above the device */
	u32 next;		/* of the same client, or free */
	u64 bytes;		/* memory it holds on the GPU */
	u32 session;		/* number of an encoder or capture session */
	u64 polled;		/* what its client wants in the shared page */
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

/* Figures of a process on a GPU (gpu_acct.c): a record outlives it until cleared. */
struct sim_record {
	u32 gpu;
	u32 pid;		/* global; 0: free */
	u32 live;
	u32 util;
	u64 max_bytes;
	u64 start_us, end_us;
};

struct sim_gpu {
	u32 index;		/* minor, and index in struct sim */
	u32 id;			/* gpuId: 0x100, 0x200, ... */
	u64 fb_bytes;
	u64 used_bytes;		/* by all clients */
	u32 accounting;		/* mode, 1: on */
	u32 hwpm_client;	/* index of the client that reserved it */
	u32 pattern;		/* enum sim_pattern */
	u64 polled;		/* what is in the shared page whoever wants it */
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
 * rmapi.c and escapes.c take: the OS layer calls without it.
 */
struct sim {
	u32 next_file;
	u32 next_session;
	u32 clients_end;	/* high-water mark of @client */
	u32 objects_free;	/* first of the list */
	u32 objects_end;
	u32 copies;		/* enum sim_copy */
	u32 errors;		/* all there ever were: the last SIM_ERRORS are kept */
	enum mpu_regime regime;	/* of the flavour and version in @config */
	struct sim_config config;
	struct sim_error error[SIM_ERRORS];
	struct sim_gpu gpu[SIM_GPUS];
	struct sim_client client[SIM_CLIENTS];
	struct sim_object object[SIM_OBJECTS];
	struct sim_record record[SIM_RECORDS];
};

/* An open descriptor (nv_file_private_t); belongs to the OS layer. */
struct sim_file {
	u32 id;
	u32 minor;
	u32 page;		/* what mmap() gives: 1 + index of a GPU, 0: nothing */
};

/* --- For the OS layer (nvsim.ko, the shim, unit tests) --- */

/**
 * sim_parse_version() - read "535.274.02"
 * Return: false if it is not two or three decimal numbers.
 */
bool sim_parse_version(struct sim_config *config, const char *text);

/** sim_init() - @sim must be zeroed; @config complete */
void sim_init(struct sim *sim, const struct sim_config *config);

void sim_open(struct sim *sim, struct sim_file *file, u32 minor);

/** sim_close() - free every client that was allocated on @file */
void sim_close(struct sim *sim, struct sim_file *file);

/**
 * sim_escape() - one ioctl (nvidia_ioctl() after its copy-in)
 * @nr:		_IOC_NR, XFER already unwrapped
 * @data:	the caller's argument block, in the OS layer's memory
 * @size:	_IOC_SIZE, or the inner size of an XFER
 *
 * Return: 0 or negative errno. The OS layer copies the block back unless
 * it is -EFAULT, as nvidia_ioctl() does.
 */
int sim_escape(struct sim *sim, struct sim_file *file, u32 nr, void *data, u32 size);

/**
 * sim_page_write() - put into the shared page of a GPU what its clients want there
 *
 * Firmware does so every 100 ms; here it is done when somebody asks for more, or maps it.
 */
void sim_page_write(struct sim *sim, const struct sim_gpu *gpu);

/**
 * rm_ioctl() - RM_ALLOC, RM_FREE, RM_CONTROL and RM_MAP_MEMORY
 *
 * Shape of the function in the driver's prelinked object, which is global and
 * has no ftrace entry. Pointers inside @data are the caller's.
 */
u32 rm_ioctl(void *sp, struct sim *nv, struct sim_file *nvfp, u32 nr, void *data, u32 size);

/* --- What the OS layer must provide (kernel-open/nvidia/os-interface.c) --- */

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
void *os_page(u32 gpu);			/* MPU_PAGE_SIZE bytes that mmap() gives */
/* Sets sim_file.page of a caller's descriptor; false: it is no file of ours. */
bool os_give_page(int fd, u32 page);
/* The RM API lock; os_acquire_rm() may sleep. */
void os_acquire_rm(struct sim *sim);
void os_release_rm(struct sim *sim);

static inline u64 sim_time_us(void)
{
	u32 sec = 0, usec = 0;

	os_get_current_time(&sec, &usec);
	return (u64)sec * 1000000 + usec;
}

static inline bool sim_at_least(const struct sim *sim, u32 version)
{
	return sim->config.version >= version;
}

#endif /* MPU_SIM_SIM_H */
