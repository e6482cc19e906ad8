/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/PID/mountinfo: what is mounted where, for a process (proc(5)).
 */
#ifndef MPU_LIB_MOUNTINFO_H
#define MPU_LIB_MOUNTINFO_H

#include <stdbool.h>

/**
 * struct mountinfo - a line of it
 * @root:	folder of the filesystem that is mounted
 * @at:		where, from the process's root folder
 * @options:	of the filesystem
 */
struct mountinfo {
	char *root, *at, *type, *options;
};

/**
 * mountinfo_parse() - take a line apart
 * @line:	is written to; what is found points into it
 *
 * Return: is it a line of mountinfo?
 */
bool mountinfo_parse(char *line, struct mountinfo *mounted);

#endif /* MPU_LIB_MOUNTINFO_H */
