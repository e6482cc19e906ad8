// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page that a GPU shares with all of its clients (gpu_user_shared_data.c, RUSD): who
 * wants what in it, and the samples of utilisation there, by PIDs of the host.
 */
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/gpu.h"
#include "sim/objects.h"
#include "sim/version.h"

#define PAGE_TIME	(SIM_PAGE_SAMPLES - 8)	/* when they were written */
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
			if (client->util[e] &&
			    sim_client_has_device(sim, client, gpu->index))
				return i;
	}
	return SIM_NONE;
}

static void write_sample(const struct sim *sim, u32 who, void *sample)
{
	u32 e, off;

	for (e = 0; e < SIM_ENGINES; e++) {
		off = 8 + e * SIM_PAGE_ENGINE;
		mpu_put32(sample, off, who == SIM_NONE ? 0 :
			  sim->client[who].util[e] * 100);
		mpu_put32(sample, off + SIM_PAGE_PID, who == SIM_NONE ? PID_NONE :
			  sim->client[who].pid);
	}
}

/* Writes what clients want; what none wants any more stays as it is. */
void sim_page_write(struct sim *sim, const struct sim_gpu *gpu, void *page)
{
	u8 *sample = (u8 *)page + SIM_PAGE_SAMPLES;
	u64 now = sim_time_us();
	u32 who = 0, i;

	os_acquire_rm(sim);
	if (sim_at_least(sim, MPU_DRIVER(590, 44, 1)) &&
	    polled_by_all(sim, gpu) & SIM_POLL_PROC_UTIL) {
		for (i = 0; i < SIM_PAGE_COUNT; i++, sample += SIM_PAGE_SAMPLE) {
			who = next_busy(sim, gpu, who == SIM_NONE ? 0 : who);
			mpu_put64(sample, 0, now);
			write_sample(sim, who, sample);
		}
		mpu_put64(page, PAGE_TIME, now);
	}
	os_release_rm(sim);
}

u32 sim_page_control(struct sim *sim, struct sim_call *call)
{
	if (call->cmd != NV_CTRL_REQUEST_DATA_POLL &&
	    (call->cmd != NV_CTRL_GPU_RUSD_SET_FEATURES ||
	     !sim_at_least(sim, MPU_DRIVER(590, 44, 1))))
		return NV_ERR_NOT_SUPPORTED;
	if (call->size != 8)
		return NV_ERR_INVALID_PARAM_STRUCT;
	if (sim->config.polling == SIM_POLL_NOTHING)
		return NV_ERR_NOT_SUPPORTED;
	if (call->cmd == NV_CTRL_REQUEST_DATA_POLL)
		sim->object[call->object].polled = mpu_get64(call->params, 0);
	else if (!os_is_administrator())
		return NV_ERR_INSUFFICIENT_PERMISSIONS;
	else
		call->gpu->polled = mpu_get64(call->params, 0);
	return NV_OK;
}
