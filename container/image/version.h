/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Semantic versions, read as generously as the NVIDIA container toolkit does: with
 * or without a "v", of one to three numbers.
 */
#ifndef MPU_CONTAINER_IMAGE_VERSION_H
#define MPU_CONTAINER_IMAGE_VERSION_H

#include <stdint.h>

/**
 * struct version - "v11.6.2-rc1+build"
 * @number:	11, 6, 2; 0 for one that is missing
 * @before:	it is a version before that one: it has a "-rc1"
 */
struct version {
	uint64_t number[3];
	int before;
};

/** version_parse() - read one. Return: 0, or -EINVAL: it is none. */
int version_parse(struct version *version, const char *text);

/** version_compare() - Return: below 0, 0, above 0, as @a is before, as or after @b */
int version_compare(const struct version *a, const struct version *b);

#endif /* MPU_CONTAINER_IMAGE_VERSION_H */
