/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs of one way in front of the driver: loaded, attached, pinned.
 */
#ifndef MPU_BPF_HOOK_H
#define MPU_BPF_HOOK_H

#include <stdbool.h>

#include "event.h"
#include "engines/bpf/programs/state.h"
#include "nvidia/driver.h"

/* enter and leave, for each entry of the driver */
#define HOOK_LINKS	(2 * DRIVER_ENTRIES)

struct bpf_link;
struct mpu_bpf;

/**
 * struct hook_maps - what the programs of all hooks share
 * @fd:		maps by enum hook_map, -1: not made yet
 * @state:	the first of them, mapped
 */
enum hook_map {
	HOOK_STATE, HOOK_CALLS, HOOK_QUESTIONS, HOOK_THREADS, HOOK_MAPS
};

struct hook_maps {
	int fd[HOOK_MAPS];
	struct bpf_state *state;
};

/**
 * struct hook - one way in front of the driver; zeroed: none
 * @kind:	which
 * @skel:	its programs, NULL: not loaded
 * @links:	number of @link, those that end calls first
 * @events:	number of @event, of kprobes
 */
struct hook {
	enum bpf_hook kind;
	struct mpu_bpf *skel;
	struct bpf_link *link[HOOK_LINKS];
	unsigned int links;
	char event[HOOK_LINKS][EVENT_NAME];
	unsigned int events;
};

extern const char *const hook_names[BPF_HOOKS];

/**
 * hook_off() - has the host switched off what a hook stands on?
 *
 * The kernel takes it, and then nothing fires. Return: a sentence; NULL: not
 * that anybody knew.
 */
const char *hook_off(enum bpf_hook kind);

/** hook_maps_init(), hook_maps_close() - nothing made yet; let go of it all */
void hook_maps_init(struct hook_maps *maps);
void hook_maps_close(struct hook_maps *maps);

/**
 * hook_open() - load the programs and attach them
 * @driver:	where; BPF_KPROBE waits for module nvidia if there is none
 * @maps:	made by the first hook, used by all
 *
 * Calls are begun at it once state->on says so. Return: 0 or
 * negative errno, nothing is left then; hook_error() says more.
 */
int hook_open(struct hook *hook, enum bpf_hook kind,
	      const struct driver *driver, struct hook_maps *maps);

/** hook_close() - detach and unload */
void hook_close(struct hook *hook);

/**
 * hook_pin() - let it outlive this process, if the kernel can: from 5.15 on
 * for probes; without, it ends with the process
 * @folder:	in bpffs
 */
void hook_pin(struct hook *hook, const char *folder);

/** hook_error() - the last thing libbpf minded, "" if nothing */
const char *hook_error(void);

#endif /* MPU_BPF_HOOK_H */
