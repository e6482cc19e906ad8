/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu doctor's report on a node, as JSON and for Prometheus.
 */
#ifndef MPU_CLI_DOCTOR_NODE_STATE_H
#define MPU_CLI_DOCTOR_NODE_STATE_H

#include <time.h>

#include "cli/doctor/finding.h"

struct exposition;

/**
 * struct node_state - "": not known, or there is none
 * @name:	the host's
 * @time:	when it was looked at
 * @kernel:	release
 * @driver:	version of the driver that is loaded
 * @flavour:	of that driver
 * @engine:	that is up
 */
struct node_state {
	char name[256];
	time_t time;
	char kernel[128];
	char driver[64];
	char flavour[16];
	char engine[16];
	struct findings findings;
};

/** node_state_now() - fill in name, time and kernel; the others are empty then */
void node_state_now(struct node_state *state);

/** node_state_add() - as members of a document */
void node_state_add(struct json_object *document, const struct node_state *state);

/** node_state_add_metrics() - as metrics: docs/metrics.md explains each */
void node_state_add_metrics(struct exposition *exposition,
			    const struct node_state *state);

#endif /* MPU_CLI_DOCTOR_NODE_STATE_H */
