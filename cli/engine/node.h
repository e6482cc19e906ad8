/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu node: what a pod does to have MPU on the node that it is on. The engine is not
 * in the pod: it is a service of the node's systemd, as on any host, and so it goes
 * on whatever becomes of the pod.
 */
#ifndef MPU_CLI_ENGINE_NODE_H
#define MPU_CLI_ENGINE_NODE_H

#include <stdbool.h>

#include "lib/why.h"

/* Where everything is: in the image, and then on the node. */
#define NODE_FOLDER	"/opt/mpu"

/* Of this boot alone: the lock, and what the engine of containers calls. */
#define NODE_RUN	"/run/mpu-node"

struct setup_engine;

/**
 * struct node - what is wanted of a node
 * @image:	descriptor of NODE_FOLDER in the image
 * @engine:	a name of ENGINE_NAMES; NULL: the first that the node allows
 * @runtime:	engine of containers that is to know runtime "mpu"; NULL: none
 */
struct node {
	int image;
	const char *engine;
	const struct setup_engine *runtime;
};

/**
 * node_set_up() - have a node be as is wanted; what is so already is left alone
 *
 * Return: 0, or negative errno and a sentence in @why; then it may be called again.
 */
int node_set_up(const struct node *node, char why[WHY_SIZE]);

/** node_undo() - have it be as it was before. Return: as node_set_up(). */
int node_undo(char why[WHY_SIZE]);

/**
 * node_works() - does the engine's service say so?
 * @why:	what it says
 */
bool node_works(char why[WHY_SIZE]);

#endif /* MPU_CLI_ENGINE_NODE_H */
