/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The NVIDIA driver as the kernel knows it: which module it is, what it says of
 * itself, by what functions it is entered, and whether it is used.
 */
#ifndef MPU_NVIDIA_DRIVER_H
#define MPU_NVIDIA_DRIVER_H

#include <stdbool.h>

#include "core/env.h"

/* The name of its module, unless somebody has renamed it. */
#define DRIVER_MODULE	"nvidia"

#define DRIVER_ENTRIES	2

#define DRIVER_VERSION	64	/* room for a version */

enum flavour { FLAVOUR_UNKNOWN, FLAVOUR_OPEN, FLAVOUR_PROPRIETARY };

/* Names of enum flavour; NULL: unknown. */
extern const char *const flavour_names[];

/**
 * struct driver - a driver
 * @module:	name of its module, "" if there is none
 * @version:	"580.159.04", "" if it is not known
 * @branch:	580, 0 if it is not known
 * @flavour:	which of NVIDIA's two it is
 * @entry:	functions behind its file operations, for native callers first;
 *		NULL: fewer; set by driver_find() alone
 */
struct driver {
	char module[64];
	char version[DRIVER_VERSION];
	u32 branch;
	enum flavour flavour;
	const char *entry[DRIVER_ENTRIES];
};

/**
 * driver_find_version() - find the version in a text: /proc/driver/nvidia/version
 *
 * It is the first word of digits and dots alone, which may stand in a file's name.
 *
 * Return: is there one? If not, @version is "".
 */
bool driver_find_version(char version[DRIVER_VERSION], const char *text);

/** driver_branch() - 580 of "580.159.04"; 0 if no number stands there */
u32 driver_branch(const char *version);

/**
 * driver_read_branch() - the branch of the driver that is loaded, and no more
 *
 * A driver may be exchanged at any time. One file is read, as a rule.
 */
u32 driver_read_branch(const char *module);

/**
 * driver_read() - what the driver that is loaded says of itself
 * @module:	its module, DRIVER_MODULE as a rule
 */
void driver_read(struct driver *driver, const char *module);

/**
 * driver_find() - look for it in /proc/kallsyms: its functions decide, not its
 * name
 */
void driver_find(struct driver *driver);

/**
 * driver_shares_processes() - does the page that all clients of a GPU share tell of them?
 *
 * From branch 590 on it has their utilisation, if one of them asks for it, unless the
 * driver was loaded with what DRIVER_SHARE_NOTHING says.
 */
bool driver_shares_processes(const struct driver *driver);

/* A sentence, without its full stop, that says what to do about that. */
#define DRIVER_SHARE_NOTHING \
	"put the line  options nvidia NVreg_RegistryDwords=\"RMDebugRusdPolling=1\"  into /etc/modprobe.d/mpu.conf (other keys behind a semicolon), and load the driver again or reboot; nvidia-smi shows what it did before"

/** driver_is_there() - is a module there, ready or not? "" is not */
bool driver_is_there(const char *module);

/** driver_is_used() - does anything but other modules hold its module? */
bool driver_is_used(const char *module);

#endif /* MPU_NVIDIA_DRIVER_H */
