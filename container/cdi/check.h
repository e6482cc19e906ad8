/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether the CDI documents of a machine are still right: the driver may have
 * been updated since they were written, or somebody else may have written the same
 * devices.
 */
#ifndef MPU_CONTAINER_CDI_CHECK_H
#define MPU_CONTAINER_CDI_CHECK_H

#include "container/cdi/registry.h"

/**
 * cdi_check() - look at all documents of a registry
 * @version:	of the driver that is loaded, NULL: none is
 * @findings:	receives a sentence for each thing that is wrong: a file that no
 *		program takes, a driver that is another one by now, files and nodes that
 *		are not there, devices that two files have
 *
 * Return: 0 or -ENOMEM.
 */
int cdi_check(const struct cdi_registry *registry, const char *version,
	      struct strv *findings);

#endif /* MPU_CONTAINER_CDI_CHECK_H */
