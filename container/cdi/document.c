// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a CDI document: each object has the members that a table allows it, and
 * nothing else.
 *
 * Its readers refuse one of a version that they do not know, and one that has more
 * than its version (SPEC.md of CDI, "Released versions"); so each member stands
 * here with the version that brought it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "container/cdi/internal.h"
#include "container/request/request.h"
#include "lib/json_file.h"
#include "lib/text.h"
#include "lib/xalloc.h"
#include "lib/yaml_file.h"

/* 64 GPUs with 7 MIG devices each have 1100 names, and four edits a name. */
#define MAX_DEVICES	4096
#define MAX_EDITS	16384
#define MAX_TEXTS	16384	/* elements of one array */

/* Versions in ascending order. 0.8.0 and 1.0.0 changed nothing in documents. */
enum cdi_version {
	V0_3_0, V0_4_0, V0_5_0, V0_6_0, V0_7_0, V0_8_0, V1_0_0, V1_1_0,
	VERSIONS
};

static const char *const version_names[VERSIONS] = {
	"0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0",
};

/**
 * struct parser - a document that is being read
 * @device:	whose edits are being read; NULL: those for any device
 * @needed, @allowed: lowest and highest version that have all that was read
 * @where:	path of the object that is being read
 */
struct parser {
	struct cdi_document *document;
	const char *device;
	enum cdi_version needed, allowed;
	char where[256];
	char *why;
};

/**
 * struct member - a member that an object may have
 * @until:	the last version that has it; 0: all later ones, too
 */
struct member {
	const char *name;
	enum json_type type;
	enum cdi_version since, until;
	bool required;
};

#define MEMBER(text, kind, ...) \
	{ .name = (text), .type = json_type_##kind, ##__VA_ARGS__ }

/* Returns a string that was checked, for add_edit(); NULL: there is none. */
static char *text_of(struct json_object *value)
{
	return value ? (char *)json_object_get_string(value) : NULL;
}

static uint32_t number_of(struct json_object *value, uint32_t otherwise)
{
	return value ? (uint32_t)json_object_get_uint64(value) : otherwise;
}

static int refuse(struct parser *p, const char *fmt, ...)
{
	char what[WHY_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return why_fail(p->why, -EINVAL, "%s%s%s", p->where, *p->where ? ": " : "", what);
}

static void need(struct parser *p, enum cdi_version version)
{
	if (p->needed < version)
		p->needed = version;
}

static size_t enter(struct parser *p, const char *name, int i)
{
	size_t len = strlen(p->where), room = sizeof(p->where) - len;
	const char *dot = len ? "." : "";

	if (i < 0)
		snprintf(p->where + len, room, "%s%s", dot, name);
	else
		snprintf(p->where + len, room, "%s%s[%d]", dot, name, i);
	return len;
}

/*
 * Returns a number, a truth value or null as the text that Go's readers make of it where a string
 * should be; NULL: it is none.
 */
static struct json_object *as_text(struct json_object *value)
{
	float number = (float)json_object_get_double(value);
	char text[32];
	int digits = 5;

	switch (json_object_get_type(value)) {
	case json_type_int:
		snprintf(text, sizeof(text), number < 0 ? "%" PRId64 : "%" PRIu64, number < 0 ?
			 (uint64_t)json_object_get_int64(value) : json_object_get_uint64(value));
		break;
	case json_type_double:
		do {
			snprintf(text, sizeof(text), "%.*g", ++digits, (double)number);
		} while (digits < 9 && strtof(text, NULL) != number);
		if (digits > 6 && !strpbrk(text, ".e"))
			snprintf(text, sizeof(text), "%.*e", digits - 1, (double)number);
		break;
	case json_type_boolean:
		strcpy(text, json_object_get_boolean(value) ? "true" : "false");
		break;
	case json_type_null:
		*text = '\0';
		break;
	default:
		return NULL;
	}
	return xcheck(json_object_new_string(text));
}

/* Puts the text into the object that the value is of. */
static void put_text(struct json_object *object, const char *name, struct json_object **value)
{
	struct json_object *text = as_text(*value);

	if (!text)
		return;
	json_object_object_add(object, name, text);
	*value = text;
}

/* Is it a whole number as 5.0 or 1e2? */
static bool is_whole(struct json_object *value)
{
	double number = json_object_get_double(value);

	return json_object_is_type(value, json_type_double) && number >= 0 &&
	       number <= UINT32_MAX && number == (uint32_t)number;
}

static int check_text(struct parser *p, const char *name, struct json_object *value)
{
	const char *text = json_object_get_string(value), *at = text;
	unsigned int character;
	int n = 1;

	if (!json_object_is_type(value, json_type_string))
		return refuse(p, "%s is not a string", name);
	if (strlen(text) != (size_t)json_object_get_string_len(value))
		return refuse(p, "%s has a NUL character", name);
	while (*at && (n = text_character(at, &character)) > 0)
		at += n;
	return n > 0 ? 0 : refuse(p, "%s, \"%.64s\", is not UTF-8", name, text);
}

static int check_member(struct parser *p, struct json_object *object,
			const struct member *row, struct json_object *value)
{
	struct json_object *number;
	char dot[sizeof(p->where) + 2];

	if (row->until && p->allowed > row->until)
		p->allowed = row->until;
	need(p, row->since);
	switch (row->type) {
	case json_type_string:
		return check_text(p, row->name, value);
	case json_type_int:
		snprintf(dot, sizeof(dot), "%s%s", p->where, *p->where ? "." : "");
		if (!is_whole(value) &&
		    json_file_member(object, dot, row->name, json_type_int, &number, p->why))
			return -EINVAL;
		if (json_object_get_uint64(value) > UINT32_MAX)
			return refuse(p, "%s is larger than 2^32-1", row->name);
		return 0;
	default:
		if (!json_object_is_type(value, row->type))
			return refuse(p, "%s is not %s", row->name, row->type == json_type_object ?
				      "an object" : row->type == json_type_array ? "an array" :
				      "true or false");
		return 0;
	}
}

static int read_members(struct parser *p, struct json_object *object,
			const struct member *rows, struct json_object **values)
{
	size_t i;
	int ret;

	for (i = 0; rows[i].name; i++)
		values[i] = NULL;
	if (!json_object_is_type(object, json_type_object))
		return refuse(p, "this is not an object");
	json_object_object_foreach(object, name, value) {
		for (i = 0; rows[i].name && strcasecmp(rows[i].name, name) != 0; i++)
			;
		if (!rows[i].name)
			return refuse(p, "CDI knows no member \"%s\" here: programs that read it refuse the file", name);
		/* Go's readers do not look at case; ours of the same object do. */
		if (strcmp(rows[i].name, name) != 0) {
			if (json_object_object_get_ex(object, rows[i].name, NULL))
				return refuse(p, "%s is there twice, also as %s: remove one of the two",
					      rows[i].name, name);
			json_object_get(value);
			json_object_object_del(object, name);
			json_object_object_add(object, rows[i].name, value);
		}
		if (value && rows[i].type == json_type_string)
			put_text(object, rows[i].name, &value);
		ret = value ? check_member(p, object, &rows[i], value) : 0;
		if (ret)
			return ret;
		values[i] = value;
	}
	for (i = 0; rows[i].name; i++)
		if (rows[i].required && !values[i])
			return refuse(p, "%s is missing", rows[i].name);
	return 0;
}

static int read_texts(struct parser *p, const char *name, struct json_object *array, bool is_env,
		      struct strv *words)
{
	size_t i, n = array ? json_object_array_length(array) : 0;

	if (n > MAX_TEXTS)
		return refuse(p, "%s has more than %d elements", name, MAX_TEXTS);
	for (i = 0; i < n; i++) {
		struct json_object *value = json_object_array_get_idx(array, i);
		struct json_object *text = as_text(value);
		const char *equal;
		int ret;

		if (text)
			json_object_array_put_idx(array, i, text);
		value = text ?: value;
		ret = check_text(p, name, value);
		if (ret)
			return ret;
		equal = strchr(text_of(value), '=');
		if (is_env && (!equal || equal == text_of(value)))
			return refuse(p, "%s: \"%s\" is not NAME=VALUE", name, text_of(value));
		strv_add(words, text_of(value));
	}
	return 0;
}

static int check_path(struct parser *p, const char *name, const char *path)
{
	if (*path != '/' || strlen(path) >= PATH_MAX)
		return refuse(p, "%s, \"%.64s\", is not an absolute path", name, path);
	return 0;
}

/* Adds an edit whose strings are the JSON's. */
static int add_edit(struct parser *p, const struct edit *edit)
{
	if (p->document->edits.n >= MAX_EDITS)
		return refuse(p, "there are more than %d edits", MAX_EDITS);
	edits_add_copy(&p->document->edits, edit, p->device);
	return 0;
}

static int read_node(struct parser *p, struct json_object *object)
{
	enum { PATH, HOST_PATH, TYPE, MAJOR, MINOR, MODE, ACCESS, UID, GID, ROWS };
	static const struct member rows[] = {
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
	int ret = read_members(p, object, rows, value);

	if (ret)
		return ret;
	type = text_of(value[TYPE]) ?: "";
	access = text_of(value[ACCESS]) ?: "";
	if (strlen(type) > 1 || (*type && !strchr("bcup", *type)))
		return refuse(p, "type is not \"b\", \"c\", \"u\" or \"p\"");
	if (strspn(access, "rwm") != strlen(access) || strlen(access) > 3)
		return refuse(p, "permissions has more than \"rwm\"");
	edit.node.type = *type;
	edit.node.major = number_of(value[MAJOR], 0);
	edit.node.minor = number_of(value[MINOR], 0);
	edit.node.mode = number_of(value[MODE], 0) & 07777;
	edit.node.uid = number_of(value[UID], -1);
	edit.node.gid = number_of(value[GID], -1);
	strcpy(edit.node.access, *access ? access : "rwm");
	edit.path = text_of(value[PATH]);
	edit.source = text_of(value[HOST_PATH] ?: value[PATH]);
	return check_path(p, "path", edit.path) ?: check_path(p, "hostPath", edit.source) ?:
	       add_edit(p, &edit);
}

/* Returns whether a mount is of a file or a folder of the host, and not of another type. */
bool cdi_is_bind(const struct edit *mount)
{
	return !mount->text || !*mount->text || !strcmp(mount->text, "bind");
}

static int read_mount(struct parser *p, struct json_object *object)
{
	enum { SOURCE, DESTINATION, OPTIONS, TYPE, ROWS };
	static const struct member rows[] = {
		[SOURCE] = MEMBER("hostPath", string, .required = true),
		[DESTINATION] = MEMBER("containerPath", string, .required = true),
		[OPTIONS] = MEMBER("options", array),
		[TYPE] = MEMBER("type", string, .since = V0_4_0),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	struct edit edit = { .kind = EDIT_MOUNT };
	int ret = read_members(p, object, rows, value);

	if (ret)
		return ret;
	edit.path = text_of(value[DESTINATION]);
	edit.text = text_of(value[TYPE]);
	edit.source = text_of(value[SOURCE]);
	ret = check_path(p, "containerPath", edit.path);
	/* The source of a file system of another type, "tmpfs", is no path. */
	if (!ret && cdi_is_bind(&edit))
		ret = check_path(p, "hostPath", edit.source);
	ret = ret ?: read_texts(p, "options", value[OPTIONS], false, &edit.options) ?:
	      add_edit(p, &edit);
	strv_free(&edit.options);
	return ret;
}

static int read_hook(struct parser *p, struct json_object *object)
{
	enum { STAGE, PATH, ARGS, ENV, TIMEOUT, ROWS };
	static const struct member rows[] = {
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
	int ret = read_members(p, object, rows, value);

	if (ret)
		return ret;
	for (i = 0; i < n && strcmp(stages[i], text_of(value[STAGE])) != 0; i++)
		;
	if (i == n)
		return refuse(p, "hookName, \"%.64s\", is no stage of a container",
			      text_of(value[STAGE]));
	edit.timeout = number_of(value[TIMEOUT], 0);
	edit.stage = text_of(value[STAGE]);
	edit.path = text_of(value[PATH]);
	ret = check_path(p, "path", edit.path) ?:
	      read_texts(p, "args", value[ARGS], false, &edit.options) ?:
	      read_texts(p, "env", value[ENV], true, &edit.env) ?: add_edit(p, &edit);
	strv_free(&edit.options);
	strv_free(&edit.env);
	return ret;
}

/* Checks a member that MPU only hands on, and keeps it as it is written. */
static int keep_other(struct parser *p, const char *name, struct json_object *value)
{
	struct edit edit = { .kind = EDIT_OTHER, .stage = (char *)name };

	edit.text = xcheck((char *)json_object_to_json_string_ext(value,
								  JSON_C_TO_STRING_NOSLASHESCAPE));
	return add_edit(p, &edit);
}

static int check_net_device(struct parser *p, struct json_object *object)
{
	static const struct member rows[] = {
		MEMBER("hostInterfaceName", string, .required = true),
		MEMBER("name", string, .required = true),
		{ .name = NULL },
	};
	struct json_object *value[2];

	return read_members(p, object, rows, value);
}

static int read_rdt(struct parser *p, struct json_object *object)
{
	static const struct member rows[] = {
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
	int ret = read_members(p, object, rows, value);

	if (!ret)
		ret = read_texts(p, "schemata", value[5], false, &schemata);
	strv_free(&schemata);
	return ret ? ret : keep_other(p, "intelRdt", object);
}

static int read_group(struct parser *p, struct json_object *value)
{
	struct edit edit = { .kind = EDIT_GROUP };
	uint64_t group = json_object_get_uint64(value);

	if ((!json_object_is_type(value, json_type_int) && !is_whole(value)) ||
	    json_object_get_int64(value) < 0 || group > UINT32_MAX)
		return refuse(p, "this is not a number of a group");
	edit.group = (gid_t)group;
	return add_edit(p, &edit);
}

/* Each element of an array, which is @name of the object being read. */
static int read_each(struct parser *p, const char *name, struct json_object *array,
		     int (*read)(struct parser *p, struct json_object *element))
{
	size_t i, n = array ? json_object_array_length(array) : 0;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		size_t parent = enter(p, name, (int)i);

		ret = read(p, json_object_array_get_idx(array, i));
		p->where[parent] = '\0';
	}
	return ret;
}

static int read_env(struct parser *p, struct json_object *array)
{
	struct strv words = { 0 };
	int ret = read_texts(p, "env", array, true, &words);
	size_t i;

	for (i = 0; i < words.n && !ret; i++)
		ret = add_edit(p, &(struct edit){ .kind = EDIT_ENV, .text = words.word[i] });
	strv_free(&words);
	return ret;
}

static int read_edits(struct parser *p, struct json_object *object)
{
	enum { ENV, NODES, NETS, MOUNTS, HOOKS, RDT, GROUPS, ROWS };
	static const struct member rows[] = {
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
	size_t parent = enter(p, "containerEdits", -1);
	int ret = read_members(p, object, rows, value) ?: read_env(p, value[ENV]) ?:
		  read_each(p, "deviceNodes", value[NODES], read_node) ?:
		  read_each(p, "netDevices", value[NETS], check_net_device);

	if (!ret && value[NETS] && json_object_array_length(value[NETS]))
		ret = keep_other(p, "netDevices", value[NETS]);
	ret = ret ?: read_each(p, "mounts", value[MOUNTS], read_mount) ?:
	      read_each(p, "hooks", value[HOOKS], read_hook);
	if (!ret && value[RDT])
		ret = read_rdt(p, value[RDT]);
	ret = ret ?: read_each(p, "additionalGids", value[GROUPS], read_group);
	p->where[parent] = '\0';
	return ret;
}

/* Names as Kubernetes has them: [prefix/]name; values are strings. */
static int read_annotations(struct parser *p, struct json_object *object, struct strv *annotations)
{
	if (!object)
		return 0;
	json_object_object_foreach(object, name, value) {
		int ret;

		put_text(object, name, &value);
		ret = check_text(p, "an annotation", value);
		if (ret)
			return ret;
		if (!cdi_annotation_is_valid(name))
			return refuse(p, "\"%.64s\" cannot name an annotation", name);
		if (annotations)
			strv_add_format(annotations, "%s=%s", name, text_of(value));
	}
	return 0;
}

static int read_device(struct parser *p, struct json_object *object)
{
	enum { NAME, ANNOTATIONS, EDITS, ROWS };
	static const struct member rows[] = {
		[NAME] = MEMBER("name", string, .required = true),
		[ANNOTATIONS] = MEMBER("annotations", object, .since = V0_6_0),
		[EDITS] = MEMBER("containerEdits", object, .required = true),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	struct strv *devices = &p->document->devices;
	size_t before = p->document->edits.n;
	const char *name;
	int ret = read_members(p, object, rows, value);

	if (ret)
		return ret;
	name = text_of(value[NAME]);
	if (!cdi_device_is_valid(name))
		return refuse(p, "name, \"%.64s\", may have letters and digits, and between them _-.:", name);
	if (strv_have(devices, name))
		return refuse(p, "another device is named \"%s\", too", name);
	if (*name >= '0' && *name <= '9')
		need(p, V0_5_0);
	strv_add(devices, name);
	p->device = name;
	ret = read_annotations(p, value[ANNOTATIONS], NULL);
	if (!ret)
		ret = read_edits(p, value[EDITS]);
	p->device = NULL;
	if (!ret && p->document->edits.n == before)
		return refuse(p, "containerEdits is empty: programs that read it refuse the file");
	return ret;
}

static int read_kind(struct parser *p, struct json_object *value)
{
	const char *kind = text_of(value);

	if (!cdi_kind_is_valid(kind))
		return refuse(p, "kind, \"%.64s\", is not VENDOR/CLASS, each of two letters or more", kind);
	if (strchr(strchr(kind, '/'), '.'))
		need(p, V0_6_0);
	p->document->kind = xstrdup(kind);
	return 0;
}

/* All of it but what its version may have. @version: receives what it says. */
static int read_root(struct parser *p, struct json_object *root, const char **version)
{
	enum { VERSION, KIND, ANNOTATIONS, DEVICES, EDITS, ROWS };
	static const struct member rows[] = {
		[VERSION] = MEMBER("cdiVersion", string, .required = true),
		[KIND] = MEMBER("kind", string, .required = true),
		[ANNOTATIONS] = MEMBER("annotations", object, .since = V0_6_0),
		[DEVICES] = MEMBER("devices", array, .required = true),
		[EDITS] = MEMBER("containerEdits", object),
		[ROWS] = { .name = NULL },
	};
	struct json_object *value[ROWS];
	size_t n;
	int ret = read_members(p, root, rows, value);

	if (ret)
		return ret;
	*version = text_of(value[VERSION]);
	n = json_object_array_length(value[DEVICES]);
	if (!n || n > MAX_DEVICES)
		return refuse(p, n ? "there are more than %d devices" :
				     "devices is empty: programs that read it refuse the file",
			      MAX_DEVICES);
	ret = read_kind(p, value[KIND]);
	if (!ret)
		ret = read_annotations(p, value[ANNOTATIONS], &p->document->annotations);
	if (!ret && value[EDITS])
		ret = read_edits(p, value[EDITS]);
	return ret ? ret : read_each(p, "devices", value[DEVICES], read_device);
}

static int check_version(struct parser *p, const char *name)
{
	enum cdi_version version = 0;

	while (version < VERSIONS && strcmp(name + (*name == 'v'), version_names[version]) != 0)
		version++;
	if (version == VERSIONS)
		return refuse(p, "cdiVersion, \"%.64s\", is not known: %s to %s are",
			      name, version_names[0], version_names[VERSIONS - 1]);
	if (version < p->needed)
		return refuse(p, "cdiVersion is %s, and there is something in it that came with %s: say %s",
			      name, version_names[p->needed],
			      version_names[p->needed]);
	if (version > p->allowed)
		return refuse(p, "cdiVersion is %s, and there is something in it that %s was the last to have",
			      name, version_names[p->allowed]);
	return 0;
}

int cdi_document_parse(struct cdi_document *document, struct json_object *root, char why[WHY_SIZE])
{
	struct parser p = {
		.document = document, .allowed = VERSIONS - 1, .why = why,
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

/*
 * Returns the lowest version of CDI that has all that stands in a document, whatever it
 * says of itself; NULL and a sentence in @why: it is no valid document.
 */
const char *cdi_version_needed(struct json_object *root, char why[WHY_SIZE])
{
	struct cdi_document document = { 0 };
	struct parser p = {
		.document = &document, .allowed = VERSIONS - 1, .why = why,
	};
	const char *version;
	int ret = read_root(&p, root, &version);

	cdi_document_free(&document);
	return ret ? NULL : version_names[p.needed];
}

int cdi_document_read(struct cdi_document *document, const char *path, char why[WHY_SIZE])
{
	struct json_file file;
	char reason[WHY_SIZE];
	int ret;

	*document = (struct cdi_document){ 0 };
	ret = yaml_file_read(path, &file, why);
	if (ret)
		return ret;
	ret = cdi_document_parse(document, file.root, reason);
	if (ret)
		why_fail(why, ret, "%s: %s", path, reason);
	json_object_put(file.root);
	return ret;
}

/* Says whether an edit is for a device; NULL: for any. */
bool cdi_is_for(const struct edit *edit, const char *device)
{
	return device && edit->device ? !strcmp(edit->device, device) : !device && !edit->device;
}

/*
 * Fills in what a document leaves to the node on the host: type, number and mode. -ENODEV:
 * there is no node, or one of another type than the document says.
 */
int cdi_complete_node(struct edit *edit)
{
	bool complete = edit->node.type && (edit->node.major || edit->node.minor ||
					    edit->node.type == 'p');
	struct stat st;
	char type;

	if (complete && edit->node.mode)
		return 0;
	if (stat(edit->source, &st))
		return complete ? 0 : -errno;
	type = S_ISBLK(st.st_mode) ? 'b' : S_ISFIFO(st.st_mode) ? 'p' : S_ISCHR(st.st_mode) ? 'c' : 0;
	if (!complete && (!type || (edit->node.type && edit->node.type != type)))
		return -ENODEV;
	if (!edit->node.mode)
		edit->node.mode = st.st_mode & 0777;
	if (complete)
		return 0;
	edit->node.type = type;
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
