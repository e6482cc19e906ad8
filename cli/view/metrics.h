/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu metrics: who uses the GPUs, for Prometheus.
 */
#ifndef MPU_CLI_VIEW_METRICS_H
#define MPU_CLI_VIEW_METRICS_H

#include "cli/tool.h"

extern const struct tool tool_metrics;

#endif /* MPU_CLI_VIEW_METRICS_H */
