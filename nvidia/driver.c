// SPDX-License-Identifier: GPL-2.0-only
/*
 * The NVIDIA driver: its functions in /proc/kallsyms, its module in sysfs, and the
 * first line of /proc/driver/nvidia/version, which is there whatever the module is
 * called:
 *
 *	NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  ...
 *	NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.163.01  ...
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nvrm.h"
#include "lib/host.h"
#include "nvidia/internal.h"

const char *const flavour_names[] = {
	[FLAVOUR_UNKNOWN] = NULL, [FLAVOUR_OPEN] = "open",
	[FLAVOUR_PROPRIETARY] = "proprietary",
};

/* Finds the first word of digits and dots alone: it may stand in a file's name. "" if none. */
bool driver_find_version(char version[DRIVER_VERSION], const char *text)
{
	size_t len = 0;

	while (*text) {
		text += strspn(text, " \t\n");
		len = strcspn(text, " \t\n");
		if (isdigit((unsigned char)*text) && memchr(text, '.', len) &&
		    strspn(text, "0123456789.") == len && len < DRIVER_VERSION)
			break;
		text += len;
	}
	snprintf(version, DRIVER_VERSION, "%.*s", *text ? (int)len : 0, text);
	return *version;
}

/*
 * Both flavours have the same version numbers. 'P' in a module's taint means a
 * licence that is not free.
 */
static enum flavour find_flavour(const char *module, const char *text)
{
	char taint[32];

	if (strstr(text, "Open Kernel Module"))
		return FLAVOUR_OPEN;
	if (text[0])
		return FLAVOUR_PROPRIETARY;
	if (host_read(taint, sizeof(taint), "/sys/module/%s/taint", module) >= 0)
		return strchr(taint, 'P') ? FLAVOUR_PROPRIETARY : FLAVOUR_OPEN;
	return FLAVOUR_UNKNOWN;
}

u32 driver_branch(const char *version)
{
	return (u32)strtoul(version, NULL, 10);
}

/* Return: false: the module does not say it there. */
static bool read_module_version(char version[DRIVER_VERSION], const char *module)
{
	return host_read(version, DRIVER_VERSION, "/sys/module/%s/version", module) > 0;
}

u32 driver_read_branch(const char *module)
{
	char version[DRIVER_VERSION], text[512];

	if (!read_module_version(version, module)) {
		host_read(text, sizeof(text), "/proc/driver/nvidia/version");
		driver_find_version(version, text);
	}
	return driver_branch(version);
}

/*
 * Reads the driver, which may start or stop meanwhile, and must not be given one's
 * version with what another said, or nobody yet, of its flavour. If it changes, the
 * version is not known.
 */
void driver_read(struct driver *driver, const char *module)
{
	char text[512], again[DRIVER_VERSION];
	bool known;

	memset(driver, 0, sizeof(*driver));
	snprintf(driver->module, sizeof(driver->module), "%s", module);
	known = read_module_version(driver->version, module);
	host_read(text, sizeof(text), "/proc/driver/nvidia/version");
	if (!known)
		driver_find_version(driver->version, text);
	driver->flavour = find_flavour(module, text);
	if (known && (!read_module_version(again, module) || strcmp(driver->version, again)))
		driver->version[0] = '\0';
	driver->branch = driver_branch(driver->version);
}

/* The first branch whose page has processes (NV00DE_RUSD_POLL_PROC_UTIL). */
#define SHARES_SINCE	590

/* NV_REG_STR_RM_DEBUG_RUSD_POLLING, and its value FORCE_DISABLE. */
#define POLLING		"RMDebugRusdPolling="
#define POLLING_OFF	1

/* The file has a line  RegistryDwords: "key=value;key=value"  */
bool driver_shares_processes(const struct driver *driver)
{
	char text[4096], *at;

	if (driver->branch < SHARES_SINCE)
		return false;
	host_read(text, sizeof(text), "/proc/driver/nvidia/params");
	at = strstr(text, "\nRegistryDwords:");
	if (!at)
		return true;
	at++;
	at[strcspn(at, "\n")] = '\0';
	at = strstr(at, POLLING);
	return !at || strtoul(at + strlen(POLLING), NULL, 0) != POLLING_OFF;
}

static const char *const entries[][DRIVER_ENTRIES] = {
	{ NV_ENTRY },
	{ NV_ENTRY_535, NV_ENTRY_535_COMPAT },
};

/* "ffffffffc0a1b2c3 t nvidia_unlocked_ioctl\t[nvidia]" */
static const char *const *find_entries(const char *line, char module[64])
{
	char symbol[64];
	size_t i;

	if (sscanf(line, "%*s %*s %63s [%63[^]]", symbol, module) != 2)
		return NULL;
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strcmp(symbol, entries[i][0]))
			return entries[i];
	return NULL;
}

static const char *const *read_symbols(char module[64])
{
	const char *const *found = NULL;
	FILE *file = host_fopen("/proc/kallsyms");
	char line[512];

	if (!file)
		return NULL;
	while (!found && fgets(line, sizeof(line), file))
		if (strstr(line, " nvidia_") && strchr(line, '['))
			found = find_entries(line, module);
	fclose(file);
	return found;
}

void driver_find(struct driver *driver)
{
	char module[64];
	const char *const *found = read_symbols(module);

	memset(driver, 0, sizeof(*driver));
	if (!found)
		return;
	driver_read(driver, module);
	memcpy(driver->entry, found, sizeof(driver->entry));
}

bool driver_is_there(const char *module)
{
	return module[0] && host_exists("/sys/module/%s/initstate", module);
}

bool driver_is_used(const char *module)
{
	struct dirent *one;
	char text[32];
	long users;
	DIR *dir;

	if (host_read(text, sizeof(text), "/sys/module/%s/refcnt", module) <= 0)
		return false;
	users = strtol(text, NULL, 10);
	dir = host_opendir("/sys/module/%s/holders", module);
	while (dir && (one = readdir(dir)))
		users -= one->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return users > 0;
}
