// SPDX-License-Identifier: GPL-2.0-only
/*
 * The NVIDIA driver as the kernel knows it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nvrm.h"
#include "driver.h"
#include "lib/host.h"

static const char *const entries[][DRIVER_ENTRIES] = {
	{ NV_ENTRY },
	{ NV_ENTRY_535, NV_ENTRY_535_COMPAT },
};

/* "ffffffffc0a1b2c3 t nvidia_unlocked_ioctl\t[nvidia]" */
static bool read_symbol(struct driver *driver, const char *line)
{
	char symbol[64];
	size_t i;

	if (sscanf(line, "%*s %*s %63s [%63[^]]", symbol, driver->module) != 2)
		return false;
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (strcmp(symbol, entries[i][0]))
			continue;
		memcpy(driver->entry, entries[i], sizeof(driver->entry));
		return true;
	}
	return false;
}

static void read_symbols(struct driver *driver)
{
	char line[512], path[64];
	FILE *file;

	if (host_path(path, sizeof(path), "/proc/kallsyms"))
		return;
	file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (strstr(line, " nvidia_") && strchr(line, '[') &&
		    read_symbol(driver, line))
			break;
	if (!driver->entry[0])
		driver->module[0] = '\0';
	fclose(file);
}

void driver_find(struct driver *driver)
{
	memset(driver, 0, sizeof(*driver));
	read_symbols(driver);
	if (!driver->module[0])
		return;
	host_read(driver->version, sizeof(driver->version),
		  "/sys/module/%s/version", driver->module);
	driver->branch = (u32)strtoul(driver->version, NULL, 10);
	driver->btf = host_exists("/sys/kernel/btf/%s", driver->module);
}

bool driver_is_there(const struct driver *driver)
{
	return host_exists("/sys/module/%s/initstate", driver->module);
}

bool driver_is_loaded(const struct driver *driver)
{
	char state[16];

	return driver->module[0] &&
	       host_read(state, sizeof(state), "/sys/module/%s/initstate",
			 driver->module) > 0 && !strcmp(state, "live");
}
