/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading what the running system says about itself: one-line files of
 * /proc, /sys, /boot and /lib/modules.
 */
#ifndef MPU_LIB_HOST_H
#define MPU_LIB_HOST_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * host_set_root() - read another system's files: a folder put before paths
 * @root:	kept, not copied; "" for this system
 */
void host_set_root(const char *root);

/** host_is_other() - is a root set? Then nothing here is about this kernel. */
bool host_is_other(void);

/**
 * host_path() - build a path below the root
 * Return: 0, or -ENAMETOOLONG.
 */
int host_path(char *path, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * host_read() - the start of a file, without the newlines at its end
 * @buf:	always terminated, "" on error
 *
 * Return: bytes read or negative errno.
 */
int host_read(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * host_read_at() - as host_read(), of a file of any folder: the root is not put
 * before it
 * @folder:	descriptor of the folder that a relative path is below of, or
 *		AT_FDCWD
 */
int host_read_at(int folder, const char *path, char *buf, size_t size);

/** host_exists() - is there such a file, folder or node? */
bool host_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** host_fopen() - fopen() below the root, for reading; NULL and errno on error */
FILE *host_fopen(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** host_opendir() - opendir() below the root; NULL and errno on error */
DIR *host_opendir(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * host_has_symbol() - does the kernel, or a module of it, have this function?
 * Return: 1 or 0; -1 if the kernel's symbols are not readable.
 */
int host_has_symbol(const char *symbol);

/** host_is_initial() - is this the initial PID namespace, the host's own? */
bool host_is_initial(void);

/**
 * host_has_user_namespace() - does this process have another user namespace than the
 * initial one, in which every number of a user is mapped to itself (user_namespaces(7))?
 */
bool host_has_user_namespace(void);

/** host_name() - as `hostname`; "" if another system's files do not say it */
void host_name(char *buf, size_t size);

/** host_release() - release of the kernel, as `uname -r` */
void host_release(char *buf, size_t size);

/**
 * host_cpus() - one more than the highest number that a CPU can have, however
 * many there are; 0: not known
 */
unsigned int host_cpus(void);

#endif /* MPU_LIB_HOST_H */
