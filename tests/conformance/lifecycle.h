/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine and the driver come and go: steps that cases share. Each fails the
 * case and returns false if it does not work.
 */
#ifndef MPU_TESTS_CONFORMANCE_LIFECYCLE_H
#define MPU_TESTS_CONFORMANCE_LIFECYCLE_H

#include <stdbool.h>

struct actor;

bool engine_up(void);
bool engine_down(void);

/** driver_goes(), driver_comes() - unload the driver; load a file */
bool driver_goes(void);
bool driver_comes(const char *file, const char *params);

/** attached_to() - does the engine say so? Engine bpf is given its time. */
bool attached_to(const char *name);

/** sees_itself() - is an actor alone in its container listed as PID 1 only? */
bool sees_itself(struct actor *actor);

/** translates() - the same of a container made for it */
bool translates(void);

#endif /* MPU_TESTS_CONFORMANCE_LIFECYCLE_H */
