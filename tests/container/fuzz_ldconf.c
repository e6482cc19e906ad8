// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: ld.so.conf. Whatever its files say, further files are named by paths
 * that end, only folders are named that stand there, and what is parsed twice is found
 * twice.
 */
#include "container/cdi/internal.h"
#include "tests/container/random.h"

/* "!" ends a string: a pattern, the path of a file, what it says. */
const char *const random_seeds[] = {
	"/etc/ld.so.conf!/etc/ld.so.conf!include ld.so.conf.d/*.conf\n/opt/lib\n!",
	"/etc/d/*.conf!/etc/d/a.conf!# of ours\n/a\t/b#\r\n!/etc/d/*.conf!/etc/d/b!/opt/lib!",
	"/etc/[a-z]?\\*!/etc/ab*!include /usr/[[:alpha:]]* ../x # y\n  /a!",
	NULL,
};

static char *names[] = { "/opt/lib", "/a", "/opt", NULL };
static const struct strv folders = { .word = names, .n = 3 };

static void parse(const char *bytes, size_t size, struct ldconf_found *found)
{
	found->n = 0;
	memset(found->named, 0, folders.n);
	require(!ldconf_parse(bytes, size, &folders, found));
}

static void check(const char *bytes, size_t size)
{
	static struct ldconf_found *found, *again;
	uint32_t i;

	if (!found)
		found = malloc(sizeof(*found) + folders.n);
	if (!again)
		again = malloc(sizeof(*again) + folders.n);
	require(found && again);
	parse(bytes, size, found);
	random_taken += found->n || found->named[0] || found->named[1];
	require(found->n <= LDCONF_INCLUDES);
	for (i = 0; i < folders.n; i++)
		require(!found->named[i] || memmem(bytes, size, names[i], strlen(names[i])));
	parse(bytes, size, again);
	require(found->n == again->n && !memcmp(found->named, again->named, folders.n));
	for (i = 0; i < found->n; i++) {
		const char *slash = strrchr(found->include[i], '/');
		const char *name = slash ? slash + 1 : found->include[i];

		require(strlen(found->include[i]) < PATH_MAX);
		require(memmem(bytes, size, name, strlen(name)));
		require(!strcmp(found->include[i], again->include[i]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Allocated in its own size, for the sanitizer. */
	char *bytes = malloc(size ?: 1);
	size_t i;

	if (!bytes)
		return 0;
	for (i = 0; i < size; i++)
		bytes[i] = data[i] == '!' ? '\0' : (char)data[i];
	check(bytes, size);
	free(bytes);
	return 0;
}
