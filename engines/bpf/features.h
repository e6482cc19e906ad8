/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Could engine bpf run here?
 */
#ifndef MPU_BPF_FEATURES_H
#define MPU_BPF_FEATURES_H

#include "lib/why.h"

/**
 * features_check() - could programs be loaded here?
 *
 * Loads one that does nothing, to know: an older kernel, a missing capability
 * and lockdown all refuse, each in its own way.
 *
 * Return: 0, or negative errno with a sentence in @why and one in @todo.
 */
int features_check(char why[WHY_SIZE], char todo[WHY_SIZE]);

#endif /* MPU_BPF_FEATURES_H */
