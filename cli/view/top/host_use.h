/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The use of the host by processes: time of its processors and memory, read from /proc
 * for those alone that are asked for, once in a reading: a file is opened and
 * read for each.
 */
#ifndef MPU_CLI_VIEW_TOP_HOST_USE_H
#define MPU_CLI_VIEW_TOP_HOST_USE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/view/top/recent.h"

/**
 * struct host_use - one process
 * @thing:	its PID, and the last reading in which it was asked for
 * @is_there:	all below is known
 * @has_cpu:	@cpu is known, as from the second reading on
 * @cpu:	hundredths of a percent of one processor
 * @memory:	bytes of the host's memory
 * @start:	ticks after that of the machine; another with its PID has another
 */
struct host_use {
	struct recent_thing thing;
	pid_t parent;
	bool is_there, has_cpu;
	uint64_t cpu, memory;
	uint64_t start, ticks, read_us;
	char name[16];
};

/** struct host_uses - those that were asked for, struct host_use */
struct host_uses {
	struct recent all;
};

/** host_uses_begin() - a reading begins: those that the last one had no need of are forgotten */
void host_uses_begin(struct host_uses *uses);

/**
 * host_uses_get() - read a process
 *
 * Return: it, valid until the next call; NULL: no memory.
 */
const struct host_use *host_uses_get(struct host_uses *uses, pid_t pid);

void host_uses_free(struct host_uses *uses);

#endif /* MPU_CLI_VIEW_TOP_HOST_USE_H */
