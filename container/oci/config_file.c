// SPDX-License-Identifier: GPL-2.0-only
/*
 * Editing a config.json: read once, edited, written once.
 */
#include "container/oci/config_file.h"

int oci_edit_supervise(struct json_object *config, void *arg,
		       char why[WHY_SIZE])
{
	return oci_seccomp_add(config, arg, why);
}

int oci_edit_config(const char *path, const struct oci_editor *editors, size_t n,
		    char why[WHY_SIZE])
{
	int ret, result = OCI_PRESENT;
	char reason[WHY_SIZE];
	struct document spec;
	bool edited = false;
	size_t i;

	ret = document_read(path, &spec, why);
	if (ret)
		return ret;
	for (i = 0; ret >= 0 && i < n; i++) {
		ret = editors[i].edit(spec.root, editors[i].arg, reason);
		if (ret != OCI_ADDED && ret != OCI_PRESENT)
			result = why_fail(why, ret, "%s: %s", path, reason);
		edited |= ret == OCI_ADDED;
	}
	if (ret >= 0 && edited) {
		ret = document_write(path, &spec, reason);
		if (ret)
			result = why_fail(why, ret, "%s", reason);
		else if (result == OCI_PRESENT)
			result = OCI_ADDED;
	}
	json_object_put(spec.root);
	return result;
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
