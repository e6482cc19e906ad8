/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon: loads the programs, tells them whose PIDs the driver
 * uses, and follows the driver when it goes and comes.
 */
#ifndef MPU_BPF_DAEMON_H
#define MPU_BPF_DAEMON_H

#include <stdbool.h>
#include <stddef.h>

#include "engines/bpf/programs/state.h"
#include "lib/why.h"

/**
 * daemon_run() - run as the daemon until SIGTERM, then clean up
 * @pass_unknown: see struct bpf_state
 * @dev:	folder of the device nodes
 * @ready:	called once calls are translated
 *
 * Return: 0 or negative errno with a sentence in @why.
 */
int daemon_run(bool pass_unknown, const char *dev, void (*ready)(void *arg),
	       void *arg, char why[WHY_SIZE]);

#endif /* MPU_BPF_DAEMON_H */
