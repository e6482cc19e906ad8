/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suite's command line.
 */
#ifndef MPU_TESTS_CONFORMANCE_OPTIONS_H
#define MPU_TESTS_CONFORMANCE_OPTIONS_H

#include <stdbool.h>

#include "core/regimes.h"

/**
 * struct options - what the command line said
 * @driver:	path of nvsim.ko
 * @driver_options: its module parameters
 * @regime:	of the driver
 * @engine:	module, notify, bpf or none
 * @engine_file: mpu.ko, or the program mpu
 * @engine_options: parameters of mpu.ko
 * @reference:	mpu.ko, for cases_differential.c; NULL: they are skipped
 * @loops:	how often cases_engine.c starts and stops the engine
 * @only:	texts split by commas: cases whose names hold one of them; NULL: all
 * @tell:	print what the driver says in cases_oracle.c
 * @list:	print the names of the cases, and do no more
 */
struct options {
	const char *driver;
	const char *driver_options;
	enum mpu_regime regime;
	const char *engine;
	const char *engine_file;
	const char *engine_options;
	const char *reference;
	unsigned int loops;
	const char *only;
	bool tell;
	bool list;
};

extern struct options options;

/** options_read() - fill @options; false, after one line: that is no command line */
bool options_read(int argc, char **argv);

#endif /* MPU_TESTS_CONFORMANCE_OPTIONS_H */
