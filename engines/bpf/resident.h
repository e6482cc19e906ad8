/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The resident process: loads the programs, tells them whose numbers the driver
 * speaks, and follows the driver when it goes and comes.
 */
#ifndef MPU_BPF_RESIDENT_H
#define MPU_BPF_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>

#include "engines/bpf/programs/state.h"
#include "lib/why.h"

/**
 * resident_run() - run as the resident process until SIGTERM, then clean up
 * @pass_unknown: see struct bpf_state
 * @dev:	folder of the device nodes
 * @ready:	called once calls are translated
 *
 * Return: 0 or negative errno with a sentence in @why.
 */
int resident_run(bool pass_unknown, const char *dev, void (*ready)(void *arg),
		 void *arg, char why[WHY_SIZE]);

#endif /* MPU_BPF_RESIDENT_H */
