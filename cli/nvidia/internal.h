/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and functions shared by the files of this folder.
 */
#ifndef MPU_CLI_NVIDIA_INTERNAL_H
#define MPU_CLI_NVIDIA_INTERNAL_H

#include <json-c/json.h>
#include <stdio.h>

#include "cli/nvidia/nvidia.h"
#include "container/request/request.h"
#include "container/rootfs/rootfs.h"
#include "nvidia/nvidia.h"

/* The release of NVIDIA's toolkit that ours was compared with: scripts ask for one. */
#define NVIDIA_VERSION "1.20.0"

#define CONTAINER_CLI_NAME "nvidia-container-cli"

struct container_cli {
	const struct command_call *call;
	FILE *log;		/* the file that --debug names, or NULL */
	struct installation installation;
	struct selection selection;
	unsigned int without;	/* enum driver_without */
};

/**
 * struct container_cli_caller - a hook that has read config.toml and config.json
 * @settings:	so that a key reaches the plan without an option of its own
 * @device_rules: its linux.resources.devices; NULL: it has none
 */
struct container_cli_caller {
	const struct settings *settings;
	const char *bundle;
	struct json_object *config, *device_rules;
};

/* container_cli.c: unless void, they return 0, or an exit status: it has been said why. */
int container_cli_open(struct container_cli *cli, const struct command_call *call,
		       unsigned int capabilities);
void container_cli_close(struct container_cli *cli);
int container_cli_phase(struct container_cli *cli, enum rootfs_phase phase);
int container_cli_select(struct container_cli *cli, const char *otherwise);
int container_cli_fail(const struct container_cli *cli, const char *class, const char *why);
void container_cli_warn(const struct container_cli *cli, const struct strv *problems);
void container_cli_log(const struct container_cli *cli, char level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int container_cli_run(char **words, struct container_cli_caller *caller);

/* container_list.c, container_configure.c */
int container_cli_info(const struct command_call *call);
int container_cli_list(const struct command_call *call);
int container_cli_configure(const struct command_call *call);

/* mpu container has these beside them, nvidia-ctk those beside command_cdi. */
extern const struct command container_explain, container_nodes;
extern const struct command ctk_config, ctk_runtime;

/**
 * struct nodes_work - what is to be done with device nodes
 * @root:	of the driver, "" or "/" for this machine's own
 * @dev:	before /dev, likewise; NULL: where the driver's is
 * @load:	the driver's modules, first
 * @nodes:	device nodes that are missing
 * @links:	/dev/char/MAJOR:MINOR of nodes that are there
 * @check:	make nothing: say what is wrong
 */
struct nodes_work {
	const char *root, *dev;
	bool load, nodes, links, check;
};

/* configure.c: has this process be the only one that edits, until it ends. Return: a status */
int configure_lock(const struct command_call *call);

/* container_nodes.c */
int nodes_do(const struct command_call *call, const struct nodes_work *work);

/* cdi.c */
int cdi_output(const struct command_call *call, struct json_object *root,
	       const char *path, const char *format);

/* cdi_generate.c */
int cdi_run_generate(const struct command_call *call);
extern const struct command_option cdi_generate_options[];

#endif /* MPU_CLI_NVIDIA_INTERNAL_H */
