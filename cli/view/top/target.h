/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that a signal is for: held fast from the moment that the user is asked,
 * so that no other one that takes its number meanwhile gets the signal.
 */
#ifndef MPU_CLI_VIEW_TOP_TARGET_H
#define MPU_CLI_VIEW_TOP_TARGET_H

#include "host/owner.h"

/**
 * struct target - a process
 * @pidfd:	0: there is none
 * @whose:	its container, job or unit, "" if it is in none
 */
struct target {
	int pidfd;
	pid_t pid;
	char name[16];
	char whose[64];
};

/**
 * target_hold() - take a process that was read a moment ago
 * @reader:	as old as that which has read it: both tell the time of day by the clock
 *		as it was when they were opened; NULL: no memory
 *
 * Return: 0 or negative errno; -ESRCH: it has ended, and its number may be another's.
 */
int target_hold(struct target *target, struct host_reader *reader,
		const struct host_process *process);

/** target_find_signal() - the number of "15", "TERM" or "sigterm"; -1: none */
int target_find_signal(const char *text);

/** target_signal_name() - "TERM"; of a real-time signal, that */
const char *target_signal_name(int number);

/** target_send() - send it a signal. Return: 0 or negative errno. */
int target_send(const struct target *target, int number);

void target_release(struct target *target);

#endif /* MPU_CLI_VIEW_TOP_TARGET_H */
