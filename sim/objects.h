/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clients and objects, as the escapes need them. The RM lock is held.
 */
#ifndef MPU_SIM_OBJECTS_H
#define MPU_SIM_OBJECTS_H

#include "sim/sim.h"

struct sim_client *sim_client_new(struct sim *sim, const struct sim_file *file);
struct sim_client *sim_client_find(struct sim *sim, u32 handle);
void sim_client_free(struct sim *sim, struct sim_client *client);
u32 sim_client_index(const struct sim *sim, const struct sim_client *client);

/**
 * sim_object_new() - allocate an object
 * @want:	handle (0: RM chooses), parent, class and bytes are read
 * @device:	device instance, for NV01_DEVICE_0
 * @handle:	set on NV_OK
 */
u32 sim_object_new(struct sim *sim, struct sim_client *client,
		   const struct sim_object *want, u32 device, u32 *handle);

/** sim_object_free() - free an object and everything below it */
u32 sim_object_free(struct sim *sim, struct sim_client *client, u32 handle);

/** sim_object_find() - index of an object, or SIM_NONE */
u32 sim_object_find(const struct sim *sim, const struct sim_client *client,
		    u32 handle);

static inline bool sim_is_channel(u32 class)
{
	return (class & 0xff) == 0x6f;
}

static inline u32 sim_graphics(u32 compute)
{
	return (compute & 0xff00) | 0x97;
}

#endif /* MPU_SIM_OBJECTS_H */
