/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and functions that the files of mpu.ko share.
 */
#ifndef MPU_INTERNAL_H
#define MPU_INTERNAL_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/types.h>

#include "pidns.h"
#include "core/counters.h"
#include "core/row.h"

struct file;
struct kobject;
struct module;
struct pid_namespace;
struct task_struct;

/* --- trampoline_*.S: where ftrace sends the driver's functions, and the way back --- */

/*
 * A trampoline asks a gate, which gets the driver's arguments, whether this call is
 * ours; a gate may not sleep and may not take long. If it says NULL, the
 * driver's function runs as if nothing had happened. Else the replacement runs in
 * its stead: with its three arguments, the body of the function, and what the
 * gate said.
 *
 *	trampoline		gate			replacement
 *	mpu_trampoline_ioctl	mpu_gate_ioctl()	mpu_ioctl()
 *	..._copy_in		mpu_gate_marked()	mpu_copy_in()
 *	..._copy_out		mpu_gate_marked()	mpu_copy_out()
 *	..._find_ns_pid		mpu_gate_marked()	mpu_find_ns_pid()
 *	..._is_init_ns		mpu_gate_marked()	mpu_is_init_ns()
 *	..._get_pid_info	mpu_gate_outside()	mpu_get_pid_info()
 *	..._close		mpu_gate_close()	none: it says NULL
 */

/* A place inside a function of the driver, behind its ftrace entry. */
typedef unsigned long mpu_body_t;

/* Each takes the arguments of a driver's function, however few it looks at. */
typedef void *(*mpu_gate_t)(unsigned long a, unsigned long b, unsigned long c);

/* Addresses for ftrace, never called from C. */
void mpu_trampoline_ioctl(void);
void mpu_trampoline_copy_in(void);
void mpu_trampoline_copy_out(void);
void mpu_trampoline_find_ns_pid(void);
void mpu_trampoline_is_init_ns(void);
void mpu_trampoline_get_pid_info(void);
void mpu_trampoline_close(void);

/* Runs the driver's own function, in the context it was called in. */
long mpu_body_run(unsigned long a, unsigned long b, unsigned long c, mpu_body_t body);

/* --- call.c, gate.c, copy.c: each runs in a context of its own --- */

struct mpu_view {
	struct pid_namespace *ns;
	struct mpu_pidns_leaf leaf;
	bool ended;		/* the answer may be about processes that have ended */
};

/**
 * struct mpu_call - a task of a container that is inside the driver
 * @row:	one of gate.c's table: by its place there others of the control are found
 * @unknown:	row of a PID control that this one is, or is taken for, but whose
 *		layout is not known: the driver is not to see it
 * @word:	where the word by which something is asked for that carries PIDs is in
 *		the caller's memory (core/page.h), 0: it is no call for that
 */
struct mpu_call {
	struct mpu_call *next;	/* the next in its bucket, for good */
	struct task_struct *task;	/* the task, NULL: the record is free */
	unsigned long began;	/* jiffies */
	bool holds;		/* a reference of mpu.ko */
	bool marked;		/* the driver's copies are looked at; counted in mpu_marked */
	u32 *saved;		/* the caller's own numbers, for MPU_IN, or NULL */
	const struct mpu_row *row;	/* once known to be a PID control */
	const struct mpu_row *unknown;
	u64 word;
	u32 asks;		/* control that it is of, 0: an allocation */
	/* Set when @row is: */
	const struct mpu_row *array;	/* layout of an array beside the params, NULL: not known */
	u64 params;		/* address of the params in the caller's memory */
	void *copy;		/* the driver's copy of the params, between copy-in and copy-out */
	u32 asked;		/* numbers in @saved */
	struct mpu_view view;
	struct mpu_tally tally;
	enum mpu_counter outcome;	/* the counter of the call */
};

struct mpu_call *mpu_call_current(void);
void mpu_call_mark(struct mpu_call *call);
void mpu_call_read_caller(struct mpu_call *call, unsigned int cmd, unsigned long arg);

void *mpu_gate_ioctl(unsigned long file, unsigned long cmd, unsigned long arg);
void *mpu_gate_outside(unsigned long a, unsigned long b, unsigned long c);
void *mpu_gate_marked(unsigned long a, unsigned long b, unsigned long c);
void *mpu_gate_close(unsigned long inode, unsigned long file, unsigned long c);

long mpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg,
	       mpu_body_t body, struct pid_namespace *ns);
u32 mpu_copy_in(void *to, const void __user *from, u32 n, mpu_body_t body, struct mpu_call *call);
u32 mpu_copy_out(void __user *to, void *from, u32 n, mpu_body_t body, struct mpu_call *call);
u32 mpu_find_ns_pid(void *pid_info, u32 *ns_pid, unsigned long unused,
		    mpu_body_t body, struct mpu_call *call);
u8 mpu_is_init_ns(unsigned long a, unsigned long b, unsigned long c,
		  mpu_body_t body, struct mpu_call *call);
void *mpu_get_pid_info(unsigned long a, unsigned long b, unsigned long c, mpu_body_t body);

extern atomic_t mpu_marked;

/* Tasks that have a record. */
struct mpu_inside {
	unsigned int n;
	pid_t oldest;			/* PID of the process that has been inside the longest */
	unsigned long seconds;		/* for how long */
};

struct mpu_inside mpu_calls_inside(void);
void mpu_calls_free(void);

/*
 * A driver is about to be attached to; each of its calls has come by the gate; one may
 * not any more; and it has been left by the last that did.
 */
void mpu_calls_begin(const struct module *module);
void mpu_calls_start(void);
void mpu_calls_stop(void);
void mpu_calls_end(void);

bool mpu_calls_are_seen(void);
int mpu_calls_init(void);

/* driver.c */
u32 mpu_driver_branch(void);
bool mpu_driver_is_native(void);
int mpu_driver_init(void);
void mpu_driver_exit(void);
ssize_t mpu_driver_name(char *buf);
const char *mpu_driver_hook(void);
const char *mpu_driver_arguments(void);

/* openers.c */
void mpu_openers_begin(bool all_close);
void mpu_openers_end(void);
bool mpu_opener_note(const struct file *file);
void mpu_openers_leave(const struct file *file);
bool mpu_opener_is_another(struct pid *pid, bool ended);
u32 mpu_opener_local(struct pid_namespace *ns, u32 global);
u32 mpu_opener_global(struct pid_namespace *ns, u32 local);
bool mpu_opener_lived(struct pid_namespace *ns, u32 local, u32 global, u64 when);

/* --- hook.c --- */

#define MPU_HOOK_SYMBOLS 3

/**
 * struct mpu_hook - functions of the driver that share a trampoline
 * @symbols:	their names; which of them exist differs by driver version
 * @ips:	ftrace locations of the functions that mpu_hook_find() has found, 0: none
 */
struct mpu_hook {
	const char *symbols[MPU_HOOK_SYMBOLS];
	void (*trampoline)(void);		/* target of a direct call (trampoline_*.S) */
	mpu_gate_t gate;			/* the same question, for the redirect */
	void *replacement;			/* a function that runs instead if it is ours */
	bool optional;				/* there are drivers without such a function */
	unsigned long ips[MPU_HOOK_SYMBOLS];
	struct ftrace_ops ops;
	bool direct;				/* attached by direct calls */
	bool on;				/* attached */
};

bool mpu_hook_find(struct mpu_hook *hook, const char *module);
int mpu_hook_attach(struct mpu_hook *hook, bool direct);
int mpu_hook_detach(struct mpu_hook *hook);
bool mpu_hook_is_live(const struct mpu_hook *hook);

/* --- probe.c --- */

unsigned long mpu_symbol_find(const char *module, const char *symbol);
void mpu_probe_begin(struct kprobe *probe, unsigned long addr, kprobe_pre_handler_t handler);
void mpu_probe_end(struct kprobe *probe);

/*
 * Will the next call of the function be seen? Looks at the instruction: all kprobes of the
 * kernel may be switched off and on again at any time, by /sys/kernel/debug/kprobes/enabled.
 */
static inline bool mpu_probe_is_live(const struct kprobe *probe)
{
	const kprobe_opcode_t *addr = READ_ONCE(probe->addr);

	return addr && READ_ONCE(*addr) != probe->opcode;
}

/* stats.c */
int mpu_stats_init(struct kobject *parent);
void mpu_stats_exit(void);
void mpu_stats_count(u32 control, enum mpu_counter outcome, u32 seen, u32 hidden);
void mpu_stats_count_odd(u32 control);

/* sysfs.c */
int mpu_sysfs_init(void);
void mpu_sysfs_exit(void);

#endif /* MPU_INTERNAL_H */
