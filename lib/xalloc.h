/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory or the end: allocators of programs that live for milliseconds, which have nothing
 * to save when there is none. They print "NAME: no memory" and exit with status 1.
 *
 * Not for what serves others after this request: the agent, monitor and worker of engine
 * notify, the daemon of engine bpf, the HTTP server.
 */
#ifndef MPU_LIB_XALLOC_H
#define MPU_LIB_XALLOC_H

#include <stdarg.h>
#include <stddef.h>

/** xcalloc() - zeroed memory */
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/** xreallocarray() - @old with room for @n elements of @size bytes */
void *xreallocarray(void *old, size_t n, size_t size) __attribute__((returns_nonnull));

char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t len) __attribute__((malloc, returns_nonnull));

/** xasprintf() - a text that is put together as by printf() */
char *xasprintf(const char *fmt, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list args)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 0)));

/** xcheck() - ends the program if @memory, allocated by a library, is NULL. Return: @memory */
void *xcheck(void *memory) __attribute__((returns_nonnull));

#endif /* MPU_LIB_XALLOC_H */
