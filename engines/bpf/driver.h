/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The NVIDIA driver as the kernel knows it: which module it is, and by what
 * functions it is entered.
 */
#ifndef MPU_BPF_DRIVER_H
#define MPU_BPF_DRIVER_H

#include <stdbool.h>

#include "core/env.h"

#define DRIVER_ENTRIES	2

/**
 * struct driver - one that is loaded
 * @module:	name of its module, "" if there is none
 * @version:	"" if it does not say
 * @branch:	the number before the first dot, 0 if it is none
 * @entry:	functions behind its file operations, for native callers first;
 *		NULL: fewer
 * @btf:	the kernel has the module's types: fentry is possible
 */
struct driver {
	char module[64];
	char version[64];
	u32 branch;
	const char *entry[DRIVER_ENTRIES];
	bool btf;
};

/**
 * driver_find() - look for it in /proc/kallsyms: its functions decide, not its
 * name
 */
void driver_find(struct driver *driver);

/** driver_is_there() - is that one there, ready or not? */
bool driver_is_there(const struct driver *driver);

/** driver_is_loaded() - is that one still, or again, there? */
bool driver_is_loaded(const struct driver *driver);

#endif /* MPU_BPF_DRIVER_H */
