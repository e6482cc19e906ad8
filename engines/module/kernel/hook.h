/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Getting in front of a function of the driver, through ftrace.
 */
#ifndef MPU_HOOK_H
#define MPU_HOOK_H

#include <linux/ftrace.h>
#include <linux/types.h>

#include "trampoline.h"

#define MPU_HOOK_SYMBOLS 3

/**
 * struct mpu_hook - functions of the driver that share a trampoline
 * @symbols:	their names; which of them exist differs by driver version
 * @trampoline:	where a direct call goes (trampoline_*.S)
 * @gate:	what that trampoline asks, for the redirect
 * @replacement: what runs instead if it is
 * @optional:	there are drivers without such a function
 * @ips:	ftrace locations of the functions found, 0: none
 * @ops:	ftrace's handle
 * @direct:	attached by direct calls
 * @on:		attached
 */
struct mpu_hook {
	const char *symbols[MPU_HOOK_SYMBOLS];
	void (*trampoline)(void);
	mpu_gate_t gate;
	void *replacement;
	bool optional;
	unsigned long ips[MPU_HOOK_SYMBOLS];
	struct ftrace_ops ops;
	bool direct;
	bool on;
};

/**
 * mpu_hook_attach() - get in front of what of a hook's functions exists
 * @hook:	hook, not attached
 * @module:	name of the driver's module
 * @direct:	by direct calls; else by the slower ftrace redirect
 *
 * Process context, may sleep. Return: 0; -ENOENT if none of the symbols
 * exists; -EOPNOTSUPP if the kernel cannot do it this way; what ftrace says.
 */
int mpu_hook_attach(struct mpu_hook *hook, const char *module, bool direct);

/**
 * mpu_hook_detach() - have the driver's functions run as if there were no hook
 * @hook:	hook, attached or not
 *
 * On return no new call comes to the replacement; calls that have may still be
 * inside.
 *
 * Return: 0; or what ftrace says, and the hook is on as before: then mpu.ko
 * must not be unloaded.
 */
int mpu_hook_detach(struct mpu_hook *hook);

/**
 * mpu_hook_is_live() - do the driver's functions call us right now?
 * @hook:	hook that is attached
 *
 * Looks at the instructions. The driver must be there.
 */
bool mpu_hook_is_live(const struct mpu_hook *hook);

#endif /* MPU_HOOK_H */
