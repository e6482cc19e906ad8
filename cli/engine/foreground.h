/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu up --foreground: the engine as a service, which stays and watches it.
 */
#ifndef MPU_CLI_ENGINE_FOREGROUND_H
#define MPU_CLI_ENGINE_FOREGROUND_H

#include "cli/command/command.h"

struct engine;

/**
 * foreground_begin() - from now on signals wait until they are asked for, so that
 * none ends us while an engine starts
 *
 * Return: a descriptor for foreground_serve(), or negative errno.
 */
int foreground_begin(void);

/**
 * foreground_serve() - watch an engine that is up, and stop it at the end
 * @engine:	NULL: it was up, and somebody has stopped it already
 * @signals:	of foreground_begin(): SIGTERM and SIGINT stop the engine, SIGHUP has
 *		the program that is installed now go on in our place
 *
 * The service's manager hears of the engine only when it works: see check().
 */
enum cli_exit foreground_serve(const struct command_call *call, const struct engine *engine,
			       int signals);

#endif /* MPU_CLI_ENGINE_FOREGROUND_H */
