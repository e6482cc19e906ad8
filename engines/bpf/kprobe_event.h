/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kprobes by name, as events of tracefs: "MODULE:FUNCTION" arms itself each
 * time the module is loaded, before its first call, and holds no reference to
 * it. (A perf event's own kprobe does neither.)
 */
#ifndef MPU_BPF_KPROBE_EVENT_H
#define MPU_BPF_KPROBE_EVENT_H

#include <stdbool.h>

#include "core/env.h"

/* Name of an event, without its group. */
#define EVENT_NAME	64

/* The group in tracefs of all events that MPU defines. */
#define EVENT_GROUP	"mpu"

/**
 * kprobe_event_possible() - has this kernel kprobe events?
 *
 * While tracefs is not mounted nobody knows, and the answer is yes.
 */
bool kprobe_event_possible(void);

/**
 * kprobe_event_create() - define a probe; it fires once a program is attached
 * @name:	receives its name, which no other process gives
 * @function:	"MODULE:FUNCTION"; the module need not be there
 * @at_return:	when the function returns, else when it is entered
 *
 * Mounts tracefs if need be. Return: 0 or negative errno; -ENOENT: the module has no
 * such function.
 */
int kprobe_event_create(char name[EVENT_NAME], const char *function, bool at_return);

/** kprobe_event_remove() - remove a probe; nothing may be attached to it any more */
void kprobe_event_remove(const char *name);

/** kprobe_event_exists() - has another process of MPU left a probe? */
bool kprobe_event_exists(void);

/** kprobe_event_remove_others() - remove the probes that other processes of MPU left */
void kprobe_event_remove_others(void);

#endif /* MPU_BPF_KPROBE_EVENT_H */
