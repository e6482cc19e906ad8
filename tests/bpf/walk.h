/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types that walk.c and its BPF program, walk.bpf.c, share.
 */
#ifndef MPU_TESTS_BPF_WALK_H
#define MPU_TESTS_BPF_WALK_H

#include "core/env.h"

#define WALK_MAX	4096

/**
 * struct walk - questions and answers, each @count
 * @number:	any
 * @local:	taken as one of the initial namespace: the process's number in
 *		the caller's, 0 if it is not seen there
 * @global:	taken as one of the caller's namespace: the process's number in
 *		the initial one, 0 if there is none
 */
struct walk {
	u32 count;
	u32 number[WALK_MAX];
	u32 local[WALK_MAX];
	u32 global[WALK_MAX];
};

#endif /* MPU_TESTS_BPF_WALK_H */
