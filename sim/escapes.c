// SPDX-License-Identifier: GPL-2.0-only
/*
 * Escapes (nvidia_ioctl(), nv.c): which are RM's, and the others: version check,
 * list of cards, and the small ones a client issues while it opens a GPU.
 */
#include "sim/bytes.h"
#include "sim/gpu.h"
#include "sim/objects.h"

/* errno.h, which a freestanding source does not have */
#define EINVAL 22

/* nv_ioctl_rm_api_version_t */
#define VERSION_TEXT	64
#define VERSION_RELAXED	'1'
#define VERSION_QUERY	'2'

/* RmPerformVersionCheck() */
static int escape_version(struct sim *sim, void *data, u32 size)
{
	const char *ours = sim->config.version_text;
	u8 *theirs = (u8 *)data + 8;
	u32 how = mpu_get32(data, 0);
	u32 i;

	mpu_put32(data, 4, 1);			/* reply: recognised */
	if (how == VERSION_QUERY && sim_at_least(sim, MPU_DRIVER(530, 30, 2))) {
		sim_put_text(theirs, ours, VERSION_TEXT);
		return 0;
	}
	for (i = 0; i < VERSION_TEXT && theirs[i] == (u8)ours[i]; i++)
		if (!ours[i] || (how == VERSION_RELAXED && ours[i] == '.'))
			return 0;
	sim_put_text(theirs, ours, VERSION_TEXT);
	return -EINVAL;
}

/*
 * nvidia_read_card_info(): as many nv_ioctl_card_info_t as fit. They were
 * eight bytes longer, behind the PCI numbers, up to 450.
 */
static int escape_cards(struct sim *sim, void *data, u32 size)
{
	u32 longer = sim_at_least(sim, MPU_DRIVER(455, 0, 0)) ? 0 : 8;
	u32 stride = 72 + longer;
	u32 i;

	if (sim->config.gpus > size / stride)
		return -EINVAL;
	sim_fill(data, 0, size);
	for (i = 0; i < sim->config.gpus; i++) {
		const struct sim_gpu *gpu = &sim->gpu[i];
		u8 *card = (u8 *)data + i * stride;

		card[0] = 1;			/* valid */
		card[8] = sim_gpu_bus(gpu);
		sim_put16(card, 12, SIM_PCI_VENDOR);
		sim_put16(card, 14, sim_board_of(sim)->device);
		mpu_put32(card, 16 + longer / 2, gpu->id);
		mpu_put32(card, 56 + longer, gpu->index);	/* minor */
	}
	return 0;
}

/* A GPU's memory is no node of its own: else 525 reports the host's node 0. */
static int escape_numa(struct sim *sim, void *data, u32 size)
{
	sim_fill(data, 0, size);
	mpu_put32(data, 0, SIM_NONE);
	return 0;
}

/* NVOS32_PARAMETERS: how much memory a device has, the way 390 asks. */
#define HEAP_FUNCTION_INFO	5

static u32 escape_heap_status(struct sim *sim, void *data)
{
	struct sim_client *client = sim_client_find(sim, mpu_get32(data, 0));
	struct sim_gpu *gpu;
	u32 device;

	if (mpu_get32(data, 8) != HEAP_FUNCTION_INFO)
		return NV_ERR_NOT_SUPPORTED;
	if (!client)
		return NV_ERR_INVALID_CLIENT;
	device = sim_object_find(sim, client, mpu_get32(data, 4));
	if (device == SIM_NONE || sim->object[device].gpu == SIM_NONE)
		return NV_ERR_INVALID_OBJECT_HANDLE;
	gpu = &sim->gpu[sim->object[device].gpu];
	mpu_put64(data, 24, gpu->fb_bytes);
	mpu_put64(data, 32, gpu->fb_bytes - gpu->used_bytes);
	return NV_OK;
}

static int escape_heap(struct sim *sim, void *data, u32 size)
{
	mpu_put32(data, 20, escape_heap_status(sim, data));
	return 0;
}

/* An escape that is granted, and changes nothing. */
static int escape_fine(struct sim *sim, void *data, u32 size)
{
	return 0;
}

enum escape_where { ON_CONTROL = 1, ON_GPU = 2, ON_BOTH = 3 };

/*
 * Every escape with the sizes it has had (0: any, 0 ends the list early), and
 * the device nodes it is accepted on.
 */
static const struct escape {
	u8 nr;
	u8 where;
	u16 sizes[3];
	int (*answer)(struct sim *sim, void *data, u32 size);
} escapes[] = {
	{ 0x4a, ON_CONTROL, { 176 }, escape_heap },	/* VID_HEAP_CONTROL */
	{ 0xc8, ON_CONTROL, { 0 }, escape_cards },	/* CARD_INFO */
	{ 0xc9, ON_BOTH, { 4 }, escape_fine },		/* REGISTER_FD */
	{ 0xca, ON_BOTH, { 4 }, escape_fine },		/* ENV_INFO */
	{ 0xd2, ON_CONTROL, { 72 }, escape_version },	/* CHECK_VERSION_STR */
	{ 0xd6, ON_CONTROL, { 8 }, escape_fine },	/* SYS_PARAMS */
	{ 0xd7, ON_GPU, { 32, 552, 560 }, escape_numa },	/* NUMA_INFO */
	{ 0xda, ON_GPU, { 8 }, escape_fine },	/* WAIT_OPEN_COMPLETE */
};

static bool escape_fits(const struct escape *escape, struct sim_file *file, u32 size)
{
	u32 here = file->minor == NV_MINOR_CTL ? ON_CONTROL : ON_GPU;
	u32 i;

	if (!(escape->where & here))
		return false;
	if (!escape->sizes[0])
		return true;
	for (i = 0; i < 3; i++)
		if (escape->sizes[i] == size)
			return true;
	return false;
}

static int board_escape(struct sim *sim, struct sim_file *file, u32 nr, void *data, u32 size)
{
	u32 i;

	for (i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
		if (escapes[i].nr == nr)
			return escape_fits(&escapes[i], file, size) ?
				escapes[i].answer(sim, data, size) :
				-EINVAL;
	return -EINVAL;
}

int sim_escape(struct sim *sim, struct sim_file *file, u32 nr, void *data, u32 size)
{
	int err;

	switch (nr) {
	case NV_ESC_RM_ALLOC:
	case NV_ESC_RM_FREE:
	case NV_ESC_RM_CONTROL:
	case NV_ESC_RM_MAP_MEMORY:
		return rm_ioctl(0, sim, file, nr, data, size) ? -EINVAL : 0;
	}
	os_acquire_rm(sim);
	err = board_escape(sim, file, nr, data, size);
	os_release_rm(sim);
	return err;
}
