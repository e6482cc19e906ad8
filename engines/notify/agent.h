/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The agent: the daemon of engine notify.
 */
#ifndef MPU_NOTIFY_AGENT_H
#define MPU_NOTIFY_AGENT_H

#include "engines/notify/monitor.h"
#include "lib/why.h"

/**
 * agent_run() - be the agent; returns on SIGTERM and SIGINT
 * @socket:	where it listens, if no manager hands it a socket
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int agent_run(const char *socket, const struct monitor_options *options,
	      char why[WHY_SIZE]);

#endif /* MPU_NOTIFY_AGENT_H */
