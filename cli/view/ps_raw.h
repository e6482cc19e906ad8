/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu ps --raw: GPU processes as the driver tells them to this process.
 */
#ifndef MPU_CLI_VIEW_PS_RAW_H
#define MPU_CLI_VIEW_PS_RAW_H

#include "cli/command/command.h"

/** ps_print_raw() - ask the driver, and print its answer. Return: an exit status */
int ps_print_raw(const struct command_call *call);

#endif /* MPU_CLI_VIEW_PS_RAW_H */
