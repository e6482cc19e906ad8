// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known by a driver's version and by a GPU's name.
 */
#include <stddef.h>
#include <string.h>

#include "nvidia/driver.h"
#include "nvidia/facts.h"

/* As the release notes of CUDA's toolkits pair them; a branch keeps its version. */
static const struct {
	u32 branch;
	const char *cuda;
} versions[] = {
	{ 384, "9.0" }, { 390, "9.1" }, { 396, "9.2" }, { 410, "10.0" },
	{ 418, "10.1" }, { 440, "10.2" }, { 450, "11.0" }, { 455, "11.1" },
	{ 460, "11.2" }, { 465, "11.3" }, { 470, "11.4" }, { 495, "11.5" },
	{ 510, "11.6" }, { 515, "11.7" }, { 520, "11.8" }, { 525, "12.0" },
	{ 530, "12.1" }, { 535, "12.2" }, { 545, "12.3" }, { 550, "12.4" },
	{ 555, "12.5" }, { 560, "12.6" }, { 565, "12.7" }, { 570, "12.8" },
	{ 575, "12.9" }, { 580, "13.0" }, { 590, "13.1" },
};

const char *facts_cuda(const char *version)
{
	u32 branch = driver_branch(version);
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (versions[i].branch == branch)
			return versions[i].cuda;
	return NULL;
}

/* The first that fits; names of GPUs for computers in racks have no brand. */
static const struct {
	const char *begins, *brand;
} brands[] = {
	{ "GeForce", "GeForce" }, { "Quadro RTX", "QuadroRTX" },
	{ "Quadro", "Quadro" }, { "RTX ", "NvidiaRTX" }, { "TITAN", "TITAN" },
	{ "Tesla", "Tesla" }, { "NVS", "NVS" }, { "GRID", "GRID" },
};

const char *facts_brand(const char *model)
{
	static const char maker[] = "NVIDIA ";
	size_t i;

	if (!strncmp(model, maker, strlen(maker)))
		model += strlen(maker);
	for (i = 0; i < sizeof(brands) / sizeof(*brands); i++)
		if (!strncmp(model, brands[i].begins, strlen(brands[i].begins)))
			return brands[i].brand;
	return NULL;
}
