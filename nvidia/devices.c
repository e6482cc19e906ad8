// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GPUs of this machine, by the driver's files in /proc.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/host.h"
#include "lib/xalloc.h"
#include "nvidia/internal.h"

/* More than any driver has: NV_MAX_DEVICES is 32, and MIG makes 7 of a GPU. */
#define GPUS_MAX	1024
#define MIGS_MAX	256

#define TEXT_SIZE	8192		/* room for all files but the next */
#define MIG_MINORS_SIZE	(1 << 20)	/* 3 KiB a GPU */

/**
 * struct reader - the reading of all devices
 * @gpu, @gpu_instance: whose MIG devices are being read
 * @mig_minors:	text of that file; NULL as long as it was not needed
 */
struct reader {
	struct devices *devices;
	const struct driver_root *root;
	struct gpu *gpu;
	uint32_t gpu_instance;
	char *mig_minors;
	char *why;
};

/*
 * @path: below @folder, or the part of the driver's root that /proc is in if it is
 * absolute. Return: 1; 0: there is no such file, or (-EIO) no longer when it was
 * read: proc_reg_read(); or negative errno.
 */
static int read_proc(struct reader *reader, int folder, const char *path, char *text, size_t size)
{
	char whole[PATH_MAX + NAME_MAX];
	int ret;

	snprintf(whole, sizeof(whole), "%s%s", *path == '/' ? reader->root->proc : "", path);
	ret = host_read_at(folder, whole, text, size);
	if (ret >= 0)
		return 1;
	if (ret == -ENOENT || ret == -EIO)
		return 0;
	return why_fail(reader->why, ret, "%s: %s", whole, strerror(-ret));
}

/*
 * Goes through the names in a folder below @at; a folder that is not there has
 * none. GPUs and their instances may go while this looks at them.
 */
static int read_folder(struct reader *reader, int at, const char *path,
		       int (*take)(struct reader *reader, int folder,
				   const char *name))
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *entry;
	int ret = 0;
	DIR *folder;

	if (fd < 0)
		return errno == ENOENT ? 0 : why_fail(reader->why, -errno, "%s: %s", path,
						      strerror(errno));
	folder = xcheck(fdopendir(fd));
	while (!ret && (entry = readdir(folder)))
		ret = take(reader, fd, entry->d_name);
	closedir(folder);
	return ret;
}

static int read_majors(struct reader *reader)
{
	struct majors *majors = &reader->devices->majors;
	char text[TEXT_SIZE];
	int ret = read_proc(reader, AT_FDCWD, "/proc/devices", text, sizeof(text));

	/* While it is loaded or unloaded, other numbers may be there without that of GPUs. */
	if (ret < 0 || (procfs_majors(text, majors) && majors->nvidia))
		return ret < 0 ? ret : 0;
	return why_fail(reader->why, -ENODEV,
			"driver not loaded: %s/proc/devices has no number for nvidia: load it (modprobe nvidia), or name the root of another driver",
			reader->root->proc);
}

static int add_gpu(struct reader *reader, int folder, const char *name)
{
	struct devices *devices = reader->devices;
	char path[NAME_MAX + sizeof("/information")], text[TEXT_SIZE];
	struct gpu gpu = { 0 };
	int ret;

	if (!procfs_address(name, &gpu))
		return 0;
	snprintf(path, sizeof(path), "%s/information", name);
	ret = read_proc(reader, folder, path, text, sizeof(text));
	if (ret <= 0 || !procfs_gpu(text, &gpu))
		return ret < 0 ? ret : 0;
	if (devices->n_gpus == GPUS_MAX)
		return why_fail(reader->why, -E2BIG,
				"%s/proc/driver/nvidia/gpus: more than %d GPUs",
				reader->root->proc, GPUS_MAX);
	snprintf(gpu.address, sizeof(gpu.address), "%s", name);
	devices->gpus = xreallocarray(devices->gpus, devices->n_gpus + 1, sizeof(gpu));
	devices->gpus[devices->n_gpus++] = gpu;
	return 0;
}

static uint64_t address_of(const struct gpu *gpu)
{
	return (uint64_t)gpu->domain << 24 | (uint32_t)gpu->bus << 16 | (uint32_t)gpu->slot << 8 |
	       gpu->function;
}

static int compare_gpus(const void *a, const void *b)
{
	return address_of(a) < address_of(b) ? -1 : address_of(a) > address_of(b);
}

static int read_gpus(struct reader *reader)
{
	struct devices *devices = reader->devices;
	char path[PATH_MAX + 64];
	int ret;

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/gpus", reader->root->proc);
	ret = read_folder(reader, AT_FDCWD, path, add_gpu);
	if (devices->n_gpus)
		qsort(devices->gpus, devices->n_gpus, sizeof(*devices->gpus), compare_gpus);
	return ret;
}

/*
 * A capability is there if it has a file. The file has its minor number; if it has
 * not, so has a table of all capabilities that there could be. Return: 1; 0: it is
 * not there; or negative errno.
 */
static int find_cap(struct reader *reader, const struct cap *cap, uint32_t *minor)
{
	char path[128], text[TEXT_SIZE];
	int ret;

	procfs_cap_path(cap, path);
	ret = read_proc(reader, AT_FDCWD, path, text, sizeof(text));
	if (ret <= 0 || procfs_number(text, "DeviceFileMinor", minor))
		return ret;
	if (!reader->mig_minors) {
		reader->mig_minors = xcheck(malloc(MIG_MINORS_SIZE));
		ret = read_proc(reader, AT_FDCWD,
				"/proc/driver/nvidia-caps/mig-minors",
				reader->mig_minors, MIG_MINORS_SIZE);
		if (ret < 0)
			return ret;
	}
	return procfs_cap_find(reader->mig_minors, cap, minor);
}

/* An instance whose nodes are not known cannot be used, and is none. */
static int find_mig(struct reader *reader, struct mig *mig)
{
	struct cap cap = {
		.kind = CAP_GPU_INSTANCE, .gpu = reader->gpu->minor,
		.gpu_instance = mig->gpu_instance,
	};
	int ret = find_cap(reader, &cap, &mig->gpu_cap);

	if (ret <= 0)
		return ret;
	cap.kind = CAP_COMPUTE_INSTANCE;
	cap.compute_instance = mig->compute_instance;
	return find_cap(reader, &cap, &mig->compute_cap);
}

static int add_mig(struct reader *reader, int folder, const char *name)
{
	struct mig mig = { .gpu_instance = reader->gpu_instance };
	struct gpu *gpu = reader->gpu;
	int ret;

	(void)folder;
	if (!procfs_suffix(name, "ci", &mig.compute_instance))
		return 0;
	ret = find_mig(reader, &mig);
	if (ret <= 0)
		return ret;
	if (gpu->n_migs == MIGS_MAX)
		return why_fail(reader->why, -E2BIG,
				"GPU %s: more than %d MIG devices", gpu->address,
				MIGS_MAX);
	gpu->migs = xreallocarray(gpu->migs, gpu->n_migs + 1, sizeof(mig));
	gpu->migs[gpu->n_migs++] = mig;
	return 0;
}

static int add_gpu_instance(struct reader *reader, int folder, const char *name)
{
	if (!procfs_suffix(name, "gi", &reader->gpu_instance))
		return 0;
	return read_folder(reader, folder, name, add_mig);
}

static int compare_migs(const void *a, const void *b)
{
	const struct mig *x = a, *y = b;

	if (x->gpu_instance != y->gpu_instance)
		return x->gpu_instance < y->gpu_instance ? -1 : 1;
	return x->compute_instance < y->compute_instance ? -1 :
	       x->compute_instance > y->compute_instance;
}

static int read_migs(struct reader *reader, struct gpu *gpu)
{
	char path[PATH_MAX + 64];
	int ret;

	reader->gpu = gpu;
	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/capabilities/gpu%u/mig",
		 reader->root->proc, gpu->minor);
	ret = read_folder(reader, AT_FDCWD, path, add_gpu_instance);
	if (gpu->n_migs)
		qsort(gpu->migs, gpu->n_migs, sizeof(*gpu->migs), compare_migs);
	return ret;
}

static int read_caps(struct reader *reader)
{
	const struct cap config = { .kind = CAP_CONFIG };
	const struct cap monitor = { .kind = CAP_MONITOR };
	struct devices *devices = reader->devices;
	int ret = 0;
	size_t i;

	for (i = 0; i < devices->n_gpus && !ret; i++)
		ret = read_migs(reader, &devices->gpus[i]);
	if (!ret)
		ret = find_cap(reader, &config, &devices->mig_config);
	if (ret >= 0)
		ret = find_cap(reader, &monitor, &devices->mig_monitor);
	free(reader->mig_minors);
	return ret < 0 ? ret : 0;
}

static int add_imex(struct reader *reader, int folder, const char *name)
{
	struct devices *devices = reader->devices;
	uint32_t channel;

	(void)folder;
	if (strncmp(name, "channel", strlen("channel")) != 0 || procfs_imex_channel(name, &channel))
		return 0;
	devices->imex = xreallocarray(devices->imex, devices->n_imex + 1, sizeof(channel));
	devices->imex[devices->n_imex++] = channel;
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int read_imex(struct reader *reader)
{
	struct devices *devices = reader->devices;
	char path[PATH_MAX + 64];
	int ret;

	snprintf(path, sizeof(path), "%s/dev/nvidia-caps-imex-channels", reader->root->dev);
	ret = read_folder(reader, AT_FDCWD, path, add_imex);
	if (devices->n_imex)
		qsort(devices->imex, devices->n_imex, sizeof(*devices->imex), compare_numbers);
	return ret;
}

int devices_read(struct devices *devices, const struct driver_root *root, char why[WHY_SIZE])
{
	struct reader reader = { .devices = devices, .root = root, .why = why };
	int ret;

	*devices = (struct devices){ 0 };
	ret = read_majors(&reader);
	if (!ret)
		ret = read_gpus(&reader);
	if (!ret)
		ret = read_caps(&reader);
	if (!ret)
		ret = read_imex(&reader);
	if (ret)
		devices_free(devices);
	return ret;
}

/* The driver finds a GPU's UUID out when it is opened for the first time. */
static void wake(struct gpu *gpu, const struct driver_root *root)
{
	char path[PATH_MAX + 64], text[TEXT_SIZE];
	struct gpu read = *gpu;
	int fd;

	snprintf(path, sizeof(path), "%s/dev/nvidia%u", root->dev, gpu->minor);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/gpus/%s/information",
		 root->proc, gpu->address);
	if (host_read_at(AT_FDCWD, path, text, sizeof(text)) >= 0 &&
	    procfs_gpu(text, &read) && read.minor == gpu->minor)
		*gpu = read;
	close(fd);
}

void devices_wake(struct devices *devices, const struct driver_root *root)
{
	size_t i;

	for (i = 0; i < devices->n_gpus; i++)
		if (!*devices->gpus[i].uuid)
			wake(&devices->gpus[i], root);
}

int devices_find_imex(const struct devices *devices, const char *text,
		      uint32_t *channel, char why[WHY_SIZE])
{
	int ret = procfs_imex_channel(text, channel);
	size_t i;

	if (ret == -ERANGE)
		return why_fail(why, -EINVAL,
				"invalid channel ID %s: must be in the range [0, %d]",
				text, IMEX_CHANNELS - 1);
	if (ret)
		return why_fail(why, -EINVAL,
				"invalid channel ID %s: name an IMEX channel by its number",
				text);
	for (i = 0; i < devices->n_imex; i++)
		if (devices->imex[i] == *channel)
			return 0;
	if (!devices->majors.imex)
		return why_fail(why, -ENOENT,
				"IMEX channel %u: not found: the driver has no IMEX channels",
				*channel);
	return why_fail(why, -ENOENT,
			"IMEX channel %u: its node not found: have it made (mknod /dev/nvidia-caps-imex-channels/channel%u c %u %u)",
			*channel, *channel, devices->majors.imex, *channel);
}

void devices_free(struct devices *devices)
{
	size_t i;

	for (i = 0; i < devices->n_gpus; i++)
		free(devices->gpus[i].migs);
	free(devices->gpus);
	free(devices->imex);
	*devices = (struct devices){ 0 };
}
