/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated RM inside nvsim.ko, and how os-interface.c reaches it.
 */
#ifndef MPU_SIM_OS_H
#define MPU_SIM_OS_H

#include "sim/sim.h"

/* The one instance; set before the first device node can be opened. */
extern struct sim *nvsim;

#endif /* MPU_SIM_OS_H */
