/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a calibration has observed, and what was inferred from it.
 */
#ifndef MPU_NVIDIA_CALIBRATION_H
#define MPU_NVIDIA_CALIBRATION_H

#include "core/regimes.h"
#include "nvidia/driver.h"

/* Step at which the measurement ended. */
enum calibrate_step {
	CALIBRATE_NAMESPACE,	/* no PID namespace could be made */
	CALIBRATE_DRIVER,	/* no client of the driver */
	CALIBRATE_GPU,		/* no GPU that may be used */
	CALIBRATE_LIST,		/* the list of processes was refused */
	CALIBRATE_MEMORY,	/* no memory on the GPU, so no input to test */
	CALIBRATE_DONE,
};

/* Numbers by which the driver may know the probe: sets of these. */
#define AS_TGID		0x1	/* its process's, in its own namespace */
#define AS_TID		0x2	/* its thread's there */
#define AS_GLOBAL	0x4	/* its process's, in the namespace around it */

/**
 * struct observation - what one control showed
 * @answered:	the driver answered it
 * @control:	which one: index in mpu_control_names[]
 * @self:	AS_*: by which numbers the probe was found
 */
struct observation {
	bool answered;
	u8 control;
	u8 found_as;
};

/**
 * struct observations - all that the probe saw: an "insider", alone in a PID namespace,
 * and an "outsider" around it, each with a client and memory of its own
 * @list:	GET_PIDS
 * @others:	numbers in it that are not the insider's
 * @lists_outsider: one of them is the outsider's
 * @input:	GET_PID_INFO, by whose numbers the insider's memory was found
 * @finds_outsider: the outsider's memory was, by its global number
 * @samples:	utilisation samples
 * @pointers:	they have room for a kernel address (pOsPidInfo)
 * @others_with_pointer: samples of others that hold one
 * @others_without_pointer: samples of others that hold none
 * @accounts:	accounting list; answered: accounting is on
 * @accounted:	numbers in it that are not the insider's
 * @accounted_outside: the outsider saw a process in it that is alive
 * @has_symbol:	the kernel has os_is_init_ns(): 1, 0, or -1: not known, or
 *		@samples answered: then it tells nothing new
 */
struct observations {
	struct observation list;
	u32 others;
	bool lists_outsider;
	struct observation input;
	bool finds_outsider;
	struct observation samples;
	bool pointers;
	u32 others_with_pointer;
	u32 others_without_pointer;
	struct observation accounts;
	u32 accounted;
	bool accounted_outside;
	int has_symbol;
};

/**
 * struct control_speech - whose numbers the driver speaks in one control
 * @speech:	enum mpu_speech: what engines go by
 * @measured:	@speech was measured; else it was inferred from the rest
 * @looked_up:	enum mpu_speech of the driver's version; @speech if the version
 *		is not known
 */
struct control_speech {
	u8 speech;
	bool measured;
	u8 looked_up;
};

/**
 * struct calibration - what was measured, and what follows
 * @step:	how far the measurement came
 * @error:	why not further, as nvidia/rm.h returns it
 * @driver:	what the driver says of itself
 * @seen:	what the probe saw
 * @looked_up:	regime of the driver's version; MPU_REGIMES: not known
 * @possible:	regimes (1 << enum mpu_regime) that do what was observed; 0: no
 *		known driver does
 * @tid:	the list of processes holds numbers of threads
 * @control:	for each control, measured or not
 */
struct calibration {
	enum calibrate_step step;
	int error;
	struct driver driver;
	struct observations seen;
	enum mpu_regime looked_up;
	u32 possible;
	bool tid;
	struct control_speech control[MPU_CONTROLS];
};

#define REGIMES_ALL	((1u << MPU_REGIMES) - 1)

#endif /* MPU_NVIDIA_CALIBRATION_H */
