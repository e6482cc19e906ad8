/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CUDA forward compatibility: an image may bring a libcuda that is newer than
 * this machine's driver, in /usr/local/cuda/compat, for programs in it to take.
 */
#ifndef MPU_CONTAINER_COMPAT_H
#define MPU_CONTAINER_COMPAT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/why.h"

#define COMPAT_BRANCHES	64

/**
 * struct compat_note - what such a libcuda says of itself
 * @found:	it says something; no bool: see sandbox_parse()
 * @cuda:	"12.9"; "": it does not say
 * @branches:	branches of drivers that it works with; @n of them
 */
struct compat_note {
	int found;
	char cuda[32];
	uint32_t branches[COMPAT_BRANCHES];
	size_t n;
};

/**
 * compat_note_parse() - read it out of an ELF file: a sandbox_parser
 * @result:	struct compat_note
 *
 * Return: 0; a file without a note, or with one that cannot be understood, is
 * none with a note.
 */
int compat_note_parse(const void *bytes, size_t size, const void *arg,
		      void *result);

/**
 * compat_is_newer() - is it to be taken?
 * @version:	of the driver that it was made with: "575.57.08"
 * @driver, @cuda: this machine's; NULL: not known
 */
bool compat_is_newer(const struct compat_note *note, const char *version,
		     const char *driver, const char *cuda);

/**
 * compat_find() - look for one in a container's root
 * @root:	the root: a descriptor
 * @driver, @cuda: as of compat_is_newer()
 * @folder:	receives the folder with no link in it: "/usr/local/cuda-12.9/compat";
 *		"": there is none, or none that is to be taken
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int compat_find(int root, const char *driver, const char *cuda,
		char folder[PATH_MAX], char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_COMPAT_H */
