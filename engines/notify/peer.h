/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The other of two processes that talk to each other, and that learn of each
 * other's death: the worker is its monitor's, and the monitor its worker's.
 */
#ifndef MPU_NOTIFY_PEER_H
#define MPU_NOTIFY_PEER_H

#include <sys/types.h>

/**
 * struct peer - the other process
 * @pid:	0: there is none
 * @pidfd:	readable when it has died; -1: there is none
 * @sock:	to it, for messages; -1: there is none
 */
struct peer {
	pid_t pid;
	int pidfd;
	int sock;
};

#define PEER_NONE	((struct peer){ 0, -1, -1 })

/**
 * peer_fork() - fork
 * @peer:	receives, in each of the two processes, the other one
 *
 * Return: as fork(), but negative errno.
 */
pid_t peer_fork(struct peer *peer);

/** peer_close() - close its descriptors; then there is none */
void peer_close(struct peer *peer);

/** peer_kill() - kill one that is a child of ours, wait for it, and close it */
void peer_kill(struct peer *peer);

#endif /* MPU_NOTIFY_PEER_H */
