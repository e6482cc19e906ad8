/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CDI document: devices of one kind, and the edits that give them to a
 * container. Read from JSON or YAML, and rendered as JSON.
 */
#ifndef MPU_CONTAINER_CDI_DOCUMENT_H
#define MPU_CONTAINER_CDI_DOCUMENT_H

#include <json-c/json.h>

#include "container/plan/edits.h"
#include "lib/strv.h"
#include "lib/why.h"

/**
 * struct cdi_document - a document
 * @kind:	"nvidia.com/gpu"
 * @annotations: "NAME=VALUE" of the document; what its devices have is not kept
 * @devices:	names: "0", "GPU-...", "all"
 * @edits:	those with a device are for it, the others for any of them. A
 *		document of another program may say less of a node than there is to
 *		know: what it leaves to the node on the host is 0, owner and group
 *		that it leaves to the container's process are -1
 */
struct cdi_document {
	char *kind;
	struct strv annotations;
	struct strv devices;
	struct edits edits;
};

/**
 * cdi_document_parse() - take a document
 *
 * As strict as those are who read it after us: an unknown member or version, a bad
 * name, a device without edits, or more than its version has is refused.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cdi_document_parse(struct cdi_document *document, struct json_object *root,
		       char why[WHY_SIZE]);

/**
 * cdi_version_needed() - the lowest version of CDI that has all that stands in a
 * document, whatever it says of itself
 *
 * Return: "0.5.0", or NULL and a sentence in @why: it is no valid document.
 */
const char *cdi_version_needed(struct json_object *root, char why[WHY_SIZE]);

/**
 * cdi_document_read() - read a file, by its name JSON or YAML (".yaml", ".yml")
 *
 * Return: as cdi_document_parse().
 */
int cdi_document_read(struct cdi_document *document, const char *path,
		      char why[WHY_SIZE]);

/**
 * cdi_document_render() - say it in JSON, of the lowest version that has all of it
 * @root:	receives it, the caller's to put
 *
 * Its edits must be of the kinds that CDI has: EDIT_ENV, EDIT_NODE, EDIT_MOUNT,
 * EDIT_GROUP, EDIT_HOOK, EDIT_OTHER. The numbers of a node are
 * left out: they may be others when the module is loaded again, and readers of the document
 * look at the node.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cdi_document_render(const struct cdi_document *document,
			struct json_object **root, char why[WHY_SIZE]);

/**
 * cdi_complete_node() - fill in what a document leaves to the node on the host: type,
 * number and mode
 *
 * Return: 0 or negative errno: there is no such node.
 */
int cdi_complete_node(struct edit *edit);

void cdi_document_free(struct cdi_document *document);

#endif /* MPU_CONTAINER_CDI_DOCUMENT_H */
