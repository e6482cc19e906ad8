/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mpu doctor says of a node, and the JSON document that it is written as: what
 * mpu fleet reads.
 */
#ifndef MPU_CLI_DOCTOR_NODE_STATE_H
#define MPU_CLI_DOCTOR_NODE_STATE_H

#include "cli/doctor/finding.h"

/**
 * struct node_state - "": not known, or there is none
 * @node:	its name
 * @time:	when it was looked at, as "2026-11-22T21:44:45Z"
 * @mpu:	version of the mpu that has looked
 * @kernel:	release
 * @driver:	version of the driver that is loaded
 * @flavour:	of that driver
 * @engine:	that is up
 */
struct node_state {
	char node[256];
	char time[32];
	char mpu[64];
	char kernel[128];
	char driver[64];
	char flavour[16];
	char engine[16];
	struct findings findings;
};

/** node_state_now() - fill in all but driver, engine and findings */
void node_state_now(struct node_state *state);

/** node_state_add() - as members of a document */
void node_state_add(struct json_object *document, const struct node_state *state);

/**
 * node_state_parse() - read such a document, maybe one of another version
 *
 * Return: 0, or -EINVAL and a sentence in @why: it is another document, or does not
 * say of which node it is.
 */
int node_state_parse(struct node_state *state, struct json_object *document,
		     char why[WHY_SIZE]);

#endif /* MPU_CLI_DOCTOR_NODE_STATE_H */
