/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of nvidia.ko that are replaced by others.
 */
#ifndef MPU_TESTS_DRIVER_TAKEOVER_H
#define MPU_TESTS_DRIVER_TAKEOVER_H

#include <linux/kprobes.h>
#include <linux/module.h>

/* The outcomes of a call of the function. */
enum todo {
	SKIP,		/* the function does not run; @value is returned */
	JUMP,		/* @instead runs in its place, with its arguments */
	RUN,		/* the function runs */
};

/**
 * struct takeover - a function that is taken over
 * @name:	of the function. One that a release lacks is passed over
 * @caller:	only where this one calls it; NULL: everywhere
 * @value:	what it returns, if it does not run
 * @decide:	asked at each call, in atomic context. May look at the arguments,
 *		and change them; NULL: JUMP if there is @instead, else SKIP
 * @instead:	runs in the context of the caller and may sleep
 */
struct takeover {
	const char *name;
	const char *caller;
	unsigned long value;
	enum todo (*decide)(struct pt_regs *regs);
	void *instead;
	struct kprobe probe;
	bool on;
	char symbol[64];
};

/** take_over(), let_go() - all of @list, in the module "nvidia" */
void take_over(struct takeover *list, size_t n);
void let_go(struct takeover *list, size_t n);

/** nvidia_symbol() - address of a function of nvidia.ko, NULL: it has none */
void *nvidia_symbol(const char *name);

#endif /* MPU_TESTS_DRIVER_TAKEOVER_H */
