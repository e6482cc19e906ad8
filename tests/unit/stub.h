/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared libraries that hold nothing but what is said of them.
 */
#ifndef MPU_TESTS_UNIT_STUB_H
#define MPU_TESTS_UNIT_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STUB_SIZE	8192

/**
 * struct stub - a library
 * @machine:	EM_... of elf.h
 * @soname, @need: NULL: none
 * @threads:	its ABI note says 2.3.99
 * @section, @owner, @text: a note in a section; NULL: none
 */
struct stub {
	uint16_t machine;
	bool is_64;
	const char *soname, *need;
	bool threads;
	const char *section, *owner, *text;
};

/** stub_make() - write its file. Return: size of the file. */
size_t stub_make(unsigned char file[STUB_SIZE], const struct stub *stub);

#endif /* MPU_TESTS_UNIT_STUB_H */
