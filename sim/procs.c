// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processes of a GPU, and how much memory each of them holds (gpu_rmapi.c,
 * subdevice_ctrl_gpu_kernel.c), defects included.
 */
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/gpu.h"
#include "sim/objects.h"
#include "sim/version.h"

/* Device-class pair of the oldest drivers, subdevice pair since. */
#define GET_PIDS_DEVICE		0x00800202
#define PID_INFO_DEVICE		0x00800203
#define GET_PIDS		0x2080018d
#define PID_INFO		0x2080018e
#define SET_SUB_PROCESS_ID	0x00000901

#define OLDEST_UNTIL	MPU_DRIVER(430, 0, 0)

/* NV2080_CTRL_GPU_GET_PIDS_PARAMS */
#define PIDS_SIZE	3812
#define PIDS_ID_TYPE	0
#define PIDS_ID		4
#define PIDS_COUNT	8
#define PIDS_ARRAY	12
#define PIDS_MAX	950

/* NV2080_CTRL_GPU_GET_PID_INFO_PARAMS and its entries */
#define INFO_COUNT	0
#define INFO_LIST	8
#define INFO_MAX	200
#define INFO_PID	0
#define INFO_INDEX	4
#define INFO_RESULT	8
#define INFO_DATA	16
#define INFO_SHARED	24	/* memSharedOwned: where CUDA memory is on H200 */
#define PARTITION_NONE	0xffffffffu

/* _gpuiIsPidSavedAlready() */
static bool is_listed(const void *params, u32 count, u32 pid)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (mpu_get32(params, PIDS_ARRAY + 4 * i) == pid)
			return true;
	return false;
}

/* Does this object make its client a process that GET_PIDS lists for class @id? */
static bool makes_process(const struct sim *sim, const struct sim_client *client,
		   const struct sim_object *object, u32 id, u32 gpu)
{
	u32 parent;

	if (object->class != id)
		return false;
	if (id == NV20_SUBDEVICE_0 || id == MPS_COMPUTE)
		return true;
	/* a ChannelDescendant, and its channel on this GPU */
	parent = sim_object_find(sim, client, object->parent);
	return parent != SIM_NONE && object->gpu == gpu &&
	       sim_is_channel(sim->object[parent].class);
}

static bool is_process(const struct sim *sim, const struct sim_client *client, u32 id, u32 gpu)
{
	u32 i;

	for (i = client->objects; i != SIM_NONE; i = sim->object[i].next)
		if (makes_process(sim, client, &sim->object[i], id, gpu))
			return true;
	return false;
}

/*
 * gpuGetProcWithObject_IMPL(). The comparison that should list a process once
 * takes the client's global number, while from R1 on the list holds local
 * ones: 535.113.01 to 595.45.04 list some processes twice, and skip others.
 */
static u32 get_pids(struct sim *sim, struct sim_call *call)
{
	u32 id = mpu_get32(call->params, PIDS_ID);
	u32 count = 0, pid = 0;
	u32 i, status;

	switch (mpu_get32(call->params, PIDS_ID_TYPE)) {
	case 0:		/* by class */
		break;
	case 1:		/* of vGPU guests: there are none */
		mpu_put32(call->params, PIDS_COUNT, 0);
		return NV_OK;
	default:
		return NV_ERR_INVALID_ARGUMENT;
	}
	for (i = 0; i < sim->clients_end && count < PIDS_MAX; i++) {
		const struct sim_client *client = &sim->client[i];

		if (!client->file || is_listed(call->params, count, client->pid) ||
		    !sim_client_has_device(sim, client, call->gpu->index) ||
		    !is_process(sim, client, id, call->gpu->index))
			continue;
		status = sim_client_pid(client, &pid);
		if (status == NV_ERR_OBJECT_NOT_FOUND)
			continue;
		if (status)
			return status;
		mpu_put32(call->params, PIDS_ARRAY + 4 * count++, pid);
	}
	mpu_put32(call->params, PIDS_COUNT, count);
	return NV_OK;
}

/* _gpuMatchClientPid(), and what stood in its place before R2 */
static bool has_pid(const struct sim_client *client, enum mpu_pid_space pid_space, u32 pid)
{
	u32 own = client->pid;

	if (pid_space == MPU_PIDS_LOCAL && sim_client_pid(client, &own))
		return false;
	return own == pid;
}

static u32 fill_info(struct sim *sim, struct sim_call *call, u8 *entry, u32 stride)
{
	u32 tail = stride >= 48 ? 8 : 0;	/* smcSubscription */
	enum mpu_pid_space pid_space = sim_pid_space_of(sim, call->cmd);
	u32 pid = mpu_get32(entry, INFO_PID);
	u64 bytes = 0;
	u32 i;

	if (tail) {
		mpu_put32(entry, stride - 8, PARTITION_NONE);
		mpu_put32(entry, stride - 4, PARTITION_NONE);
	}
	/* Only NV2080_CTRL_GPU_PID_INFO_INDEX_VIDEO_MEMORY_USAGE is known. */
	if (mpu_get32(entry, INFO_INDEX))
		return NV_ERR_INVALID_ARGUMENT;
	sim_fill(entry + INFO_DATA, 0, stride - INFO_DATA - tail);
	if (!pid)
		return NV_ERR_INVALID_ARGUMENT;
	for (i = 0; i < sim->clients_end; i++)
		if (sim->client[i].file && has_pid(&sim->client[i], pid_space, pid))
			bytes += sim_client_bytes(sim, &sim->client[i], call->gpu->index);
	mpu_put64(entry, INFO_SHARED, bytes);
	return NV_OK;
}

static u32 answer_pid_info(struct sim *sim, struct sim_call *call, u32 stride)
{
	u32 count = mpu_get32(call->params, INFO_COUNT);
	u32 i;

	if (!count || count > INFO_MAX)
		return NV_ERR_INVALID_ARGUMENT;
	for (i = 0; i < count; i++) {
		u8 *entry = (u8 *)call->params + INFO_LIST + i * stride;
		u32 result = fill_info(sim, call, entry, stride);

		mpu_put32(entry, INFO_RESULT, result);
	}
	return NV_OK;
}

static u32 info_stride(const struct sim *sim)
{
	if (sim->config.version < OLDEST_UNTIL)
		return 40;
	return sim_at_least(sim, MPU_DRIVER(515, 0, 0)) ? 72 : 48;
}

u32 sim_procs_control(struct sim *sim, struct sim_call *call)
{
	bool oldest = sim->config.version < OLDEST_UNTIL;
	u32 stride = info_stride(sim);

	switch (call->cmd) {
	case GET_PIDS_DEVICE:
	case GET_PIDS:
		if (oldest != (call->cmd == GET_PIDS_DEVICE))
			return NV_ERR_NOT_SUPPORTED;
		if (call->size != PIDS_SIZE)
			return NV_ERR_INVALID_PARAM_STRUCT;
		return get_pids(sim, call);
	case PID_INFO_DEVICE:
	case PID_INFO:
		if (oldest != (call->cmd == PID_INFO_DEVICE))
			return NV_ERR_NOT_SUPPORTED;
		if (call->size != INFO_LIST + INFO_MAX * stride)
			return NV_ERR_INVALID_PARAM_STRUCT;
		return answer_pid_info(sim, call, stride);
	case SET_SUB_PROCESS_ID:
		if (call->size != 104)
			return NV_ERR_INVALID_PARAM_STRUCT;
		call->client->sub_pid = mpu_get32(call->params, 0);
		return NV_OK;
	}
	return NV_ERR_NOT_SUPPORTED;
}
