/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of driver capabilities, as NVIDIA_DRIVER_CAPABILITIES and config.toml
 * write them: "compute,utility", "all".
 */
#ifndef MPU_CONTAINER_REQUEST_CAPABILITIES_H
#define MPU_CONTAINER_REQUEST_CAPABILITIES_H

#include "lib/strv.h"
#include "nvidia/capability.h"

/** capabilities_split() - names of a list, sorted, each once. Return: 0 or -ENOMEM. */
int capabilities_split(struct strv *names, const char *list);

/**
 * capabilities_intersect() - names that two lists have in common; "all" stands
 * for whatever the other has
 *
 * Return: 0 or -ENOMEM.
 */
int capabilities_intersect(struct strv *common, const struct strv *a,
			   const struct strv *b);

/**
 * capabilities_parse() - what names mean
 * @capabilities: receives them: enum capability
 *
 * Return: NULL, or the first name that is no capability's.
 */
const char *capabilities_parse(const struct strv *names,
			       unsigned int *capabilities);

/** capabilities_list() - names of capabilities, sorted. Return: 0 or -ENOMEM. */
int capabilities_list(struct strv *names, unsigned int capabilities);

#endif /* MPU_CONTAINER_REQUEST_CAPABILITIES_H */
