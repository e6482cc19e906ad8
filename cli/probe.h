/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver makes of PID namespaces, measured: a child in a PID
 * namespace of its own uses a GPU and looks for itself.
 */
#ifndef MPU_CLI_PROBE_H
#define MPU_CLI_PROBE_H

#include <stdbool.h>

#include "core/env.h"

/* Step at which it ended. */
enum probe_step {
	PROBE_NAMESPACE,	/* no PID namespace could be made */
	PROBE_DRIVER,		/* no client of the driver */
	PROBE_GPU,		/* no GPU that may be used */
	PROBE_LIST,		/* the list of processes was refused */
	PROBE_MEMORY,		/* no memory on the GPU, so no input to test */
	PROBE_DONE,
};

/**
 * struct probe - what the child found
 * @step:	how far it came
 * @error:	why not further, as lib/rm.h returns it
 * @inner:	the child's PID in its own namespace
 * @outer:	its PID in ours
 * @lists_inner: the list of processes on the GPU had @inner
 * @lists_outer: it had @outer
 * @others:	entries that are neither, though the child is alone in its
 *		namespace
 * @finds_inner: asked about @inner, the driver told the child's memory
 * @finds_outer: asked about @outer, it did
 */
struct probe {
	enum probe_step step;
	int error;
	u32 inner;
	u32 outer;
	bool lists_inner;
	bool lists_outer;
	u32 others;
	bool finds_inner;
	bool finds_outer;
};

/**
 * probe_run() - make the measurement; takes 2 MiB of one GPU for a moment
 * @dev:	folder of the device nodes
 *
 * Return: 0, or negative errno if the child could not be run or died.
 */
int probe_run(struct probe *probe, const char *dev);

#endif /* MPU_CLI_PROBE_H */
