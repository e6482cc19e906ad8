// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of CUDA versions, brands and architectures. Entries that a table lacks are not
 * known, which is an answer, too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/host.h"
#include "nvidia/internal.h"

/*
 * Each branch supports the CUDA that came out with it: "CUDA Toolkit and
 * Corresponding Driver Versions" in the release notes of CUDA 8.0 to 13.2. With 565
 * none came out: what its nvidia-smi says.
 */
static const struct {
	uint16_t branch;
	const char *cuda;
} cudas[] = {
	{ 375, "8.0" }, { 384, "9.0" }, { 387, "9.1" }, { 390, "9.1" }, { 396, "9.2" },
	{ 410, "10.0" }, { 418, "10.1" }, { 440, "10.2" },
	{ 450, "11.0" }, { 455, "11.1" }, { 460, "11.2" }, { 465, "11.3" },
	{ 470, "11.4" }, { 495, "11.5" }, { 510, "11.6" }, { 515, "11.7" },
	{ 520, "11.8" }, { 525, "12.0" }, { 530, "12.1" }, { 535, "12.2" },
	{ 545, "12.3" }, { 550, "12.4" }, { 555, "12.5" }, { 560, "12.6" },
	{ 565, "12.7" }, { 570, "12.8" }, { 575, "12.9" }, { 580, "13.0" },
	{ 590, "13.1" }, { 595, "13.2" },
};

/*
 * Names of nvml.h's nvmlBrandType_t as nvidia-container-cli writes them. "Quadro
 * RTX" became a brand of its own in some driver, and newer models for data centres
 * are "Tesla" or "NVIDIA" by driver: not known. nvml.h calls those of GeForce RTX
 * and TITAN RTX unused.
 */
static const struct {
	const char *model, *brand;
} brands[] = {
	{ "Quadro RTX", NULL }, { "Quadro ", "Quadro" }, { "Tesla ", "Tesla" },
	{ "NVS ", "NVS" }, { "GRID ", "GRID" }, { "GeForce ", "GeForce" },
	{ "TITAN ", "TITAN" }, { "RTX ", "NvidiaRTX" },
};

/*
 * Chips by their numbers: pci.ids, and for 0x29 and above the list of GPUs in README.md
 * of NVIDIA's open kernel modules 595.45.04. Their capabilities: NVIDIA's table "CUDA
 * GPU Compute Capability".
 */
static const struct {
	uint16_t first, last;
	const char *arch;
} archs[] = {
	{ 0x1340, 0x13bf, "5.0" },	/* GM107, GM108 */
	{ 0x13c0, 0x14ff, "5.2" },	/* GM204, GM206 */
	{ 0x1580, 0x15ff, "6.0" },	/* GP100 */
	{ 0x1600, 0x16ff, "5.2" },	/* GM204 */
	{ 0x17c0, 0x17ff, "5.2" },	/* GM200 */
	{ 0x1b00, 0x1d7f, "6.1" },	/* GP102 to GP108 */
	{ 0x1d80, 0x1dff, "7.0" },	/* GV100 */
	{ 0x1e00, 0x1fff, "7.5" },	/* TU102 to TU117 */
	{ 0x2080, 0x20ff, "8.0" },	/* GA100 */
	{ 0x2180, 0x21ff, "7.5" },	/* TU116 */
	{ 0x2200, 0x227f, "8.6" },	/* GA102 */
	{ 0x2300, 0x23ff, "9.0" },	/* GH100 */
	{ 0x2400, 0x25ff, "8.6" },	/* GA103 to GA107 */
	{ 0x2680, 0x28ff, "8.9" },	/* AD102 to AD107 */
	{ 0x2900, 0x29ff, "10.0" },	/* B200, GB200 */
	{ 0x2b80, 0x2dff, "12.0" },	/* GeForce RTX 50, RTX PRO Blackwell */
	{ 0x2e00, 0x2eff, "12.1" },	/* GB10 */
	{ 0x2f00, 0x2fff, "12.0" },	/* GeForce RTX 50 of laptops */
	{ 0x3180, 0x31ff, "10.3" },	/* B300, GB300 */
};

const char *gpu_database_cuda(uint32_t branch)
{
	size_t i;

	for (i = 0; i < sizeof(cudas) / sizeof(*cudas); i++)
		if (cudas[i].branch == branch)
			return cudas[i].cuda;
	return NULL;
}

const char *gpu_database_brand(const char *model)
{
	size_t i;

	/* As of 2021 it stands in front of every name. */
	if (!strncmp(model, "NVIDIA ", 7))
		model += 7;
	for (i = 0; i < sizeof(brands) / sizeof(*brands); i++)
		if (!strncmp(model, brands[i].model, strlen(brands[i].model)))
			return brands[i].brand;
	return NULL;
}

/* Returns "9.0", or NULL: not known. */
const char *gpu_database_arch(uint16_t device)
{
	size_t i;

	for (i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (device >= archs[i].first && device <= archs[i].last)
			return archs[i].arch;
	return NULL;
}

const char *gpu_database_read_arch(const struct driver_root *root, const struct gpu *gpu)
{
	char path[PATH_MAX + 64], text[16];
	unsigned int device;

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%s/device", root->proc, gpu->address);
	host_read_at(AT_FDCWD, path, text, sizeof(text));
	return sscanf(text, "0x%4x", &device) == 1 ? gpu_database_arch((uint16_t)device) : NULL;
}
