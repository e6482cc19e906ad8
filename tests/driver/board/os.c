// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operating system of the simulated RM where it plays the firmware: it copies as
 * the driver does, knows nothing of namespaces, and is asked in atomic context, too.
 */
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "board/gsp.h"

u32 (*nvidia_copy_in)(void *to, const void *from, u32 n);
u32 (*nvidia_copy_out)(void *to, const void *from, u32 n);

u32 os_memcpy_from_user(void *to, const void *from, u32 n)
{
	return nvidia_copy_in(to, from, n);
}

u32 os_memcpy_to_user(void *to, const void *from, u32 n)
{
	return nvidia_copy_out(to, from, n);
}

u32 os_alloc_mem(void **address, u64 size)
{
	*address = kvzalloc(size, GFP_KERNEL);
	return *address ? NV_OK : NV_ERR_NO_MEMORY;
}

void os_free_mem(void *address)
{
	kvfree(address);
}

u32 os_get_current_process(void)
{
	return task_tgid_nr(current);
}

bool os_is_administrator(void)
{
	return capable(CAP_SYS_ADMIN);
}

u32 os_get_current_time(u32 *sec, u32 *usec)
{
	u64 now = ktime_get_real_ns();

	*sec = (u32)div_u64(now, NSEC_PER_SEC);
	*usec = (u32)div_u64(now - (u64)*sec * NSEC_PER_SEC, NSEC_PER_USEC);
	return NV_OK;
}

u32 os_delay(u32 ms)
{
	msleep(ms);
	return NV_OK;
}

/* RM tells the firmware the address of a process's struct pid. */
void *os_get_pid_info(void)
{
	return get_task_pid(current, PIDTYPE_TGID);
}

void os_put_pid_info(void *pid_info)
{
	put_pid(pid_info);
}

u32 os_find_ns_pid(void *pid_info, u32 *ns_pid)
{
	return NV_ERR_OBJECT_NOT_FOUND;
}

bool os_is_init_ns(void)
{
	return false;
}

/*
 * A raw spinlock, because a probe at a function's entry runs with interrupts
 * off.
 */
static DEFINE_RAW_SPINLOCK(gsp_lock);

void os_acquire_rm(struct sim *sim)
{
	raw_spin_lock(&gsp_lock);
}

void os_release_rm(struct sim *sim)
{
	raw_spin_unlock(&gsp_lock);
}
