/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine and the driver come and go: steps that cases share. Each fails the
 * case and returns false if it does not work.
 */
#ifndef MPU_TESTS_CONFORMANCE_LIFECYCLE_H
#define MPU_TESTS_CONFORMANCE_LIFECYCLE_H

#include <stdbool.h>

struct actor;

bool engine_must_start(void);
bool engine_must_stop(void);

/** driver_must_unload(), driver_must_load() - unload the driver; load a file */
bool driver_must_unload(void);
bool driver_must_load(const char *file, const char *params);

/** engine_must_attach() - does the engine say so? Engine bpf is given its time. */
bool engine_must_attach(const char *name);

/** actor_sees_itself() - is an actor alone in its container listed as PID 1 only? */
bool actor_sees_itself(struct actor *actor);

/** engine_must_translate() - the same of a container made for it */
bool engine_must_translate(void);

#endif /* MPU_TESTS_CONFORMANCE_LIFECYCLE_H */
