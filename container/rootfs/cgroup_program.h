/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of device cgroups (BPF_PROG_TYPE_CGROUP_DEVICE), which say yes or no to
 * each use of a node: one that is in force gets more rules in front, and where that
 * cannot be read, one is made from config.json.
 */
#ifndef MPU_ROOTFS_CGROUP_PROGRAM_H
#define MPU_ROOTFS_CGROUP_PROGRAM_H

#include <json-c/json.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

#include "container/rootfs/device_rules.h"
#include "lib/why.h"

/* More than the kernel let a program have before 5.2, and rules of all GPUs take. */
#define PROGRAM_MAX	65536

/**
 * struct program - instructions
 */
struct program {
	struct bpf_insn *insn;
	size_t n;
};

/**
 * program_is_sane() - can instructions that the kernel has shown be loaded again?
 *
 * Not if they were blanked or blinded (bpf_jit_harden), or name maps or
 * functions, whose numbers mean nothing in a program to be loaded.
 */
bool program_is_sane(const struct program *program);

/**
 * program_prepend() - put rules in front
 *
 * Return: 0; -EALREADY: they stand there already; or -ENOMEM or -E2BIG.
 */
int program_prepend(struct program *program, const struct device_rules *rules);

/**
 * program_generate() - make one
 * @config:	linux.resources.devices: the last rule that is about a use decides it.
 *		A use that none is about is refused, except what every container may
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int program_generate(struct program *program, struct json_object *config,
		     char why[WHY_SIZE]);

void program_free(struct program *program);

#endif /* MPU_ROOTFS_CGROUP_PROGRAM_H */
