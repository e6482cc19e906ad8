/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GPU processes, and sums of them, as people read them.
 */
#ifndef MPU_CLI_VIEW_GPU_USAGE_TEXT_H
#define MPU_CLI_VIEW_GPU_USAGE_TEXT_H

#include "cli/view/table.h"
#include "host/gpu_usage.h"

#define USAGE_NAME	(2 * OWNER_NAME)	/* room for "NAMESPACE/POD" */

/** usage_name_outside() - of a job its number and step, of a service its unit; else "" */
void usage_name_outside(char name[USAGE_NAME], const struct owner *owner);

/**
 * usage_name_container() - the container's name; its id's first 12 digits, if it has
 * none here; without one as usage_name_outside()
 */
void usage_name_container(char name[USAGE_NAME], const struct owner *owner);

/** usage_name_pod() - "NAMESPACE/POD"; of an unnamed pod its UID; "" without one */
void usage_name_pod(char name[USAGE_NAME], const struct owner *owner);

/** usage_sees_all() - false: one that is gone may as well be in another PID namespace */
bool usage_sees_all(void);

/** usage_gone_text() - what is said of a process that is gone, in place of its command */
const char *usage_gone_text(void);

/** usage_add_time() - the cell of TABLE_TIME */
void usage_add_time(struct table *table, const struct usage *usage);

extern const struct table_kind usage_processes_table;
extern const struct table_kind usage_sums_tables[USAGE_BY_KINDS];

/** usage_print_processes() - print a line for each. Return: false: no memory. */
bool usage_print_processes(const struct usage *usage, const struct table_view *view);

/** usage_print_sums() - likewise, of sums of all GPUs, or by GPU */
bool usage_print_sums(const struct usage *usage, enum usage_by by,
		      const struct usage_sum *sums, size_t n,
		      const struct table_view *view);

#endif /* MPU_CLI_VIEW_GPU_USAGE_TEXT_H */
