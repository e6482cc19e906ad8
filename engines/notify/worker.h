/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that handles calls: one thread per listener, so that a slow call
 * of one container delays nobody else's.
 *
 * It may be killed at any time. Listeners and the call being handled are safe
 * with the monitor and in struct state; the next worker goes on from there. And
 * if the monitor is killed, the worker makes another: see monitor.h.
 */
#ifndef MPU_NOTIFY_WORKER_H
#define MPU_NOTIFY_WORKER_H

#include <stdnoreturn.h>

struct monitor;
struct peer;

/**
 * worker_run() - be the worker, in a process that has just been forked
 * @monitor:	a copy of the parent's: what is in it is what was inherited
 * @peer:	the monitor: listeners come from it, slots that are done go there
 *
 * Return: never; the process ends when there is nothing left to do and nobody
 * to wait for.
 */
noreturn void worker_run(const struct monitor *monitor,
			 const struct peer *peer);

#endif /* MPU_NOTIFY_WORKER_H */
