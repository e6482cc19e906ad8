/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parsing files that a stranger has made: in a child that can do nothing else.
 */
#ifndef MPU_LIB_SANDBOX_H
#define MPU_LIB_SANDBOX_H

#include <stddef.h>

/**
 * typedef sandbox_parser - reads a file
 * @bytes:	its content; whoever owns it may change it meanwhile
 * @result:	zeros at first
 *
 * Return: 0, or a negative errno above -128.
 */
typedef int sandbox_parser(const void *bytes, size_t size, const void *arg, void *result);

/**
 * sandbox_parse() - have a file parsed
 * @fd:		the file: a regular one
 * @result:	of @size bytes; to be looked at as if the file's maker had written it: a
 *		mistake in the parser may have let them
 *
 * The child has no descriptors, no capabilities, and a seccomp filter that lets it ask for
 * memory and end. It has ten seconds, one of computing, and 256 MiB.
 *
 * Return: what the parser returned, or negative errno; -EFBIG: the file is larger than
 * 1 GiB; -EINTR: the child was killed, by what it tried or for taking too much.
 */
int sandbox_parse(int fd, sandbox_parser *parser, const void *arg, void *result, size_t size);

/** sandbox_parse_bytes() - likewise, of what is in memory already: @length bytes */
int sandbox_parse_bytes(const void *bytes, size_t length, sandbox_parser *parser,
			const void *arg, void *result, size_t size);

#endif /* MPU_LIB_SANDBOX_H */
