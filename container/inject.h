/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Edits of a container's config.json before it is created: GPUs, if it asks for some,
 * and supervision by engine notify.
 */
#ifndef MPU_CONTAINER_INJECT_H
#define MPU_CONTAINER_INJECT_H

#include "container/oci/seccomp.h"
#include "container/request/settings.h"

/**
 * struct injection - the GPUs that a container may get, and what came of it
 * @mode:	instead of the settings' mode; NULL: that
 * @bundle:	folder of the configuration; absolute
 * @notes:	receives sentences: what was asked for and is not given
 * @done:	receives a sentence: what was done; NULL: nothing
 */
struct injection {
	const struct settings *settings;
	const char *mode;
	const char *bundle;
	struct strv notes;
	char *done;
};

void injection_free(struct injection *injection);

/**
 * inject() - make both edits in a file, at once or not at all
 * @path:	of the config.json
 * @injection:	NULL: no GPUs
 * @supervision: NULL: none
 *
 * Either edit is made without the other. A container that asks for no GPU gets none; a
 * file that needs no edit is left alone.
 *
 * Return: OCI_ADDED or OCI_PRESENT; or why the container cannot be supervised, as
 * oci_seccomp_add() returns it; or negative errno. @why says what was left alone, or
 * went wrong.
 */
int inject(const char *path, struct injection *injection,
	   const struct oci_supervision *supervision, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_INJECT_H */
