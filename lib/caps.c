// SPDX-License-Identifier: GPL-2.0-only
/*
 * The capabilities of the calling thread: see caps.h.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/caps.h"

static struct __user_cap_header_struct head = {
	.version = _LINUX_CAPABILITY_VERSION_3,
};

int caps_get(uint64_t *effective)
{
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -errno;
	*effective = (uint64_t)data[1].effective << 32 | data[0].effective;
	return 0;
}

int caps_set(uint64_t effective)
{
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -errno;
	data[0].effective = (uint32_t)effective & data[0].permitted;
	data[1].effective = (uint32_t)(effective >> 32) & data[1].permitted;
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

/* Needs CAP_SETPCAP, unless there is nothing to drop. */
static int drop_bounding(uint64_t kept)
{
	unsigned long cap;
	int there;

	for (cap = 0; cap < 64; cap++) {
		there = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);
		if (there < 0)	/* the first number that this kernel does not know */
			return 0;
		if (there && !(kept >> cap & 1) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			return -errno;
	}
	return 0;
}

int caps_limit(uint64_t permitted, uint64_t bounding)
{
	struct __user_cap_data_struct data[2];
	int ret = drop_bounding(bounding), half;

	if (ret)
		return ret;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
		return -errno;
	if (syscall(SYS_capget, &head, data))
		return -errno;
	for (half = 0; half < 2; half++) {
		data[half].permitted &= (uint32_t)(permitted >> 32 * half);
		data[half].effective &= data[half].permitted;
		data[half].inheritable = 0;
	}
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

bool caps_has(unsigned int cap)
{
	uint64_t effective = 0;

	return !caps_get(&effective) && effective >> cap & 1;
}
