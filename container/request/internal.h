/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of container/request alone.
 */
#ifndef MPU_CONTAINER_REQUEST_INTERNAL_H
#define MPU_CONTAINER_REQUEST_INTERNAL_H

#include "container/request/request.h"

/* request.c */
void capabilities_split(struct strv *names, const char *list);
void capabilities_intersect(struct strv *common, const struct strv *a, const struct strv *b);
const char *capabilities_parse(const struct strv *names, unsigned int *capabilities);
void capabilities_list(struct strv *names, unsigned int capabilities);

/**
 * struct request_list - a list of devices, as a container writes it
 * @asked:	it asks for the driver; with no name, for that alone
 */
struct request_list {
	struct strv names;
	bool asked;
};

/* request_list.c */
int request_list_variables(struct request_list *list, const struct container *container,
			   const struct strv *variables, bool legacy, char why[WHY_SIZE]);
int request_list_mounts(const struct container *container, struct strv *devices,
			struct strv *imex, struct strv *warnings, char why[WHY_SIZE]);
int request_list_annotations(const struct container *container, const struct strv *prefixes,
			     struct strv *devices, char why[WHY_SIZE]);

/**
 * struct requirement_facts - what conditions are about
 *
 * NULL: not known, and then a condition on it holds.
 */
struct requirement_facts {
	const char *driver, *cuda, *arch, *brand;
};

/* requirement.c */
int requirement_check(const char *expression, const struct requirement_facts *facts,
		      char why[WHY_SIZE]);

/* settings.c */
int settings_ldconfig(const char *value, const char *root, char program[PATH_MAX]);
int settings_check_ldconfig(const char *value, bool from_container, char why[WHY_SIZE]);
const char *settings_user(const char *os_release);

#endif /* MPU_CONTAINER_REQUEST_INTERNAL_H */
