/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the note in a libcuda: its version of CUDA, and which drivers it works with.
 * From 580 on, at the latest, a driver's own has it, too.
 */
#ifndef MPU_NVIDIA_LIBCUDA_H
#define MPU_NVIDIA_LIBCUDA_H

#include <stddef.h>
#include <stdint.h>

#include "nvidia/driver_root.h"

#define LIBCUDA_BRANCHES	64

/**
 * struct libcuda_note - what one says
 * @found:	it says something; no bool: see sandbox_parse()
 * @cuda:	"12.9"; "": it does not say
 * @branches:	branches of drivers that it works with; @n of them
 */
struct libcuda_note {
	int found;
	char cuda[32];
	uint32_t branches[LIBCUDA_BRANCHES];
	size_t n;
};

/**
 * libcuda_note_parse() - read it out of an ELF file: a sandbox_parser
 * @result:	struct libcuda_note
 *
 * Return: 0; a file without a note, or with one that cannot be understood, is
 * none with a note.
 */
int libcuda_note_parse(const void *bytes, size_t size, const void *arg,
		      void *result);

/**
 * libcuda_read() - read it out of a file of the driver
 * @path:	below its root
 *
 * Nothing is found in a file that cannot be read.
 */
void libcuda_read(struct libcuda_note *note, const struct driver_root *root,
		  const char *path);

#endif /* MPU_NVIDIA_LIBCUDA_H */
