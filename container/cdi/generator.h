/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and functions shared by the parts of cdi_generate().
 */
#ifndef MPU_CONTAINER_CDI_GENERATOR_H
#define MPU_CONTAINER_CDI_GENERATOR_H

#include "container/cdi/document.h"
#include "container/cdi/recipe.h"
#include "container/request/selection.h"

/**
 * struct generator - a document that is being made
 */
struct generator {
	struct cdi_document *document;
	const struct cdi_recipe *recipe;
	const char *hook_path;
	char *why;
};

/** generator_fail_memory() - Return: -ENOMEM, with a sentence */
int generator_fail_memory(struct generator *g);

/** generator_plan() - the edits for some devices. Return: as cdi_generate() */
int generator_plan(struct generator *g, const struct selection *selection,
		   struct edits *planned);

/**
 * generator_add_edits() - add planned edits to the document
 * @device:	the edits for this one; NULL: those for any
 * @name:	the name that @device has in the document; NULL: those for any
 *
 * Return: 0 or -ENOMEM.
 */
int generator_add_edits(struct generator *g, const struct edits *planned,
			const char *device, const char *name);

/** generator_add_common() - those of them that are for any. Return: the same */
int generator_add_common(struct generator *g, const struct edits *planned);

/** generator_add_gpus() - CDI_MODE_GPU. Return: the same */
int generator_add_gpus(struct generator *g);

/** generator_add_others() - all other modes. Return: the same */
int generator_add_others(struct generator *g);

#endif /* MPU_CONTAINER_CDI_GENERATOR_H */
