// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: CDI documents, in JSON and in YAML. What is accepted is rendered, and
 * read as the same; what is written as YAML is read as what it was; a document whose
 * paths were rewritten is accepted, still.
 */
#include "container/cdi/internal.h"
#include "container/request/request.h"
#include "lib/json_file.h"
#include "lib/yaml_file.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"{\"cdiVersion\": \"0.7.0\", \"kind\": \"v.com/cc\", \"annotations\": {\"b\": \"c\"}, \"devices\": [{\"name\": \"0\", \"containerEdits\": {\"deviceNodes\": [{\"path\": \"/dev/a\", \"hostPath\": \"/dev/null\", \"permissions\": \"rw\"}]}}], \"containerEdits\": {\"env\": [\"A=1\"], \"mounts\": [{\"hostPath\": \"/a\", \"containerPath\": \"/b\", \"options\": [\"ro\"], \"type\": \"bind\"}], \"additionalGids\": [44]}}",
	"{\"cdiVersion\": \"1.1.0\", \"kind\": \"vv/cc\", \"devices\": [{\"name\": \"a\", \"containerEdits\": {\"hooks\": [{\"HookName\": \"prestart\", \"path\": \"/h\", \"args\": [\"h\", \"/x\"], \"env\": [\"E=1\"], \"timeout\": 3}], \"intelRdt\": {\"closID\": \"x\"}, \"netDevices\": [{\"hostInterfaceName\": \"a\", \"name\": \"b\"}]}}]}",
	"cdiVersion: 0.5.0\nKind: vv/cc\ndevices:\n- name: \"0\"\n  containerEdits:\n    deviceNodes:\n    - path: /dev/a\n      major: 195\n      minor: 0\n      fileMode: 0666\ncontainerEdits:\n  env:\n  - A=1\n  mounts:\n  - hostPath: /a\n    containerPath: /b\n    options: [ro, nosuid]\n",
	"- 1\n- 'two'\n- \"three\\n\"\n- {a: ~, b: 0x1f}\n- [true, .5, -3]\n",
	NULL,
};

/* Numbers beyond those of CDI are not written as they were read. */
static bool has_fraction(struct json_object *value)
{
	size_t i;

	if (json_object_is_type(value, json_type_double) ||
	    json_object_is_type(value, json_type_int))
		return true;
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, name, member) {
			(void)name;
			if (has_fraction(member))
				return true;
		}
	}
	if (!json_object_is_type(value, json_type_array))
		return false;
	for (i = 0; i < json_object_array_length(value); i++)
		if (has_fraction(json_object_array_get_idx(value, i)))
			return true;
	return false;
}

static void check_yaml(struct json_object *root)
{
	char *text = yaml_file_text(root);
	struct json_object *again;
	char why[WHY_SIZE];

	/* A text that is no UTF-8, or has a NUL, YAML cannot say. */
	if (!text)
		return;
	if (!yaml_file_parse(text, strlen(text), &again, why)) {
		require(has_fraction(root) || json_object_equal(root, again));
		json_object_put(again);
	}
	free(text);
}

static bool can_be_rendered(const struct cdi_document *document)
{
	size_t i;

	for (i = 0; i < document->edits.n; i++)
		if (document->edits.edit[i].kind == EDIT_OTHER)
			return false;
	return true;
}

static void check_rendered(const struct cdi_document *document)
{
	struct json_object *root;
	struct cdi_document again;
	char why[WHY_SIZE];

	if (!can_be_rendered(document))
		return;
	require(!cdi_document_render(document, &root, why));
	require(!cdi_document_parse(&again, root, why));
	require(!strcmp(again.kind, document->kind));
	require(again.devices.n == document->devices.n);
	require(again.edits.n == document->edits.n);
	cdi_document_free(&again);
	json_object_put(root);
}

static void check(struct json_object *root)
{
	struct cdi_document document;
	char why[WHY_SIZE];

	check_yaml(root);
	if (cdi_document_parse(&document, root, why))
		return;
	random_taken++;
	require(cdi_kind_is_valid(document.kind) && document.devices.n);
	check_rendered(&document);
	cdi_document_free(&document);
	if (cdi_transform_root(root, "/dev", "/run", false, why))
		return;
	require(!cdi_document_parse(&document, root, why));
	cdi_document_free(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = random_text(data, size);
	struct json_object *root;
	char why[WHY_SIZE];

	if (!json_file_parse(text, size, &root, why)) {
		check(root);
		json_object_put(root);
	}
	if (!yaml_file_parse(text, size, &root, why)) {
		check(root);
		json_object_put(root);
	}
	free(text);
	return 0;
}
