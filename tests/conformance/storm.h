/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A storm of signals: each takes a thread out of its call, and has it begin again.
 */
#ifndef MPU_TESTS_CONFORMANCE_STORM_H
#define MPU_TESTS_CONFORMANCE_STORM_H

/**
 * storm_begin() - SIGALRM again and again, before each call
 *
 * However slow the machine is, the signals come far enough apart in the end for a
 * call that each of them makes begin again. Calls are restarted (SA_RESTART).
 *
 * Return: 0 or negative errno.
 */
int storm_begin(void);

/** storm_end() - no more of them */
void storm_end(void);

#endif /* MPU_TESTS_CONFORMANCE_STORM_H */
