/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host made of files, for tests of host/: below a folder that host_set_root() names.
 */
#ifndef MPU_TESTS_UNIT_HOST_FIXTURE_H
#define MPU_TESTS_UNIT_HOST_FIXTURE_H

#include <stddef.h>

/* Set-up and tear-down of a test, for cmocka. */
int make_host(void);
int drop_host(void);

/* Paths are those on that host; folders are made where there are none. */
void add_file(const char *path, const void *text, size_t size);
void add_text(const char *path, const char *text);

/**
 * add_process() - add files of a process, or change those that are there
 * @uid:	effective
 */
void add_process(int pid, int own_pid, unsigned int uid, const char *cgroups);

/* Gives a file to another user, for a test that root runs. */
void give_away(const char *path);

/* Another one that is added with its number then has a folder with another inode. */
void end_process(int pid);

#endif /* MPU_TESTS_UNIT_HOST_FIXTURE_H */
