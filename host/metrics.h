/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The use of GPUs as metrics: docs/metrics.md explains each.
 */
#ifndef MPU_HOST_METRICS_H
#define MPU_HOST_METRICS_H

#include "host/gpu_usage.h"
#include "lib/exposition.h"

/**
 * struct metrics_extent - how much is said
 * @processes:	of each process, too
 * @limit:	of containers at most, of pods, units, jobs, users and processes likewise; each
 *		counts once for each GPU that it uses
 */
struct metrics_extent {
	bool processes;
	size_t limit;
};

/**
 * usage_add_metrics() - add all of @usage
 * @usage:	NULL: there is no driver, or it does not answer
 *
 * Return: 0 or -ENOMEM.
 */
int usage_add_metrics(struct exposition *exposition, const struct usage *usage,
		      const struct metrics_extent *extent);

#endif /* MPU_HOST_METRICS_H */
