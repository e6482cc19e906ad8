/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Engines start and stop, drivers are loaded and unloaded: steps that cases share.
 * Each fails the case and returns false if it does not work.
 */
#ifndef MPU_TESTS_CONFORMANCE_LIFECYCLE_H
#define MPU_TESTS_CONFORMANCE_LIFECYCLE_H

#include <stdbool.h>

struct actor;

bool engine_must_start(void);
bool engine_must_stop(void);

bool driver_must_unload(void);
/** driver_must_load() - load a module's file, with these parameters */
bool driver_must_load(const char *file, const char *params);

/** engine_must_attach() - wait until the engine names this driver, or "none" */
bool engine_must_attach(const char *name);

/** actor_sees_itself() - is an actor alone in its container listed as PID 1 only? */
bool actor_sees_itself(struct actor *actor);

/** engine_must_translate() - does actor_sees_itself() hold in a new container? */
bool engine_must_translate(void);

#endif /* MPU_TESTS_CONFORMANCE_LIFECYCLE_H */
