/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that a process reads like a file, in place of being interrupted.
 */
#ifndef MPU_LIB_SIGNALS_H
#define MPU_LIB_SIGNALS_H

/**
 * signals_hold() - from now on have signals wait in a descriptor: signalfd(2)
 * @signals:	their numbers; 0 ends them
 *
 * They are blocked for this thread, and for those that it starts from now on.
 *
 * Return: the descriptor, closed on exec, or negative errno.
 */
int signals_hold(const int *signals);

#endif /* MPU_LIB_SIGNALS_H */
