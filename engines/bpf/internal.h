/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Engine bpf, for its own files: neighbours know its struct engine alone.
 */
#ifndef MPU_BPF_INTERNAL_H
#define MPU_BPF_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engines/bpf/programs/state.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

struct bpf_link;
struct calibration;
struct mpu_bpf;

/* features.c, preempt.c */
int features_check(char why[WHY_SIZE], char todo[WHY_SIZE]);
const char *preempt_problem(void);

/* --- kprobe_event.c --- */

#define EVENT_NAME	64	/* length of an event's name, without its group */
#define EVENT_GROUP	"mpu"	/* group in tracefs of all events that MPU defines */

bool kprobe_event_possible(void);
int kprobe_event_create(char name[EVENT_NAME], const char *function, bool at_return);
void kprobe_event_remove(const char *name);
bool kprobe_event_exists(void);
void kprobe_event_remove_others(void);

/* --- hook.c: the programs, and the probes that run them --- */

/* Programs at entry and at return, for each entry function of the driver. */
#define HOOK_EVENTS	(2 * DRIVER_ENTRIES)

/* Another sees drivers come. */
#define HOOK_LINKS	(HOOK_EVENTS + 1)

enum hook_map {
	HOOK_STATE, HOOK_CALLS, HOOK_QUESTIONS, HOOK_THREADS, HOOK_MAPS
};

/** struct hook_maps - maps for the next hook's programs, too */
struct hook_maps {
	int fd[HOOK_MAPS];		/* -1: not made yet */
	struct bpf_state *state;	/* HOOK_STATE, in this process's memory */
};

/**
 * struct hook - the programs at the driver's functions; zeroed: none
 * @link:	where they are attached: the one that sees drivers come, then of each
 *		function the return first
 */
struct hook {
	struct mpu_bpf *skel;			/* the programs, NULL: not loaded */
	struct bpf_link *link[HOOK_LINKS];
	unsigned int links;
	char event[HOOK_EVENTS][EVENT_NAME];	/* names of the probes */
	unsigned int events;
};

const char *hook_off(void);
void hook_maps_init(struct hook_maps *maps);
void hook_maps_close(struct hook_maps *maps);
int hook_open(struct hook *hook, const struct driver *driver, struct hook_maps *maps);
void hook_close(struct hook *hook);
void hook_pin(struct hook *hook, const char *folder);
const char *hook_error(void);

/* --- pins.c: what outlives a process, in bpffs, and a lock --- */

#define PINS_FOLDER	"/sys/fs/bpf/mpu"	/* root's own: nobody else reads the counters */
#define PINS_LOCK	"/run/mpu-bpf.lock"	/* the daemon has it locked */

int pins_lock(void);
void pins_unlock(int fd);
pid_t pins_daemon(void);
void pins_remove_stale_lock(void);
bool pins_exist(void);
int pins_open(void);
int pins_state(const struct hook_maps *maps);
int pins_read(struct bpf_state *state, bool *linked);
u64 pins_missed(const struct bpf_state *state);
void pins_drain(const struct bpf_state *state);
void state_exempt(struct bpf_state *state, pid_t tgid, unsigned int seconds);
void pins_exempt(pid_t tgid, unsigned int seconds);
void pins_hand_over(struct bpf_state *next);
void pins_clear(void);

/* pid_space.c */
uint32_t pid_space_coming(const struct bpf_state *state);
void pid_space_look_up(struct bpf_state *state, const char *module);
bool pid_space_measure(struct bpf_state *state, const char *dev, struct calibration *found);
void pid_space_set_measured(struct bpf_state *state, const struct calibration *found,
			    uint32_t coming);
bool pid_space_is_translated(const char *dev);

/* --- uevent.c --- */

struct uevent {
	bool gone;	/* a certain module was unloaded */
	bool came;	/* a module was loaded, after that if @gone */
};

int uevent_open(void);
struct uevent uevent_read(int fd, const char *module);

/* daemon.c */
int daemon_run(bool pass_unknown, const char *dev, void (*ready)(void *arg), void *arg,
	       char why[WHY_SIZE]);

#endif /* MPU_BPF_INTERNAL_H */
