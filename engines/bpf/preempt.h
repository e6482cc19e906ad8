/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way in which the kernel preempts itself, which decides whether it runs the
 * programs.
 */
#ifndef MPU_BPF_PREEMPT_H
#define MPU_BPF_PREEMPT_H

#include <stdbool.h>

/**
 * preempt_problem() - does the kernel skip programs for how it preempts?
 * @counted:	receives: it does, and counts that
 *
 * It runs no program at a probe on a CPU where a call of bpf(2) has begun and not ended
 * (trace_call_bpf(), bpf_disable_instrumentation()). A preemptible kernel runs others
 * there meanwhile. All kernels that have the lazy model count it (6.7,
 * bpf_prog_inc_misses_counters()).
 *
 * Return: a sentence, also if it cannot be known; NULL: it does not.
 */
const char *preempt_problem(bool *counted);

#endif /* MPU_BPF_PREEMPT_H */
