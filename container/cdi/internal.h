/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and functions shared by the files of this folder.
 */
#ifndef MPU_CONTAINER_CDI_INTERNAL_H
#define MPU_CONTAINER_CDI_INTERNAL_H

#include "container/cdi/cdi.h"
#include "container/request/request.h"

/* document.c */
int cdi_document_parse(struct cdi_document *document, struct json_object *root, char why[WHY_SIZE]);
const char *cdi_version_needed(struct json_object *root, char why[WHY_SIZE]);
int cdi_complete_node(struct edit *edit);
bool cdi_is_bind(const struct edit *mount);
bool cdi_is_for(const struct edit *edit, const char *device);

/* hook.c */
void cdi_hook_add_own(struct edits *edits, unsigned int hooks, const char *path,
		      const struct strv *arguments);
void cdi_library_folders(const struct strv *paths, struct strv *folders);

/* The annotation that names the version of the driver that a document is for. */
#define CDI_DRIVER_ANNOTATION	"mpu/driver-version"

/**
 * struct generator - a document that is being made
 * @links:	"TARGET::LINK", of the hook
 */
struct generator {
	struct cdi_document *document;
	const struct cdi_recipe *recipe;
	const char *hook_path;
	struct strv links;
	char *why;
};

/* generate.c */
void generator_add_edits(struct generator *g, const struct edits *planned,
			 const char *device, const char *name);

/* devices.c */
int generator_select_gpus(struct generator *g, struct selection *selection);
int generator_divide(struct generator *g, const struct selection *selection,
		     const struct edits *planned);
int generator_add_others(struct generator *g);

/* hook_edits.c */
char *cdi_folder_lines(const struct strv *folders);

#endif /* MPU_CONTAINER_CDI_INTERNAL_H */
