/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/PID/mountinfo: what is mounted where, for a process (proc(5)).
 */
#ifndef MPU_LIB_MOUNTINFO_H
#define MPU_LIB_MOUNTINFO_H

#include <stdbool.h>

/* @root: folder of the filesystem that is mounted; @options: of the filesystem */
struct mountinfo {
	char *root, *at, *type, *options;
};

/** mountinfo_parse() - take @line apart, which is written to. Return: is it one of mountinfo? */
bool mountinfo_parse(char *line, struct mountinfo *mounted);

#endif /* MPU_LIB_MOUNTINFO_H */
