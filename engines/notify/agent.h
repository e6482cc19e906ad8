/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The agent: the daemon of engine notify.
 */
#ifndef MPU_NOTIFY_AGENT_H
#define MPU_NOTIFY_AGENT_H

#include <stdbool.h>

#include "engines/engine.h"

/**
 * struct agent_options - how an agent is to work
 * @socket:	where it listens, if no manager hands it a socket
 * @cpu_percent: of one CPU that the calls of each container may take
 * @pass_unknown: a control of the table with a size that it does not have goes
 *		to the driver
 */
struct agent_options {
	const char *socket;
	unsigned int cpu_percent;
	bool pass_unknown;
};

/**
 * agent_run() - be the agent; returns on SIGTERM and SIGINT
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int agent_run(const struct agent_options *options, char why[ENGINE_WHY]);

#endif /* MPU_NOTIFY_AGENT_H */
