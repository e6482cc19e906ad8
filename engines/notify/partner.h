/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The other of two processes that talk to each other, and that learn of each
 * other's death: the worker is its keeper's, and the keeper its worker's.
 */
#ifndef MPU_NOTIFY_PARTNER_H
#define MPU_NOTIFY_PARTNER_H

#include <sys/types.h>

/**
 * struct partner - the other process
 * @pid:	0: there is none
 * @pidfd:	readable when it has died; -1: there is none
 * @sock:	to it, for messages; -1: there is none
 */
struct partner {
	pid_t pid;
	int pidfd;
	int sock;
};

#define PARTNER_NONE	((struct partner){ 0, -1, -1 })

/**
 * partner_fork() - fork
 * @partner:	receives, in each of the two processes, the other one
 *
 * Return: as fork(), but negative errno.
 */
pid_t partner_fork(struct partner *partner);

/** partner_close() - close its descriptors; then there is none */
void partner_close(struct partner *partner);

/** partner_kill() - kill one that is a child of ours, wait for it, and close it */
void partner_kill(struct partner *partner);

#endif /* MPU_NOTIFY_PARTNER_H */
