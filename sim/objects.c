// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients and objects of the simulated RM: who allocated what, on which GPU.
 */
#include "sim/bytes.h"
#include "sim/gpu.h"
#include "sim/objects.h"
#include "sim/version.h"

/* Handles RM makes up: clients as the real one, objects out of their way. */
#define CLIENT_HANDLE	0xc1d00000u
#define OBJECT_HANDLE	0xcaf00000u

void sim_init(struct sim *sim, const struct sim_config *config)
{
	sim->config = *config;
	sim->regime = sim_regime_of(config);
	sim->next_file = 1;
	sim->next_session = 1;
	sim->objects_free = SIM_NONE;
	sim_gpus_init(sim);
}

/* --- objects --- */

u32 sim_object_find(const struct sim *sim, const struct sim_client *client, u32 handle)
{
	u32 i;

	for (i = client->objects; i != SIM_NONE; i = sim->object[i].next)
		if (sim->object[i].handle == handle)
			return i;
	return SIM_NONE;
}

bool sim_client_has_device(const struct sim *sim, const struct sim_client *client, u32 gpu)
{
	u32 i;

	for (i = client->objects; i != SIM_NONE; i = sim->object[i].next)
		if (sim->object[i].class == NV01_DEVICE_0 && sim->object[i].gpu == gpu)
			return true;
	return false;
}

u64 sim_client_bytes(const struct sim *sim, const struct sim_client *client, u32 gpu)
{
	u64 bytes = 0;
	u32 i;

	for (i = client->objects; i != SIM_NONE; i = sim->object[i].next)
		if (sim->object[i].gpu == gpu)
			bytes += sim->object[i].bytes;
	return bytes;
}

/*
 * Finds where an object may hang, and on which GPU it is then. Only the rules that the
 * PID controls depend on: RM's resource list has many more.
 */
static u32 object_place(struct sim *sim, struct sim_client *client,
			struct sim_object *object, u32 device)
{
	u32 parent = SIM_NONE;

	if (object->parent != client->handle) {
		parent = sim_object_find(sim, client, object->parent);
		if (parent == SIM_NONE)
			return NV_ERR_INVALID_OBJECT_PARENT;
	}
	object->gpu = parent == SIM_NONE ? SIM_NONE : sim->object[parent].gpu;
	switch (object->class) {
	case NV01_DEVICE_0:
		if (parent != SIM_NONE)
			return NV_ERR_INVALID_OBJECT_PARENT;
		if (device >= sim->config.gpus)
			return NV_ERR_INVALID_DEVICE;
		object->gpu = device;
		return NV_OK;
	case NV20_SUBDEVICE_0:
	case NV01_MEMORY_LOCAL_USER:
		if (parent == SIM_NONE || sim->object[parent].class != NV01_DEVICE_0)
			return NV_ERR_INVALID_OBJECT_PARENT;
		return NV_OK;
	case NVENC_SW_SESSION:
	case NVFBC_SW_SESSION:
	case GF100_PROFILER:
	case RM_USER_SHARED_DATA:
		if (parent == SIM_NONE || sim->object[parent].class != NV20_SUBDEVICE_0)
			return NV_ERR_INVALID_OBJECT_PARENT;
		return NV_OK;
	}
	return NV_OK;
}

static u32 object_take(struct sim *sim)
{
	u32 i = sim->objects_free;

	if (i != SIM_NONE)
		sim->objects_free = sim->object[i].next;
	else if (sim->objects_end < SIM_OBJECTS)
		i = sim->objects_end++;
	return i;
}

u32 sim_object_new(struct sim *sim, struct sim_client *client,
		   const struct sim_object *want, u32 device, u32 *index)
{
	struct sim_object object = *want;
	struct sim_gpu *gpu;
	u32 status, i;

	if (!sim_gpu_has_class(sim, object.class))
		return NV_ERR_INVALID_CLASS;
	status = object_place(sim, client, &object, device);
	if (status)
		return status;
	if (object.handle == client->handle ||
	    (object.handle &&
	     sim_object_find(sim, client, object.handle) != SIM_NONE))
		return NV_ERR_INSERT_DUPLICATE_NAME;
	if (object.bytes) {
		gpu = &sim->gpu[object.gpu];
		if (object.bytes > gpu->fb_bytes - gpu->used_bytes)
			return NV_ERR_NO_MEMORY;
	}
	i = object_take(sim);
	if (i == SIM_NONE)
		return NV_ERR_INSUFFICIENT_RESOURCES;
	if (!object.handle)
		object.handle = OBJECT_HANDLE + i;
	if (object.class == NVENC_SW_SESSION || object.class == NVFBC_SW_SESSION)
		object.session = sim->next_session++;
	object.client = sim_client_index(sim, client);
	object.next = client->objects;
	client->objects = i;
	sim->object[i] = object;
	*index = i;
	if (object.bytes)
		sim->gpu[object.gpu].used_bytes += object.bytes;
	return NV_OK;
}

/* Take the object out of its client's list and put it on the free one. */
static void object_drop(struct sim *sim, struct sim_client *client, u32 i)
{
	struct sim_object *object = &sim->object[i];
	u32 *link = &client->objects;
	u32 gpu = object->gpu;

	while (*link != i)
		link = &sim->object[*link].next;
	*link = object->next;
	if (object->bytes)
		sim->gpu[gpu].used_bytes -= object->bytes;
	if (object->class == GF100_PROFILER && gpu != SIM_NONE &&
	    sim->gpu[gpu].hwpm_client == object->client)
		sim->gpu[gpu].hwpm_client = SIM_NONE;
	sim_fill(object, 0, sizeof(*object));
	object->client = SIM_NONE;
	object->next = sim->objects_free;
	sim->objects_free = i;
}

/* An object whose parent is gone, or SIM_NONE. */
static u32 object_orphan(const struct sim *sim, const struct sim_client *client)
{
	u32 i;

	for (i = client->objects; i != SIM_NONE; i = sim->object[i].next)
		if (sim->object[i].parent != client->handle &&
		    sim_object_find(sim, client, sim->object[i].parent) ==
			    SIM_NONE)
			return i;
	return SIM_NONE;
}

u32 sim_object_free(struct sim *sim, struct sim_client *client, u32 handle)
{
	u32 i = sim_object_find(sim, client, handle);

	if (i == SIM_NONE)
		return NV_ERR_OBJECT_NOT_FOUND;
	for (; i != SIM_NONE; i = object_orphan(sim, client))
		object_drop(sim, client, i);
	return NV_OK;
}

/* --- clients --- */

struct sim_client *sim_client_find(struct sim *sim, u32 handle)
{
	u32 i = handle - CLIENT_HANDLE;

	if (i >= sim->clients_end || !sim->client[i].file)
		return 0;
	return &sim->client[i];
}

u32 sim_client_index(const struct sim *sim, const struct sim_client *client)
{
	return (u32)(client - sim->client);
}

/* rmclientConstruct_IMPL(): who the client is, is settled here for good. */
struct sim_client *sim_client_new(struct sim *sim, const struct sim_file *file)
{
	struct sim_client *client;
	u32 i;

	for (i = 0; i < SIM_CLIENTS && sim->client[i].file; i++)
		;
	if (i == SIM_CLIENTS)
		return 0;
	if (i >= sim->clients_end)
		sim->clients_end = i + 1;
	client = &sim->client[i];
	sim_fill(client, 0, sizeof(*client));
	client->handle = CLIENT_HANDLE + i;
	client->file = file->id;
	client->objects = SIM_NONE;
	client->pid = os_get_current_process();
	if (sim->config.flavour == SIM_PROPRIETARY || sim->regime >= MPU_R1)
		client->pid_info = (u64)(unsigned long)os_get_pid_info();
	return client;
}

void sim_client_free(struct sim *sim, struct sim_client *client)
{
	while (client->objects != SIM_NONE)
		object_drop(sim, client, client->objects);
	if (client->pid_info)
		os_put_pid_info((void *)(unsigned long)client->pid_info);
	client->file = 0;
	while (sim->clients_end && !sim->client[sim->clients_end - 1].file)
		sim->clients_end--;
}

/* _gpuConvertPid(): the client's number in the namespace of the caller. */
u32 sim_client_pid(const struct sim_client *client, u32 *pid)
{
	if (client->pid_info)
		return os_find_ns_pid((void *)(unsigned long)client->pid_info, pid);
	*pid = client->pid;
	return NV_OK;
}
