// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page that a GPU shares with all of its clients (gpu_user_shared_data.c, RUSD): who
 * wants what in it, and the samples of utilisation there, by PIDs of the host. And events
 * of a GPU: who may have which.
 */
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/gpu.h"
#include "sim/objects.h"
#include "sim/state.h"
#include "sim/version.h"

#define PID_NONE	0xffffffffu

/* _gpushareddataGetPollDataUnion(), _handlePollMaskHelper() */
static u64 polled_by_all(const struct sim *sim, const struct sim_gpu *gpu)
{
	bool channels = false;
	u64 polled = 0;
	u32 i;

	if (sim->config.polling == SIM_POLL_ALL)
		return ~0ull;
	for (i = 0; i < sim->objects_end; i++) {
		const struct sim_object *object = &sim->object[i];

		if (object->client == SIM_NONE || object->gpu != gpu->index)
			continue;
		channels |= sim_is_channel(object->class);
		polled |= object->polled;
	}
	return channels ? polled | gpu->polled : polled;
}

/* The next client after the one of an index that is busy on the GPU; SIM_NONE: none is. */
static u32 next_busy(const struct sim *sim, const struct sim_gpu *gpu, u32 after)
{
	u32 n, i, e;

	for (n = 1; n <= sim->clients_end; n++) {
		const struct sim_client *client;

		i = (after + n) % sim->clients_end;
		client = &sim->client[i];
		for (e = 0; client->file && e < SIM_ENGINES; e++)
			if (client->util[e] && sim_client_has_device(sim, client, gpu->index))
				return i;
	}
	return SIM_NONE;
}

static void write_sample(const struct sim *sim, u32 who, void *sample)
{
	u32 e, off;

	for (e = 0; e < SIM_ENGINES; e++) {
		off = 8 + e * SIM_PAGE_ENGINE;
		mpu_put32(sample, off, who == SIM_NONE ? 0 : sim->client[who].util[e] * 100);
		mpu_put32(sample, off + SIM_PAGE_PID, who == SIM_NONE ? PID_NONE :
			  sim->client[who].pid);
	}
}

/* From 600 on the samples stand behind one more part. */
static void write_samples(struct sim *sim, const struct sim_gpu *gpu, u8 *page)
{
	u8 *sample = page + SIM_PAGE_SAMPLES;
	u64 now = sim_time_us();
	u32 who = 0, i;

	if (sim_at_least(sim, MPU_DRIVER(600, 0, 0)))
		sample += 40;
	mpu_put64(sample - 8, 0, now);
	for (i = 0; i < SIM_PAGE_COUNT; i++, sample += SIM_PAGE_SAMPLE) {
		who = next_busy(sim, gpu, who == SIM_NONE ? 0 : who);
		mpu_put64(sample, 0, now);
		write_sample(sim, who, sample);
	}
}

/* Writes what is wanted; a part that none wants any more stays as it is. */
static void write_page(struct sim *sim, const struct sim_gpu *gpu)
{
	u64 polled = polled_by_all(sim, gpu);
	u8 *page = os_page(gpu->index);

	sim_state_write(sim, gpu, polled, page);
	if (sim_at_least(sim, MPU_DRIVER(590, 44, 1)) && polled & SIM_POLL_PROC_UTIL)
		write_samples(sim, gpu, page);
}

void sim_page_write(struct sim *sim, const struct sim_gpu *gpu)
{
	os_acquire_rm(sim);
	write_page(sim, gpu);
	os_release_rm(sim);
}

/* NV2080_NOTIFIERS_MAXCOUNT was 162 (470), 178 (525) and 190. */
static u32 set_notification(const struct sim *sim, const struct sim_call *call)
{
	u32 events = sim_at_least(sim, MPU_DRIVER(615, 0, 0)) ? 202 : 190;

	if (call->size != SIM_EVENT_PARAMS)
		return NV_ERR_INVALID_PARAM_STRUCT;
	return mpu_get32(call->params, 0) < events ? NV_OK : NV_ERR_INVALID_ARGUMENT;
}

/* Every user may do that at 610, administrators from 615 on (memacctSetLimits()). */
static u32 set_limits(struct sim *sim, const struct sim_call *call)
{
	if (!sim_at_least(sim, MPU_DRIVER(610, 43, 2)))
		return NV_ERR_NOT_SUPPORTED;
	if (call->size != SIM_LIMITS_PARAMS)
		return NV_ERR_INVALID_PARAM_STRUCT;
	if (sim_at_least(sim, MPU_DRIVER(615, 0, 0)) && !os_is_administrator())
		return NV_ERR_INSUFFICIENT_PERMISSIONS;
	return sim_gpu_find(sim, mpu_get32(call->params, 4)) ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

u32 sim_page_control(struct sim *sim, struct sim_call *call)
{
	if (call->cmd == NV_CTRL_MEMACCT_SET_LIMITS)
		return set_limits(sim, call);
	if (call->cmd == NV_CTRL_EVENT_SET_NOTIFICATION)
		return set_notification(sim, call);
	if (call->cmd != NV_CTRL_REQUEST_DATA_POLL &&
	    (call->cmd != NV_CTRL_GPU_RUSD_SET_FEATURES ||
	     !sim_at_least(sim, MPU_DRIVER(590, 44, 1))))
		return NV_ERR_NOT_SUPPORTED;
	if (call->size != 8)
		return NV_ERR_INVALID_PARAM_STRUCT;
	if (sim->config.polling == SIM_POLL_NOTHING)
		return NV_ERR_NOT_SUPPORTED;
	if (call->cmd == NV_CTRL_REQUEST_DATA_POLL) {
		sim->object[call->object].polled = mpu_get64(call->params, 0);
		write_page(sim, call->gpu);
	} else if (!os_is_administrator()) {
		return NV_ERR_INSUFFICIENT_PERMISSIONS;
	} else {
		call->gpu->polled = mpu_get64(call->params, 0);
	}
	return NV_OK;
}
