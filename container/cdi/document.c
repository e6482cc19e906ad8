// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a CDI document.
 *
 * Its readers refuse one of a version that they do not know, and one that has more
 * than its version (SPEC.md of CDI, "Released versions"); so each member stands
 * here with the version that brought it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "container/cdi/document.h"
#include "container/cdi/reader.h"
#include "container/request/cdi_name.h"
#include "lib/json_file.h"
#include "lib/yaml_file.h"

/* 64 GPUs with 7 MIG devices each have 1100 names, and four edits a name. */
#define MAX_DEVICES	4096
#define MAX_EDITS	16384

static const char *const version_names[CDI_VERSIONS] = {
	"0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0",
};

/**
 * struct parser - a document that is being read
 * @device:	whose edits are being read; NULL: those for any device
 */
struct parser {
	struct cdi_reader r;
	struct cdi_document *document;
	const char *device;
};

/* Takes what is in @edit over. */
static int drop_edit(struct edit *edit, int ret)
{
	struct edits one = { 0 };

	edits_add(&one, edit);
	edits_free(&one);
	return ret;
}

/* Takes what is in @edit over, also if it fails. */
static int add_edit(struct parser *p, struct edit *edit)
{
	if (p->device)
		edit->device = strdup(p->device);
	if (p->device && !edit->device)
		return drop_edit(edit, reader_fail_memory(&p->r));
	if (p->document->edits.n >= MAX_EDITS)
		return drop_edit(edit, reader_refuse(&p->r, "there are more than %d edits", MAX_EDITS));
	return edits_add(&p->document->edits, edit) ? reader_fail_memory(&p->r) : 0;
}

static int finish_edit(struct parser *p, struct edit *edit, int ret)
{
	return ret ? drop_edit(edit, ret) : add_edit(p, edit);
}

static int read_node(struct parser *p, struct json_object *object)
{
	enum { PATH, HOST_PATH, TYPE, MAJOR, MINOR, MODE, ACCESS, UID, GID, ROWS };
	static const struct cdi_member rows[] = {
		[PATH] = MEMBER("path", string, .required = true),
		[HOST_PATH] = MEMBER("hostPath", string, .since = V0_5_0),
		[TYPE] = MEMBER("type", string),
		[MAJOR] = MEMBER("major", int),
		[MINOR] = MEMBER("minor", int),
		[MODE] = MEMBER("fileMode", int),
		[ACCESS] = MEMBER("permissions", string),
		[UID] = MEMBER("uid", int),
		[GID] = MEMBER("gid", int),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	struct edit edit = { .kind = EDIT_NODE };
	const char *type, *access;
	int ret = reader_members(&p->r, object, rows, value);

	if (ret)
		return ret;
	type = reader_text(value[TYPE]) ?: "";
	access = reader_text(value[ACCESS]) ?: "";
	if (strlen(type) > 1 || (*type && !strchr("bcup", *type)))
		return reader_refuse(&p->r, "type is not \"b\", \"c\", \"u\" or \"p\"");
	if (strspn(access, "rwm") != strlen(access) || strlen(access) > 3)
		return reader_refuse(&p->r, "permissions has more than \"rwm\"");
	edit.node.type = *type;
	edit.node.major = reader_number(value[MAJOR], 0);
	edit.node.minor = reader_number(value[MINOR], 0);
	edit.node.mode = reader_number(value[MODE], 0) & 07777;
	edit.node.uid = reader_number(value[UID], -1);
	edit.node.gid = reader_number(value[GID], -1);
	strcpy(edit.node.access, *access ? access : "rwm");
	ret = reader_copy_path(&p->r, "path", value[PATH], &edit.path);
	if (!ret)
		ret = reader_copy_path(&p->r, "hostPath", value[HOST_PATH] ?: value[PATH],
				&edit.source);
	return finish_edit(p, &edit, ret);
}

static int read_mount(struct parser *p, struct json_object *object)
{
	enum { SOURCE, DESTINATION, OPTIONS, TYPE, ROWS };
	static const struct cdi_member rows[] = {
		[SOURCE] = MEMBER("hostPath", string, .required = true),
		[DESTINATION] = MEMBER("containerPath", string, .required = true),
		[OPTIONS] = MEMBER("options", array),
		[TYPE] = MEMBER("type", string, .since = V0_4_0),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	struct edit edit = { .kind = EDIT_MOUNT };
	int ret = reader_members(&p->r, object, rows, value);

	if (ret)
		return ret;
	ret = reader_copy_path(&p->r, "containerPath", value[DESTINATION], &edit.path);
	if (!ret)
		ret = reader_copy_text(&p->r, value[TYPE], &edit.text);
	/* The source of a file system of another type, "tmpfs", is no path. */
	if (!ret)
		ret = edit.text && *edit.text && strcmp(edit.text, "bind") != 0 ?
		      reader_copy_text(&p->r, value[SOURCE], &edit.source) :
		      reader_copy_path(&p->r, "hostPath", value[SOURCE], &edit.source);
	if (!ret)
		ret = reader_texts(&p->r, "options", value[OPTIONS], false, &edit.options);
	return finish_edit(p, &edit, ret);
}

static int read_hook(struct parser *p, struct json_object *object)
{
	enum { STAGE, PATH, ARGS, ENV, TIMEOUT, ROWS };
	static const struct cdi_member rows[] = {
		[STAGE] = MEMBER("hookName", string, .required = true),
		[PATH] = MEMBER("path", string, .required = true),
		[ARGS] = MEMBER("args", array),
		[ENV] = MEMBER("env", array),
		[TIMEOUT] = MEMBER("timeout", int),
		[ROWS] = { .name = NULL },
	};
	static const char *const stages[] = {
		"prestart", "createRuntime", "createContainer",
		"startContainer", "poststart", "poststop",
	};
	struct json_object *value[ROWS];
	struct edit edit = { .kind = EDIT_HOOK };
	size_t i, n = sizeof(stages) / sizeof(*stages);
	int ret = reader_members(&p->r, object, rows, value);

	if (ret)
		return ret;
	for (i = 0; i < n && strcmp(stages[i], reader_text(value[STAGE])) != 0; i++)
		;
	if (i == n)
		return reader_refuse(&p->r, "hookName, \"%.64s\", is no stage of a container",
			      reader_text(value[STAGE]));
	edit.timeout = reader_number(value[TIMEOUT], 0);
	ret = reader_copy_text(&p->r, value[STAGE], &edit.stage);
	if (!ret)
		ret = reader_copy_path(&p->r, "path", value[PATH], &edit.path);
	if (!ret)
		ret = reader_texts(&p->r, "args", value[ARGS], false, &edit.options);
	if (!ret)
		ret = reader_texts(&p->r, "env", value[ENV], true, &edit.env);
	return finish_edit(p, &edit, ret);
}

/* Checks a member that MPU only hands on, and keeps it as it is written. */
static int keep_other(struct parser *p, const char *name,
		      struct json_object *value)
{
	struct edit edit = { .kind = EDIT_OTHER };
	const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE);

	edit.stage = strdup(name);
	edit.text = text ? strdup(text) : NULL;
	return finish_edit(p, &edit, edit.stage && edit.text ? 0 : reader_fail_memory(&p->r));
}

static int check_net_device(struct parser *p, struct json_object *object)
{
	static const struct cdi_member rows[] = {
		MEMBER("hostInterfaceName", string, .required = true),
		MEMBER("name", string, .required = true),
		{ .name = NULL },
	};
	struct json_object *value[2];

	return reader_members(&p->r, object, rows, value);
}

static int read_rdt(struct parser *p, struct json_object *object)
{
	static const struct cdi_member rows[] = {
		MEMBER("closID", string),
		MEMBER("l3CacheSchema", string),
		MEMBER("memBwSchema", string),
		MEMBER("enableCMT", boolean, .until = V1_0_0),
		MEMBER("enableMBM", boolean, .until = V1_0_0),
		MEMBER("schemata", array, .since = V1_1_0),
		MEMBER("enableMonitoring", boolean, .since = V1_1_0),
		{ .name = NULL },
	};
	struct json_object *value[7];
	struct strv schemata = { 0 };
	int ret = reader_members(&p->r, object, rows, value);

	if (!ret)
		ret = reader_texts(&p->r, "schemata", value[5], false, &schemata);
	strv_free(&schemata);
	return ret ? ret : keep_other(p, "intelRdt", object);
}

static int read_group(struct parser *p, struct json_object *value)
{
	struct edit edit = { .kind = EDIT_GROUP };
	uint64_t group = json_object_get_uint64(value);

	if (!json_object_is_type(value, json_type_int) ||
	    json_object_get_int64(value) < 0 || group > UINT32_MAX)
		return reader_refuse(&p->r, "this is not a number of a group");
	edit.group = (gid_t)group;
	return add_edit(p, &edit);
}

/* Each element of an array, which is @name of the object being read. */
static int read_each(struct parser *p, const char *name,
		     struct json_object *array,
		     int (*read)(struct parser *p, struct json_object *element))
{
	size_t i, n = array ? json_object_array_length(array) : 0;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		size_t parent = reader_enter(&p->r, name, (int)i);

		ret = read(p, json_object_array_get_idx(array, i));
		reader_leave(&p->r, parent);
	}
	return ret;
}

static int read_env(struct parser *p, struct json_object *array)
{
	struct strv words = { 0 };
	int ret = reader_texts(&p->r, "env", array, true, &words);
	size_t i;

	for (i = 0; i < words.n && !ret; i++) {
		struct edit edit = { .kind = EDIT_ENV };

		edit.text = strdup(words.word[i]);
		ret = finish_edit(p, &edit, edit.text ? 0 : reader_fail_memory(&p->r));
	}
	strv_free(&words);
	return ret;
}

static int read_edits(struct parser *p, struct json_object *object)
{
	enum { ENV, NODES, NETS, MOUNTS, HOOKS, RDT, GROUPS, ROWS };
	static const struct cdi_member rows[] = {
		[ENV] = MEMBER("env", array),
		[NODES] = MEMBER("deviceNodes", array),
		[NETS] = MEMBER("netDevices", array, .since = V1_1_0),
		[MOUNTS] = MEMBER("mounts", array),
		[HOOKS] = MEMBER("hooks", array),
		[RDT] = MEMBER("intelRdt", object, .since = V0_7_0),
		[GROUPS] = MEMBER("additionalGids", array, .since = V0_7_0),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	size_t parent = reader_enter(&p->r, "containerEdits", -1);
	int ret = reader_members(&p->r, object, rows, value);

	if (!ret)
		ret = read_env(p, value[ENV]);
	if (!ret)
		ret = read_each(p, "deviceNodes", value[NODES], read_node);
	if (!ret)
		ret = read_each(p, "netDevices", value[NETS], check_net_device);
	if (!ret && value[NETS] && json_object_array_length(value[NETS]))
		ret = keep_other(p, "netDevices", value[NETS]);
	if (!ret)
		ret = read_each(p, "mounts", value[MOUNTS], read_mount);
	if (!ret)
		ret = read_each(p, "hooks", value[HOOKS], read_hook);
	if (!ret && value[RDT])
		ret = read_rdt(p, value[RDT]);
	if (!ret)
		ret = read_each(p, "additionalGids", value[GROUPS], read_group);
	reader_leave(&p->r, parent);
	return ret;
}

/* Names as Kubernetes has them: [prefix/]name; values are strings. */
static int read_annotations(struct parser *p, struct json_object *object,
			    struct strv *annotations)
{
	if (!object)
		return 0;
	json_object_object_foreach(object, name, value) {
		int ret = reader_check_text(&p->r, "an annotation", value);

		if (ret)
			return ret;
		if (!cdi_annotation_is_valid(name))
			return reader_refuse(&p->r, "\"%.64s\" cannot name an annotation", name);
		if (annotations &&
		    strv_add_format(annotations, "%s=%s", name, reader_text(value)))
			return reader_fail_memory(&p->r);
	}
	return 0;
}

static int read_device(struct parser *p, struct json_object *object)
{
	enum { NAME, ANNOTATIONS, EDITS, ROWS };
	static const struct cdi_member rows[] = {
		[NAME] = MEMBER("name", string, .required = true),
		[ANNOTATIONS] = MEMBER("annotations", object, .since = V0_6_0),
		[EDITS] = MEMBER("containerEdits", object, .required = true),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	struct strv *devices = &p->document->devices;
	size_t before = p->document->edits.n;
	const char *name;
	int ret = reader_members(&p->r, object, rows, value);

	if (ret)
		return ret;
	name = reader_text(value[NAME]);
	if (!cdi_device_is_valid(name))
		return reader_refuse(&p->r, "name, \"%.64s\", may have letters and digits, and between them _-.:", name);
	if (strv_have(devices, name))
		return reader_refuse(&p->r, "another device is named \"%s\", too", name);
	if (*name >= '0' && *name <= '9')
		reader_need(&p->r, V0_5_0);
	if (strv_add(devices, name))
		return reader_fail_memory(&p->r);
	p->device = name;
	ret = read_annotations(p, value[ANNOTATIONS], NULL);
	if (!ret)
		ret = read_edits(p, value[EDITS]);
	p->device = NULL;
	if (!ret && p->document->edits.n == before)
		return reader_refuse(&p->r, "containerEdits is empty: programs that read it refuse the file");
	return ret;
}

static int read_kind(struct parser *p, struct json_object *value)
{
	const char *kind = reader_text(value);

	if (!cdi_kind_is_valid(kind))
		return reader_refuse(&p->r, "kind, \"%.64s\", is not VENDOR/CLASS", kind);
	if (strchr(strchr(kind, '/'), '.'))
		reader_need(&p->r, V0_6_0);
	return reader_copy_text(&p->r, value, &p->document->kind);
}

/* All of it but what its version may have. @version: receives what it says. */
static int read_root(struct parser *p, struct json_object *root,
		     const char **version)
{
	enum { VERSION, KIND, ANNOTATIONS, DEVICES, EDITS, ROWS };
	static const struct cdi_member rows[] = {
		[VERSION] = MEMBER("cdiVersion", string, .required = true),
		[KIND] = MEMBER("kind", string, .required = true),
		[ANNOTATIONS] = MEMBER("annotations", object, .since = V0_6_0),
		[DEVICES] = MEMBER("devices", array, .required = true),
		[EDITS] = MEMBER("containerEdits", object),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	size_t n;
	int ret = reader_members(&p->r, root, rows, value);

	if (ret)
		return ret;
	*version = reader_text(value[VERSION]);
	n = json_object_array_length(value[DEVICES]);
	if (!n || n > MAX_DEVICES)
		return reader_refuse(&p->r, n ? "there are more than %d devices" :
				     "devices is empty: programs that read it refuse the file",
			      MAX_DEVICES);
	ret = read_kind(p, value[KIND]);
	if (!ret)
		ret = read_annotations(p, value[ANNOTATIONS],
				       &p->document->annotations);
	if (!ret && value[EDITS])
		ret = read_edits(p, value[EDITS]);
	return ret ? ret : read_each(p, "devices", value[DEVICES], read_device);
}

static int check_version(struct parser *p, const char *name)
{
	enum cdi_version version = 0;

	while (version < CDI_VERSIONS &&
	       strcmp(name + (*name == 'v'), version_names[version]) != 0)
		version++;
	if (version == CDI_VERSIONS)
		return reader_refuse(&p->r, "cdiVersion, \"%.64s\", is not known: %s to %s are",
			      name, version_names[0], version_names[CDI_VERSIONS - 1]);
	if (version < p->r.needed)
		return reader_refuse(&p->r, "cdiVersion is %s, and there is something in it that came with %s: say %s",
			      name, version_names[p->r.needed],
			      version_names[p->r.needed]);
	if (version > p->r.allowed)
		return reader_refuse(&p->r, "cdiVersion is %s, and there is something in it that %s was the last to have",
			      name, version_names[p->r.allowed]);
	return 0;
}

int cdi_document_parse(struct cdi_document *document, struct json_object *root,
		       char why[WHY_SIZE])
{
	struct parser p = {
		.r = { .allowed = CDI_VERSIONS - 1, .why = why },
		.document = document,
	};
	const char *version;
	int ret;

	*document = (struct cdi_document){ 0 };
	ret = read_root(&p, root, &version);
	if (!ret)
		ret = check_version(&p, version);
	if (ret)
		cdi_document_free(document);
	return ret;
}

const char *cdi_version_needed(struct json_object *root, char why[WHY_SIZE])
{
	struct cdi_document document = { 0 };
	struct parser p = {
		.r = { .allowed = CDI_VERSIONS - 1, .why = why },
		.document = &document,
	};
	const char *version;
	int ret = read_root(&p, root, &version);

	cdi_document_free(&document);
	return ret ? NULL : version_names[p.r.needed];
}

int cdi_document_read(struct cdi_document *document, const char *path,
		      char why[WHY_SIZE])
{
	const char *suffix = strrchr(path, '.');
	struct json_file file;
	char reason[WHY_SIZE];
	int ret;

	*document = (struct cdi_document){ 0 };
	ret = suffix && (!strcmp(suffix, ".yaml") || !strcmp(suffix, ".yml")) ?
	      yaml_file_read(path, &file, why) :
	      json_file_read(path, &file, why);
	if (ret)
		return ret;
	ret = cdi_document_parse(document, file.root, reason);
	if (ret)
		why_fail(why, ret, "%s: %s", path, reason);
	json_object_put(file.root);
	return ret;
}

int cdi_complete_node(struct edit *edit)
{
	bool complete = edit->node.type && (edit->node.major || edit->node.minor ||
					    edit->node.type == 'p');
	struct stat st;

	if (complete && edit->node.mode)
		return 0;
	if (stat(edit->source, &st))
		return complete ? 0 : -errno;
	if (!edit->node.mode)
		edit->node.mode = st.st_mode & 0777;
	if (complete)
		return 0;
	if (!edit->node.type)
		edit->node.type = S_ISBLK(st.st_mode) ? 'b' :
				  S_ISFIFO(st.st_mode) ? 'p' : 'c';
	edit->node.major = major(st.st_rdev);
	edit->node.minor = minor(st.st_rdev);
	return 0;
}

void cdi_document_free(struct cdi_document *document)
{
	free(document->kind);
	strv_free(&document->annotations);
	strv_free(&document->devices);
	edits_free(&document->edits);
	*document = (struct cdi_document){ 0 };
}
