/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calibration: whose numbers the driver speaks. A process in a PID namespace of
 * its own uses a GPU and looks for itself, and for one outside; what that does
 * not tell follows from what it does, and from the driver's version.
 */
#ifndef MPU_NVIDIA_CALIBRATE_H
#define MPU_NVIDIA_CALIBRATE_H

#include <sys/types.h>

#include "core/regimes.h"
#include "nvidia/identity.h"

/* Step at which the measurement ended. */
enum calibrate_step {
	CALIBRATE_NAMESPACE,	/* no PID namespace could be made */
	CALIBRATE_DRIVER,	/* no client of the driver */
	CALIBRATE_GPU,		/* no GPU that may be used */
	CALIBRATE_LIST,		/* the list of processes was refused */
	CALIBRATE_MEMORY,	/* no memory on the GPU, so no input to test */
	CALIBRATE_DONE,
};

/* Numbers by which the driver may know the probe. */
#define AS_TGID		0x1	/* its process's, in its own namespace */
#define AS_TID		0x2	/* its thread's there */
#define AS_GLOBAL	0x4	/* its process's, in the namespace around it */

/**
 * struct sight - what one control showed
 * @answered:	the driver answered it
 * @control:	which one: index in mpu_control_names[]
 * @self:	AS_*: by which numbers the probe was found
 */
struct sight {
	bool answered;
	u8 control;
	u8 self;
};

/**
 * struct observed - what the probe saw: an "insider", alone in a PID namespace,
 * and an "outsider" around it, each with a client and memory of its own
 * @list:	GET_PIDS
 * @others:	numbers in it that are not the insider's
 * @lists_outsider: one of them is the outsider's
 * @input:	GET_PID_INFO, by whose numbers the insider's memory was found
 * @finds_outsider: the outsider's memory was, by its global number
 * @samples:	utilisation samples
 * @pointers:	they have room for a kernel address (pOsPidInfo)
 * @left:	samples of others that hold one
 * @strangers:	samples of others that hold none
 * @accounts:	accounting list; answered: accounting is on
 * @accounted:	numbers in it that are not the insider's
 * @accounted_outside: the outsider saw a process in it that is alive
 * @has_symbol:	the kernel has os_is_init_ns(): 1, 0, or -1: not known, or
 *		@samples answered: then it tells nothing new
 */
struct observed {
	struct sight list;
	u32 others;
	bool lists_outsider;
	struct sight input;
	bool finds_outsider;
	struct sight samples;
	bool pointers;
	u32 left;
	u32 strangers;
	struct sight accounts;
	u32 accounted;
	bool accounted_outside;
	int has_symbol;
};

/**
 * struct verdict_on - one control
 * @speech:	enum mpu_speech: go by this
 * @measured:	it was measured; else it follows from the rest
 * @looked_up:	what the driver's version would have it; as @speech if there
 *		is no telling
 */
struct verdict_on {
	u8 speech;
	bool measured;
	u8 looked_up;
};

/**
 * struct calibration - what was measured, and what follows
 * @step:	how far it came
 * @error:	why not further, as nvidia/rm.h returns it
 * @driver:	who the driver says it is
 * @seen:	what the probe saw
 * @looked_up:	enum mpu_regime by the driver's version; MPU_REGIMES: not known
 * @possible:	regimes (1 << enum mpu_regime) that do what was observed; 0: no
 *		known driver does
 * @tid:	the list holds numbers of threads
 * @control:	by control, whatever was measured
 */
struct calibration {
	enum calibrate_step step;
	int error;
	struct identity driver;
	struct observed seen;
	enum mpu_regime looked_up;
	u32 possible;
	bool tid;
	struct verdict_on control[MPU_CONTROLS];
};

/* How long a measurement may take, in seconds, and what is cleared up then. */
#define CALIBRATE_PATIENCE	60

#define REGIMES_ALL	((1u << MPU_REGIMES) - 1)

/**
 * calibrate() - make the measurement; takes 2 x 2 MiB of a GPU for a moment
 * @dev:	folder of the device nodes
 * @begin:	called before the process in the new namespace issues its first
 *		ioctl, with its tgid in our namespace; or NULL
 * @arg:	for @begin
 *
 * Two processes are made, and are gone on return. It takes a minute at most,
 * if the driver hangs.
 *
 * Return: 0, or negative errno if the processes could not be run or died.
 */
int calibrate(struct calibration *calibration, const char *dev,
	      void (*begin)(pid_t tgid, void *arg), void *arg);

/**
 * judge() - put together what was observed and what is known
 * @calibration: @driver and @seen are set; @looked_up and below follow
 *
 * No system call is made here.
 */
void judge(struct calibration *calibration);

/** judge_version() - the regime of a driver; MPU_REGIMES if it is not known */
enum mpu_regime judge_version(const struct identity *driver);

/**
 * judge_container() - does a container see its own processes, by its own
 * numbers, and no others?
 *
 * Of a measurement through an engine. Return: 1 yes, 0 no, -1 there was nothing
 * to see.
 */
int judge_container(const struct calibration *calibration);

/** judge_disagrees() - does the driver do what its version does not? */
bool judge_disagrees(const struct calibration *calibration);

#endif /* MPU_NVIDIA_CALIBRATE_H */
