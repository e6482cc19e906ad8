/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An injector as one writes it who trusts the image: what the attacks of
 * attacks.sh are for.
 */
#ifndef MPU_TESTS_CONTAINER_NAIVE_H
#define MPU_TESTS_CONTAINER_NAIVE_H

#include "container/image/image.h"
#include "container/rootfs/rootfs.h"

/** naive_configure() - as rootfs_configure(): paths are put together, looked at and
 * used; libraries of the image's compat folder are mounted; @ldconfig, if any, is run
 * as it is
 */
int naive_configure(const struct edits *edits, const struct rootfs_options *options,
		    const struct layout *layout, const char *ldconfig, char why[WHY_SIZE]);

#endif /* MPU_TESTS_CONTAINER_NAIVE_H */
