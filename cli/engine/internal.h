/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and functions that the commands of engines share.
 */
#ifndef MPU_CLI_ENGINE_INTERNAL_H
#define MPU_CLI_ENGINE_INTERNAL_H

#include <sys/types.h>

#include "cli/engine/engine.h"
#include "lib/why.h"

struct engine;
struct engine_place;
struct setup_engine;

/* down.c */
void show_progress(const char *what);

/* run.c */
extern const struct command_option unknown_option[];	/* --unknown */

/* status.c */
enum measured { NOT_MEASURED, WRONG, RIGHT };

enum measured measure_engine(const struct engine_place *place, char refused[WHY_SIZE]);

/* foreground.c */
enum cli_exit foreground_serve(const struct command_call *call, const struct engine *engine,
			       int signals);

/* --- mpu node: what a pod does to have MPU on the node that it is on --- */

/* The folder of all files in the image, and by default on the node. */
#define NODE_FOLDER	"/opt/mpu"

/* Holds what is of this boot alone: locks, and the program that the container engine calls. */
#define NODE_RUN	"/run/mpu-node"

/* The socket at which the node's mpu metrics serves the pod that hands that on. */
#define NODE_METRICS	"/run/mpu-metrics/socket"

/**
 * struct node - what is wanted of a node
 * @folder:	where that goes
 * @engine:	a name of ENGINE_NAMES; NULL: the first that the node allows
 * @driver_root: below which a driver container has the driver's files; NULL: /
 * @runtime:	container engine that is to know runtime "mpu"; NULL: none
 * @config, @unit: its main file and systemd unit; NULL: the usual ones
 * @oci_runtime: what mpu-runtime is to call; NULL: what it finds
 * @limit, @processes: options of the mpu metrics that is to serve the pod of the metrics; NULL:
 *		none is
 * @left_alone:	looks until the container engine may be restarted again; 0: it may be
 * @is_forgotten: where there is no @runtime: what an earlier pod did for one is undone
 */
struct node {
	int image;				/* descriptor of NODE_FOLDER in the image */
	const char *folder, *engine, *driver_root;
	const struct setup_engine *runtime;
	const char *config, *unit, *oci_runtime;
	const char *limit;
	bool processes;
	unsigned int left_alone;
	bool is_forgotten;
};

/* node_host.c */
int node_set_up(struct node *node, char why[WHY_SIZE]);
int node_in_use(const struct node *node, char why[WHY_SIZE]);
int node_undo(const struct node *node, char why[WHY_SIZE]);
bool node_works(char why[WHY_SIZE]);
int node_label(bool ready, char why[WHY_SIZE]);

/* node_runtime.c */
int node_runtime_set_up(struct node *node, char why[WHY_SIZE]);
int node_runtime_undo(const struct node *node, char why[WHY_SIZE]);

/* node_step.c */
int node_run(const char *const *words, char why[WHY_SIZE]);
int node_property(const char *unit, const char *property, char *text, size_t size,
		  char why[WHY_SIZE]);
int node_write(const char *path, const char *text, mode_t mode, bool *changed, char why[WHY_SIZE]);
int node_add_failure(int before, int ret, const char *one, char why[WHY_SIZE]);

#define NODE_RUN_WORDS(why, ...) node_run((const char *const[]){ __VA_ARGS__, NULL }, why)

#endif /* MPU_CLI_ENGINE_INTERNAL_H */
