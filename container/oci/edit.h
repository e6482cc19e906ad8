/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What MPU edits in the config.json of a container that is to be made.
 */
#ifndef MPU_OCI_EDIT_H
#define MPU_OCI_EDIT_H

#include "container/oci/seccomp.h"

/**
 * oci_edit_config() - make all edits in a file, at once or not at all
 *
 * A file that needs none is left alone.
 *
 * Return: as oci_seccomp_add(), or negative errno; @why says what went wrong.
 */
int oci_edit_config(const char *path, const struct oci_supervision *want,
		    char why[WHY_SIZE]);

/**
 * oci_edit_is_supervised() - does a file have a container supervised?
 *
 * Return: 1 or 0, or negative errno: it cannot be read.
 */
int oci_edit_is_supervised(const char *path, const char *listener);

#endif /* MPU_OCI_EDIT_H */
