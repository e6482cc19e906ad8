// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other names of this program, and the program that it is by each.
 */
#include <stddef.h>
#include <string.h>

#include "cli/applets.h"
#include "cli/nvidia/nvidia.h"
#include "lib/path.h"

/* deploy/nvidia-names makes a link of each that begins with "nvidia-". */
static const struct {
	const char *name;
	int (*main)(char **words);
} names[] = {
	{ "mpu-runtime", runtime_main },
	{ "nvidia-cdi-hook", cdi_hook_main },
	{ "nvidia-container-cli", container_cli_main },
	{ "nvidia-container-runtime", runtime_main },
	{ "nvidia-container-runtime.cdi", runtime_main },
	{ "nvidia-container-runtime.legacy", runtime_main },
	{ "nvidia-container-runtime-hook", nvidia_hook_main },
	{ "nvidia-container-toolkit", nvidia_hook_main },
	{ "nvidia-ctk", nvidia_ctk_main },
};

int (*names_find(const char *argv0))(char **words)
{
	const char *name = argv0 ? path_name(argv0) : NULL;
	size_t i;

	for (i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].main;
	return NULL;
}
