/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu node: what a pod does to have MPU on the node that it is on. The engine is not
 * in the pod: it is a service of the node's systemd, as on any host, and so it goes
 * on whatever becomes of the pod.
 */
#ifndef MPU_CLI_ENGINE_NODE_H
#define MPU_CLI_ENGINE_NODE_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/why.h"

/* The folder of all files in the image, and by default on the node. */
#define NODE_FOLDER	"/opt/mpu"

/* Holds what is of this boot alone: locks, and the program that the container engine calls. */
#define NODE_RUN	"/run/mpu-node"

struct setup_engine;

/**
 * struct node - what is wanted of a node
 * @image:	descriptor of NODE_FOLDER in the image
 * @folder:	where that goes
 * @engine:	a name of ENGINE_NAMES; NULL: the first that the node allows
 * @driver_root: below which a driver container has the driver's files; NULL: /
 * @runtime:	container engine that is to know runtime "mpu"; NULL: none
 * @config, @unit: its main file and systemd unit; NULL: the usual ones
 * @oci_runtime: what mpu-runtime is to call; NULL: what it finds
 * @left_alone:	looks until the container engine may be restarted again; 0: it may be
 * @is_forgotten: where there is no @runtime: what an earlier pod did for one is undone
 */
struct node {
	int image;
	const char *folder, *engine, *driver_root;
	const struct setup_engine *runtime;
	const char *config, *unit, *oci_runtime;
	unsigned int left_alone;
	bool is_forgotten;
};

/**
 * node_set_up() - have a node be as is wanted; what is so already is left alone
 *
 * Return: 0, or negative errno and a sentence in @why; then it may be called again.
 */
int node_set_up(struct node *node, char why[WHY_SIZE]);

/**
 * node_in_use() - refuse if containers depend on the engine, as mpu down does
 *
 * Return: 0, or negative errno and the list of them in @why.
 */
int node_in_use(const struct node *node, char why[WHY_SIZE]);

/**
 * node_undo() - have it be as it was before: each step is tried, whatever the others did
 *
 * Return: 0, or negative errno and what failed in @why.
 */
int node_undo(const struct node *node, char why[WHY_SIZE]);

/**
 * node_works() - does the engine's service say so?
 * @why:	what it says
 */
bool node_works(char why[WHY_SIZE]);

/**
 * node_label() - have node feature discovery, where the node has it, label the node
 *
 * Return: as node_set_up().
 */
int node_label(bool ready, char why[WHY_SIZE]);

/* --- parts of it --- */

/** node_runtime_set_up() - have the container engine know runtime "mpu", or no more */
int node_runtime_set_up(struct node *node, char why[WHY_SIZE]);

/** node_runtime_undo() - have no container engine know it */
int node_runtime_undo(const struct node *node, char why[WHY_SIZE]);

/** node_run() - run a program of the node's. @words: end with NULL */
int node_run(const char *const *words, char why[WHY_SIZE]);

#define NODE_RUN_WORDS(why, ...) node_run((const char *const[]){ __VA_ARGS__, NULL }, why)

/** node_property() - a property of a unit, without the newline; "" if it has none */
int node_property(const char *unit, const char *property, char *text, size_t size,
		  char why[WHY_SIZE]);

/**
 * node_write() - have a file of ours say something
 * @text:	"": there is to be none
 * @changed:	set if it said something else
 */
int node_write(const char *path, const char *text, mode_t mode, bool *changed,
	       char why[WHY_SIZE]);

/** node_add_failure() - put a failure behind those in @why. Return: the first one */
int node_add_failure(int before, int ret, const char *one, char why[WHY_SIZE]);

#endif /* MPU_CLI_ENGINE_NODE_H */
