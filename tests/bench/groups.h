/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups named as docker, podman and the kubelet name theirs, and the files that
 * have the names of their containers: in a mount namespace of this process's own, where
 * nothing of the machine's is touched.
 */
#ifndef MPU_TESTS_BENCH_GROUPS_H
#define MPU_TESTS_BENCH_GROUPS_H

#include <stddef.h>

/**
 * groups_make() - make @n of them, by turns of docker, of podman and of a pod
 *
 * Return: 0 or negative errno. Either way groups_remove() is to follow.
 */
int groups_make(size_t n);

/** groups_enter() - what this process starts from now on is in this one */
int groups_enter(size_t group);

/** groups_remove() - after all that was in them has ended */
void groups_remove(void);

#endif /* MPU_TESTS_BENCH_GROUPS_H */
