/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observations of a calibration, and what was inferred from them.
 */
#ifndef MPU_NVIDIA_CALIBRATION_H
#define MPU_NVIDIA_CALIBRATION_H

#include "core/regimes.h"
#include "nvidia/driver.h"

/* The step at which a measurement ended. */
enum calibrate_step {
	CALIBRATE_NAMESPACE,	/* no PID namespace could be made */
	CALIBRATE_DRIVER,	/* no client of the driver */
	CALIBRATE_GPU,		/* no GPU that may be used */
	CALIBRATE_LIST,		/* the list of processes was refused */
	CALIBRATE_MEMORY,	/* no memory on the GPU, so no input to test */
	CALIBRATE_DONE,
};

/* Numbers by which the driver may know the insider: sets of these. */
#define AS_TGID		0x1	/* number of its process, in its own namespace */
#define AS_TID		0x2	/* number of its thread, in its own namespace */
#define AS_GLOBAL	0x4	/* number of its process, in the namespace around it */

/**
 * struct observation - what one control showed
 * @answered:	the driver answered it
 * @control:	which control: index in mpu_control_names[]
 * @found_as:	set of AS_*: by which numbers the insider was found
 */
struct observation {
	bool answered;
	u8 control;
	u8 found_as;
};

/**
 * struct observations - all that was seen, by two processes that each have a client
 * and memory of their own: an *insider*, alone in a PID namespace, and an *outsider*
 * in the namespace around it
 * @list:	GET_PIDS
 * @others:	numbers in that list that are not the insider's
 * @lists_outsider: one of these is the outsider's
 * @input:	GET_PID_INFO, by whose numbers the insider's memory was found
 * @finds_outsider: the outsider's memory was found by its global number
 * @samples:	utilisation samples
 * @pointers:	samples have room for a kernel address (pOsPidInfo)
 * @others_with_pointer: samples of others that hold such an address
 * @others_without_pointer: samples of others that hold none
 * @accounts:	accounting list; answered: accounting is on
 * @accounted:	numbers in the accounting list that are not the insider's
 * @accounted_outside: the outsider saw a process in that list that is alive
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
 * struct control_pid_space - whose PIDs the driver uses in one control
 * @pid_space:	enum mpu_pid_space: what engines go by
 * @measured:	@pid_space was measured; else it was inferred from the rest
 * @looked_up:	enum mpu_pid_space of the driver's version; @pid_space if the version
 *		is not known
 */
struct control_pid_space {
	u8 pid_space;
	bool measured;
	u8 looked_up;
};

/**
 * struct calibration - what was measured, and what follows
 * @step:	how far the measurement came
 * @error:	why not further, as nvidia/rm.h returns it
 * @driver:	what the driver says of itself
 * @seen:	what insider and outsider saw
 * @taken:	controls (1 << index) that the outsider asked in the newest layout of
 *		the table, and whose layout that is
 * @changed:	those that have another
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
	u32 taken;
	u32 changed;
	enum mpu_regime looked_up;
	u32 possible;
	bool tid;
	struct control_pid_space control[MPU_CONTROLS];
};

#define REGIMES_ALL	((1u << MPU_REGIMES) - 1)

#endif /* MPU_NVIDIA_CALIBRATION_H */
