// SPDX-License-Identifier: GPL-2.0-only
/*
 * The capabilities of the calling thread: see caps.h.
 */
#include <errno.h>
#include <linux/capability.h>
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

bool caps_has(unsigned int cap)
{
	uint64_t effective = 0;

	return !caps_get(&effective) && effective >> cap & 1;
}
