/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accounting follows what is allocated and freed; the RM lock is held.
 */
#ifndef MPU_SIM_ACCOUNTING_H
#define MPU_SIM_ACCOUNTING_H

#include "sim/sim.h"

/** sim_account_new() - an object has been allocated */
void sim_account_new(struct sim *sim, const struct sim_object *object);

/** sim_account_free() - a process, by its global PID, has freed something */
void sim_account_free(struct sim *sim, u32 pid);

#endif /* MPU_SIM_ACCOUNTING_H */
