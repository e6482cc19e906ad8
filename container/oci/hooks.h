/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks of a configuration: programs that a runtime calls while it makes a
 * container. The one that NVIDIA's chain lives by is a prestart hook, which
 * engines and the legacy mode of a wrapper put there.
 */
#ifndef MPU_OCI_HOOKS_H
#define MPU_OCI_HOOKS_H

#include <limits.h>
#include <stdbool.h>

#include "container/plan/edits.h"
#include "lib/json_file.h"

/**
 * oci_hooks_plan_nvidia() - NVIDIA's prestart hook, as an edit
 * @path:	of the program
 * @input:	what asked for it; NULL: not known
 *
 * Return: 0 or -ENOMEM.
 */
int oci_hooks_plan_nvidia(struct edits *edits, const char *path,
			  const char *input);

/**
 * oci_hooks_add_nvidia() - have NVIDIA's prestart hook called
 * @edit:	of oci_hooks_plan_nvidia()
 *
 * A configuration that has one already, by either of its names, is left alone.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_hooks_add_nvidia(struct json_object *config, const struct edit *edit,
			 char why[WHY_SIZE]);

/**
 * oci_hooks_remove_nvidia() - have it not called
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_hooks_remove_nvidia(struct json_object *config, char why[WHY_SIZE]);

/** oci_hooks_has_nvidia() - is it called? */
bool oci_hooks_has_nvidia(struct json_object *config);

/**
 * oci_hooks_find() - where a program is that is named in config.toml
 * @name:	a path, which is taken as it is; or a name, for PATH and the usual
 *		folders
 *
 * Return: 0 or -ENAMETOOLONG. A program that is nowhere gets a path in /usr/bin.
 */
int oci_hooks_find(const char *name, char path[PATH_MAX]);

/**
 * oci_hooks_add() - add an edit of kind EDIT_HOOK, unless it is there
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_hooks_add(struct json_object *config, const struct edit *edit,
		  char why[WHY_SIZE]);

#endif /* MPU_OCI_HOOKS_H */
