// SPDX-License-Identifier: GPL-2.0-only
/*
 * Utilisation samples of a GPU's engines: what GSP (or, on proprietary
 * drivers, RM itself) keeps, and what RM makes of it for a namespace
 * (kern_perf_ctrl.c). Values and their look are those recorded on an H200.
 */
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/objects.h"
#include "sim/version.h"

#define SAMPLES_V1		0x20802083	/* up to 470 */
#define SAMPLES_V1_LEGACY	0x2080a083	/* 515 to 550.163.01 */
#define SAMPLES_V2		0x20802096

/* ..UTIL_SAMPLES_V2_PARAMS; V1 has a pointer where V2's array starts */
#define PARAMS_BYTES	4
#define PARAMS_COUNT	8
#define PARAMS_TRACKER	12
#define PARAMS_ARRAY	16
#define V1_SIZE		24

/* A sample: u64 time stamp, then one of these per engine. */
#define SAMPLE_ENGINES	8
#define ENGINE_UTIL	0	/* 1/100 percent */
#define ENGINE_SCALE	4
#define ENGINE_PID	8
#define ENGINE_SUB_PID	12
#define ENGINE_POINTER	120	/* pOsPidInfo, where the layout has it */

#define PID_NONE	0xffffffffu
#define BURST		9	/* samples of one process in a row */
#define BUSY_MAX	128	/* more than samples in an answer */

/**
 * struct layout - how the samples of a version look
 * @cap:	samples in an answer
 * @engines:	engines in a sample
 * @step:	bytes from engine to engine
 */
struct layout {
	u32 cap;
	u32 engines;
	u32 step;
};

static struct layout layout_of(const struct sim *sim)
{
	struct layout l = { 72, 4, 116 };
	u32 version = sim->config.version;

	if (version < MPU_DRIVER(515, 86, 0) ||
	    (version >= MPU_DRIVER(520, 0, 0) &&
	     version < MPU_DRIVER(525, 0, 0)))
		l.cap = 100;
	if (version >= MPU_DRIVER(550, 0, 0))
		l.engines = 6;
	if (version >= MPU_DRIVER(570, 0, 0))
		l.step = 128;
	return l;
}

static u32 sample_size(const struct layout *l)
{
	return SAMPLE_ENGINES + l->engines * l->step;
}

/* Numbers that look random and are the same in every answer. */
static u32 noise_at(u32 age, u32 engine)
{
	u32 n = (age * SIM_ENGINES + engine + 1) * 0x9e3779b1u;

	return (n ^ n >> 15) * 0x85ebca6bu >> 8;
}

/* Busy clients of a GPU, as many as an answer can show, in order. */
struct busy {
	u32 n;
	u16 client[BUSY_MAX];
};

static bool is_busy(const struct sim_client *client)
{
	u32 e;

	for (e = 0; e < SIM_ENGINES; e++)
		if (client->util[e])
			return true;
	return false;
}

static void find_busy(const struct sim *sim, u32 gpu, struct busy *busy)
{
	u32 i;

	busy->n = 0;
	for (i = 0; i < sim->clients_end && busy->n < BUSY_MAX; i++) {
		const struct sim_client *client = &sim->client[i];

		if (client->file && is_busy(client) && sim_client_has_device(sim, client, gpu))
			busy->client[busy->n++] = i;
	}
}

/* The client that an engine of a sample names, or NULL; @age counts from the oldest. */
static const struct sim_client *client_named(const struct sim *sim,
					     const struct busy *busy,
					     u32 pattern, u32 age, u32 random)
{
	u32 who = busy->n;

	if (!busy->n)
		return 0;
	switch (pattern) {
	case SIM_ALTERNATING:
		who = age % busy->n;
		break;
	case SIM_MIXED:
		if (random % 3)
			who = random / 3 % busy->n;
		break;
	case SIM_BURSTY:
		who = age / BURST % (busy->n + 1);
		break;
	}
	return who < busy->n ? &sim->client[busy->client[who]] : 0;
}

/*
 * On the H200 a busy engine stays up to one in a hundred below what it is busy,
 * and an idle one counts a hundredth of a percent now and then.
 */
static void fill_engine(u8 *engine, const struct layout *l,
			const struct sim_client *client, u32 util, u32 random)
{
	sim_fill(engine, 0, l->step);
	mpu_put32(engine, ENGINE_SCALE, 1);
	if (!client || !util) {
		mpu_put32(engine, ENGINE_UTIL, random % 8 == 0);
		mpu_put32(engine, ENGINE_PID, PID_NONE);
		mpu_put32(engine, ENGINE_SUB_PID, PID_NONE);
		return;
	}
	mpu_put32(engine, ENGINE_UTIL, util * 100 - random % (util + 1));
	mpu_put32(engine, ENGINE_PID, client->pid);
	mpu_put32(engine, ENGINE_SUB_PID, client->sub_pid);
	if (l->step > ENGINE_POINTER)
		mpu_put64(engine, ENGINE_POINTER, client->pid_info);
}

/*
 * A ring that is always full. The tracker says at which byte it begins: there
 * the oldest sample stands, and the newest before it.
 */
static void fill_ring(struct sim *sim, struct sim_call *call,
		      const struct layout *l, u8 *array, u32 n)
{
	u64 now = sim_time_us() * 1000;
	u32 begin = n / 6;
	struct busy busy;
	u32 age, e;

	find_busy(sim, call->gpu->index, &busy);
	for (age = 0; age < n; age++) {
		u8 *sample = array + (begin + age) % n * sample_size(l);

		mpu_put64(sample, 0, now - (u64)(n - 1 - age) * SIM_SAMPLE_NS);
		for (e = 0; e < l->engines; e++) {
			u32 random = noise_at(age, e);
			const struct sim_client *client =
				client_named(sim, &busy, call->gpu->pattern,
					     age, random);

			fill_engine(sample + SAMPLE_ENGINES + e * l->step, l,
				    client, client ? client->util[e] : 0,
				    random);
		}
	}
	mpu_put32(call->params, PARAMS_COUNT, 0);	/* as on H200 */
	mpu_put32(call->params, PARAMS_TRACKER, begin * sample_size(l));
}

/*
 * ..SamplesV2_KERNEL(): whom the caller can see gets a local number and loses
 * the pointer; of everybody else the global number and the pointer stay.
 */
static void make_local(const struct layout *l, u8 *array, u32 n)
{
	u32 i, e, pid;

	for (i = 0; i < n; i++)
		for (e = 0; e < l->engines; e++) {
			u8 *engine = array + i * sample_size(l) + SAMPLE_ENGINES + e * l->step;
			u64 pid_info = mpu_get64(engine, ENGINE_POINTER);

			if (!pid_info || os_find_ns_pid((void *)(unsigned long)pid_info, &pid))
				continue;
			mpu_put64(engine, ENGINE_POINTER, 0);
			mpu_put32(engine, ENGINE_PID, pid);
		}
}

static u32 answer_samples(struct sim *sim, struct sim_call *call, u8 *array, u32 room)
{
	struct layout l = layout_of(sim);
	u32 bytes = mpu_get32(call->params, PARAMS_BYTES);
	u32 n = bytes / sample_size(&l);

	if (bytes > room || n > l.cap)
		return NV_ERR_INVALID_ARGUMENT;
	fill_ring(sim, call, &l, array, n);
	if (sim_pid_space_of(sim, call->cmd) != MPU_PIDS_MIXED)
		return NV_OK;
	if (sim->regime >= MPU_R4 && os_is_init_ns())
		return NV_OK;
	make_local(&l, array, n);
	return NV_OK;
}

/*
 * V1 on open drivers goes to GSP as it is, where the caller's pointer means
 * nothing; elsewhere RM copies the array like any other embedded one.
 */
static const struct sim_embedded v1 = {
	SAMPLES_V1, V1_SIZE, PARAMS_ARRAY, PARAMS_BYTES, 1, 0,
};
static const struct sim_embedded v1_legacy = {
	SAMPLES_V1_LEGACY, V1_SIZE, PARAMS_ARRAY, PARAMS_BYTES, 1, 0,
};

const struct sim_embedded *sim_samples_embedded(const struct sim *sim, u32 cmd)
{
	bool old = !sim_at_least(sim, MPU_DRIVER(515, 0, 0));

	if (cmd == SAMPLES_V1 && old)
		return &v1;
	if (cmd == SAMPLES_V1_LEGACY && !old &&
	    sim->config.flavour == SIM_PROPRIETARY &&
	    !sim_at_least(sim, MPU_DRIVER(555, 0, 0)))
		return &v1_legacy;
	return 0;
}

u32 sim_samples_control(struct sim *sim, struct sim_call *call)
{
	struct layout l = layout_of(sim);

	if (sim_samples_embedded(sim, call->cmd))
		return answer_samples(sim, call, call->array, call->array_size);
	if (call->cmd != SAMPLES_V2 || !sim_at_least(sim, MPU_DRIVER(515, 0, 0)))
		return NV_ERR_NOT_SUPPORTED;
	if (call->size != PARAMS_ARRAY + l.cap * sample_size(&l))
		return NV_ERR_INVALID_PARAM_STRUCT;
	return answer_samples(sim, call, (u8 *)call->params + PARAMS_ARRAY,
			      call->size - PARAMS_ARRAY);
}
