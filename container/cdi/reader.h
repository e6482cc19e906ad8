/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers common to all objects of a CDI document that is being read: each has the
 * members that a table allows it, and nothing else.
 */
#ifndef MPU_CONTAINER_CDI_READER_H
#define MPU_CONTAINER_CDI_READER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/strv.h"
#include "lib/why.h"

/* Versions in ascending order. 0.8.0 and 1.0.0 changed nothing in documents. */
enum cdi_version {
	V0_3_0, V0_4_0, V0_5_0, V0_6_0, V0_7_0, V0_8_0, V1_0_0, V1_1_0,
	CDI_VERSIONS
};

/**
 * struct cdi_reader - a document that is being read
 * @needed, @allowed: lowest and highest version that have all that was read
 * @where:	path of the object that is being read
 */
struct cdi_reader {
	enum cdi_version needed, allowed;
	char where[256];
	char *why;
};

/**
 * struct cdi_member - a member that an object may have
 * @until:	the last version that has it; 0: all later ones, too
 */
struct cdi_member {
	const char *name;
	enum json_type type;
	enum cdi_version since, until;
	bool required;
};

#define MEMBER(text, kind, ...) \
	{ .name = (text), .type = json_type_##kind, ##__VA_ARGS__ }

/** reader_refuse() - say that what is being read is wrong. Return: -EINVAL. */
int reader_refuse(struct cdi_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** reader_fail_memory() - Return: -ENOMEM. */
int reader_fail_memory(struct cdi_reader *r);

/** reader_need() - what was read came with a version */
void reader_need(struct cdi_reader *r, enum cdi_version version);

/**
 * reader_enter() - go to the object that is @name of the one being read, or the
 * element @i of it; @i < 0: it is no array
 *
 * Return: for reader_leave(), which goes back.
 */
size_t reader_enter(struct cdi_reader *r, const char *name, int i);
void reader_leave(struct cdi_reader *r, size_t parent);

/**
 * reader_members() - check an object
 * @rows:	what it may have; the last one has a NULL name
 * @values:	receives the value of each; NULL: it is not there, or null
 *
 * Return: 0, or -EINVAL and a sentence in @r->why.
 */
int reader_members(struct cdi_reader *r, struct json_object *object,
		   const struct cdi_member *rows, struct json_object **values);

/** reader_check_text() - is it a string that C can hold? */
int reader_check_text(struct cdi_reader *r, const char *name,
		      struct json_object *value);

/** reader_texts() - strings of an array; @is_env: each is NAME=VALUE */
int reader_texts(struct cdi_reader *r, const char *name,
		 struct json_object *array, bool is_env, struct strv *words);

/* Copies of a string and of an absolute path; NULL if there is none. */
int reader_copy_text(struct cdi_reader *r, struct json_object *value,
		     char **copy);
int reader_copy_path(struct cdi_reader *r, const char *name,
		     struct json_object *value, char **copy);

/* Values that were checked. */
static inline const char *reader_text(struct json_object *value)
{
	return value ? json_object_get_string(value) : NULL;
}

static inline uint32_t reader_number(struct json_object *value, uint32_t otherwise)
{
	return value ? (uint32_t)json_object_get_uint64(value) : otherwise;
}

#endif /* MPU_CONTAINER_CDI_READER_H */
