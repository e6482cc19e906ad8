/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A control on its way through the parts of the simulated RM that answer
 * controls. rmapi.c asks one after the other, the board last; the RM lock is held.
 */
#ifndef MPU_SIM_CONTROL_H
#define MPU_SIM_CONTROL_H

#include "sim/sim.h"

/**
 * struct sim_embedded - a user pointer inside the params of a control
 *
 * As in embedded_param_copy.c: RM allocates @count * @elem bytes, puts their
 * address in the place of the user's during the control, copies in before
 * (unless @out_only) and out after, and restores the user's pointer.
 */
struct sim_embedded {
	u32 cmd;
	u32 size;		/* paramsSize */
	u16 ptr;		/* u64 in the params */
	u16 count;		/* u32 in the params */
	u16 elem;		/* bytes; 1: the count is in bytes */
	u16 out_only;		/* skip the copy-in */
};

/**
 * struct sim_call - one RM_CONTROL under way
 * @object:	index of the target object; SIM_NONE: the client itself
 * @gpu:	the GPU it belongs to, or NULL
 * @params:	kernel copy, @size bytes
 * @array:	kernel copy of what the embedded pointer points at, or NULL
 * @array_size:	its bytes
 */
struct sim_call {
	struct sim_client *client;
	u32 object;
	struct sim_gpu *gpu;
	u32 cmd;
	u32 size;
	void *params;
	void *array;
	u32 array_size;
};

/*
 * Statuses: RM's. Unknown control: NV_ERR_NOT_SUPPORTED, and the next part
 * is asked; a known one with a wrong size: NV_ERR_INVALID_PARAM_STRUCT.
 */
u32 sim_procs_control(struct sim *sim, struct sim_call *call);
u32 sim_samples_control(struct sim *sim, struct sim_call *call);
u32 sim_accounting_control(struct sim *sim, struct sim_call *call);
u32 sim_sessions_control(struct sim *sim, struct sim_call *call);
u32 sim_testing_control(struct sim *sim, struct sim_call *call);
u32 sim_page_control(struct sim *sim, struct sim_call *call);
u32 sim_board_control(struct sim *sim, struct sim_call *call);

/* Returns the offset of the user pointer of a control; NULL: it has none. */
const struct sim_embedded *sim_samples_embedded(const struct sim *sim, u32 cmd);
const struct sim_embedded *sim_sessions_embedded(const struct sim *sim, u32 cmd);
const struct sim_embedded *sim_board_embedded(const struct sim *sim, u32 cmd);

#endif /* MPU_SIM_CONTROL_H */
