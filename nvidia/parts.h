/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver consists of in user space: the one list of its libraries,
 * programs, sockets and configuration, and of which capability takes what.
 */
#ifndef MPU_NVIDIA_PARTS_H
#define MPU_NVIDIA_PARTS_H

#include "nvidia/files.h"

/* What a library must be, beside of the driver's version. */
enum part_check {
	PART_ANY,
	PART_TLS,	/* for threads as glibc 2.3.99 and later has them */
	PART_DIRECT,	/* NVIDIA's own libGL, of a driver without GLVND */
};

/**
 * struct part - something that the driver consists of
 * @name:	of a library: its file's without ".so"; of a program: its file's;
 *		of a socket: its path; of data: its path below a folder
 * @suffix:	of a library's name; NULL: ".so." and the driver's version
 * @folder:	of a library: where it is below a folder of libraries; NULL: there
 * @data:	of data: below which folders it is looked for; NULL ends them
 * @link:	another name that it is to have in a container, beside it; NULL: none
 * @target:	what that link says; NULL: name of the file
 * @capabilities: enum capability: those that take it
 */
struct part {
	enum driver_file_kind kind;
	const char *name;
	const char *suffix;
	const char *folder;
	const char *const *data;
	const char *link;
	const char *target;
	enum part_check check;
	unsigned int capabilities;
};

/* By kind; a NULL name ends them. Libraries are those of 32 bits, too. */
extern const struct part parts[];

/* What has the driver's version and is none of them: newer drivers have more. */
extern const struct part part_other;

/* Firmware of the GPU's own processor: "gsp_ga10x.bin". */
extern const struct part part_firmware;

#endif /* MPU_NVIDIA_PARTS_H */
