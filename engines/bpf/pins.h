/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects that outlive a process: the state of the programs, and their links, in bpffs;
 * and a lock, whose holder follows the driver.
 */
#ifndef MPU_BPF_PINS_H
#define MPU_BPF_PINS_H

#include <stdbool.h>
#include <sys/types.h>

#include "hook.h"

/* Root's own: nobody else reads the counters. */
#define PINS_FOLDER	"/sys/fs/bpf/mpu"

/* The daemon has it locked. */
#define PINS_LOCK	"/run/mpu-bpf.lock"

/**
 * pins_lock() - become the daemon
 *
 * Return: a descriptor for pins_unlock(); -EBUSY: there is a daemon, or another
 * negative errno.
 */
int pins_lock(void);

/** pins_unlock() - give the lock up, and remove its file */
void pins_unlock(int fd);

/**
 * pins_daemon() - PID of the daemon, 0 if there is none
 *
 * The daemon must not ask: closing the file gives its lock up, see fcntl(2).
 */
pid_t pins_daemon(void);

/** pins_remove_stale_lock() - remove the lock's file that a killed daemon left */
void pins_remove_stale_lock(void);

/** pins_exist() - has anybody left the folder, or the lock's file? */
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
 * pins_missed() - how many calls were missed: those whose return was not seen, and the
 * skips that the kernel counts of programs that are pinned now
 *
 * Not the misses of a probe, in kprobe_profile: nobody calls the driver inside of one, and
 * before 5.14 they count each page of a caller's that is not there yet
 * (kprobe_fault_handler()).
 */
u64 pins_missed(const struct bpf_state *state);

/** pins_drain() - wait until no call is in flight; not longer than 10 s */
void pins_drain(const struct bpf_state *state);

/**
 * state_exempt() - have the programs leave a process alone
 * @tgid:	in the initial PID namespace; 0: none
 * @seconds:	for so long, if nobody ends it before
 */
void state_exempt(struct bpf_state *state, pid_t tgid, unsigned int seconds);

/** pins_exempt() - have programs that are pinned do so */
void pins_exempt(pid_t tgid, unsigned int seconds);

/**
 * pins_hand_over() - as pins_clear(), but from the moment that the programs that are
 * pinned are switched off others translate
 * @next:	their state; NULL: there are none
 */
void pins_hand_over(struct bpf_state *next);

/**
 * pins_clear() - switch the programs off that are pinned, wait for their calls
 * in flight, and remove every pin
 */
void pins_clear(void);

#endif /* MPU_BPF_PINS_H */
