/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads what the running system says about itself, in /proc, /sys, /boot and /lib/modules.
 */
#ifndef MPU_LIB_HOST_H
#define MPU_LIB_HOST_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** host_set_root() - read another system's files, below @root, which is kept; "": this one's */
void host_set_root(const char *root);

/** host_is_other() - is a root set? Then nothing here is about this kernel. */
bool host_is_other(void);

/** host_path() - build a path below the root. Return: 0, or -ENAMETOOLONG */
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

/** host_read_at() - as host_read(), below @folder or AT_FDCWD, without the root before it */
int host_read_at(int folder, const char *path, char *buf, size_t size);

bool host_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* For reading; NULL and errno on error. */
FILE *host_fopen(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
DIR *host_opendir(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * host_has_symbol() - does the kernel, or a module of it, have this function?
 * Return: 1 or 0; -1 if the kernel's symbols are not readable.
 */
int host_has_symbol(const char *symbol);

/** host_is_initial() - is this the initial PID namespace? */
bool host_is_initial(void);

/* Folders of programs where there is no PATH. */
#define HOST_USUAL_PATH	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** host_has_user_namespace() - is this not the initial user namespace, which maps all users? */
bool host_has_user_namespace(void);

/** host_name() - as `hostname`; "" if another system's files do not say it */
void host_name(char *buf, size_t size);

/** host_release() - as `uname -r` */
void host_release(char *buf, size_t size);

/** host_cpus() - one more than the highest number that a CPU can have; 0: not known */
unsigned int host_cpus(void);

#endif /* MPU_LIB_HOST_H */
