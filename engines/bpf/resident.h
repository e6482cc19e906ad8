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

/* For struct wish: the best that this host has. */
#define HOOK_AUTO	BPF_HOOKS

/* Room for a sentence. */
#define RESIDENT_WHY	512

/**
 * resident_run() - be it; returns when SIGTERM comes, and nothing is left
 * @hook:	enum bpf_hook, or HOOK_AUTO
 * @pass_unknown: see struct bpf_state
 * @dev:	folder of the device nodes
 * @ready:	called once calls are translated
 *
 * Return: 0 or negative errno with a sentence in @why.
 */
int resident_run(unsigned int hook, bool pass_unknown, const char *dev,
		 void (*ready)(void *arg), void *arg, char why[RESIDENT_WHY]);

#endif /* MPU_BPF_RESIDENT_H */
