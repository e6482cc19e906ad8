/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's device nodes in /dev: which there have to be, and making those that
 * are missing. The driver does not make them, and devtmpfs does not know them.
 */
#ifndef MPU_NVIDIA_NODES_H
#define MPU_NVIDIA_NODES_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/strv.h"
#include "nvidia/devices.h"

/**
 * node_is_gpu() - is a node that of a GPU?
 * @name:	in its folder: "nvidia0"
 * @mode:	of stat(2)
 *
 * If so, its minor number is the GPU's, whatever number is in its name.
 */
bool node_is_gpu(const char *name, mode_t mode);

/**
 * nodes_make() - make the nodes that are missing or have another number
 * @imex:	channels to have a node
 * @problems:	receives a sentence for each that cannot be made
 *
 * Owner and mode are those that the driver's params and capabilities say, which
 * may also say that nobody is to make nodes. A node that is right is left as it
 * is.
 */
void nodes_make(const struct devices *devices, const struct driver_root *root,
		const uint32_t *imex, size_t n_imex, struct strv *problems);

/**
 * nodes_check() - look which are missing, have another number, or are left from a
 * GPU that is gone
 * @problems:	receives a sentence for each
 */
void nodes_check(const struct devices *devices, const struct driver_root *root,
		 struct strv *problems);

/**
 * nodes_link() - make /dev/char/MAJOR:MINOR, by which systemd looks a node up whose
 * number is in a device cgroup's rule; without it, "systemctl daemon-reload" takes
 * the GPUs of running containers away
 * @problems:	receives a sentence for each that cannot be made
 */
void nodes_link(const struct devices *devices, const struct driver_root *root,
		struct strv *problems);

/**
 * nodes_link_present() - likewise, to each node that is there, whether the driver is
 * known to have it or not
 */
void nodes_link_present(const struct driver_root *root, struct strv *problems);

/**
 * nodes_check_links() - look which nodes have no such link
 * @problems:	receives a sentence for each
 */
void nodes_check_links(const struct devices *devices, const struct driver_root *root,
		       struct strv *problems);

#endif /* MPU_NVIDIA_NODES_H */
