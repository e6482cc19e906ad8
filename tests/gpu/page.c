// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page that a driver shares with all clients of a GPU (abi/page.h), as it is:
 *
 *	gpu-page	prints "gpu GPU size BYTES" for each GPU, and of it a second later
 *			"GPU OFFSET OLD NEW" for each eight bytes that are not 0. What is
 *			a time has grown by a second; behind each stands what was then
 *
 * For layouts that cl00de.h does not have: nothing of abi/page.h's table is used.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "abi/page.h"
#include "nvidia/internal.h"

/* Return: does RM map so much of the page? nv_ioctl_nvos33_parameters_with_fd */
static bool map_page(struct rm *rm, const struct rm_gpu *gpu, u32 object, u64 size, int fd)
{
	struct {
		u32 client, device, memory, pad;
		u64 offset, length, address;
		u32 status, flags;
		int fd;
		u32 pad2;
	} map = { .client = rm->client, .device = gpu->subdevice, .memory = object,
		  .length = size, .flags = 1, .fd = fd };

	return !ioctl(rm->fd, _IOWR('F', NV_ESC_RM_MAP_MEMORY, map), &map) && !map.status;
}

static void print_page(u32 number, const u8 *page)
{
	u8 old[MPU_PAGE_SIZE];
	u32 at;

	memcpy(old, page, sizeof(old));
	sleep(1);
	for (at = 0; at < MPU_PAGE_SIZE; at += 8)
		if (mpu_get64(page, at))
			printf("%u %u %llx %llx\n", number, at,
			       (unsigned long long)mpu_get64(old, at),
			       (unsigned long long)mpu_get64(page, at));
}

static void read_page(struct rm *rm, u32 number, const struct rm_gpu *gpu)
{
	u64 mask = 0;
	u32 object, size = MPU_PAGE_SIZE;
	int fd, ret;
	u8 *page;

	ret = rm_alloc(rm, gpu->subdevice, RM_USER_SHARED_DATA, &mask, &object);
	if (ret) {
		printf("gpu %u has no page: %d\n", number, ret);
		return;
	}
	fd = rm_open_node(rm, "nvidiactl");
	while (fd >= 0 && size && !map_page(rm, gpu, object, size, fd))
		size -= 4;
	printf("gpu %u size %u\n", number, size);
	mask = MPU_PAGE_STATE;
	ret = rm_control(rm, object, NV_CTRL_REQUEST_DATA_POLL, &mask, sizeof(mask));
	if (ret)
		printf("gpu %u writes nothing: %d\n", number, ret);
	page = fd < 0 || !size ? MAP_FAILED :
	       mmap(NULL, MPU_PAGE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		printf("gpu %u: the page cannot be mapped\n", number);
		return;
	}
	sleep(1);
	print_page(number, page);
	munmap(page, MPU_PAGE_SIZE);
	close(fd);
}

int main(void)
{
	static struct rm_gpu gpu[RM_GPUS];
	struct rm rm;
	u32 i, n;

	if (rm_open(&rm, "/dev", NULL) || rm_list_gpus(&rm, gpu, &n)) {
		fprintf(stderr, "gpu-page: no GPU here\n");
		return 1;
	}
	for (i = 0; i < n; i++) {
		if (rm_attach(&rm, &gpu[i]))
			continue;
		read_page(&rm, i, &gpu[i]);
		rm_detach(&rm, &gpu[i]);
	}
	rm_close(&rm);
	return 0;
}
