/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a CDI document of the driver as it is installed. plan_edits() decides what a
 * container is given, as for a container that is being created; here the edits are
 * divided among names.
 */
#ifndef MPU_CONTAINER_CDI_GENERATE_H
#define MPU_CONTAINER_CDI_GENERATE_H

#include "container/cdi/document.h"
#include "container/cdi/recipe.h"

/* The annotation that names the version of the driver that a document is for. */
#define CDI_DRIVER_ANNOTATION	"mpu/driver-version"

/**
 * cdi_generate() - make a document
 *
 * Equal input gives an equal document.
 *
 * Return: 0, or negative errno and a sentence in @why; -ENODEV: there is nothing
 * to make it of.
 */
int cdi_generate(struct cdi_document *document, const struct cdi_recipe *recipe,
		 char why[WHY_SIZE]);

/**
 * cdi_generate_edits() - the edits of all devices of a recipe, for one container
 * and without a document
 *
 * Return: as cdi_generate().
 */
int cdi_generate_edits(struct edits *edits, const struct cdi_recipe *recipe,
		       char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_CDI_GENERATE_H */
