// SPDX-License-Identifier: GPL-2.0-only
/*
 * The escapes RM answers itself (the driver's prelinked part): allocate, free,
 * control, and how params travel between the caller and RM.
 */
#include "core/table.h"
#include "sim/accounting.h"
#include "sim/control.h"
#include "sim/objects.h"
#include "sim/state.h"

/* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE */
#define PARAMS_MAX	(1u << 20)

static const void *user_pointer(u64 address)
{
	return (const void *)(unsigned long)address;
}

/* --- RM_ALLOC: NVOS21_PARAMETERS (32 bytes), NVOS64_PARAMETERS (40, 48) --- */

#define ALLOC_ROOT	0
#define ALLOC_PARENT	4
#define ALLOC_NEW	8
#define ALLOC_CLASS	12
#define ALLOC_PARAMS	16

static void alloc_status(const struct sim *sim, void *data, u32 size, u32 status)
{
	u32 off;

	if (size == 32)
		off = sim_at_least(sim, MPU_DRIVER(535, 0, 0)) ? 28 : 24;
	else if (size == 40)
		off = sim_at_least(sim, MPU_DRIVER(525, 0, 0)) ? 36 : 32;
	else
		off = 40;
	mpu_put32(data, off, status);
}

static u32 alloc_root(struct sim *sim, struct sim_file *file, void *data)
{
	u64 where = mpu_get64(data, ALLOC_PARAMS);
	struct sim_client *client;
	u32 status = NV_OK;

	os_acquire_rm(sim);
	client = sim_client_new(sim, file);
	if (!client) {
		status = NV_ERR_INSUFFICIENT_RESOURCES;
		goto release;
	}
	mpu_put32(data, ALLOC_ROOT, client->handle);
	mpu_put32(data, ALLOC_NEW, client->handle);
	/* Old libraries look for the handle behind the pointer only. */
	if (where)
		status = os_memcpy_to_user((void *)user_pointer(where), &client->handle, 4);
	if (status)
		sim_client_free(sim, client);
release:
	os_release_rm(sim);
	return status;
}

/* Classes that RM's list of resources wants allocation params for. */
static bool needs_params(u32 class)
{
	return class == NV01_MEMORY_LOCAL_USER || class == NVENC_SW_SESSION ||
	       class == NVFBC_SW_SESSION || class == RM_USER_SHARED_DATA;
}

static u32 alloc_object(struct sim *sim, void *data)
{
	u64 from = mpu_get64(data, ALLOC_PARAMS);
	struct sim_object want = {
		.handle = mpu_get32(data, ALLOC_NEW),
		.parent = mpu_get32(data, ALLOC_PARENT),
		.class = mpu_get32(data, ALLOC_CLASS),
	};
	struct sim_client *client;
	u32 device = 0, index = 0;
	u32 status = NV_OK;

	/* NV0080_ALLOC_PARAMETERS.deviceId */
	if (want.class == NV01_DEVICE_0 && from)
		status = os_memcpy_from_user(&device, user_pointer(from), 4);
	if (needs_params(want.class) && !from)
		return NV_ERR_INVALID_ARGUMENT;
	/* NV_MEMORY_ALLOCATION_PARAMS.size */
	if (want.class == NV01_MEMORY_LOCAL_USER)
		status = os_memcpy_from_user(&want.bytes, user_pointer(from + 64), 8);
	/* NV00DE_ALLOC_PARAMETERS.polledDataMask */
	if (want.class == RM_USER_SHARED_DATA)
		status = os_memcpy_from_user(&want.polled, user_pointer(from), 8);
	if (!status && want.polled && sim->config.polling == SIM_POLL_NOTHING)
		status = NV_ERR_NOT_SUPPORTED;
	if (status)
		return status;
	os_acquire_rm(sim);
	client = sim_client_find(sim, mpu_get32(data, ALLOC_ROOT));
	if (client)
		status = sim_object_new(sim, client, &want, device, &index);
	else
		status = NV_ERR_INVALID_CLIENT;
	if (!status) {
		sim_account_new(sim, &sim->object[index]);
		mpu_put32(data, ALLOC_NEW, sim->object[index].handle);
	}
	os_release_rm(sim);
	return status;
}

static u32 serve_alloc(struct sim *sim, struct sim_file *file, void *data, u32 size)
{
	u32 class, status;

	if (size != 32 && size != 40 && size != 48)
		return NV_ERR_INVALID_ARGUMENT;
	class = mpu_get32(data, ALLOC_CLASS);
	if (class == NV01_ROOT || class == NV01_ROOT_CLIENT)
		status = alloc_root(sim, file, data);
	else
		status = alloc_object(sim, data);
	alloc_status(sim, data, size, status);
	return NV_OK;
}

/* --- RM_FREE: NVOS00_PARAMETERS --- */

static void free_client(struct sim *sim, struct sim_client *client)
{
	u32 pid = client->pid;

	sim_client_free(sim, client);
	sim_account_free(sim, pid);
}

static u32 serve_free(struct sim *sim, void *data, u32 size)
{
	u32 root, handle, status;
	struct sim_client *client;

	if (size != 16)
		return NV_ERR_INVALID_ARGUMENT;
	root = mpu_get32(data, 0);
	handle = mpu_get32(data, 8);
	os_acquire_rm(sim);
	client = sim_client_find(sim, root);
	if (!client) {
		status = NV_ERR_INVALID_CLIENT;
	} else if (handle == root) {
		free_client(sim, client);
		status = NV_OK;
	} else {
		status = sim_object_free(sim, client, handle);
		sim_account_free(sim, client->pid);
	}
	os_release_rm(sim);
	mpu_put32(data, 12, status);
	return NV_OK;
}

/* --- RM_CONTROL: struct nv_control --- */

static const struct sim_embedded *embedded_in(struct sim *sim, u32 cmd)
{
	const struct sim_embedded *e = sim_samples_embedded(sim, cmd);

	if (!e)
		e = sim_sessions_embedded(sim, cmd);
	return e ? e : sim_board_embedded(sim, cmd);
}

/*
 * embeddedParamCopyIn(): a driver buffer takes the place of the user's, or, if
 * there cannot be one, nothing.
 */
static u32 array_in(struct sim_call *call, const struct sim_embedded *e, u64 *user)
{
	u32 status = NV_OK;
	u64 bytes;

	if (call->size != e->size)
		return NV_ERR_INVALID_ARGUMENT;
	*user = mpu_get64(call->params, e->ptr);
	mpu_put64(call->params, e->ptr, 0);
	bytes = (u64)mpu_get32(call->params, e->count) * e->elem;
	if (!bytes != !*user || bytes > PARAMS_MAX)
		return NV_ERR_INVALID_ARGUMENT;
	if (!bytes)
		return NV_OK;
	status = os_alloc_mem(&call->array, bytes);
	if (status)
		return NV_ERR_INSUFFICIENT_RESOURCES;
	call->array_size = (u32)bytes;
	if (!e->out_only)
		status = os_memcpy_from_user(call->array, user_pointer(*user), call->array_size);
	if (!status)
		mpu_put64(call->params, e->ptr, (u64)(unsigned long)call->array);
	return status;
}

/* embeddedParamCopyOut() */
static u32 array_out(struct sim_call *call, const struct sim_embedded *e, u64 user)
{
	u32 status = NV_OK;

	if (call->array)
		status = os_memcpy_to_user((void *)user_pointer(user),
					   call->array, call->array_size);
	mpu_put64(call->params, e->ptr, user);
	return status;
}

static u32 (*const parts[])(struct sim *sim, struct sim_call *call) = {
	sim_procs_control,    sim_samples_control, sim_accounting_control,
	sim_sessions_control, sim_testing_control, sim_page_control,
	sim_board_control,
};

static u32 ask_parts(struct sim *sim, struct sim_call *call)
{
	u32 status = NV_ERR_NOT_SUPPORTED;
	u32 i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		status = parts[i](sim, call);
		if (status != NV_ERR_NOT_SUPPORTED)
			break;
	}
	return status;
}

/* resControlLookup_IMPL(): a control belongs to the class of its object. */
static bool object_takes(const struct sim *sim, const struct sim_call *call)
{
	u32 class = call->object == SIM_NONE ? NV01_ROOT : sim->object[call->object].class;

	switch (call->cmd >> 16) {
	case NV01_ROOT:
	case NV01_DEVICE_0:
	case NV20_SUBDEVICE_0:
	case GF100_PROFILER:
	case RM_USER_SHARED_DATA:
		return class == call->cmd >> 16;
	}
	return true;
}

/* The lock is not left behind: others are to go on. */
static void oops_here(struct sim *sim)
{
	volatile u32 *nothing = 0;

	os_release_rm(sim);
	*nothing = 0;
	os_acquire_rm(sim);
}

static u32 dispatch_control(struct sim *sim, struct sim_call *call, const struct nv_control *arg)
{
	u32 status, fail, gpu;

	call->client = sim_client_find(sim, arg->client);
	if (!call->client)
		return NV_ERR_INVALID_CLIENT;
	call->object = SIM_NONE;
	if (arg->object != arg->client) {
		call->object = sim_object_find(sim, call->client, arg->object);
		if (call->object == SIM_NONE)
			return NV_ERR_OBJECT_NOT_FOUND;
		gpu = sim->object[call->object].gpu;
		if (gpu != SIM_NONE)
			call->gpu = &sim->gpu[gpu];
	}
	if (!object_takes(sim, call))
		return NV_ERR_NOT_SUPPORTED;
	fail = call->client->fail;
	call->client->fail = NV_OK;
	status = ask_parts(sim, call);
	if (fail == SIM_FAIL_OOPS)
		oops_here(sim);
	return fail ? fail : status;
}

/*
 * Returns the status of a known control with another paramsSize than its own:
 * resControlLookup_IMPL() says so, until _rmapiRmControl() did before it.
 */
static u32 wrong_size(const struct sim *sim)
{
	u32 v = sim->config.version;

	return v < MPU_DRIVER(535, 161, 7) ||
	       (v >= MPU_DRIVER(545, 0, 0) && v < MPU_DRIVER(550, 40, 53)) ?
		       NV_ERR_INVALID_PARAM_STRUCT : NV_ERR_INVALID_ARGUMENT;
}

static u32 params_in(const struct sim *sim, struct sim_call *call, u64 user)
{
	u32 status = os_memcpy_from_user(call->params, user_pointer(user), call->size);

	return status || sim->copies != SIM_COPY_TWICE ? status :
	       os_memcpy_from_user(call->params, user_pointer(user), call->size);
}

static u32 params_out(const struct sim *sim, const struct sim_call *call, u64 user)
{
	u32 first = call->size, skip = 0, status;

	if (!call->size)
		return NV_OK;
	if (sim->copies == SIM_COPY_TAIL)
		skip = call->size < 12 ? call->size : 12;
	if (sim->copies == SIM_COPY_PART || sim->copies == SIM_COPY_PIECES)
		first -= call->size > 4 ? 4 : 0;
	status = os_memcpy_to_user((void *)user_pointer(user + skip), (u8 *)call->params + skip,
				   first - skip);
	return status || sim->copies != SIM_COPY_PIECES || first == call->size ? status :
	       os_memcpy_to_user((void *)user_pointer(user + first),
				 (u8 *)call->params + first, call->size - first);
}

/* Makes a control of a driver newer than the table one that the parts know. */
static u32 know_newer(const struct sim *sim, struct sim_call *call)
{
	if (!sim_at_least(sim, SIM_NEWER))
		return NV_OK;
	if (sim_at_least(sim, SIM_NEWER_MOVED)) {
		if (mpu_row_of(call->cmd))
			return NV_ERR_NOT_SUPPORTED;
		if (mpu_row_of(call->cmd ^ SIM_MOVED))
			call->cmd ^= SIM_MOVED;
	} else if (mpu_row_of(call->cmd)) {
		if (call->size < SIM_LONGER)
			return NV_ERR_INVALID_PARAM_STRUCT;
		call->size -= SIM_LONGER;
	}
	return NV_OK;
}

/*
 * _rmapiRmControl(): params go through the driver's own memory. They are copied
 * out if the control ends with NV_OK, and if its array could not be copied, in or
 * out (serverControlApiCopyIn(), serverControlApiCopyOut()).
 */
static u32 run_control(struct sim *sim, const struct nv_control *arg)
{
	struct sim_call call = { .cmd = arg->cmd, .size = arg->size };
	const struct sim_embedded *e;
	u32 status, out;
	u64 user = 0;

	if (!arg->size != !arg->params || arg->size > PARAMS_MAX)
		return NV_ERR_INVALID_ARGUMENT;
	if (arg->size && os_alloc_mem(&call.params, arg->size))
		return NV_ERR_INSUFFICIENT_RESOURCES;
	status = NV_OK;
	if (arg->size)
		status = params_in(sim, &call, arg->params);
	if (!status)
		status = know_newer(sim, &call);
	if (status)
		goto free_params;
	e = embedded_in(sim, call.cmd);
	if (e)
		status = array_in(&call, e, &user);
	if (status) {
		params_out(sim, &call, arg->params);
		goto free_array;
	}
	os_acquire_rm(sim);
	status = dispatch_control(sim, &call, arg);
	os_release_rm(sim);
	if (status == NV_ERR_INVALID_PARAM_STRUCT)
		status = wrong_size(sim);
	if (status)
		goto free_array;
	if (e)
		status = array_out(&call, e, user);
	out = params_out(sim, &call, arg->params);
	status = status ? status : out;
free_array:
	if (call.array)
		os_free_mem(call.array);
free_params:
	if (call.params)
		os_free_mem(call.params);
	return status;
}

static u32 serve_control(struct sim *sim, void *data, u32 size)
{
	struct nv_control *arg = data;

	if (size != sizeof(*arg))
		return NV_ERR_INVALID_ARGUMENT;
	arg->status = run_control(sim, arg);
	return NV_OK;
}

/* --- RM_MAP_MEMORY: nv_ioctl_nvos33_parameters_with_fd, of the shared page alone --- */

#define MAP_MEMORY	8
#define MAP_LENGTH	24
#define MAP_STATUS	40
#define MAP_FD		48

static u32 serve_map(struct sim *sim, void *data, u32 size)
{
	u32 status = NV_ERR_INVALID_OBJECT_HANDLE, memory, gpu = SIM_NONE;
	struct sim_client *client;

	if (size != 56)
		return NV_ERR_INVALID_ARGUMENT;
	os_acquire_rm(sim);
	client = sim_client_find(sim, mpu_get32(data, 0));
	memory = client ? sim_object_find(sim, client, mpu_get32(data, MAP_MEMORY)) : SIM_NONE;
	if (memory != SIM_NONE && sim->object[memory].class == RM_USER_SHARED_DATA)
		gpu = sim->object[memory].gpu;
	os_release_rm(sim);
	/* memMap_IMPL() */
	if (gpu != SIM_NONE)
		status = mpu_get64(data, MAP_LENGTH) > sim_page_size(sim) ?
			 NV_ERR_INVALID_LIMIT :
			 os_give_page((int)mpu_get32(data, MAP_FD), 1 + gpu) ? NV_OK :
			 NV_ERR_INVALID_ARGUMENT;
	mpu_put32(data, MAP_STATUS, status);
	return NV_OK;
}

u32 rm_ioctl(void *sp, struct sim *nv, struct sim_file *nvfp, u32 nr, void *data, u32 size)
{
	(void)sp;
	/* NV_CTL_DEVICE_ONLY; 390 allocates its device on /dev/nvidia0 */
	if (nvfp->minor != NV_MINOR_CTL && sim_at_least(nv, MPU_DRIVER(450, 0, 0)))
		return NV_ERR_INVALID_ARGUMENT;
	switch (nr) {
	case NV_ESC_RM_ALLOC:
		return serve_alloc(nv, nvfp, data, size);
	case NV_ESC_RM_FREE:
		return serve_free(nv, data, size);
	case NV_ESC_RM_CONTROL:
		return serve_control(nv, data, size);
	case NV_ESC_RM_MAP_MEMORY:
		return serve_map(nv, data, size);
	}
	return NV_ERR_NOT_SUPPORTED;
}

/* --- Open files: nvidia_open(), nvidia_close() --- */

void sim_open(struct sim *sim, struct sim_file *file, u32 minor)
{
	os_acquire_rm(sim);
	file->id = sim->next_file++;
	if (!sim->next_file)
		sim->next_file = 1;	/* 0 marks a free client */
	os_release_rm(sim);
	file->minor = minor;
}

void sim_close(struct sim *sim, struct sim_file *file)
{
	u32 i;

	os_acquire_rm(sim);
	for (i = sim->clients_end; i-- > 0;)
		if (sim->client[i].file == file->id)
			free_client(sim, &sim->client[i]);
	os_release_rm(sim);
}
