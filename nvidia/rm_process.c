// SPDX-License-Identifier: GPL-2.0-only
/*
 * RM client: the controls that carry PIDs. Layouts come from the table in
 * core/controls.h; only what the table does not hold (whatever is no PID)
 * stands here.
 */
#include <stdlib.h>

#include "core/controls.h"
#include "core/nvrm.h"
#include "core/row.h"
#include "lib/xalloc.h"
#include "nvidia/internal.h"

/* Up to 418; from 450 on the subdevice has them. */
#define GPU_GET_PIDS_OLD		0x00800202
#define GPU_GET_PID_INFO_OLD		0x00800203
/* From 525 on; before, by pointer. */
#define PERF_GET_SAMPLES		0x20802096
#define PERF_GET_SAMPLES_OLD		0x20802083
#define GPU_GET_CAPTURES		0x2080017c
#define GPU_GET_ENCODERS		0x208001af

#define NO_PROCESS			0xffffffffu

/**
 * struct question - a control asked in every layout the table has for it
 * @cmd:	its number
 * @old:	the number it had before, or @cmd again
 * @fill:	writes the question into zeroed params of @row
 * @data:	for @fill
 * @row:	the layout that the driver answered
 * @params:	its answer, to be freed
 */
struct question {
	u32 cmd, old;
	void (*fill)(u8 *params, const struct mpu_row *row, void *data);
	void *data;
	const struct mpu_row *row;
	u8 *params;
};

/* The object a control is for: its class is the upper half of the number. */
static u32 object_of(const struct rm_gpu *gpu, u32 cmd)
{
	switch (cmd >> 16) {
	case NV20_SUBDEVICE_0:
		return gpu->subdevice;
	case NV01_DEVICE_0:
		return gpu->device;
	default:
		return 0;
	}
}

static int ask_row(struct rm *rm, const struct rm_gpu *gpu, struct question *q)
{
	int ret;

	q->params = xcalloc(1, q->row->size);
	q->fill(q->params, q->row, q->data);
	ret = rm_control(rm, object_of(gpu, q->row->cmd), q->row->cmd, q->params, q->row->size);
	if (ret) {
		free(q->params);
		q->params = NULL;
	}
	return ret;
}

/* Does the driver have another layout, or none of this control? */
static bool is_other_layout(int ret)
{
	switch (ret) {
	case NV_ERR_INVALID_ARGUMENT:		/* since 535.161.07 */
	case NV_ERR_INVALID_PARAM_STRUCT:	/* before */
	case NV_ERR_INVALID_COMMAND:
	case NV_ERR_NOT_SUPPORTED:
		return true;
	}
	return false;
}

/* The newest layout first: that is the table from its end. */
static int ask(struct rm *rm, const struct rm_gpu *gpu, struct question *q)
{
	int ret = NV_ERR_NOT_SUPPORTED;
	u32 i;

	for (i = MPU_ROWS; i-- > 0;) {
		q->row = &mpu_rows[i];
		if (q->row->cmd != q->cmd && q->row->cmd != q->old)
			continue;
		ret = ask_row(rm, gpu, q);
		if (!is_other_layout(ret))
			break;
	}
	if (!ret)
		rm->answered = q->row;
	return ret;
}

/*
 * Returns the row of the last question about PIDs that succeeded, NULL before. rm_read_account(),
 * which has one layout in all drivers, does not count.
 */
const struct mpu_row *rm_answered_row(const struct rm *rm)
{
	return rm->answered;
}

/* Returns the count that an answer states, never more than its layout has room for. */
static u32 answered(const struct question *q)
{
	u32 n = mpu_get32(q->params, q->row->count);

	return n < q->row->cap ? n : q->row->cap;
}

static u32 copy_list(const struct question *q, u32 *pid)
{
	u32 n = answered(q);
	u32 i;

	if (n > RM_PIDS)
		n = RM_PIDS;
	for (i = 0; i < n; i++)
		pid[i] = mpu_get32(q->params, q->row->base + i * q->row->stride + q->row->pid);
	return n;
}

static void fill_class(u8 *params, const struct mpu_row *row, void *data)
{
	(void)row;
	mpu_put32(params, 4, *(u32 *)data);	/* idType at 0: 0, a class */
}

/* Lists the processes that own an object of a class; @pid has room for RM_PIDS. */
int rm_list_pids(struct rm *rm, const struct rm_gpu *gpu, u32 class, u32 *pid, u32 *count)
{
	struct question q = {
		.cmd = NV_CTRL_GPU_GET_PIDS, .old = GPU_GET_PIDS_OLD,
		.fill = fill_class, .data = &class,
	};
	int ret = ask(rm, gpu, &q);

	if (ret)
		return ret;
	*count = copy_list(&q, pid);
	free(q.params);
	return 0;
}

struct batch {
	struct rm_process *process;
	u32 count;
};

/*
 * Entries: pid 0, index 4 (0: memory), status 8, private 16, shared 24; from
 * 48 bytes on the two MIG ids close the entry.
 */
static void fill_batch(u8 *params, const struct mpu_row *row, void *data)
{
	struct batch *batch = data;
	u32 n = batch->count < row->cap ? batch->count : row->cap;
	u32 i;

	mpu_put32(params, row->count, n);
	for (i = 0; i < n; i++)
		mpu_put32(params, row->base + i * row->stride + row->pid, batch->process[i].pid);
}

static void read_entry(const struct question *q, u32 i, struct rm_process *p)
{
	const u8 *entry = q->params + q->row->base + i * q->row->stride;
	bool mig = q->row->stride >= 48;

	p->pid = mpu_get32(entry, q->row->pid);
	p->status = mpu_get32(entry, 8);
	p->bytes = mpu_get64(entry, 16) + mpu_get64(entry, 24);
	p->compute_instance = mig ? mpu_get32(entry, q->row->stride - 8) : NO_PROCESS;
	p->gpu_instance = mig ? mpu_get32(entry, q->row->stride - 4) : NO_PROCESS;
}

/* Asks in as many calls as the driver's table needs (200 a call). */
int rm_read_memory(struct rm *rm, const struct rm_gpu *gpu, struct rm_process *process, u32 count)
{
	struct batch batch = { process, count };
	struct question q = {
		.cmd = NV_CTRL_GPU_GET_PID_INFO, .old = GPU_GET_PID_INFO_OLD,
		.fill = fill_batch, .data = &batch,
	};
	u32 i, n;
	int ret;

	while (batch.count) {
		ret = ask(rm, gpu, &q);
		if (ret)
			return ret;
		n = batch.count < q.row->cap ? batch.count : q.row->cap;
		for (i = 0; i < n; i++)
			read_entry(&q, i, &batch.process[i]);
		free(q.params);
		batch.process += n;
		batch.count -= n;
	}
	return 0;
}

/* Largest array of a samples layout that goes by pointer: 100 x 472. */
struct sample_array {
	u8 bytes[100 * 472];
};

static void fill_samples(u8 *params, const struct mpu_row *row, void *data)
{
	struct sample_array *array = data;
	u32 size = row->cap * row->stride;

	params[0] = 2;	/* NV2080_CTRL_PERF_GPUMON_SAMPLE_TYPE_PERFMON_UTIL */
	mpu_put32(params, 4, size);
	if (row->ptr != MPU_NO_OFFSET && size <= sizeof(array->bytes))
		mpu_put64(params, row->ptr, (uintptr_t)array->bytes);
}

static bool read_sample(const struct mpu_row *row, const u8 *sample, u32 engine,
			struct rm_sample *out)
{
	u32 off = row->pid + engine * row->step;

	/* The utilisation of an engine stands 8 bytes before its PID. */
	*out = (struct rm_sample){
		.time_ns = mpu_get64(sample, 0),
		.engine = engine,
		.pid = mpu_get32(sample, off),
		.util = mpu_get32(sample, off - 8),
	};
	if (row->pointer != MPU_NO_OFFSET)
		out->pointer = mpu_get64(sample, off + row->pointer);
	return out->pid != NO_PROCESS && out->time_ns;
}

/* Returns the time of the newest sample, of which nobody may be the process. */
static u64 newest_sample(const struct mpu_row *row, const u8 *base)
{
	u64 newest = 0, time;
	u32 i;

	for (i = 0; i < row->cap; i++) {
		time = mpu_get64(base, i * row->stride);
		if (time > newest)
			newest = time;
	}
	return newest;
}

/*
 * Lists samples of the last @seconds before the newest, what `nvidia-smi pmon` shows, without
 * those of nobody; @sample has room for RM_SAMPLES.
 */
int rm_list_samples(struct rm *rm, const struct rm_gpu *gpu, unsigned int seconds,
		    struct rm_sample *sample, u32 *count)
{
	struct sample_array *array = xcalloc(1, sizeof(*array));
	struct question q = {
		.cmd = PERF_GET_SAMPLES, .old = PERF_GET_SAMPLES_OLD,
		.fill = fill_samples, .data = array,
	};
	const u8 *base, *at;
	u32 i, f, n = 0;
	u64 newest;
	int ret = ask(rm, gpu, &q);

	if (ret)
		goto out;
	base = q.row->ptr == MPU_NO_OFFSET ? q.params : array->bytes;
	base += q.row->base;
	newest = newest_sample(q.row, base);
	for (i = 0; i < q.row->cap; i++) {
		at = base + i * q.row->stride;
		if (newest - mpu_get64(at, 0) >= (u64)seconds * 1000000000)
			continue;
		for (f = 0; f < q.row->fields && n < RM_SAMPLES; f++)
			n += read_sample(q.row, at, f, &sample[n]);
	}
	*count = n;
	free(q.params);
out:
	free(array);
	return ret;
}

int rm_accounting_is_on(struct rm *rm, const struct rm_gpu *gpu, bool *on)
{
	u32 params[3] = { gpu->id };
	int ret = rm_control(rm, 0, NV_CTRL_GPUACCT_GET_ACCOUNTING_STATE, params, sizeof(params));

	if (!ret)
		*on = params[2] == 0;
	return ret;
}

static void fill_gpu(u8 *params, const struct mpu_row *row, void *data)
{
	(void)row;
	mpu_put32(params, 0, *(u32 *)data);
}

/* Lists the processes that have an accounting record; @pid has room for RM_PIDS. */
int rm_list_accounted(struct rm *rm, const struct rm_gpu *gpu, u32 *pid, u32 *count)
{
	u32 id = gpu->id;
	struct question q = {
		.cmd = NV_CTRL_GPUACCT_GET_ACCOUNTING_PIDS,
		.old = NV_CTRL_GPUACCT_GET_ACCOUNTING_PIDS,
		.fill = fill_gpu, .data = &id,
	};
	int ret = ask(rm, gpu, &q);

	if (ret)
		return ret;
	*count = copy_list(&q, pid);
	free(q.params);
	return 0;
}

int rm_read_account(struct rm *rm, const struct rm_gpu *gpu, struct rm_account *account)
{
	u64 params[6] = { 0 };
	int ret;

	mpu_put32(params, 0, gpu->id);
	mpu_put32(params, 4, account->pid);
	ret = rm_control(rm, 0, NV_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO, params, sizeof(params));
	if (ret)
		return ret;
	account->pid = mpu_get32(params, 4);
	account->end_us = mpu_get64(params, 40);
	return 0;
}

/* The controls of today that anybody may ask about any GPU. */
static const u32 probed[] = {
	NV_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO, NV_CTRL_GPUACCT_GET_ACCOUNTING_PIDS,
	GPU_GET_CAPTURES, NV_CTRL_GPU_GET_PIDS, NV_CTRL_GPU_GET_PID_INFO, GPU_GET_ENCODERS,
	PERF_GET_SAMPLES,
};

/* A question that is right, if the layout is; of one process, which has used nothing. */
static void fill_probe(u8 *params, const struct mpu_row *row, void *data)
{
	const struct rm_gpu *gpu = data;

	switch (row->cmd) {
	case NV_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO:
	case NV_CTRL_GPUACCT_GET_ACCOUNTING_PIDS:
		mpu_put32(params, 0, gpu->id);
		break;
	case NV_CTRL_GPU_GET_PIDS:
		mpu_put32(params, 4, RM_CLASS_SUBDEVICE);
		return;
	case PERF_GET_SAMPLES:
		params[0] = 2;	/* as in fill_samples() */
		mpu_put32(params, 4, row->cap * row->stride);
		return;
	default:
		mpu_put32(params, row->count, row->dir == MPU_IN ? 1 : row->cap);
	}
	if (row->dir == MPU_IN)
		mpu_put32(params, row->base + row->pid, 1);
}

static const struct mpu_row *newest_row(u32 cmd)
{
	u32 i = MPU_ROWS;

	while (mpu_rows[i - 1].cmd != cmd)
		i--;
	return &mpu_rows[i - 1];
}

/*
 * Asks controls of the table in their newest layouts: @taken are those (1 << control) whose
 * layout the driver has, @changed those which it has in another. In neither are those that the
 * driver does not have, or not for this GPU.
 */
void rm_probe_layouts(struct rm *rm, const struct rm_gpu *gpu, u32 *taken, u32 *changed)
{
	struct rm_gpu copy = *gpu;
	struct question q = { .fill = fill_probe, .data = &copy };
	size_t i;
	int ret;

	*taken = *changed = 0;
	for (i = 0; i < sizeof(probed) / sizeof(probed[0]); i++) {
		q.row = newest_row(probed[i]);
		ret = ask_row(rm, gpu, &q);
		if (ret == NV_ERR_INVALID_ARGUMENT || ret == NV_ERR_INVALID_PARAM_STRUCT)
			*changed |= 1u << q.row->control;
		else if (ret >= 0 && !is_other_layout(ret))
			*taken |= 1u << q.row->control;
		if (!ret)
			free(q.params);
	}
}
