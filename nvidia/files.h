/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the driver that a program with a GPU takes: libraries, programs,
 * sockets, firmware, configuration. Found by names, through ld.so.cache or in the
 * usual folders.
 */
#ifndef MPU_NVIDIA_FILES_H
#define MPU_NVIDIA_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "nvidia/driver_parts.h"
#include "nvidia/driver_root.h"

/**
 * struct driver_file - a file
 * @path:	below the driver's root, no link in it:
 *		"/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04"
 * @place:	where it belongs in a container: a path below the folder of
 *		libraries or of programs ("libcuda.so.580.159.04", "nvidia-smi",
 *		"vdpau/libvdpau_nvidia.so.580.159.04"), or from the root on
 *		("/run/nvidia-persistenced/socket")
 * @soname:	of a library: what programs look for, in the same folder; NULL: it
 *		has none
 * @link:	one more name that programs look for, in the same folder
 *		("libcuda.so"); NULL: there is none
 * @target:	what that link says: "libcuda.so.1"
 * @part:	name in the table of what belongs to which capability: "libcuda"
 * @capabilities: enum capability: those that take it; 0: every container. For a
 *		DRIVER_LIBRARY32 those that take it where compat32 is, too
 * @shared:	of a folder of sockets: everybody may write what it is in, so that its path
 *		may lead elsewhere by the next look; and nobody has named it
 */
struct driver_file {
	enum driver_file_kind kind;
	char *path;
	char *place;
	char *soname;
	char *link, *target;
	const char *part;
	unsigned int capabilities;
	bool shared;
};

/**
 * struct driver_files - files, by kind, and within it in the table's order
 */
struct driver_files {
	struct driver_file *file;
	size_t n;
};

/**
 * driver_files_find() - find those that a container takes
 * @version:	of the driver: libraries of another are left out
 * @capabilities: enum capability: those of the container; what only others take is
 *		not looked for
 * @ldcache:	the cache to look into, below the root; NULL: /etc/ld.so.cache
 *
 * A missing file is not found, which is no error: whether a container can do
 * without it the caller knows.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int driver_files_find(struct driver_files *files, const struct driver_root *root,
		      const char *version, unsigned int capabilities,
		      const char *ldcache, char why[WHY_SIZE]);

void driver_files_free(struct driver_files *files);

#endif /* MPU_NVIDIA_FILES_H */
