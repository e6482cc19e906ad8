/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The protocol between the agent and its clients.
 */
#ifndef MPU_NOTIFY_AGENT_MESSAGE_H
#define MPU_NOTIFY_AGENT_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct state;

/* linux.seccomp.listenerPath of containers that are to be supervised. */
#define AGENT_SOCKET	"/run/mpu/agent.sock"

/*
 * The maximum size of a message: JSON, as an OCI runtime sends it
 * (containerProcessState, with all of the container's annotations), or the question {
 * "mpu": "status" }. The answer may be longer: it names all slots.
 */
#define AGENT_MESSAGE	(4 * 1024 * 1024)

/**
 * agent_describe() - the answer to that question: struct engine_status, as
 * engine_status_add() writes it
 * @answers:	the worker has just said that it is there
 */
struct json_object *agent_describe(const struct state *state, bool answers);

/**
 * agent_container() - the container's id, a string of @message
 * @message:	containerProcessState
 *
 * Return: NULL: it does not say.
 */
const char *agent_container(struct json_object *message);

#endif /* MPU_NOTIFY_AGENT_MESSAGE_H */
