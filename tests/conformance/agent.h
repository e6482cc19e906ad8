/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Engine notify: the agent, and containers that ask for it as an OCI runtime
 * would have them do.
 */
#ifndef MPU_TESTS_CONFORMANCE_AGENT_H
#define MPU_TESTS_CONFORMANCE_AGENT_H

/** agent_start() - run @mpu agent; 0 or negative errno once it listens */
int agent_start(const char *mpu, const char *unknown);

/** agent_stop() - end it; 0, or -EIO: it did not end well */
int agent_stop(void);

/**
 * agent_supervise() - put this process under the filter, hand the listener to the agent
 * Does nothing without an agent, or under a filter already.
 */
void agent_supervise(void);

#endif /* MPU_TESTS_CONFORMANCE_AGENT_H */
