/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An engine's status as metrics: docs/metrics.md explains each.
 */
#ifndef MPU_ENGINES_METRICS_H
#define MPU_ENGINES_METRICS_H

#include "engines/status.h"
#include "lib/exposition.h"

/**
 * engine_add_metrics() - add what an engine says of itself
 * @engine:	the one that is up; NULL: none is
 * @status:	of @engine
 */
void engine_add_metrics(struct exposition *exposition, const struct engine *engine,
			const struct engine_status *status);

/** engine_add_agent_metrics() - add what an agent says that is up, beside another engine too */
void engine_add_agent_metrics(struct exposition *exposition,
			      const struct engine_status *status);

#endif /* MPU_ENGINES_METRICS_H */
