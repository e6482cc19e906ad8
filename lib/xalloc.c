// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocators that end the program where there is no memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"

void *xcheck(void *memory)
{
	if (memory)
		return memory;
	fprintf(stderr, "%s: no memory\n", program_invocation_short_name);
	exit(1);
}

void *xcalloc(size_t n, size_t size)
{
	return xcheck(calloc(n, size));
}

void *xreallocarray(void *old, size_t n, size_t size)
{
	return xcheck(reallocarray(old, n, size));
}

char *xstrdup(const char *text)
{
	return xcheck(strdup(text));
}

char *xstrndup(const char *text, size_t len)
{
	return xcheck(strndup(text, len));
}

char *xvasprintf(const char *fmt, va_list args)
{
	char *text;

	return xcheck(vasprintf(&text, fmt, args) < 0 ? NULL : text);
}

char *xasprintf(const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = xvasprintf(fmt, args);
	va_end(args);
	return text;
}
