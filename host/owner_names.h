/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of containers, from the files that their engines and the kubelet keep.
 */
#ifndef MPU_HOST_OWNER_NAMES_H
#define MPU_HOST_OWNER_NAMES_H

#include <limits.h>

#include "host/cgroup.h"
#include "host/kubelet.h"
#include "host/podman.h"

/**
 * struct owner_files - what is read once for many containers
 * @is_read:	@kubelet and @docker have been read
 * @docker:	data-root of daemon.json, "" if it has none
 */
struct owner_files {
	bool is_read;
	struct kubelet kubelet;
	struct podman podman;
	char docker[PATH_MAX];
};

/** owner_files_free() - forget, so that it is read anew when it is needed again */
void owner_files_free(struct owner_files *files);

/**
 * owner_find_name() - find the name of a container, as cgroup_parse_file() has left it
 *
 * A rootless container has none: its engine's files are in its user's home, which is
 * neither read as root nor waited for.
 *
 * Return: true: all is known that can be.
 */
bool owner_find_name(struct owner_files *files, struct owner *owner);

#endif /* MPU_HOST_OWNER_NAMES_H */
