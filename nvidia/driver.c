// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who the driver says it is: its module's version, and the first line of
 * /proc/driver/nvidia/version, which is there whatever the module is called:
 *
 *	NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  ...
 *	NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.163.01  ...
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/host.h"
#include "nvidia/driver.h"

const char *const flavour_names[] = {
	[FLAVOUR_UNKNOWN] = NULL, [FLAVOUR_OPEN] = "open",
	[FLAVOUR_PROPRIETARY] = "proprietary",
};

/* The first word that is a number with a dot. */
static void find_version(char *version, size_t size, const char *text)
{
	size_t len = 0;

	while (*text) {
		text += strspn(text, " \t\n");
		len = strcspn(text, " \t\n");
		if (isdigit((unsigned char)*text) && memchr(text, '.', len))
			break;
		text += len;
	}
	snprintf(version, size, "%.*s", *text ? (int)len : 0, text);
}

/*
 * Of the module that is loaded, not of a version number: both flavours have
 * the same. 'P' in its taint means a licence that is not free.
 */
static enum flavour find_flavour(const char *module, const char *text)
{
	char taint[32];

	if (strstr(text, "Open Kernel Module"))
		return FLAVOUR_OPEN;
	if (text[0])
		return FLAVOUR_PROPRIETARY;
	if (host_read(taint, sizeof(taint), "/sys/module/%s/taint",
		      module) >= 0)
		return strchr(taint, 'P') ? FLAVOUR_PROPRIETARY : FLAVOUR_OPEN;
	return FLAVOUR_UNKNOWN;
}

void identity_read(struct identity *identity, const char *module)
{
	char text[512];

	host_read(text, sizeof(text), "/proc/driver/nvidia/version");
	identity->flavour = find_flavour(module, text);
	if (host_read(identity->version, sizeof(identity->version),
		      "/sys/module/%s/version", module) <= 0)
		find_version(identity->version, sizeof(identity->version),
			     text);
}
