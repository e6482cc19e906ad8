// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver as it is installed on this machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/host.h"
#include "nvidia/internal.h"

static int read_version(char version[DRIVER_VERSION], const char *proc, char why[WHY_SIZE])
{
	char path[PATH_MAX + 64], text[512];

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/version", proc);
	if (host_read_at(AT_FDCWD, path, text, sizeof(text)) < 0)
		return why_fail(why, -ENODEV,
				"driver not loaded: there is no %s: load it (modprobe nvidia), or name the root of another driver",
				path);
	if (!driver_find_version(version, text))
		return why_fail(why, -ENODEV, "%s: no version of a driver in it", path);
	return 0;
}

/* Nothing that could be loaded would make /proc/driver/nvidia there. */
static int check_wsl(const struct driver_root *root, int ret, char why[WHY_SIZE])
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/dev/dxg", root->files);
	return ret != -ENODEV || access(path, F_OK) ? ret :
	       why_fail(why, -EOPNOTSUPP, "GPUs of WSL are not given to containers: they are Windows' (/dev/dxg), and only NVIDIA's driver for Linux is known here: use NVIDIA's container toolkit there");
}

/*
 * Reads CUDA's version from the table; for a driver that is newer than that, from its
 * libcuda.
 */
static void read_cuda(struct installation *installation, const char *ldcache)
{
	const char *known = gpu_database_cuda(driver_branch(installation->version));
	struct driver_files files = { 0 };
	struct libcuda_note note = { .cuda = "" };
	char why[WHY_SIZE];
	size_t i;

	if (!known && !driver_files_find(&files, &installation->root,
					 installation->version,
					 CAPABILITY_COMPUTE, ldcache, why)) {
		for (i = 0; i < files.n; i++)
			if (files.file[i].kind == DRIVER_LIBRARY &&
			    !strcmp(files.file[i].part, "libcuda"))
				libcuda_read(&note, &installation->root, files.file[i].path);
		driver_files_free(&files);
	}
	snprintf(installation->cuda, sizeof(installation->cuda), "%s", known ? known : note.cuda);
}

int installation_read(struct installation *installation, const char *root,
		      unsigned int capabilities, const char *ldcache,
		      char why[WHY_SIZE])
{
	int ret;

	*installation = (struct installation){ 0 };
	ret = driver_root_open(&installation->root, root, why);
	if (!ret)
		ret = check_wsl(&installation->root,
				read_version(installation->version,
					     installation->root.proc, why), why);
	if (!ret)
		ret = devices_read(&installation->devices, &installation->root, why);
	if (!ret)
		ret = driver_files_find(&installation->files, &installation->root,
					installation->version, capabilities,
					ldcache, why);
	if (ret)
		installation_free(installation);
	else
		read_cuda(installation, ldcache);
	return ret;
}

int installation_read_some(struct installation *installation, const char *root, char why[WHY_SIZE])
{
	struct driver_root *where = &installation->root;
	char reason[WHY_SIZE];
	const char *cuda;
	int ret;

	*installation = (struct installation){ 0 };
	ret = driver_root_open(where, root, why);
	if (ret || read_version(installation->version, where->proc, reason))
		return ret;
	cuda = gpu_database_cuda(driver_branch(installation->version));
	snprintf(installation->cuda, sizeof(installation->cuda), "%s", cuda ?: "");
	if (devices_read(&installation->devices, where, reason))
		installation->devices = (struct devices){ 0 };
	return 0;
}

void installation_free(struct installation *installation)
{
	driver_files_free(&installation->files);
	devices_free(&installation->devices);
	driver_root_close(&installation->root);
}
