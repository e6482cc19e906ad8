/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wrapper's other edit: GPUs, for a container that asks for some.
 */
#ifndef MPU_CONTAINER_INJECT_H
#define MPU_CONTAINER_INJECT_H

#include "container/request/settings.h"
#include "lib/document.h"

/**
 * struct oci_injection - what is to be injected, and what came of it
 * @mode:	instead of the settings' mode; NULL: that
 * @bundle:	folder of the configuration; absolute
 * @notes:	receives sentences: what was asked for and is not given
 * @done:	receives a sentence: what was done; NULL: nothing
 */
struct oci_injection {
	const struct settings *settings;
	const char *mode;
	const char *bundle;
	struct words notes;
	char *done;
};

/**
 * oci_injection_edit() - an editor (struct oci_editor); @arg: struct oci_injection
 *
 * A container that asks for no GPU is left alone.
 */
int oci_injection_edit(struct json_object *config, void *arg,
		       char why[WHY_SIZE]);

void oci_injection_free(struct oci_injection *injection);

#endif /* MPU_CONTAINER_INJECT_H */
