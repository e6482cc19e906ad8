/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mounts of a configuration.
 */
#ifndef MPU_OCI_MOUNTS_H
#define MPU_OCI_MOUNTS_H

#include "lib/json_file.h"
#include "lib/strv.h"

/**
 * struct oci_mounts - the mounts of a configuration, to be found by where they are
 * @config:	the configuration
 * @at:		a member for each destination, without slashes and dots to spare
 */
struct oci_mounts {
	struct json_object *config, *at;
};

/** oci_mounts_open() - read them. Return: 0, or -ENOMEM and a sentence in @why */
int oci_mounts_open(struct oci_mounts *mounts, struct json_object *config,
		    char why[WHY_SIZE]);

void oci_mounts_close(struct oci_mounts *mounts);

/**
 * oci_mounts_add() - add a mount of something of the host's, at the end
 *
 * One at the same destination goes.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_mounts_add(struct oci_mounts *mounts, const char *destination,
		   const char *source, const struct strv *options,
		   char why[WHY_SIZE]);

/**
 * oci_mounts_hold() - does a path lie in something that is mounted? Such a path is
 * not in the container's root
 */
bool oci_mounts_hold(const struct oci_mounts *mounts, const char *path);

/**
 * oci_mounts_sort() - put what is nearer to the root first, else keep the order
 *
 * A mount that was added at the end may be above one that was there.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_mounts_sort(struct json_object *config, char why[WHY_SIZE]);

#endif /* MPU_OCI_MOUNTS_H */
