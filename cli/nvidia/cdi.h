/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu cdi, and nvidia-ctk cdi: documents by which container engines know devices.
 */
#ifndef MPU_CLI_NVIDIA_CDI_H
#define MPU_CLI_NVIDIA_CDI_H

#include <json-c/json.h>

#include "cli/command/command.h"

/** cdi_run_generate() - the command generate. Return: an exit status */
int cdi_run_generate(const struct command_call *call);

/**
 * cdi_output() - write a document
 * @path:	NULL: to stdout
 * @format:	"json", "yaml", NULL: as the file's name says
 *
 * Return: an exit status.
 */
int cdi_output(const struct command_call *call, struct json_object *root,
	       const char *path, const char *format);

extern const struct command_option cdi_generate_options[];

#endif /* MPU_CLI_NVIDIA_CDI_H */
