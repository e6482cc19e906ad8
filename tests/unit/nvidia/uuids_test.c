// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia/uuids.c: UUIDs of MIG devices, asked of an RM of tables, which wants what
 * NVIDIA's wants of who asks (gisubscriptionConstruct_IMPL, cisubscriptionConstruct_IMPL,
 * 595.45.04).
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "core/env.h"
#include "core/nvrm.h"
#include "nvidia/nvidia.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CARD	72	/* bytes of one nv_ioctl_card_info_t */
#define OBJECTS	16

static const char *const files[] = {
	"/dev/nvidiactl", "/dev/nvidia3", "/dev/nvidia-caps/nvidia-cap21",
	"/dev/nvidia-caps/nvidia-cap22", "/dev/nvidia-caps/nvidia-cap23",
	"/dev/nvidia-caps/nvidia-cap31",
};

/* The objects that are allocated: class, and the instance of the two of MIG. */
static struct { u32 handle, parent, class, instance; } objects[OBJECTS];

static char top[] = "/tmp/uuids.XXXXXX";
static unsigned int asked;

int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);

static size_t find_object(u32 handle)
{
	size_t i;

	for (i = 0; handle && i < OBJECTS; i++)
		if (objects[i].handle == handle)
			return i;
	return OBJECTS;
}

static u32 class_of(u32 handle)
{
	size_t i = find_object(handle);

	return i < OBJECTS ? objects[i].class : NV01_ROOT;
}

/* Is it a descriptor of the node that may use this? */
static bool is_cap(u64 fd, unsigned int minor)
{
	struct stat is, wanted;
	char path[128];

	snprintf(path, sizeof(path), "%s/dev/nvidia-caps/nvidia-cap%u", top, minor);
	return !stat(path, &wanted) && !fstat((int)fd, &is) && is.st_ino == wanted.st_ino;
}

/* GPU instance 2 has the compute instances 0 and 1; there is no other. */
static u32 check_allocation(const u8 *arg)
{
	u32 parent = mpu_get32(arg, 4), class = mpu_get32(arg, 12);
	const u64 *params = (const u64 *)(uintptr_t)mpu_get64(arg, 16);

	if (class == AMPERE_SMC_PARTITION_REF) {
		if (class_of(parent) != NV20_SUBDEVICE_0)
			return NV_ERR_INVALID_OBJECT_PARENT;
		if ((u32)params[1] != 2)
			return NV_ERR_INVALID_ARGUMENT;
		return is_cap(params[0], 21) ? 0 : NV_ERR_INSUFFICIENT_PERMISSIONS;
	}
	if (class == AMPERE_SMC_EXEC_PARTITION_REF) {
		if (class_of(parent) != AMPERE_SMC_PARTITION_REF)
			return NV_ERR_INVALID_OBJECT_PARENT;
		return is_cap(params[0], 22 + (u32)params[1]) ? 0 : NV_ERR_INSUFFICIENT_PERMISSIONS;
	}
	return 0;
}

static void allocate(u8 *arg)
{
	u32 class = mpu_get32(arg, 12), status = check_allocation(arg);
	const u64 *params = (const u64 *)(uintptr_t)mpu_get64(arg, 16);
	size_t i;

	for (i = 0; i < OBJECTS && objects[i].handle; i++)
		;
	assert_in_range(i, 0, OBJECTS - 1);
	mpu_put64(arg, 24, status);
	if (status)
		return;
	if (class == NV01_ROOT)
		mpu_put32(arg, 8, 0x7000);
	objects[i].handle = mpu_get32(arg, 8);
	objects[i].parent = mpu_get32(arg, 4);
	objects[i].class = class;
	objects[i].instance = params && class > NV20_SUBDEVICE_0 ? (u32)params[1] : 0;
}

/* With what is below it. */
static void release(u32 handle)
{
	size_t i;

	for (i = 0; i < OBJECTS; i++)
		if (objects[i].handle && objects[i].parent == handle)
			release(objects[i].handle);
	i = find_object(handle);
	assert_in_range(i, 0, OBJECTS - 1);
	objects[i].handle = 0;
}

static u32 answer_control(const struct nv_control *c)
{
	u8 *p = (u8 *)(uintptr_t)c->params;

	switch (c->cmd) {
	case NV_CTRL_GPU_GET_PROBED_IDS:
		mpu_put32(p, 0, 0x100);
		return 0;
	case NV_CTRL_GPU_ATTACH_IDS:
	case NV_CTRL_GPU_DETACH_IDS:
	case NV_CTRL_GPU_GET_ID_INFO:
		return 0;
	case NV_CTRL_EXEC_PARTITION_GET_UUID:
		if (c->size != 57 || class_of(c->object) != AMPERE_SMC_EXEC_PARTITION_REF)
			return NV_ERR_INVALID_ARGUMENT;
		asked++;
		snprintf((char *)p + 16, 41, "MIG-0000000%u-0000-4000-8000-000000000000",
			 objects[find_object(c->object)].instance);
		return 0;
	}
	return NV_ERR_NOT_SUPPORTED;
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	u8 *card = arg;

	if (_IOC_TYPE(request) != 'F')
		return __real_ioctl(fd, request, arg);
	switch (_IOC_NR(request)) {
	case NV_ESC_RM_CONTROL:
		((struct nv_control *)arg)->status = answer_control(arg);
		break;
	case NV_ESC_RM_ALLOC:
		allocate(arg);
		break;
	case NV_ESC_RM_FREE:
		release(mpu_get32(arg, 8));
		break;
	case NV_ESC_CARD_INFO:
		card[0] = 1;
		mpu_put32(card, 16, 0x100);
		mpu_put32(card, 56, 3);
		break;
	}
	return 0;
}

static int make_top(void)
{
	assert_non_null(mkdtemp(top));
	each_row(row, files)
		tree_write(top, *row, "", 0);
	return 0;
}

static int remove_top(void)
{
	return tree_remove(top);
}

/* GPU instance 2 has both; another, whose node is the wrong one, has none. */
TEST_WITH("UUIDs of MIG devices are asked for by their nodes", make_top, remove_top)
{
	struct mig migs[] = {
		{ .gpu_instance = 2, .compute_instance = 0, .gpu_cap = 21, .compute_cap = 22 },
		{ .gpu_instance = 2, .compute_instance = 1, .gpu_cap = 21, .compute_cap = 23 },
		{ .gpu_instance = 2, .compute_instance = 1, .gpu_cap = 31, .compute_cap = 23 },
		{ .gpu_instance = 2, .compute_instance = 1, .gpu_cap = 21, .compute_cap = 31 },
		{ .gpu_instance = 9, .compute_instance = 0, .gpu_cap = 21, .compute_cap = 22 },
		{ .gpu_instance = 2, .compute_instance = 0, .gpu_cap = 99, .compute_cap = 22 },
		{ .uuid = "MIG-known" },
	};
	struct gpu gpus[] = {
		{ .minor = 0, .uuid = "GPU-known" }, { .minor = 3, .migs = migs, .n_migs = 7 },
	};
	struct devices devices = { .gpus = gpus, .n_gpus = 2 };
	struct driver_root root = { .fd = -1 };
	size_t i;

	snprintf(root.dev, sizeof(root.dev), "%s", top);
	asked = 0;
	uuids_find(&devices, &root);
	assert_string_equal(migs[0].uuid, "MIG-00000000-0000-4000-8000-000000000000");
	assert_string_equal(migs[1].uuid, "MIG-00000001-0000-4000-8000-000000000000");
	for (i = 2; i < 6; i++)
		assert_string_equal(migs[i].uuid, "");
	assert_string_equal(migs[6].uuid, "MIG-known");
	assert_int_equal(asked, 2);
	for (i = 0; i < OBJECTS; i++)
		assert_int_equal(objects[i].handle, 0);
}

TEST("UUIDs stay as they are if there is no driver")
{
	struct mig migs[] = { { .uuid = "MIG-known" } };
	struct gpu gpus[] = { { .minor = 3, .uuid = "GPU-known", .migs = migs, .n_migs = 1 } };
	struct devices devices = { .gpus = gpus, .n_gpus = 1 };
	struct driver_root root = { .fd = -1 };

	snprintf(root.dev, sizeof(root.dev), "%s/none", top);
	uuids_find(&devices, &root);
	assert_string_equal(gpus[0].uuid, "GPU-known");
	assert_string_equal(migs[0].uuid, "MIG-known");
	*migs[0].uuid = '\0';
	uuids_find(&devices, &root);	/* there is no driver */
	assert_string_equal(migs[0].uuid, "");
}
