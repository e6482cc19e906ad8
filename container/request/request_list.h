/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of devices, as a container writes them into variables, mounts and
 * annotations. For request.c alone.
 */
#ifndef MPU_CONTAINER_REQUEST_REQUEST_LIST_H
#define MPU_CONTAINER_REQUEST_REQUEST_LIST_H

#include "container/image/image.h"

/**
 * struct request_list - what such a list comes to
 * @asked:	it asks for the driver; with no name, for that alone
 */
struct request_list {
	struct strv names;
	bool asked;
};

/**
 * request_list_variables() - of variables, which are read as one list
 * @variables:	those of them count that are set
 * @legacy:	an image that is to have all devices where none of them is
 *
 * Return: 0, or -E2BIG or -ENOMEM and a sentence in @why.
 */
int request_list_variables(struct request_list *list,
			   const struct container *container,
			   const struct strv *variables, bool legacy,
			   char why[WHY_SIZE]);

/**
 * request_list_mounts() - of mounts of /dev/null below a folder of theirs
 * @devices, @imex: receive devices, and IMEX channels
 * @warnings:	receives sentences on those that are no device
 *
 * Return: as request_list_variables().
 */
int request_list_mounts(const struct container *container,
			struct strv *devices, struct strv *imex,
			struct strv *warnings, char why[WHY_SIZE]);

/**
 * request_list_annotations() - of annotations whose names begin with a prefix, in
 * the order of their names
 *
 * Return: as request_list_variables().
 */
int request_list_annotations(const struct container *container,
			     const struct strv *prefixes,
			     struct strv *devices, char why[WHY_SIZE]);

/** request_names_cdi() - are there names, and all of them CDI's? */
bool request_names_cdi(const struct strv *devices);

#endif /* MPU_CONTAINER_REQUEST_REQUEST_LIST_H */
