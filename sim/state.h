/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a simulated GPU is.
 */
#ifndef MPU_SIM_STATE_H
#define MPU_SIM_STATE_H

#include "sim/control.h"

struct mpu_page_layout;

/** sim_page_layout() - of the page of this driver, NULL if it has none */
const struct mpu_page_layout *sim_page_layout(const struct sim *sim);

/** sim_page_size() - its bytes, 0 if there is none */
u32 sim_page_size(const struct sim *sim);

/** sim_state_write() - write the parts of the page that are in a mask */
void sim_state_write(const struct sim *sim, const struct sim_gpu *gpu, u64 polled, u8 *page);

/* Answers of controls: rows of board.c. */
u32 sim_state_traffic(struct sim *sim, struct sim_call *call);
u32 sim_state_ecc(struct sim *sim, struct sim_call *call);
u32 sim_state_rows(struct sim *sim, struct sim_call *call);
u32 sim_state_replays(struct sim *sim, struct sim_call *call);
u32 sim_state_nvlink(struct sim *sim, struct sim_call *call);
u32 sim_state_energy(struct sim *sim, struct sim_call *call);
u32 sim_state_pstate(struct sim *sim, struct sim_call *call);
u32 sim_state_thermal(struct sim *sim, struct sim_call *call);

#endif /* MPU_SIM_STATE_H */
