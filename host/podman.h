/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The containers that podman lists, where storage.conf says, for root.
 */
#ifndef MPU_HOST_PODMAN_H
#define MPU_HOST_PODMAN_H

#include "host/owner.h"
#include "lib/strv.h"

/**
 * struct podman - what has been read of it
 * @names:	"ID NAME", sorted
 */
struct podman {
	bool is_read;
	struct strv names;
};

/**
 * podman_find() - fill in the container of @owner->id, if known
 *
 * Files that are read for one container are kept for others.
 */
void podman_find(struct podman *podman, struct owner *owner);

/** podman_free() - forget what has been read */
void podman_free(struct podman *podman);

#endif /* MPU_HOST_PODMAN_H */
