/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files of this folder share.
 */
#ifndef MPU_CONTAINER_OCI_INTERNAL_H
#define MPU_CONTAINER_OCI_INTERNAL_H

#include <json-c/json.h>

#include "container/oci/oci.h"
#include "container/plan/plan.h"
#include "core/env.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/strv.h"

/* json_member.c */

struct oci_index {
	struct json_object *list;
	struct json_object *at;	/* indices by keys; NULL: not made yet */
};

struct json_object *oci_member(struct json_object *object, const char *where,
			       const char *name, enum json_type type, char why[WHY_SIZE]);
const char *oci_member_text(struct json_object *element, const char *name);
bool oci_has(struct json_object *array, struct json_object *value);
void oci_append(struct json_object *array, struct json_object *value);
int oci_index_find(struct oci_index *index, struct json_object *list, const char *member,
		   const char *key);
void oci_index_append(struct oci_index *index, struct json_object *value, const char *key);
void oci_index_free(struct oci_index *index);
const char *oci_key(struct json_object *element);

/* mounts.c */

/* Mounts, by destination without slashes and dots to spare. */
struct oci_mounts {
	struct json_object *config, *at;
};

void oci_mounts_open(struct oci_mounts *mounts, struct json_object *config);
void oci_mounts_close(struct oci_mounts *mounts);
int oci_mounts_add(struct oci_mounts *mounts, const char *destination, const char *source,
		   const struct strv *options, char why[WHY_SIZE]);
bool oci_mounts_hold(const struct oci_mounts *mounts, const char *path);
int oci_mounts_sort(struct json_object *config, char why[WHY_SIZE]);

/* hooks.c */
int oci_hooks_add(struct json_object *config, const struct edit *edit, char why[WHY_SIZE]);

/* runtime_args.c */
void oci_runtime_guess(struct oci_runtime *runtime, char **words);

/* runtime_find.c */
bool oci_find_program(const char *folders, const char *name, bool other, char path[PATH_MAX]);
bool oci_runtime_is_program(const char *path);

/* seccomp.c */

/* Keeps a signal from making the kernel drop a call that is being carried out, and ask again. */
#define OCI_FLAG "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"

/* seccomp_rule.c */

/* A condition on the request of an ioctl: its bits in @mask are @value. */
struct oci_match {
	u64 mask;
	u64 value;
};

/* The driver's requests, of which the filter notifies, and all but them. */
#define OCI_DRIVER_REQUESTS	2
#define OCI_OTHER_REQUESTS	22	/* bits of FILTER_MASK */
extern const struct oci_match oci_driver_requests[OCI_DRIVER_REQUESTS];

/**
 * struct oci_rule - an entry of linux.seccomp.syscalls, as far as it is about ioctl
 * @error:	errnoRet, which tells two rules apart whose action takes it
 * @request:	which of @args is about the request; behind the last: none
 * @match:	that condition; mask 0: every request
 * @cannot_narrow: it has two conditions on one argument, of which a runtime makes two
 *		rules, or one on the request that is not about equality
 */
struct oci_rule {
	struct json_object *entry;
	const char *action;		/* "SCMP_ACT_..." */
	bool names_ioctl;
	bool names_other;		/* names others than ioctl */
	u64 error;
	struct json_object *args;	/* conditions on arguments; NULL: none */
	size_t request;
	struct oci_match match;
	bool cannot_narrow;
};

void oci_match_others(struct oci_match others[OCI_OTHER_REQUESTS]);
bool oci_match_overlaps(const struct oci_match *a, const struct oci_match *b);
bool oci_action_allows(const char *action);
bool oci_action_notifies(const char *action);
bool oci_action_is_same(const char *action, const char *other);
bool oci_action_has_number(const char *action);
int oci_error_number(struct json_object *object, const char *where, const char *name,
		     u64 *number, char why[WHY_SIZE]);
int oci_rule_read(struct json_object *entry, size_t index, struct oci_rule *rule,
		  char why[WHY_SIZE]);
struct json_object *oci_rule_narrow(const struct oci_rule *like,
				    const struct oci_match *match, bool notify);
struct json_object *oci_rule_without_ioctl(const struct oci_rule *rule);

#endif /* MPU_CONTAINER_OCI_INTERNAL_H */
