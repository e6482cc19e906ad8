/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Those who talk to mpu agent: status, and who wants to know if it is there.
 */
#ifndef MPU_CLI_AGENT_CLIENT_H
#define MPU_CLI_AGENT_CLIENT_H

#include <sys/types.h>

struct json_object;

/**
 * agent_connect() - to the agent's socket, for at most some seconds
 *
 * A socket's file outlives who listened there, so that it says nothing.
 *
 * Return: a socket, or negative errno; -EACCES: this user may not, -EAGAIN: so
 * many wait there already that it cannot be taken for one that works.
 */
int agent_connect(const char *path);

/**
 * agent_ask() - how is the agent doing?
 * @answer:	receives what it says, or NULL
 * @pid:	receives who listens, 0 if that is not known
 *
 * Return: 0 or negative errno; -EACCES: it does not tell this user.
 */
int agent_ask(const char *path, struct json_object **answer, pid_t *pid);

#endif /* MPU_CLI_AGENT_CLIENT_H */
