/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CDI documents of a machine, and what the names of their devices stand for.
 */
#ifndef MPU_CONTAINER_CDI_REGISTRY_H
#define MPU_CONTAINER_CDI_REGISTRY_H

#include "container/cdi/document.h"

/**
 * struct cdi_file - a file of a registry
 * @priority:	of its folder: a higher one hides devices of a lower one
 * @wrong:	why it does not count, NULL: it does
 */
struct cdi_file {
	char *path;
	unsigned int priority;
	char *wrong;
	struct cdi_document document;
};

/**
 * struct cdi_registry - files by priority, within it by name
 */
struct cdi_registry {
	struct cdi_file *files;
	size_t n;
};

/**
 * cdi_registry_read() - read all documents
 * @folders:	the last of them has the highest priority; NULL: /etc/cdi and
 *		/var/run/cdi. A missing folder counts as empty
 *
 * A file that is broken is so alone: it has its sentence, and the others count.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cdi_registry_read(struct cdi_registry *registry, const struct strv *folders,
		      char why[WHY_SIZE]);

/**
 * cdi_registry_names() - names of all devices, qualified and sorted, each once
 * @conflicts:	receives those that two files of one priority have, which no name
 *		leads to; NULL: not wanted
 *
 * Return: 0 or -ENOMEM.
 */
int cdi_registry_names(const struct cdi_registry *registry, struct strv *names,
		       struct strv *conflicts);

/**
 * cdi_registry_edits() - the edits that some devices stand for
 * @names:	qualified
 * @edits:	receives them: of each document first those for any device, then
 *		those of the devices in their order. Nodes are complete. Their rule
 *		names the device, their input the file
 *
 * Return: 0, or negative errno and a sentence in @why: a name leads nowhere, or to
 * something that is not on this machine.
 */
int cdi_registry_edits(const struct cdi_registry *registry,
		       const struct strv *names, struct edits *edits,
		       char why[WHY_SIZE]);

void cdi_registry_free(struct cdi_registry *registry);

/**
 * cdi_resolve() - all of it: the edits that names stand for on this machine
 *
 * Return: as cdi_registry_edits().
 */
int cdi_resolve(const struct strv *names, const struct strv *folders,
		struct edits *edits, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_CDI_REGISTRY_H */
