/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clients and objects, as escapes and controls need them. The RM lock is held.
 */
#ifndef MPU_SIM_OBJECTS_H
#define MPU_SIM_OBJECTS_H

#include "sim/sim.h"

/** sim_client_new() - a client of the calling process; NULL: there are too many */
struct sim_client *sim_client_new(struct sim *sim, const struct sim_file *file);

/** sim_client_find() - the client with this handle, or NULL */
struct sim_client *sim_client_find(struct sim *sim, u32 handle);

/** sim_client_free() - free a client and all of its objects */
void sim_client_free(struct sim *sim, struct sim_client *client);

u32 sim_client_index(const struct sim *sim, const struct sim_client *client);

/**
 * sim_client_pid() - the client as the caller's namespace knows it
 *
 * From R1 on; global in R0. NV_ERR_OBJECT_NOT_FOUND if it cannot be seen.
 */
u32 sim_client_pid(const struct sim_client *client, u32 *pid);

/** sim_client_has_device() - does it hold a device object of this GPU? */
bool sim_client_has_device(const struct sim *sim, const struct sim_client *client, u32 gpu);

/** sim_client_bytes() - memory a client holds on a GPU */
u64 sim_client_bytes(const struct sim *sim, const struct sim_client *client, u32 gpu);

/**
 * sim_object_new() - allocate an object
 * @want:	handle (0: RM chooses), parent, class and bytes are read
 * @device:	device instance, for NV01_DEVICE_0
 * @index:	of the object, set on NV_OK
 */
u32 sim_object_new(struct sim *sim, struct sim_client *client,
		   const struct sim_object *want, u32 device, u32 *index);

/** sim_object_free() - free an object and everything below it */
u32 sim_object_free(struct sim *sim, struct sim_client *client, u32 handle);

/** sim_object_find() - index of an object, or SIM_NONE */
u32 sim_object_find(const struct sim *sim, const struct sim_client *client, u32 handle);

#endif /* MPU_SIM_OBJECTS_H */
