// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds UUIDs that procfs does not have.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "nvidia/internal.h"

static int open_cap(const struct driver_root *root, uint32_t minor)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/dev/nvidia-caps/nvidia-cap%u", root->dev, minor);
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static void read_uuid(struct rm *rm, const struct rm_gpu *gpu, struct mig *mig,
		      const struct driver_root *root)
{
	struct rm_mig asked = {
		.gpu_instance = mig->gpu_instance,
		.compute_instance = mig->compute_instance,
		.gpu_cap = open_cap(root, mig->gpu_cap),
		.compute_cap = open_cap(root, mig->compute_cap),
	};

	if (asked.gpu_cap >= 0 && asked.compute_cap >= 0)
		rm_read_mig_uuid(rm, gpu, &asked, mig->uuid);
	if (asked.gpu_cap >= 0)
		close(asked.gpu_cap);
	if (asked.compute_cap >= 0)
		close(asked.compute_cap);
}

static bool lacks_uuid(const struct gpu *gpu)
{
	size_t i;

	for (i = 0; i < gpu->n_migs; i++)
		if (!*gpu->migs[i].uuid)
			return true;
	return false;
}

static void read_uuids(struct rm *rm, struct rm_gpu *rm_gpu, struct gpu *gpu,
		       const struct driver_root *root)
{
	size_t i;

	if (rm_attach(rm, rm_gpu))
		return;
	for (i = 0; i < gpu->n_migs; i++)
		if (!*gpu->migs[i].uuid)
			read_uuid(rm, rm_gpu, &gpu->migs[i], root);
	rm_detach(rm, rm_gpu);
}

static void find_migs(struct devices *devices, const struct driver_root *root)
{
	struct rm_gpu gpus[RM_GPUS];
	char dev[PATH_MAX + 8];
	u32 count = 0, j;
	struct rm rm;
	size_t i;

	for (i = 0; i < devices->n_gpus && !lacks_uuid(&devices->gpus[i]); i++)
		;
	if (i == devices->n_gpus)
		return;
	snprintf(dev, sizeof(dev), "%s/dev", root->dev);
	if (rm_open(&rm, dev, NULL))
		return;
	if (rm_list_gpus(&rm, gpus, &count))
		count = 0;
	for (; i < devices->n_gpus; i++)
		for (j = 0; lacks_uuid(&devices->gpus[i]) && j < count; j++)
			if (gpus[j].minor == (int)devices->gpus[i].minor)
				read_uuids(&rm, &gpus[j], &devices->gpus[i], root);
	rm_close(&rm);
}

void uuids_find(struct devices *devices, const struct driver_root *root)
{
	devices_wake(devices, root);
	find_migs(devices, root);
}
