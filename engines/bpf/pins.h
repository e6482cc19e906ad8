/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What outlives a process: the state of the programs, and their links, in
 * bpffs; and who follows the driver, by a lock.
 */
#ifndef MPU_BPF_PINS_H
#define MPU_BPF_PINS_H

#include <stdbool.h>
#include <sys/types.h>

#include "hook.h"

/* Root's own: nobody else reads the counters. */
#define PINS_FOLDER	"/sys/fs/bpf/mpu"

/** pins_lock() - be the resident; -EBUSY: there is one. Return: descriptor. */
int pins_lock(void);

/** pins_unlock() - and leave no file */
void pins_unlock(int fd);

/**
 * pins_resident() - its PID, 0 if there is none
 *
 * Not for the resident: closing the file would give its lock up, see fcntl(2).
 */
pid_t pins_resident(void);

/** pins_remove_stale_lock() - remove the lock of a resident that was killed */
void pins_remove_stale_lock(void);

/** pins_exist() - is anything there, of whomever? */
bool pins_exist(void);

/** pins_open() - make the folder, mount bpffs if need be */
int pins_open(void);

/** pins_state() - pin the state for others to read */
int pins_state(const struct hook_maps *maps);

/**
 * pins_read() - the state as it is now
 * @linked:	are programs attached by their pins, so that they need nobody?
 *
 * Return: 0, -ENOENT: there is none, or another negative errno.
 */
int pins_read(struct bpf_state *state, bool *linked);

/**
 * pins_missed() - how often the kernel skipped a program that is pinned, for
 * one was running on that CPU; of the programs there are now
 */
u64 pins_missed(void);

/** pins_drain() - wait until no call is in flight; not longer than 10 s */
void pins_drain(const struct bpf_state *state);

/** state_exempt() - have programs leave a process alone (tgid), not for ever */
void state_exempt(struct bpf_state *state, pid_t tgid, unsigned int seconds);

/** pins_exempt() - the same of programs that are pinned */
void pins_exempt(pid_t tgid, unsigned int seconds);

/**
 * pins_clear() - switch the programs off that are pinned, wait for their calls
 * in flight, and remove every pin
 */
void pins_clear(void);

#endif /* MPU_BPF_PINS_H */
