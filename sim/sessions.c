// SPDX-License-Identifier: GPL-2.0-only
/*
 * Things a process holds on a GPU, by owner: encoder and capture sessions,
 * the profiler's counters, channel errors. RM answers global numbers here in
 * every version (nvencsession.c, nvfbc_session.c, client_resource.c).
 */
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/objects.h"

#define NVENC_V1	0x2080016e
#define NVENC_V2_525	0x208001a9	/* 525.105.17 to 525.147.05 */
#define NVENC_V2	0x208001af	/* 530.30.02 and later */
#define NVFBC		0x2080017c
#define RCERR_RPT	0x00000607
#define HWPM_RESERVE	0x90cc0101
#define HWPM_RELEASE	0x90cc0102
#define HWPM_INFO	0x90cc0103

#define NVENC_V1_SIZE	16
#define NVENC_V1_COUNT	0
#define NVENC_V1_ARRAY	8
#define NVENC_V2_SIZE	16388
#define NVENC_V2_ARRAY	4
#define NVENC_ENTRY	32
#define NVENC_MAX	512

#define NVFBC_SIZE	13316
#define NVFBC_ARRAY	4
#define NVFBC_ENTRY	52
#define NVFBC_MAX	256

/* The open driver had empty bodies for both lists before 550. */
static bool has_lists(const struct sim *sim)
{
	return sim->config.flavour == SIM_PROPRIETARY || sim_at_least(sim, MPU_DRIVER(550, 0, 0));
}

/*
 * RM compiled for arm64 reports no encoder sessions since 550
 * (_gpumgrGetEncSessionStatsReportingState()). The second form of the list, which is
 * routed to the firmware, is as everywhere.
 */
static bool hides_encoders(const struct sim *sim)
{
	return sim->config.arm64 && sim_at_least(sim, MPU_DRIVER(550, 0, 0));
}

/* Next object of @class on @gpu from index @i on; SIM_NONE: no more. */
static u32 next_session(const struct sim *sim, u32 i, u32 class, u32 gpu)
{
	for (; i < sim->objects_end; i++)
		if (sim->object[i].class == class && sim->object[i].gpu == gpu)
			return i;
	return SIM_NONE;
}

static u32 nvenc_list(struct sim *sim, u32 gpu, u8 *array)
{
	u32 n = 0;
	u32 i = 0;

	while ((i = next_session(sim, i, NVENC_SW_SESSION, gpu)) != SIM_NONE && n < NVENC_MAX) {
		const struct sim_object *object = &sim->object[i++];
		const struct sim_client *client = &sim->client[object->client];
		u8 *entry = array + n++ * NVENC_ENTRY;

		mpu_put32(entry, 0, client->pid);
		mpu_put32(entry, 4, client->sub_pid);
		mpu_put32(entry, 8, object->session);
		mpu_put32(entry, 12, 0);	/* H.264 */
		mpu_put32(entry, 16, 1920);
		mpu_put32(entry, 20, 1080);
		mpu_put32(entry, 24, 60);	/* frames per second */
		mpu_put32(entry, 28, 1000);	/* latency, us */
	}
	return n;
}

static u32 nvenc_count(const struct sim *sim, u32 gpu)
{
	u32 n = 0;
	u32 i = 0;

	while ((i = next_session(sim, i, NVENC_SW_SESSION, gpu)) != SIM_NONE) {
		i++;
		n++;
	}
	return n;
}

/*
 * subdeviceCtrlCmdGpuGetNvencSwSessionInfo_IMPL() and V2: no array, or an
 * empty list, is a question for the count; else room for all is demanded.
 */
static u32 answer_nvenc(struct sim *sim, struct sim_call *call, u8 *array, u32 room)
{
	u32 gpu = call->gpu->index;
	u32 count = nvenc_count(sim, gpu);

	if (!has_lists(sim) || (call->cmd == NVENC_V1 && hides_encoders(sim)))
		count = 0;
	if (array && room && count) {
		if (room != NVENC_MAX)
			return NV_ERR_INVALID_ARGUMENT;
		sim_fill(array, 0, NVENC_MAX * NVENC_ENTRY);
		count = nvenc_list(sim, gpu, array);
	}
	mpu_put32(call->params, NVENC_V1_COUNT, count);
	return NV_OK;
}

static bool is_nvenc_v2(const struct sim *sim, u32 cmd)
{
	u32 v = sim->config.version;

	if (v >= MPU_DRIVER(530, 30, 2))
		return cmd == NVENC_V2;
	return cmd == NVENC_V2_525 && v >= MPU_DRIVER(525, 47, 22) &&
	       (v <= MPU_DRIVER(525, 47, 35) || v >= MPU_DRIVER(525, 105, 17));
}

/* subdeviceCtrlCmdGpuGetNvfbcSwSessionInfo_IMPL(): subProcessId stays 0. */
static u32 answer_nvfbc(struct sim *sim, struct sim_call *call)
{
	u32 gpu = call->gpu->index;
	u32 n = 0;
	u32 i = 0;

	sim_fill(call->params, 0, call->size);
	if (!has_lists(sim))
		return NV_OK;
	while ((i = next_session(sim, i, NVFBC_SW_SESSION, gpu)) != SIM_NONE && n < NVFBC_MAX) {
		const struct sim_object *object = &sim->object[i++];
		u8 *entry = (u8 *)call->params + NVFBC_ARRAY + n++ * NVFBC_ENTRY;

		mpu_put32(entry, 0, sim->client[object->client].pid);
		mpu_put32(entry, 12, object->session);
		mpu_put32(entry, 16, 1);	/* session type: to system */
		mpu_put32(entry, 28, 1920);
		mpu_put32(entry, 32, 1080);
		mpu_put32(entry, 36, 1920);
		mpu_put32(entry, 40, 1080);
		mpu_put32(entry, 44, 60);
		mpu_put32(entry, 48, 1000);
	}
	mpu_put32(call->params, 0, n);
	return NV_OK;
}

/* The caller's own errors: numbers of the first and the last that are kept. */
static bool own_errors(const struct sim *sim, u32 pid, u32 *first, u32 *last)
{
	u32 i = sim->errors > SIM_ERRORS ? sim->errors - SIM_ERRORS : 0;
	bool any = false;

	for (; i < sim->errors; i++) {
		if (sim->error[i % SIM_ERRORS].pid != pid)
			continue;
		if (!any)
			*first = i;
		*last = i;
		any = true;
	}
	return any;
}

/*
 * cliresCtrlCmdNvdGetRcerrRpt_IMPL(): the caller's own number is written over
 * the one asked for, and only the caller's own errors are looked for.
 */
static u32 answer_error_report(struct sim *sim, struct sim_call *call)
{
	u32 pid = os_get_current_process(), first = 0, last = 0;
	u16 wanted = (u16)mpu_get32(call->params, 0);
	const struct sim_error *error = &sim->error[wanted % SIM_ERRORS];

	mpu_put32(call->params, 0, wanted | (u32)(u16)~wanted << 16);
	mpu_put32(call->params, 32, pid);
	mpu_put32(call->params, 20, 0);
	if (!mpu_get32(call->params, 28))
		return NV_ERR_INSUFFICIENT_PERMISSIONS;
	if (!own_errors(sim, pid, &first, &last))
		return NV_ERR_MISSING_TABLE_ENTRY;
	mpu_put32(call->params, 12, (first & 0xffff) | last << 16);
	mpu_put32(call->params, 20, 0x4);	/* range valid */
	if (wanted < first || wanted > last || error->pid != pid)
		return NV_OK;
	mpu_put32(call->params, 0, wanted | (u32)wanted << 16);
	mpu_put32(call->params, 4, sim->gpu[error->gpu].id);
	mpu_put32(call->params, 8, (u32)(error->time_us / 1000000));
	mpu_put32(call->params, 16, 4);		/* RC_ERROR */
	mpu_put32(call->params, 20, 0xf);	/* first, last, range, data */
	mpu_put32(call->params, 24, 0);		/* registers reported */
	return NV_OK;
}

static u32 answer_profiler(struct sim *sim, struct sim_call *call)
{
	u32 self = sim_client_index(sim, call->client);
	u32 *owner = &call->gpu->hwpm_client;

	switch (call->cmd) {
	case HWPM_RESERVE:
		if (*owner != SIM_NONE && *owner != self)
			return NV_ERR_STATE_IN_USE;
		*owner = self;
		return NV_OK;
	case HWPM_RELEASE:
		if (*owner != self)
			return NV_ERR_INVALID_STATE;
		*owner = SIM_NONE;
		return NV_OK;
	}
	sim_fill(call->params, 0, call->size);
	if (*owner == SIM_NONE)
		return NV_OK;
	mpu_put32(call->params, 0, 1);
	mpu_put32(call->params, 4, sim->client[*owner].pid);
	mpu_put32(call->params, 8, 1);		/* bGlobal */
	return NV_OK;
}

static const struct sim_embedded nvenc_v1 = {
	NVENC_V1, NVENC_V1_SIZE, NVENC_V1_ARRAY, NVENC_V1_COUNT, NVENC_ENTRY, 1,
};

/* Drivers without lists do not touch the array, nor look at its size. */
const struct sim_embedded *sim_sessions_embedded(const struct sim *sim, u32 cmd)
{
	return cmd == NVENC_V1 && has_lists(sim) ? &nvenc_v1 : 0;
}

/* SIM_NONE: not a control of this part. */
static u32 params_size(const struct sim *sim, u32 cmd)
{
	switch (cmd) {
	case NVENC_V1:
		return NVENC_V1_SIZE;
	case NVENC_V2_525:
	case NVENC_V2:
		return is_nvenc_v2(sim, cmd) ? NVENC_V2_SIZE : SIM_NONE;
	case NVFBC:
		return NVFBC_SIZE;
	case RCERR_RPT:
		return 2436;
	case HWPM_RESERVE:
	case HWPM_RELEASE:
		return 0;
	case HWPM_INFO:
		return 12;
	}
	return SIM_NONE;
}

u32 sim_sessions_control(struct sim *sim, struct sim_call *call)
{
	u32 size = params_size(sim, call->cmd);
	u8 *params = call->params;

	if (size == SIM_NONE)
		return NV_ERR_NOT_SUPPORTED;
	if (call->size != size)
		return NV_ERR_INVALID_PARAM_STRUCT;
	switch (call->cmd) {
	case NVENC_V1:
		return answer_nvenc(sim, call, call->array, call->array_size / NVENC_ENTRY);
	case NVENC_V2_525:
	case NVENC_V2:
		return answer_nvenc(sim, call, params + NVENC_V2_ARRAY, mpu_get32(params, 0));
	case NVFBC:
		return answer_nvfbc(sim, call);
	case RCERR_RPT:
		return answer_error_report(sim, call);
	}
	return answer_profiler(sim, call);
}
