/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The use of the host by processes: time of its processors and memory, read from /proc
 * for those alone that are asked for, once in a reading: a file is opened and read
 * for each.
 */
#ifndef MPU_CLI_VIEW_TOP_HOST_USE_H
#define MPU_CLI_VIEW_TOP_HOST_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct host_use - one process
 * @reading:	number of the last one in which it was asked for
 * @is_there:	all below is known
 * @has_cpu:	@cpu is known, as from the second reading on
 * @cpu:	hundredths of a percent of one processor
 * @memory:	bytes of the host's memory
 * @start:	ticks after that of the machine; another with its PID has another
 */
struct host_use {
	pid_t pid, parent;
	uint64_t reading;
	bool is_there, has_cpu;
	uint64_t cpu, memory;
	uint64_t start, ticks, read_us;
	char name[16];
};

/** struct host_uses - those that were asked for; @slot: @size of them, a power of two */
struct host_uses {
	uint64_t reading;
	size_t size, used;
	struct host_use *slot;
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
