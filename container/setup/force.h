/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the configuration that an engine uses, whichever of its files states it.
 */
#ifndef MPU_CONTAINER_SETUP_FORCE_H
#define MPU_CONTAINER_SETUP_FORCE_H

#include "container/setup/engine.h"

/**
 * setup_base_read() - what is in force beside a file that is to be written
 * @main:	as of setup_files()
 * @own:	that file
 *
 * Return: 0, or negative errno and a sentence in @why. Either way setup_base_free() is to
 * follow.
 */
int setup_base_read(const struct setup_engine *engine, const char *main, const char *own,
		    struct setup_base *base, char why[WHY_SIZE]);

void setup_base_free(struct setup_base *base);

/**
 * enum setup_source - who says what is in force
 * @SETUP_ENGINE:	an engine that runs
 * @SETUP_NEXT_ENGINE:	what it would say if it had just been started
 * @SETUP_FILES:	its files alone: no program is run
 */
enum setup_source { SETUP_ENGINE, SETUP_NEXT_ENGINE, SETUP_FILES };

/**
 * setup_in_force() - what an engine does, as it says itself, or, where it cannot be asked,
 * as its files say
 * @found:	setup_found_free() is to follow in any case
 *
 * Return: 1: the engine was asked; 0: its files were read; or negative errno and a
 * sentence in @why.
 */
int setup_in_force(const struct setup_engine *engine, const char *main,
		   enum setup_source source, struct setup_found *found, char why[WHY_SIZE]);

/**
 * setup_check() - will the engine know a runtime when it has read its files again?
 * @own:	the file that says so
 *
 * Return: 0, or negative errno and a sentence in @why, which names the file that says
 * otherwise.
 */
int setup_check(const struct setup_engine *engine, const char *main, const char *own,
		const struct setup_runtime *runtime, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_SETUP_FORCE_H */
