// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's functions for the simulated RM. Names, linkage and meaning are those of
 * the driver's kernel-open/nvidia/os-interface.c, where every one of these is a real
 * function with an ftrace entry.
 */
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "sim/hosts/kernel/os.h"

static DEFINE_MUTEX(rm_lock);

void os_acquire_rm(struct sim *sim)
{
	mutex_lock(&rm_lock);
}

void os_release_rm(struct sim *sim)
{
	mutex_unlock(&rm_lock);
}

noinline u32 os_memcpy_from_user(void *to, const void *from, u32 n)
{
	return copy_from_user(to, (const void __user *)from, n) ? NV_ERR_INVALID_ADDRESS : NV_OK;
}

noinline u32 os_memcpy_to_user(void *to, const void *from, u32 n)
{
	return copy_to_user((void __user *)to, from, n) ? NV_ERR_INVALID_ADDRESS : NV_OK;
}

noinline u32 os_alloc_mem(void **address, u64 size)
{
	*address = kvzalloc(size, GFP_KERNEL);
	return *address ? NV_OK : NV_ERR_NO_MEMORY;
}

noinline void os_free_mem(void *address)
{
	kvfree(address);
}

noinline u32 os_get_current_process(void)
{
	return task_tgid_nr(current);
}

noinline bool os_is_administrator(void)
{
	return capable(CAP_SYS_ADMIN);
}

noinline u32 os_get_current_time(u32 *sec, u32 *usec)
{
	struct timespec64 now;

	ktime_get_real_ts64(&now);
	*sec = (u32)now.tv_sec;
	*usec = (u32)(now.tv_nsec / NSEC_PER_USEC);
	return NV_OK;
}

noinline u32 os_delay(u32 ms)
{
	msleep(ms);
	return NV_OK;
}

/*
 * Up to 570.144 a client was known by the thread that allocated it; the
 * proprietary flavour may not use these GPL-only functions and says so.
 */
noinline void *os_get_pid_info(void)
{
	if (nvsim->config.flavour == SIM_PROPRIETARY)
		return NULL;
	if (nvsim->regime >= MPU_R4)
		return get_pid(task_tgid(current));
	return get_task_pid(current, PIDTYPE_PID);
}

noinline void os_put_pid_info(void *pid_info)
{
	put_pid(pid_info);
}

noinline u32 os_find_ns_pid(void *pid_info, u32 *ns_pid)
{
	if (nvsim->config.flavour == SIM_PROPRIETARY)
		return NV_ERR_NOT_SUPPORTED;
	if (!pid_info || !ns_pid)
		return NV_ERR_INVALID_ARGUMENT;
	*ns_pid = pid_vnr(pid_info);
	return *ns_pid ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

noinline bool os_is_init_ns(void)
{
	return nvsim->config.flavour == SIM_PROPRIETARY ||
	       task_active_pid_ns(current) == &init_pid_ns;
}
