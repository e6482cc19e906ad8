/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's structures that the programs look into: CO-RE finds where their members are.
 */
#ifndef MPU_BPF_KERNEL_H
#define MPU_BPF_KERNEL_H

#include "core/env.h"

/* MODULE_NAME_LEN, include/linux/moduleparam.h, where addresses have 64 bits */
#define MODULE_NAME	56

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

enum pid_type {
	PIDTYPE_PID,
	PIDTYPE_TGID,
	PIDTYPE_MAX = 4,
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct pid_namespace;

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct hlist_head tasks[PIDTYPE_MAX];
	struct upid numbers[];
};

/* XA_CHUNK_SIZE slots: 64, or 16 with CONFIG_BASE_SMALL. */
struct xa_node {
	unsigned char shift;
	void *slots[64];
};

struct xarray {
	void *xa_head;
};

struct idr {
	struct xarray idr_rt;
};

struct pid_namespace {
	struct idr idr;
};

struct module {
	char name[MODULE_NAME];
};

struct signal_struct {
	struct pid *pids[PIDTYPE_MAX];
};

struct task_struct {
	struct pid *thread_pid;
	struct hlist_node pid_links[PIDTYPE_MAX];
	struct signal_struct *signal;
	u64 start_boottime;
};

#pragma clang attribute pop

#endif /* MPU_BPF_KERNEL_H */
