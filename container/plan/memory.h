/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits of GPU memory as edits: lines of the files that the kernel's dmem controller has
 * in a cgroup.
 */
#ifndef MPU_CONTAINER_PLAN_MEMORY_H
#define MPU_CONTAINER_PLAN_MEMORY_H

#include "container/plan/edits.h"
#include "container/request/memory.h"
#include "container/request/selection.h"

/**
 * plan_memory() - add an EDIT_CGROUP for each GPU and file
 *
 * Return: 0, or negative errno and a sentence in @why: this machine cannot limit it.
 */
int plan_memory(struct edits *edits, const struct selection *selection,
		const struct gpu_memory *memory, char why[WHY_SIZE]);

/**
 * plan_can_limit_memory() - can this machine limit the memory of a GPU?
 *
 * Asked before a hook does it: a runtime may hide the hook's messages, as crun does.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int plan_can_limit_memory(char why[WHY_SIZE]);

/** plan_is_memory() - does an edit limit memory, or have a hook do so? */
bool plan_is_memory(const struct edit *edit);

#endif /* MPU_CONTAINER_PLAN_MEMORY_H */
