/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of nvsim-load.
 */
#ifndef MPU_SIM_LOAD_OPTIONS_H
#define MPU_SIM_LOAD_OPTIONS_H

#include "core/env.h"

#define CLIENTS_MAX	64

/**
 * struct options - the command line; options.c says what each member means
 * @pattern:	enum sim_pattern, SIM_PATTERNS: as it is
 */
struct options {
	const char *dev;
	u32 gpu;
	u32 mib;
	u32 clients;
	u32 children;
	u32 util;
	u32 pattern;
	bool graphics;
	bool mps;
	bool no_subdevice;
	bool no_channel;
	bool encoder;
	bool capture;
	bool account;
	bool profiler;
	bool error;
	bool thread;
	bool thread_exits;
	bool orphan;
};

/** options_read() - exits if there is something wrong, or after --help */
void options_read(struct options *options, int argc, char **argv);

#endif /* MPU_SIM_LOAD_OPTIONS_H */
