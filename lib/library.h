/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared libraries: what their names and their ELF files say of them.
 */
#ifndef MPU_LIB_LIBRARY_H
#define MPU_LIB_LIBRARY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/strv.h"

/**
 * struct library - a library
 * @machine:	EM_... of elf.h
 * @soname:	"": it has none, or a path
 * @needs:	SONAMEs of the libraries that it needs
 * @system:	oldest Linux that it is for, by its ABI note: 2, 3, 99; zeros: it has none
 */
struct library {
	uint16_t machine;
	bool is_64;
	char soname[NAME_MAX + 1];
	struct strv needs;
	uint32_t system[3];
};

/**
 * library_read() - read an ELF file
 * @fd:		of a file that nobody changes meanwhile and whose maker is trusted
 *
 * Return: 0, or -ENOEXEC: it is no shared library. Either way library_free() is to follow.
 */
int library_read(int fd, struct library *library);

/** library_parse() - likewise, of bytes that may be anything: in a sandbox */
int library_parse(const void *bytes, size_t size, struct library *library);

void library_free(struct library *library);

/**
 * library_note() - find a note in an ELF file
 * @bytes:	of a file that may be anything
 * @owner:	"NVIDIA Corporation"
 * @text:	receives what it says, terminated
 *
 * Return: 0, or -ENOENT: there is none that fits @text, or -ENOEXEC: it is no ELF file.
 */
int library_note(const void *bytes, size_t size, const char *section,
		 const char *owner, char *text, size_t room);

/**
 * library_is_name() - does a path end with the name of a library: "libcuda.so.1", but not
 * "cuda.so" or "libcuda.sole"?
 */
bool library_is_name(const char *path);

#endif /* MPU_LIB_LIBRARY_H */
