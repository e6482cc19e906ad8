/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs, and the probes that run them: loaded, attached to the driver, pinned.
 */
#ifndef MPU_BPF_HOOK_H
#define MPU_BPF_HOOK_H

#include <stdbool.h>

#include "kprobe_event.h"
#include "engines/bpf/programs/state.h"
#include "nvidia/driver.h"

/* probes: one at entry and one at return, for each entry function of the driver */
#define HOOK_EVENTS	(2 * DRIVER_ENTRIES)

/* and one that sees drivers come */
#define HOOK_LINKS	(HOOK_EVENTS + 1)

struct bpf_link;
struct mpu_bpf;

enum hook_map {
	HOOK_STATE, HOOK_CALLS, HOOK_QUESTIONS, HOOK_THREADS, HOOK_MAPS
};

/**
 * struct hook_maps - maps that outlive a hook, for the next one's programs
 * @fd:		maps by enum hook_map, -1: not made yet
 * @state:	HOOK_STATE, in this process's memory
 */
struct hook_maps {
	int fd[HOOK_MAPS];
	struct bpf_state *state;
};

/**
 * struct hook - the programs at the driver's functions; zeroed: none
 * @skel:	the programs, NULL: not loaded
 * @link:	where they are attached: the one that sees drivers come, then of each
 *		function the return first
 * @links:	number of @link
 * @event:	names of the probes
 * @events:	number of @event
 */
struct hook {
	struct mpu_bpf *skel;
	struct bpf_link *link[HOOK_LINKS];
	unsigned int links;
	char event[HOOK_EVENTS][EVENT_NAME];
	unsigned int events;
};

/**
 * hook_off() - does the host keep probes from running programs, or some of them?
 *
 * The kernel attaches them all the same. Return: a sentence; NULL: no setting that MPU
 * knows does.
 */
const char *hook_off(void);

/** hook_maps_init() - no map is made yet; hook_maps_close() - close those that are */
void hook_maps_init(struct hook_maps *maps);
void hook_maps_close(struct hook_maps *maps);

/**
 * hook_open() - load the programs and attach them
 * @driver:	where; if there is none the probes wait for module nvidia
 * @maps:	made by the first hook, and used by the next, too
 *
 * The programs pass all calls until state->on is set. Return: 0 or negative errno,
 * nothing is left then; hook_error() says more.
 */
int hook_open(struct hook *hook, const struct driver *driver,
	      struct hook_maps *maps);

/** hook_close() - detach and unload */
void hook_close(struct hook *hook);

/**
 * hook_pin() - let the programs outlive this process
 * @folder:	in bpffs
 *
 * The kernel can do so from 5.15 on for probes; else they end with the process.
 */
void hook_pin(struct hook *hook, const char *folder);

/** hook_error() - libbpf's last warning, "" if there is none */
const char *hook_error(void);

#endif /* MPU_BPF_HOOK_H */
