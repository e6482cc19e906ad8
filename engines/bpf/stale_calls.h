/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls whose return will not be seen: an oops in the driver killed their thread,
 * or the program at the return was not run and the thread has ended since.
 */
#ifndef MPU_BPF_STALE_CALLS_H
#define MPU_BPF_STALE_CALLS_H

struct hook_maps;

/** stale_calls_end() - forget them */
void stale_calls_end(const struct hook_maps *maps);

#endif /* MPU_BPF_STALE_CALLS_H */
