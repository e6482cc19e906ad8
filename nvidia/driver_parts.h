/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the driver in user space: the one list of its libraries, programs,
 * sockets and configuration, and of which capability takes what.
 */
#ifndef MPU_NVIDIA_DRIVER_PARTS_H
#define MPU_NVIDIA_DRIVER_PARTS_H

#include <limits.h>
#include <stdbool.h>

#include "nvidia/capability.h"

enum driver_file_kind {
	DRIVER_LIBRARY,		/* of the architecture that this program is for */
	DRIVER_LIBRARY32,	/* of the 32-bit one beside it */
	DRIVER_PROGRAM,
	DRIVER_SOCKET,		/* or a folder of sockets (MPS) */
	DRIVER_FIRMWARE,
	DRIVER_DATA,		/* configuration that libraries read */
};

/* Checks of a library. */
enum part_check {
	PART_ANY,
	PART_TLS,	/* must be for threads as glibc has them since 2.3.99 */
	PART_GLVND,	/* NVIDIA's library behind the loaders of GLVND */
	PART_DIRECT,	/* NVIDIA's own libGL, of drivers that have no PART_GLVND */
};

/**
 * struct part - something that the driver consists of
 * @name:	begin of the file's name; of a socket: its path
 * @suffix:	what follows; NULL: nothing
 * @versioned:	and then the driver's version
 * @folder:	of a library: where it is below a folder of libraries; NULL: there
 * @data:	of data: below which folders it is looked for; NULL ends them
 * @variable:	of a socket: the one that has its path if that is another
 * @link:	another name that it is to have in a container, beside it; NULL: none
 * @target:	what that link says; NULL: name of the file
 * @capabilities: enum capability: those that take it
 */
struct part {
	enum driver_file_kind kind;
	const char *name;
	const char *suffix;
	bool versioned;
	const char *folder;
	const char *const *data;
	const char *variable;
	const char *link;
	const char *target;
	enum part_check check;
	unsigned int capabilities;
};

/* Parts by kind; a NULL name ends them. Libraries are those of 32 bits, too. */
extern const struct part parts[];

/**
 * part_is_for() - does a container with these capabilities take a part?
 * @capabilities: enum capability; compat32 is none that takes anything by itself
 */
bool part_is_for(const struct part *part, unsigned int capabilities);

/**
 * part_file() - the name of a part's file: "libcuda.so.580.159.04"
 * @version:	of the driver
 *
 * Return: false: it is too long.
 */
bool part_file(const struct part *part, const char *version, char name[PATH_MAX]);

/**
 * part_find() - the library that a name belongs to
 * @name:	"libcuda.so.1", "libcuda.so"
 *
 * Return: NULL: none.
 */
const struct part *part_find(const char *name);

/* Any other file with the driver's version: newer drivers have more. */
extern const struct part part_other;

/* Firmware of the GPU's own processor: "gsp_ga10x.bin". */
extern const struct part part_firmware;

#endif /* MPU_NVIDIA_DRIVER_PARTS_H */
