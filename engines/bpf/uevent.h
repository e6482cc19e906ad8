/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's announcements of modules: its uevents, on a netlink socket.
 */
#ifndef MPU_BPF_UEVENT_H
#define MPU_BPF_UEVENT_H

#include <stdbool.h>

/**
 * struct uevent - what was announced
 * @gone:	one certain module was unloaded
 * @came:	a module was loaded, after that if @gone
 */
struct uevent {
	bool gone;
	bool came;
};

/** uevent_open() - listen. Return: a descriptor that poll(2) takes, or -1 and errno */
int uevent_open(void);

/**
 * uevent_read() - all that was announced since the last time; does not wait
 * @module:	the one to report as @gone
 */
struct uevent uevent_read(int fd, const char *module);

#endif /* MPU_BPF_UEVENT_H */
