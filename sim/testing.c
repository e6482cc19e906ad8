// SPDX-License-Identifier: GPL-2.0-only
/*
 * Controls no driver has: how a test makes things happen (sim.h).
 */
#include "sim/control.h"

static u32 set_util(struct sim_call *call)
{
	u32 e, util;

	if (call->size != 4 * SIM_ENGINES)
		return NV_ERR_INVALID_PARAM_STRUCT;
	for (e = 0; e < SIM_ENGINES; e++) {
		util = mpu_get32(call->params, 4 * e);
		if (util > 100)
			return NV_ERR_INVALID_ARGUMENT;
		call->client->util[e] = util;
	}
	return NV_OK;
}

static u32 set_pattern(struct sim_call *call)
{
	u32 pattern;

	if (!call->gpu)
		return NV_ERR_INVALID_OBJECT_HANDLE;
	if (call->size != 4)
		return NV_ERR_INVALID_PARAM_STRUCT;
	pattern = mpu_get32(call->params, 0);
	if (pattern >= SIM_PATTERNS)
		return NV_ERR_INVALID_ARGUMENT;
	call->gpu->pattern = pattern;
	return NV_OK;
}

u32 sim_testing_control(struct sim *sim, struct sim_call *call)
{
	u8 *bytes = call->params;
	u32 i;

	switch (call->cmd) {
	case SIM_CTRL_ECHO:
		for (i = 0; i < call->size; i++)
			bytes[i] = (u8)~bytes[i];
		return NV_OK;
	case SIM_CTRL_UTIL:
		return set_util(call);
	case SIM_CTRL_PATTERN:
		return set_pattern(call);
	case SIM_CTRL_RCERR:
		sim->error[sim->errors++ % SIM_ERRORS] = (struct sim_error){
			.pid = os_get_current_process(),
			.time_us = sim_time_us(),
		};
		return NV_OK;
	case SIM_CTRL_SLEEP:
	case SIM_CTRL_FAIL:
	case SIM_CTRL_COPY:
		break;
	default:
		return NV_ERR_NOT_SUPPORTED;
	}
	if (call->size != 4)
		return NV_ERR_INVALID_PARAM_STRUCT;
	if (call->cmd == SIM_CTRL_FAIL) {
		call->client->fail = mpu_get32(call->params, 0);
		return NV_OK;
	}
	if (call->cmd == SIM_CTRL_COPY) {
		sim->copies = mpu_get32(call->params, 0);
		return sim->copies < SIM_COPIES ? NV_OK : NV_ERR_INVALID_ARGUMENT;
	}
	/* The client may be gone afterwards: nothing looks at it again. */
	os_release_rm(sim);
	os_delay(mpu_get32(call->params, 0));
	os_acquire_rm(sim);
	return NV_OK;
}
