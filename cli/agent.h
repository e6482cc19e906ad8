/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mpu agent and those who talk to it agree about.
 */
#ifndef MPU_CLI_AGENT_H
#define MPU_CLI_AGENT_H

#include <json-c/json.h>

struct state;

/* linux.seccomp.listenerPath of containers that are to be supervised. */
#define AGENT_SOCKET	"/run/mpu/agent.sock"

/*
 * A message has at most that many bytes: JSON, as an OCI runtime sends it
 * (containerProcessState), or the question { "mpu": "status" }.
 */
#define AGENT_MESSAGE	(256 * 1024)

/** agent_describe() - the answer to that question */
struct json_object *agent_describe(const struct state *state);

/**
 * agent_listener() - which of the descriptors that came is the listener
 * @message:	containerProcessState
 * @fds:	how many came
 * @name:	receives the container's id, a string of @message
 *
 * Return: index, or -1: the message does not say so.
 */
int agent_listener(struct json_object *message, size_t fds, const char **name);

#endif /* MPU_CLI_AGENT_H */
