// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting: what every process used, also after its death (gpu_acct.c).
 */
#include "sim/accounting.h"
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/gpu.h"
#include "sim/objects.h"
#include "sim/version.h"

#define GET_RECORD	0x00000b03
#define GET_RECORD_V2	0x00000b06
#define GET_LIST	0x00000b04
#define CLEAR		0x00000b05

#define GPU_ID		0	/* first word of all of them */
#define STATE		8	/* 0: on, 1: off */
#define STATE_SIZE	12
#define CLEAR_SIZE	8

#define RECORD_SIZE	48
#define RECORD_PID	4
#define RECORD_SUB_PID	8
#define RECORD_GPU_UTIL	12
#define RECORD_FB_UTIL	16
#define RECORD_SAMPLES	20	/* these three in the second one alone */
#define RECORD_MAX_FB	24
#define RECORD_START	32
#define RECORD_END	40
#define RECORD_SUM_UTIL	48
#define RECORD_SUM_FB	56

#define RECORD_V2_SIZE	64	/* 610.43.02 and later: ctrl0000gpuacct.h of 610.57.04 */

#define LIST_SIZE	16012
#define LIST_ARRAY	8
#define LIST_COUNT	16008

#define LIVE_MAX	3872	/* NV_MAX_LIVE_ACCT_PROCESS */
#define DEAD_MAX	128	/* NV_MAX_DEAD_ACCT_PROCESS */

static struct sim_record *record_find(struct sim *sim, u32 gpu, u32 pid, u32 live)
{
	struct sim_record *r;

	for (r = sim->record; r < sim->record + SIM_RECORDS; r++)
		if (r->pid == pid && r->gpu == gpu && r->live == live)
			return r;
	return 0;
}

static u32 record_count(const struct sim *sim, u32 gpu, u32 live)
{
	const struct sim_record *r;
	u32 n = 0;

	for (r = sim->record; r < sim->record + SIM_RECORDS; r++)
		n += r->pid && r->gpu == gpu && r->live == live;
	return n;
}

/* Take down how much memory a process has on a GPU, and how busy it is. */
static void measure_process(struct sim *sim, u32 pid, u32 gpu, struct sim_record *r)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < sim->clients_end; i++) {
		const struct sim_client *client = &sim->client[i];

		if (!client->file || client->pid != pid)
			continue;
		bytes += sim_client_bytes(sim, client, gpu);
		if (client->util[1] > r->util)
			r->util = client->util[1];
	}
	if (bytes > r->max_bytes)
		r->max_bytes = bytes;
}

/* kchannelConstruct() is what makes an accounted process of a client. */
static void record_begin(struct sim *sim, u32 gpu, u32 pid)
{
	struct sim_record *r;

	if (!sim->gpu[gpu].accounting || record_find(sim, gpu, pid, 1) ||
	    record_count(sim, gpu, 1) >= LIVE_MAX)
		return;
	for (r = sim->record; r < sim->record + SIM_RECORDS; r++)
		if (!r->pid)
			break;
	if (r == sim->record + SIM_RECORDS)
		return;
	sim_fill(r, 0, sizeof(*r));
	r->gpu = gpu;
	r->pid = pid;
	r->live = 1;
	r->start_us = sim_time_us();
	measure_process(sim, pid, gpu, r);
}

void sim_account_new(struct sim *sim, const struct sim_object *object)
{
	u32 pid = sim->client[object->client].pid;
	struct sim_record *r;

	if (object->gpu == SIM_NONE)
		return;
	if (sim_is_channel(object->class))
		record_begin(sim, object->gpu, pid);
	r = object->bytes ? record_find(sim, object->gpu, pid, 1) : 0;
	if (r)
		measure_process(sim, pid, object->gpu, r);
}

/* The driver keeps one ended process of a number, and the last DEAD_MAX of a GPU. */
static void make_room(struct sim *sim, u32 gpu, u32 pid)
{
	struct sim_record *r = record_find(sim, gpu, pid, 0);
	struct sim_record *oldest = 0;

	if (r)		/* the number was used before */
		r->pid = 0;
	if (record_count(sim, gpu, 0) < DEAD_MAX)
		return;
	for (r = sim->record; r < sim->record + SIM_RECORDS; r++)
		if (r->pid && r->gpu == gpu && !r->live && (!oldest || r->end_us < oldest->end_us))
			oldest = r;
	oldest->pid = 0;
}

static bool has_device(const struct sim *sim, u32 gpu, u32 pid)
{
	u32 i;

	for (i = 0; i < sim->clients_end; i++)
		if (sim->client[i].file && sim->client[i].pid == pid &&
		    sim_client_has_device(sim, &sim->client[i], gpu))
			return true;
	return false;
}

/* A process that has no device of a GPU left has ended there. */
void sim_account_free(struct sim *sim, u32 pid)
{
	struct sim_record *r;

	for (r = sim->record; r < sim->record + SIM_RECORDS; r++) {
		if (r->pid != pid || !r->live || has_device(sim, r->gpu, pid))
			continue;
		make_room(sim, r->gpu, pid);
		r->live = 0;
		r->end_us = sim_time_us();
	}
}

/* lookupPid() (570.86.15 and later): a local number first, else global. */
static u32 lookup_pid(const struct sim *sim, u32 pid)
{
	u32 i, own;

	for (i = 0; i < sim->clients_end; i++) {
		const struct sim_client *client = &sim->client[i];

		if (client->file && client->pid_info && !sim_client_pid(client, &own) && own == pid)
			return client->pid;
	}
	return pid;
}

static u32 get_record(struct sim *sim, struct sim_call *call, u32 gpu)
{
	u32 pid = mpu_get32(call->params, RECORD_PID);
	struct sim_record *r;
	u32 fb;

	if (sim_pid_space_of(sim, GET_RECORD) == MPU_PIDS_LOCAL &&
	    !mpu_get32(call->params, RECORD_SUB_PID)) {
		pid = lookup_pid(sim, pid);
		mpu_put32(call->params, RECORD_PID, pid);
	}
	r = pid ? record_find(sim, gpu, pid, 0) : 0;
	if (!r && pid)
		r = record_find(sim, gpu, pid, 1);
	if (!r)
		return NV_ERR_OBJECT_NOT_FOUND;
	if (r->live)
		measure_process(sim, pid, gpu, r);
	mpu_put32(call->params, RECORD_GPU_UTIL, r->util);
	fb = (u32)((r->max_bytes >> 20) * 100 / (sim->gpu[gpu].fb_bytes >> 20));
	mpu_put32(call->params, RECORD_FB_UTIL, fb);
	mpu_put64(call->params, RECORD_MAX_FB, r->max_bytes);
	mpu_put64(call->params, RECORD_START, r->start_us);
	mpu_put64(call->params, RECORD_END, r->end_us);
	if (call->size != RECORD_V2_SIZE)
		return NV_OK;
	/* As of two samples. */
	mpu_put32(call->params, RECORD_SAMPLES, 2);
	mpu_put64(call->params, RECORD_SUM_UTIL, 2 * r->util);
	mpu_put64(call->params, RECORD_SUM_FB, 2 * fb);
	return NV_OK;
}

/* _gpuAcctGetPidValue(): through any client the process has. */
static bool local_pid(const struct sim *sim, u32 *pid)
{
	u32 i;

	for (i = 0; i < sim->clients_end; i++)
		if (sim->client[i].file && sim->client[i].pid == *pid)
			return !sim_client_pid(&sim->client[i], pid);
	return false;
}

static u32 get_list(struct sim *sim, struct sim_call *call, u32 gpu)
{
	bool is_local = sim_pid_space_of(sim, GET_LIST) == MPU_PIDS_LOCAL;
	bool dead_too = sim->regime < MPU_R3_EARLY || os_is_init_ns();
	struct sim_record *r;
	u32 live, pid, n = 0;

	for (live = 0; live < 2; live++) {
		if (!live && !dead_too)
			continue;
		for (r = sim->record; r < sim->record + SIM_RECORDS; r++) {
			pid = r->pid;
			if (!pid || r->gpu != gpu || r->live != live)
				continue;
			if (live && is_local && !local_pid(sim, &pid))
				continue;
			mpu_put32(call->params, LIST_ARRAY + 4 * n++, pid);
		}
	}
	mpu_put32(call->params, LIST_COUNT, n);
	return NV_OK;
}

static u32 clear_records(struct sim *sim, u32 gpu, bool live_too)
{
	struct sim_record *r;

	if (!os_is_administrator())
		return NV_ERR_INSUFFICIENT_PERMISSIONS;
	for (r = sim->record; r < sim->record + SIM_RECORDS; r++)
		if (r->gpu == gpu && (live_too || !r->live))
			r->pid = 0;
	return NV_OK;
}

static u32 set_state(struct sim *sim, struct sim_call *call, u32 gpu)
{
	u32 off = mpu_get32(call->params, STATE);

	if (!os_is_administrator())
		return NV_ERR_INSUFFICIENT_PERMISSIONS;
	if (off > 1)
		return NV_ERR_INVALID_ARGUMENT;
	sim->gpu[gpu].accounting = !off;
	return off ? clear_records(sim, gpu, true) : NV_OK;
}

static u32 params_size(const struct sim *sim, u32 cmd)
{
	switch (cmd) {
	case NV_CTRL_GPUACCT_SET_ACCOUNTING_STATE:
	case NV_CTRL_GPUACCT_GET_ACCOUNTING_STATE:
		return STATE_SIZE;
	case GET_RECORD:
		return RECORD_SIZE;
	case GET_RECORD_V2:
		return sim_at_least(sim, MPU_DRIVER(610, 43, 2)) ? RECORD_V2_SIZE : 0;
	case GET_LIST:
		return LIST_SIZE;
	case CLEAR:
		return CLEAR_SIZE;
	}
	return 0;
}

u32 sim_accounting_control(struct sim *sim, struct sim_call *call)
{
	u32 size = params_size(sim, call->cmd);
	const struct sim_gpu *found;
	u32 gpu;

	if (!size)
		return NV_ERR_NOT_SUPPORTED;
	if (call->size != size)
		return NV_ERR_INVALID_PARAM_STRUCT;
	found = sim_gpu_find(sim, mpu_get32(call->params, GPU_ID));
	if (!found)
		return NV_ERR_INVALID_ARGUMENT;
	gpu = found->index;
	switch (call->cmd) {
	case NV_CTRL_GPUACCT_SET_ACCOUNTING_STATE:
		return set_state(sim, call, gpu);
	case NV_CTRL_GPUACCT_GET_ACCOUNTING_STATE:
		mpu_put32(call->params, STATE, !sim->gpu[gpu].accounting);
		return NV_OK;
	case GET_RECORD:
	case GET_RECORD_V2:
		return get_record(sim, call, gpu);
	case GET_LIST:
		return get_list(sim, call, gpu);
	}
	return clear_records(sim, gpu, false);
}
