/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu run: a command in a PID and mount namespace of its own, under engine
 * notify. For a user other than root also in a user namespace.
 */
#ifndef MPU_NOTIFY_LAUNCHER_H
#define MPU_NOTIFY_LAUNCHER_H

#include "engines/notify/monitor.h"
#include "lib/why.h"

/**
 * launcher_run() - run a command in a container of its own, until it ends
 * @words:	the command
 * @status:	receives what became of it, as of waitpid()
 *
 * Signals of this process go to the command. They are left blocked.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int launcher_run(char **words, const struct monitor_options *options,
		 int *status, char why[WHY_SIZE]);

#endif /* MPU_NOTIFY_LAUNCHER_H */
