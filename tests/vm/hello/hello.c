// SPDX-License-Identifier: GPL-2.0-only
/* The smallest module: shows that building, loading and unloading work. */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/timex.h>

/*
 * The module warns with "warn=1" and oopses with "oops=1": vm-selftest sees
 * that noticed.
 */
static bool warn, oops;
module_param(warn, bool, 0444);
module_param(oops, bool, 0444);

/*
 * TSC ticks that a thousand rounds took; under "run -i" these are instructions.
 */
static uint ticks;
module_param(ticks, uint, 0444);

static void hello_count(void)
{
	unsigned long flags;
	cycles_t start;
	int i;

	local_irq_save(flags);
	start = get_cycles();
	for (i = 0; i < 1000; i++)
		barrier();
	ticks = get_cycles() - start;
	local_irq_restore(flags);
}

static int __init hello_init(void)
{
	pr_info("hello: loaded\n");
	hello_count();
	WARN_ON(warn);
	if (oops)
		*(volatile int *)8 = 0;
	return 0;
}

static void __exit hello_exit(void)
{
	pr_info("hello: unloaded\n");
}

module_init(hello_init);
module_exit(hello_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The smallest module");
