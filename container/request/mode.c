// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the mode by which a container gets its GPUs.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "container/request/mode.h"

const char *const mode_names[MODE_COUNT] = {
#define X(name, text) [MODE_##name] = text,
	MODES(X)
#undef X
};

enum mode mode_find(const char *name)
{
	int mode;

	for (mode = 0; mode < MODE_COUNT; mode++)
		if (!strcmp(name, mode_names[mode]))
			break;
	return mode;
}

static bool exists(const char *root, const char *path)
{
	char full[PATH_MAX];

	return snprintf(full, sizeof(full), "%s%s", root, path) <
	       (int)sizeof(full) && !access(full, F_OK);
}

static bool has_line(const char *path, bool (*is_it)(const char *line))
{
	FILE *file = fopen(path, "re");
	bool found = false;
	char line[256];

	while (file && !found && fgets(line, sizeof(line), file))
		found = is_it(line);
	if (file)
		fclose(file);
	return found;
}

static bool is_tegra(const char *line)
{
	return !strncmp(line, "tegra", 5) || !strncmp(line, "Tegra", 5);
}

/* Tegra's own GPU calls itself "Orin (nvgpu)" or "NVIDIA Thor". */
static bool is_integrated(const char *line)
{
	return !strncmp(line, "Model:", 6) &&
	       (strstr(line, "(nvgpu)") || strstr(line, "NVIDIA Thor"));
}

static bool has_integrated(const char *root)
{
	char folder[PATH_MAX], path[PATH_MAX + 300];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/proc/driver/nvidia/gpus", root);
	dir = opendir(folder);
	while (dir && !found && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s/information", folder,
			 entry->d_name);
		found = has_line(path, is_integrated);
	}
	if (dir)
		closedir(dir);
	return found;
}

void platform_read(struct platform *platform, const char *root)
{
	char path[PATH_MAX];
	const char *proc;

	if (!strcmp(root, "/"))
		root = "";
	/* A driver container has no /proc of its own, as a rule. */
	proc = exists(root, "/proc/driver/nvidia") ? root : "";
	snprintf(path, sizeof(path), "%s/sys/devices/soc0/family", proc);
	platform->dxcore = exists(root, "/dev/dxg");
	platform->nvml = exists(proc, "/proc/driver/nvidia/version");
	platform->tegra_files = exists(root, "/etc/nv_tegra_release") ||
				has_line(path, is_tegra);
	platform->integrated_gpu = has_integrated(proc);
}

const char *mode_resolve(const char *setting, bool is_cdi,
			 const struct platform *platform, const char *standard)
{
	if (strcmp(setting, "auto"))
		return setting;
	if (is_cdi)
		return mode_names[MODE_CDI];
	if (platform->dxcore)
		return standard;
	return (platform->tegra_files && !platform->nvml) ||
	       platform->integrated_gpu ? mode_names[MODE_CSV] : standard;
}
