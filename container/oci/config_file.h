/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What MPU edits in the config.json of a container that is to be made.
 */
#ifndef MPU_CONTAINER_OCI_CONFIG_FILE_H
#define MPU_CONTAINER_OCI_CONFIG_FILE_H

#include "container/oci/seccomp.h"

/**
 * struct oci_editor - something that is edited, on its own
 * @edit:	edits @config; @arg is the editor's. Return: enum oci_result, with a
 *		sentence in @why for anything but OCI_ADDED and OCI_PRESENT, or
 *		negative errno and a sentence in @why
 */
struct oci_editor {
	int (*edit)(struct json_object *config, void *arg, char why[WHY_SIZE]);
	void *arg;
};

/** oci_edit_supervise() - oci_seccomp_add() as an editor; @arg: what is wanted */
int oci_edit_supervise(struct json_object *config, void *arg,
		       char why[WHY_SIZE]);

/**
 * oci_edit_config() - make all edits in a file, at once or not at all
 *
 * A file that needs none is left alone.
 *
 * Return: OCI_ADDED or OCI_PRESENT; or what an editor returned that left the
 * configuration alone, whatever the others did; or negative errno. @why says what
 * was left alone, or went wrong.
 */
int oci_edit_config(const char *path, const struct oci_editor *editors, size_t n,
		    char why[WHY_SIZE]);

/**
 * oci_edit_is_supervised() - does a file have a container supervised?
 *
 * Return: 1 or 0, or negative errno: it cannot be read.
 */
int oci_edit_is_supervised(const char *path, const char *listener);

#endif /* MPU_CONTAINER_OCI_CONFIG_FILE_H */
