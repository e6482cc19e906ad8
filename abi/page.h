/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The page that drivers from 545 on share with all clients of a GPU (class 0x00de), as nvidia/
 * reads it and sim/ writes it: core/page.h says what of it nobody may ask for.
 */
#ifndef MPU_ABI_PAGE_H
#define MPU_ABI_PAGE_H

#include "core/env.h"

/* NV00DE_RUSD_POLL_*, all but the processes. */
#define MPU_PAGE_STATE		0x7full

#define MPU_PAGE_SIZE		4096

/* Parts of the page, each with the time at which it was written before it. */
enum mpu_page_part {
	MPU_PAGE_CLOCKS, MPU_PAGE_THROTTLE, MPU_PAGE_ECC, MPU_PAGE_PSTATE,
	MPU_PAGE_POWER_LIMIT, MPU_PAGE_TEMPERATURE, MPU_PAGE_MEMORY_TEMPERATURE,
	MPU_PAGE_ROWS, MPU_PAGE_POWER, MPU_PAGE_POWER_NOW, MPU_PAGE_FAN, MPU_PAGE_PARTS,
};

/**
 * struct mpu_page_layout - the page of some drivers (NV00DE_SHARED_DATA)
 * @first, @last: branches of these
 * @size:	its bytes: RM maps no more than these, so its answer tells two layouts of
 *		one branch apart
 * @clock:	bytes of each clock
 * @pending:	where the part of rows has its flags
 * @warm:	where the part of the memory's temperature has that
 * @part:	where each part begins; 0: there is none
 */
struct mpu_page_layout {
	u16 first, last, size;
	u8 clock, pending, warm;
	u16 part[MPU_PAGE_PARTS];
};

/*
 * Compiled from cl00de.h of each tag; 615 from that of 615.71.09. 2608 bytes is what
 * libnvidia-ml 580.159.04 maps on that driver: two more numbers of rows, as 615 has them,
 * make them of the 2600 of 580.142.
 */
static const struct mpu_page_layout mpu_page_layouts[] __attribute__((__unused__)) = {
	{ 600, 699, 3184, 8, 44, 8,
	  { 72, 112, 2040, 2280, 2296, 2312, 2376, 2392, 2472, 2496, 2584 } },
	{ 590, 599, 3144, 8, 36, 8,
	  { 72, 112, 2040, 2280, 2296, 2312, 2376, 2392, 2432, 2456, 2544 } },
	{ 580, 589, 2608, 4, 44, 8,
	  { 72, 96, 2024, 2264, 2280, 2296, 2360, 2376, 2424, 2448, 2536 } },
	{ 580, 589, 2600, 4, 36, 8,
	  { 72, 96, 2024, 2264, 2280, 2296, 2360, 2376, 2416, 2440, 2528 } },
	{ 575, 579, 2464, 4, 36, 8,
	  { 72, 96, 2024, 2128, 2144, 2160, 2224, 2240, 2280, 2304, 2392 } },
	{ 570, 574, 464, 4, 36, 8,
	  { 72, 96, 160, 264, 280, 296, 312, 328, 368, 392 } },
	{ 565, 569, 448, 4, 36, 12,
	  { 72, 96, 160, 264, 280, 296, 296, 312, 352, 376 } },
	{ 560, 564, 392, 4, 36, 12,
	  { 72, 96, 160, 264, 280, 296, 296, 312, 352, 376 } },
	{ 555, 559, 368, 4, 36, 12,
	  { 32, 56, 120, 224, 240, 256, 256, 272, 312, 336 } },
	{ 550, 554, 320, 4, 36, 12,
	  { 32, 56, 88, 192, 208, 224, 224, 240, 280, 304 } },
	{ 545, 554, 304, 4, 36, 12,
	  { 16, 40, 72, 176, 192, 208, 208, 224, 264, 288 } },
};

/* The @n-th layout that a driver of a branch may have, the largest first, or NULL. */
static inline const struct mpu_page_layout *mpu_page_layout(u32 branch, u32 n)
{
	u32 i;

	for (i = 0; i < sizeof(mpu_page_layouts) / sizeof(mpu_page_layouts[0]); i++)
		if (branch >= mpu_page_layouts[i].first && branch <= mpu_page_layouts[i].last && !n--)
			return &mpu_page_layouts[i];
	return 0;
}

#endif /* MPU_ABI_PAGE_H */
