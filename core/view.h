/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The view of a caller: an engine says what its struct mpu_view holds, and defines these
 * three. They may be asked anything: numbers come from hostile memory.
 */
#ifndef MPU_CORE_VIEW_H
#define MPU_CORE_VIEW_H

#include "env.h"

struct mpu_view;

/**
 * mpu_view_local() - global number -> number in the caller's PID namespace
 * @left:	the kernel address that stood beside it (mpu_row.pointer), else 0:
 *		drivers that translate samples leave it where they did not. Only
 *		an engine that lets them do so cares
 *
 * Return: number of the process (tgid) there, 0 if the namespace cannot see it.
 */
static u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left);

/**
 * mpu_view_global() - number in the caller's PID namespace -> global number
 *
 * Return: its tgid in the initial namespace, 0 if there is no such process.
 */
static u32 mpu_view_global(struct mpu_view *view, u32 local);

/**
 * mpu_view_lived() - is the process that the caller calls @local the one that the initial
 * namespace calls @global, and was it there at @when, in us since the epoch?
 */
static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when);

#endif /* MPU_CORE_VIEW_H */
