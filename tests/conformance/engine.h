/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engines: how each is started and stopped, what it says of itself, and
 * what it cannot do.
 */
#ifndef MPU_TESTS_CONFORMANCE_ENGINE_H
#define MPU_TESTS_CONFORMANCE_ENGINE_H

#include <stdbool.h>

#include "core/env.h"
#include "tests/conformance/cases.h"

/* Engines by bit, as cases and limits name them. */
#define ON_MODULE	1u
#define ON_NOTIFY	2u
#define ON_BPF		4u
#define ON_ANY		(ON_MODULE | ON_NOTIFY | ON_BPF)

/**
 * engine_choose() - @name as --engine has it, "none" included
 * Return: false if there is no such engine.
 */
bool engine_choose(const char *name);

/** engine_on() - is the engine one of these (ON_MODULE | ...)? */
bool engine_on(unsigned int engines);

/** engine_start(), engine_stop() - 0 or negative errno */
int engine_start(void);
int engine_stop(void);

/** engine_start_passing() - with --unknown pass */
int engine_start_passing(void);

/**
 * engine_limit() - why the engine cannot pass a case on this driver and kernel
 * Return: a sentence, NULL if it must pass.
 */
const char *engine_limit(const struct test_case *c);

/* The status that mpu.ko and engine bpf state of themselves. */

/** engine_driver() - module name of the driver it is attached to, or "none" */
const char *engine_driver(void);

/** engine_calls() - how many calls are in flight */
long engine_calls(void);

/** engine_missed() - how many calls it says to have missed */
long engine_missed(void);

/** engine_counter() - of the control of a row, at the last engine_look() */
void engine_look(void);
long engine_counter(u32 row, const char *name);

#endif /* MPU_TESTS_CONFORMANCE_ENGINE_H */
