// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which escapes are RM's and which the board's (nvidia_ioctl() in nv.c).
 */
#include "sim/model.h"

/* The same number on every Linux; there is no libc here. */
#define SIM_EINVAL	22

int sim_escape(struct sim *sim, struct sim_file *file, u32 nr, void *data,
	       u32 size)
{
	int err;

	switch (nr) {
	case NV_ESC_RM_ALLOC:
	case NV_ESC_RM_FREE:
	case NV_ESC_RM_CONTROL:
		return rm_ioctl(0, sim, file, nr, data, size) ? -SIM_EINVAL : 0;
	}
	os_acquire_rm(sim);
	err = sim_board_escape(sim, file, nr, data, size);
	os_release_rm(sim);
	return err;
}
