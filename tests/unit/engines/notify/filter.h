/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiles the seccomp part of a configuration by libseccomp, and runs the filter: to
 * find out whether an edited configuration decides otherwise than the old one.
 */
#ifndef MPU_TESTS_UNIT_CONTAINER_OCI_FILTER_H
#define MPU_TESTS_UNIT_CONTAINER_OCI_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

struct filter {
	struct sock_filter *code;
	size_t len;	/* 0: no filter, everything is allowed */
};

/**
 * filter_make() - as runc and crun do it
 * @text:	of config.json
 *
 * Return: 0, or -1: no runtime would take it.
 */
int filter_make(const char *text, size_t len, struct filter *filter);

void filter_free(struct filter *filter);

/** filter_run() - the value the kernel would see: SECCOMP_RET_... */
unsigned int filter_run(const struct filter *filter, const struct seccomp_data *data);

/**
 * filter_compare() - is @after the same as @before, but for notifying of the
 * driver's calls where they were let through?
 * @why:	receives the first difference
 *
 * Return: how many calls differ.
 */
unsigned int filter_compare(const struct filter *before,
			    const struct filter *after, char *why, size_t size);

#endif /* MPU_TESTS_UNIT_CONTAINER_OCI_FILTER_H */
