/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The containers that podman lists, where storage.conf says, for root and for users.
 */
#ifndef MPU_HOST_PODMAN_H
#define MPU_HOST_PODMAN_H

#include "host/owner.h"

/**
 * struct podman - what has been read of it
 * @store:	NULL: nothing yet
 */
struct podman {
	struct podman_store *store;
};

/**
 * podman_find() - fill in the container of @owner->id, if known
 * @uid:	the user whose it may be; else -1
 *
 * What is read for one container is kept for others.
 */
void podman_find(struct podman *podman, struct owner *owner, uid_t uid);

/** podman_free() - forget what has been read */
void podman_free(struct podman *podman);

#endif /* MPU_HOST_PODMAN_H */
