/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface of the simulated driver for programs, beside what the rest of this tree
 * asks of drivers (core/nvrm.h).
 */
#ifndef MPU_SIM_INTERFACE_H
#define MPU_SIM_INTERFACE_H

/* Classes (src/common/sdk/nvidia/inc/class/) that tests allocate objects of. */
#define NV01_ROOT_CLIENT	0x0041
#define MPS_COMPUTE		0x900e
#define GF100_PROFILER		0x90cc
#define NVENC_SW_SESSION	0xa0bc
#define NVFBC_SW_SESSION	0xa0bd

/* The page of RM_USER_SHARED_DATA from 590 on (cl00de.h): its samples of utilisation. */
#define SIM_PAGE_SAMPLES	2624
#define SIM_PAGE_SAMPLE		104	/* a time stamp, then one of these per engine */
#define SIM_PAGE_ENGINE		16
#define SIM_PAGE_PID		8	/* in it */
#define SIM_PAGE_COUNT		5
#define SIM_POLL_PROC_UTIL	0x80ull	/* what fills them: NV00DE_RUSD_POLL_PROC_UTIL */

#define SIM_EVENT_PARAMS	20	/* NV2080_CTRL_EVENT_SET_NOTIFICATION_PARAMS */
#define SIM_LIMITS_PARAMS	24	/* NV0000_CTRL_OS_UNIX_MEMACCT_SET_LIMITS_PARAMS */

#define SIM_ENGINES	6	/* fb, gr, nvenc, nvdec, nvjpg, nvofa */

/*
 * Patterns of work in utilisation samples: a column of them names one process at a
 * time. The same in every answer, by age, so that two answers can be compared.
 */
enum sim_pattern {
	SIM_ALTERNATING,	/* busy processes take turns */
	SIM_MIXED,		/* at random, each engine for itself, or idle */
	SIM_BURSTY,		/* nine samples of each in a row, nine idle */
	SIM_IDLE,		/* nobody */
	SIM_PATTERNS,
};

#define SIM_SAMPLE_NS	200000000ull	/* from one sample to the next */

/*
 * Controls that exist for tests, on any object of the client:
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
 * COPY		u32 enum sim_copy: how params are copied from now on, by whomever
 */
enum sim_copy {
	SIM_COPY_WHOLE,		/* as every driver does */
	SIM_COPY_PART,		/* not the last word of the answer */
	SIM_COPY_TAIL,		/* not its first three words */
	SIM_COPY_PIECES,	/* the answer in two pieces */
	SIM_COPY_TWICE,		/* the question twice */
	SIM_COPIES,
};

#define SIM_CTRL_SLEEP		0x5ca10001
#define SIM_CTRL_ECHO		0x5ca10002
#define SIM_CTRL_FAIL		0x5ca10003
#define SIM_CTRL_UTIL		0x5ca10004
#define SIM_CTRL_RCERR		0x5ca10005
#define SIM_CTRL_PATTERN	0x5ca10006
#define SIM_CTRL_COPY		0x5ca10007

#define SIM_FAIL_OOPS		0x0a0a0a0a

/*
 * Versions of no driver, newer than abi/controls.tsv. Versions of 900 have each control
 * of the table in params that are longer by so many bytes, which say nothing; those of
 * 901 have each under its number with one bit changed.
 */
#define SIM_LONGER		4
#define SIM_MOVED		0x40

#endif /* MPU_SIM_INTERFACE_H */
