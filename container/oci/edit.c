// SPDX-License-Identifier: GPL-2.0-only
/*
 * Editing a config.json: read once, edited, written once.
 */
#include "container/oci/edit.h"

int oci_edit_config(const char *path, const struct oci_supervision *want,
		    char why[WHY_SIZE])
{
	char reason[WHY_SIZE];
	struct document spec;
	int ret = document_read(path, &spec, why);

	if (ret)
		return ret;
	ret = oci_seccomp_add(spec.root, want, reason);
	if (ret == OCI_ADDED)
		ret = document_write(path, &spec, why);
	else if (ret != OCI_PRESENT)
		why_fail(why, ret, "%s: %s", path, reason);
	json_object_put(spec.root);
	return ret;
}

int oci_edit_is_supervised(const char *path, const char *listener)
{
	char why[WHY_SIZE];
	struct document spec;
	int ret = document_read(path, &spec, why);

	if (!ret)
		ret = oci_seccomp_has(spec.root, listener);
	json_object_put(spec.root);
	return ret;
}
