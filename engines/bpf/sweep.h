/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that began and will not end, for their thread has: it was killed by an
 * oops in the driver, or the program at the end was not run.
 */
#ifndef MPU_BPF_SWEEP_H
#define MPU_BPF_SWEEP_H

struct hook_maps;

/** sweep() - forget them */
void sweep(const struct hook_maps *maps);

#endif /* MPU_BPF_SWEEP_H */
