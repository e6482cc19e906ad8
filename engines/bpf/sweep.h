/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls whose return will not be seen: an oops in the driver killed their thread,
 * or the program at the return was not run and the thread has ended since.
 */
#ifndef MPU_BPF_SWEEP_H
#define MPU_BPF_SWEEP_H

struct hook_maps;

/** sweep_calls() - forget them */
void sweep_calls(const struct hook_maps *maps);

#endif /* MPU_BPF_SWEEP_H */
