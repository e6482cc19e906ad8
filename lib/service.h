/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A service and its manager, in systemd's protocols: sd_notify(3) and
 * sd_listen_fds(3). Without a manager nothing happens.
 */
#ifndef MPU_LIB_SERVICE_H
#define MPU_LIB_SERVICE_H

/** service_watchdog_ms() - how long the manager waits for WATCHDOG=1; 0: for ever */
unsigned int service_watchdog_ms(void);

/**
 * service_tell() - send one message to the manager
 * @text:	lines of VARIABLE=VALUE
 * @fd:		for FDSTORE=1, else -1
 *
 * Return: 0, also without a manager, or negative errno.
 */
int service_tell(const char *text, int fd);

/** service_take() - have @take called for each descriptor that the manager started us with */
void service_take(void (*take)(int fd, const char *name, void *arg), void *arg);

#endif /* MPU_LIB_SERVICE_H */
