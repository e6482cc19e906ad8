/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvidia-container-cli: NVIDIA's command that gives a container that exists already
 * what the driver has.
 */
#ifndef MPU_CLI_NVIDIA_CONTAINER_CLI_H
#define MPU_CLI_NVIDIA_CONTAINER_CLI_H

#include <json-c/json.h>
#include <stdio.h>

#include "cli/command/command.h"
#include "container/request/selection.h"
#include "container/rootfs/rootfs.h"
#include "nvidia/installation.h"

#define CONTAINER_CLI_NAME "nvidia-container-cli"

/**
 * struct container_cli - one call of it
 * @log:	what --debug names; NULL: nothing
 */
struct container_cli {
	const struct command_call *call;
	FILE *log;
	struct installation installation;
	struct selection selection;
};

/**
 * container_cli_open() - harden this process, find the driver
 * @capabilities: as of installation_read()
 *
 * Return: 0, or an exit status: it has been said what is wrong. Either way
 * container_cli_close() is to follow.
 */
int container_cli_open(struct container_cli *cli, const struct command_call *call,
		       unsigned int capabilities);

void container_cli_close(struct container_cli *cli);

/** container_cli_phase() - begin a phase. Return: as container_cli_open(). */
int container_cli_phase(struct container_cli *cli, enum rootfs_phase phase);

/**
 * container_cli_select() - choose the devices that the command line names
 * @otherwise:	what --device and its like are where none is given; NULL: nothing
 *
 * Return: as container_cli_open().
 */
int container_cli_select(struct container_cli *cli, const char *otherwise);

/**
 * container_cli_fail() - say what is wrong: "nvidia-container-cli: device error: ..."
 * @class:	"device"; NULL: @why begins with it
 *
 * Return: an exit status.
 */
int container_cli_fail(const struct container_cli *cli, const char *class,
		       const char *why);

/** container_cli_warn() - what a container has to do without */
void container_cli_warn(const struct container_cli *cli, const char *text);

/* Commands. Return: an exit status. */
int container_cli_info(const struct command_call *call);
int container_cli_list(const struct command_call *call);
int container_cli_configure(const struct command_call *call);

/* mpu container has these beside them. */
extern const struct command container_explain, container_nodes;

/**
 * struct container_cli_caller - a hook that has read config.json
 * @bundle:	its folder
 * @config:	what it says
 * @device_rules: its linux.resources.devices; NULL: it has none
 */
struct container_cli_caller {
	const char *bundle;
	struct json_object *config, *device_rules;
};

/** container_cli_run() - run nvidia-container-cli; @caller: NULL: it is none */
int container_cli_run(char **words, struct container_cli_caller *caller);

#endif /* MPU_CLI_NVIDIA_CONTAINER_CLI_H */
