// SPDX-License-Identifier: GPL-2.0-only
/*
 * RM client: the escapes, and the objects between the client and a GPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "nvidia/internal.h"

#define GPU_ID_NONE			0xffffffffu

/* Any number whose top bits no other client of this process uses. */
#define FIRST_HANDLE			0x6d707500u

/*
 * NVOS21_PARAMETERS: the form of RM_ALLOC that every driver takes (escape.c;
 * NVOS64 is the other one and grew in 535).
 */
struct nv_alloc {
	u32 client;
	u32 parent;
	u32 object;
	u32 class;
	u64 params;
	u32 status;		/* up to 530; paramsSize from 535, 0: unchecked */
	u32 status_535;		/* padding up to 530 */
};

/* NVOS00_PARAMETERS */
struct nv_free {
	u32 client;
	u32 parent;
	u32 object;
	u32 status;
};

/* nv_ioctl_rm_api_version_t; command '2' fills in the version from 530. */
struct nv_version {
	u32 cmd;
	u32 reply;
	char text[64];
};

_Static_assert(sizeof(struct nv_control) == 32, "NVOS54_PARAMETERS");
_Static_assert(sizeof(struct nv_alloc) == 32, "NVOS21_PARAMETERS");
_Static_assert(sizeof(struct nv_version) == 72, "nv_ioctl_rm_api_version_t");

static int system_open(const char *path, int flags)
{
	return open(path, flags);
}

static int system_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static const struct rm_ops system_ops = { system_open, system_ioctl, close };

static int escape(struct rm *rm, int fd, u32 nr, void *arg, u32 size)
{
	unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, 'F', nr, size);
	int ret;

	do
		ret = rm->ops->ioctl(fd, request, arg);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

int rm_open_node(struct rm *rm, const char *name)
{
	char path[sizeof(rm->dev) + 32];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", rm->dev, name);
	fd = rm->ops->open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int alloc(struct rm *rm, struct nv_alloc *arg)
{
	int ret = escape(rm, rm->fd, NV_ESC_RM_ALLOC, arg, sizeof(*arg));

	return ret ? ret : (int)(arg->status | arg->status_535);
}

/*
 * 450 and later return the new client in the argument block; 390 writes it
 * where the allocation parameters point to.
 */
static int alloc_client(struct rm *rm)
{
	struct nv_alloc arg = { .class = NV01_ROOT };
	u32 params[128] = { 0 };
	int ret = alloc(rm, &arg);

	if (!ret && arg.object) {
		rm->client = arg.object;
		return 0;
	}
	arg = (struct nv_alloc){ .class = NV01_ROOT,
				 .params = (uintptr_t)params };
	ret = alloc(rm, &arg);
	if (ret)
		return ret;
	rm->client = arg.object ? arg.object : params[0];
	return rm->client ? 0 : -EPROTO;
}

int rm_open(struct rm *rm, const char *dev, const struct rm_ops *ops)
{
	int ret;

	memset(rm, 0, sizeof(*rm));
	rm->ops = ops ? ops : &system_ops;
	rm->handles = FIRST_HANDLE;
	ret = snprintf(rm->dev, sizeof(rm->dev), "%s", dev);
	if (ret < 0 || (size_t)ret >= sizeof(rm->dev))
		return -ENAMETOOLONG;
	rm->fd = rm_open_node(rm, "nvidiactl");
	if (rm->fd < 0)
		return rm->fd;
	ret = alloc_client(rm);
	if (ret)
		rm->ops->close(rm->fd);
	return ret;
}

const char *rm_error_text(int ret, char *text, size_t size)
{
	switch (ret) {
	case NV_ERR_GPU_IS_LOST:
		snprintf(text, size, "GPU is lost");
		break;
	case NV_ERR_RESET_REQUIRED:
		snprintf(text, size, "GPU needs a reset");
		break;
	case NV_ERR_TIMEOUT:
		snprintf(text, size, "GPU did not answer in time");
		break;
	case -EIO:	/* of an open() that has to start the GPU, or found it gone */
		snprintf(text, size, "GPU is lost, or does not start");
		break;
	default:
		if (ret > 0)
			snprintf(text, size, "RM status 0x%02x", (unsigned int)ret);
		else
			snprintf(text, size, "%s", strerror(-ret));
	}
	return text;
}

void rm_close(struct rm *rm)
{
	rm_free(rm, rm->client, rm->client);
	rm->ops->close(rm->fd);
}

int rm_read_version(struct rm *rm, char *version, size_t size)
{
	struct nv_version arg = { .cmd = '2' };
	int ret = escape(rm, rm->fd, NV_ESC_CHECK_VERSION, &arg, sizeof(arg));

	/*
	 * Before 530 that meant: do not check. So offer one that is wrong: it
	 * is refused, and the driver's own put in its place.
	 */
	if (!ret && !arg.text[0]) {
		arg.cmd = 0;
		ret = escape(rm, rm->fd, NV_ESC_CHECK_VERSION, &arg, sizeof(arg));
	}
	if (ret && ret != -EINVAL)
		return ret;
	if (!arg.text[0])
		return -EPROTO;
	snprintf(version, size, "%.*s", (int)sizeof(arg.text), arg.text);
	return 0;
}

int rm_control(struct rm *rm, u32 object, u32 cmd, void *params, u32 size)
{
	struct nv_control arg = {
		.client = rm->client,
		.object = object ? object : rm->client,
		.cmd = cmd,
		.params = (uintptr_t)params,
		.size = size,
	};
	int ret = escape(rm, rm->fd, NV_ESC_RM_CONTROL, &arg, sizeof(arg));

	return ret ? ret : (int)arg.status;
}

int rm_alloc(struct rm *rm, u32 parent, u32 class, void *params, u32 *object)
{
	struct nv_alloc arg = {
		.client = rm->client,
		.parent = parent ? parent : rm->client,
		.object = ++rm->handles,
		.class = class,
		.params = (uintptr_t)params,
	};
	int ret = alloc(rm, &arg);

	if (!ret)
		*object = arg.object;
	return ret;
}

int rm_free(struct rm *rm, u32 parent, u32 object)
{
	struct nv_free arg = {
		.client = rm->client,
		.parent = parent ? parent : rm->client,
		.object = object,
	};
	int ret = escape(rm, rm->fd, NV_ESC_RM_FREE, &arg, sizeof(arg));

	return ret ? ret : (int)arg.status;
}

/*
 * nv_ioctl_card_info_t is 80 bytes with the id at 20 up to 450, 72 bytes with
 * the id at 16 from 460. The right one is the one whose ids RM has listed.
 */
static const struct card_layout {
	u32 stride, id, minor;
} card_layouts[] = { { 72, 16, 56 }, { 80, 20, 64 } };

static bool fill_card(struct rm_gpu *gpu, const u8 *cards, u32 size, const struct card_layout *l)
{
	u32 off;

	for (off = 0; off + l->stride <= size; off += l->stride) {
		if (!cards[off] || mpu_get32(cards, off + l->id) != gpu->id)
			continue;
		gpu->minor = (int)mpu_get32(cards, off + l->minor);
		gpu->domain = mpu_get32(cards, off + 4);
		gpu->bus = cards[off + 8];
		gpu->slot = cards[off + 9];
		return true;
	}
	return false;
}

static int fill_cards(struct rm *rm, struct rm_gpu *gpu, u32 count)
{
	u8 cards[RM_GPUS * 80];
	u32 layout, size, i, found;
	int ret = 0;

	for (layout = 0; layout < 2; layout++) {
		const struct card_layout *l = &card_layouts[layout];

		memset(cards, 0, sizeof(cards));
		size = RM_GPUS * l->stride;
		ret = escape(rm, rm->fd, NV_ESC_CARD_INFO, cards, size);
		if (ret)
			continue;
		for (found = 0, i = 0; i < count; i++)
			found += fill_card(&gpu[i], cards, size, l);
		if (found)
			return 0;
	}
	return ret;
}

static int compare_gpus(const void *a, const void *b)
{
	const struct rm_gpu *x = a, *y = b;

	if (x->domain != y->domain)
		return x->domain < y->domain ? -1 : 1;
	if (x->bus != y->bus)
		return x->bus - y->bus;
	return x->slot - y->slot;
}

int rm_list_gpus(struct rm *rm, struct rm_gpu *gpu, u32 *count)
{
	/* 580 and later; 450 to 575; 390. The ids stand first in all. */
	static const u32 sizes[] = { 384, 256, 128 };
	u32 ids[384 / 4];
	u32 i, n = 0;
	int ret = 0;

	for (i = 0; i < 3; i++) {
		memset(ids, 0xff, sizeof(ids));
		ret = rm_control(rm, 0, NV_CTRL_GPU_GET_PROBED_IDS, ids, sizes[i]);
		if (!ret)
			break;
	}
	if (ret)
		return ret;
	for (i = 0; i < RM_GPUS; i++)
		if (ids[i] != GPU_ID_NONE)
			gpu[n++] = (struct rm_gpu){ .id = ids[i], .fd = -1,
						    .minor = -1 };
	ret = n ? fill_cards(rm, gpu, n) : 0;
	if (ret)
		return ret;
	qsort(gpu, n, sizeof(*gpu), compare_gpus);
	*count = n;
	return 0;
}

const char *const rm_engine_names[RM_ENGINES] = {
	[RM_ENGINE_MEMORY] = "memory", [RM_ENGINE_SM] = "sm",
	[RM_ENGINE_ENCODER] = "encoder", [RM_ENGINE_DECODER] = "decoder",
	[RM_ENGINE_JPEG] = "jpeg", [RM_ENGINE_OFA] = "ofa",
};

void rm_format_address(char *text, size_t size, const struct rm_gpu *gpu)
{
	snprintf(text, size, "%04x:%02x:%02x.0", gpu->domain, gpu->bus, gpu->slot);
}

static void fill_names(struct rm *rm, struct rm_gpu *gpu)
{
	u8 name[132] = { 0 };	/* flags 0: ASCII; text at 4 */
	u8 gid[268] = { 0 };	/* flags 0: ASCII, SHA-1; text at 12 */

	/* 595 has dropped the room for Unicode. */
	if (!rm_control(rm, gpu->subdevice, NV_CTRL_GPU_GET_NAME_STRING, name,
			132) ||
	    !rm_control(rm, gpu->subdevice, NV_CTRL_GPU_GET_NAME_STRING, name,
			68))
		snprintf(gpu->name, sizeof(gpu->name), "%.64s", name + 4);
	if (!rm_control(rm, gpu->subdevice, NV_CTRL_GPU_GET_GID_INFO, gid, sizeof(gid)))
		snprintf(gpu->uuid, sizeof(gpu->uuid), "%.64s", gid + 12);
}

/*
 * NV0080_ALLOC_PARAMETERS (56 bytes) and NV2080_ALLOC_PARAMETERS (4) begin
 * with the instance; everything else may be 0.
 */
static int alloc_instance(struct rm *rm, u32 parent, u32 class, u32 instance, u32 *object)
{
	u64 params[16] = { instance };

	return rm_alloc(rm, parent, class, params, object);
}

int rm_attach(struct rm *rm, struct rm_gpu *gpu)
{
	u32 ids[33] = { gpu->id, GPU_ID_NONE };
	u32 info[10] = { gpu->id };
	char node[24];
	int ret;

	if (gpu->minor < 0)
		return -ENODEV;
	snprintf(node, sizeof(node), "nvidia%d", gpu->minor);
	ret = rm_open_node(rm, node);	/* wakes a GPU nobody else holds */
	if (ret < 0)
		return ret;
	gpu->fd = ret;
	/* Ties the node to this client (470 and later); older ones refuse. */
	escape(rm, gpu->fd, NV_ESC_REGISTER_FD, &rm->fd, sizeof(rm->fd));
	ret = rm_control(rm, 0, NV_CTRL_GPU_ATTACH_IDS, ids, sizeof(ids));
	if (!ret)
		ret = rm_control(rm, 0, NV_CTRL_GPU_GET_ID_INFO, info, sizeof(info));
	if (!ret)
		ret = alloc_instance(rm, 0, NV01_DEVICE_0, info[2], &gpu->device);
	if (!ret)
		ret = alloc_instance(rm, gpu->device, NV20_SUBDEVICE_0, info[3], &gpu->subdevice);
	if (ret)
		rm_detach(rm, gpu);
	else
		fill_names(rm, gpu);
	return ret;
}

/* Undoes rm_attach(); does nothing to a GPU that is not attached. */
void rm_detach(struct rm *rm, struct rm_gpu *gpu)
{
	u32 ids[32] = { gpu->id, GPU_ID_NONE };

	if (gpu->fd < 0)
		return;
	if (gpu->device)
		rm_free(rm, 0, gpu->device);
	rm_control(rm, 0, NV_CTRL_GPU_DETACH_IDS, ids, sizeof(ids));
	rm->ops->close(gpu->fd);
	gpu->fd = -1;
	gpu->device = gpu->subdevice = 0;
}

/*
 * NVC637_ALLOCATION_PARAMETERS and NVC638_ALLOCATION_PARAMETERS: capDescriptor at 0,
 * the instance at 8 (515 to 595).
 */
static int subscribe(struct rm *rm, u32 parent, u32 class, int cap, u32 instance, u32 *object)
{
	u64 params[2] = { (u64)cap, instance };

	return rm_alloc(rm, parent, class, params, object);
}

int rm_read_mig_uuid(struct rm *rm, const struct rm_gpu *gpu,
		     const struct rm_mig *mig, char uuid[RM_UUID])
{
	u8 answer[57] = { 0 };	/* the UUID's bytes; its text at 16 */
	u32 partition, part;
	int ret;

	ret = subscribe(rm, gpu->subdevice, AMPERE_SMC_PARTITION_REF, mig->gpu_cap,
			mig->gpu_instance, &partition);
	if (ret)
		return ret;
	ret = subscribe(rm, partition, AMPERE_SMC_EXEC_PARTITION_REF,
			mig->compute_cap, mig->compute_instance, &part);
	if (!ret)
		ret = rm_control(rm, part, NV_CTRL_EXEC_PARTITION_GET_UUID, answer, sizeof(answer));
	if (!ret)
		snprintf(uuid, RM_UUID, "%.40s", answer + 16);
	rm_free(rm, gpu->subdevice, partition);
	return ret;
}

int rm_allocate_memory(struct rm *rm, const struct rm_gpu *gpu, u64 bytes, u32 *memory)
{
	/* NV_MEMORY_ALLOCATION_PARAMS: owner at 0, flags at 8, size at 64. */
	u64 params[32] = { 0 };

	mpu_put32(params, 0, rm->client);
	mpu_put32(params, 8, 0x8000);	/* ALLOC_FLAGS_MAP_NOT_REQUIRED */
	mpu_put64(params, 64, bytes);
	return rm_alloc(rm, gpu->device, NV01_MEMORY_LOCAL_USER, params, memory);
}

int rm_list_classes(struct rm *rm, const struct rm_gpu *gpu, u32 *class, u32 *count)
{
	/* count, then 200 (580 and later), 174, 160, 116 or 100 classes. */
	static const u32 sizes[] = { 804, 700, 644, 468, 404 };
	u32 list[201] = { 0 };
	u32 ask[4] = { 0 };
	u32 i;
	int ret;

	/* The list goes by pointer, in all drivers: ask how many, then which. */
	ret = rm_control(rm, gpu->device, NV_CTRL_GPU_GET_CLASSLIST, ask, sizeof(ask));
	if (!ret && ask[0] && ask[0] <= RM_CLASSES) {
		mpu_put64(ask, 8, (uintptr_t)class);
		ret = rm_control(rm, gpu->device, NV_CTRL_GPU_GET_CLASSLIST, ask, sizeof(ask));
		*count = ask[0] < RM_CLASSES ? ask[0] : RM_CLASSES;
		if (!ret)
			return 0;
	}
	for (i = 0; i < 5; i++) {
		ret = rm_control(rm, gpu->device, NV_CTRL_GPU_GET_CLASSLIST_V2, list, sizes[i]);
		if (ret)
			continue;
		*count = list[0] < sizes[i] / 4 ? list[0] : sizes[i] / 4 - 1;
		memcpy(class, list + 1, *count * sizeof(*class));
		return 0;
	}
	return ret ? ret : -EPROTO;
}

/*
 * Reads how much memory the GPU has, and how much of it is taken, in bytes; as nvidia-smi
 * since 510, without what the driver keeps for itself from its start on.
 */
int rm_read_total(struct rm *rm, const struct rm_gpu *gpu, u64 *total, u64 *used)
{
	u32 pairs[] = { FB_TOTAL_RAM_SIZE, 0, FB_HEAP_SIZE, 0, FB_HEAP_FREE, 0 };
	u32 ask[4] = { 3 };	/* how many; their address at 8 */
	int ret;

	mpu_put64(ask, 8, (uintptr_t)pairs);
	ret = rm_control(rm, gpu->subdevice, NV_CTRL_FB_GET_INFO, ask, sizeof(ask));
	if (ret)
		return ret;
	if (pairs[5] > pairs[3])
		return -EPROTO;
	*total = (u64)pairs[1] << 10;
	*used = (u64)(pairs[3] - pairs[5]) << 10;
	return 0;
}

/* Classes since Fermi: compute 0x90c0 .. 0xcec0, 3D 0x9097 .. 0xce97. */
bool rm_class_is_compute(u32 class)
{
	return class >= 0x9000 && class <= 0xffff && (class & 0xff) == 0xc0;
}

bool rm_class_is_graphics(u32 class)
{
	return class >= 0x9000 && class <= 0xffff && (class & 0xff) == 0x97;
}
