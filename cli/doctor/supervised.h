/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The containers that the agent of engine notify supervises, by their names, and those
 * that use a GPU and that it does not supervise.
 */
#ifndef MPU_CLI_DOCTOR_SUPERVISED_H
#define MPU_CLI_DOCTOR_SUPERVISED_H

#include "engines/engines.h"
#include "host/host.h"
#include "lib/strv.h"

/** supervised_name() - name the agent's containers, as far as they have names here */
void supervised_name(struct engine_agent *agent);

/** supervised_find() - find a process's container. Return: NULL: it is not supervised */
const struct engine_container *supervised_find(const struct engine_agent *agent,
					       const struct host_process *process);

/** supervised_by_run() - was a process started by mpu run, which supervises it itself? */
bool supervised_by_run(pid_t pid);

/**
 * struct unsupervised - containers that use a GPU, and whose calls nobody translates
 * @names:	of each
 * @todo:	what to type, a sentence without its full stop
 */
struct unsupervised {
	struct strv names;
	char todo[WHY_SIZE];
};

/** unsupervised_find() - look for them; unsupervised_free() has to follow */
void unsupervised_find(struct unsupervised *found, const struct engine_agent *agent);

/** unsupervised_todo() - say what has containers of an engine supervised */
void unsupervised_todo(char todo[WHY_SIZE], unsigned int kinds);

/** unsupervised_free() - free its names */
void unsupervised_free(struct unsupervised *found);

/** names_join() - write names as "a, b, c and 7 more". Return: @text */
const char *names_join(char text[WHY_SIZE], const struct strv *names);

#endif /* MPU_CLI_DOCTOR_SUPERVISED_H */
