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

/* Beside those of enum bpf_hook: probes if this host has them, else tracepoints. */
#define HOOK_AUTO	BPF_HOOKS

/**
 * resident_run() - run as the resident process until SIGTERM, then clean up
 * @hook:	enum bpf_hook, or HOOK_AUTO
 * @pass_unknown: see struct bpf_state
 * @dev:	folder of the device nodes
 * @ready:	called once calls are translated
 *
 * Return: 0 or negative errno with a sentence in @why.
 */
int resident_run(unsigned int hook, bool pass_unknown, const char *dev,
		 void (*ready)(void *arg), void *arg, char why[WHY_SIZE]);

#endif /* MPU_BPF_RESIDENT_H */
