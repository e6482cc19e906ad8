/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads one entry of linux.seccomp.syscalls, as far as it is about ioctl, and writes it
 * again with another condition on the request.
 */
#ifndef MPU_OCI_SECCOMP_RULE_H
#define MPU_OCI_SECCOMP_RULE_H

#include "lib/json_file.h"
#include "core/env.h"

/**
 * struct oci_match - a condition on the request of an ioctl: its bits in @mask
 * are @value
 */
struct oci_match {
	u64 mask;
	u64 value;
};

/* The driver's requests, of which the filter notifies, and all but them. */
#define OCI_DRIVER_REQUESTS	2
#define OCI_OTHER_REQUESTS	22	/* bits of FILTER_MASK */
extern const struct oci_match oci_driver_requests[OCI_DRIVER_REQUESTS];

/**
 * oci_match_others() - conditions that hold, one or more, for every request
 * but the driver's, and none of them for one of the driver's
 */
void oci_match_others(struct oci_match others[OCI_OTHER_REQUESTS]);

/** oci_match_overlaps() - can both conditions hold for one request? */
bool oci_match_overlaps(const struct oci_match *a, const struct oci_match *b);

/**
 * struct oci_rule - an entry, as far as it is about ioctl
 * @entry:	of linux.seccomp.syscalls
 * @action:	"SCMP_ACT_..."
 * @names_ioctl: it is about ioctl
 * @names_other: it is about other calls
 * @error:	errnoRet, which tells two rules apart whose action takes it
 * @args:	its conditions on arguments; NULL: it has none
 * @request:	which of @args is about the request; behind the last: none
 * @match:	that condition; mask 0: every request
 * @cannot_narrow: it has two conditions on one argument, of which a runtime
 *		makes two rules, or one on the request that is not about
 *		equality
 */
struct oci_rule {
	struct json_object *entry;
	const char *action;
	bool names_ioctl;
	bool names_other;
	u64 error;
	struct json_object *args;
	size_t request;
	struct oci_match match;
	bool cannot_narrow;
};

/** oci_action_allows() - does an action let a call through? */
bool oci_action_allows(const char *action);

/** oci_action_notifies() - does it notify a supervisor? */
bool oci_action_notifies(const char *action);

/** oci_action_is_same() - SCMP_ACT_KILL is another name of SCMP_ACT_KILL_THREAD */
bool oci_action_is_same(const char *action, const char *other);

/** oci_action_has_number() - does it take errnoRet? Others leave it unread */
bool oci_action_has_number(const char *action);

/**
 * oci_error_number() - read errnoRet or defaultErrnoRet, EPERM if there is none
 *
 * Return: as json_file_member().
 */
int oci_error_number(struct json_object *object, const char *where,
		     const char *name, u64 *number, char why[WHY_SIZE]);

/**
 * oci_rule_read() - take entry @index of the profile apart
 *
 * Conditions are looked at in rules that name ioctl only.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int oci_rule_read(struct json_object *entry, size_t index,
		  struct oci_rule *rule, char why[WHY_SIZE]);

/**
 * oci_rule_narrow() - make an entry on ioctl alone
 * @like:	whose action, conditions and unknown members it has; NULL: none
 * @match:	a condition on the request that it has, too
 * @notify:	its action is to notify
 */
struct json_object *oci_rule_narrow(const struct oci_rule *like,
				    const struct oci_match *match,
				    bool notify);

/** oci_rule_without_ioctl() - make the same entry, but for ioctl */
struct json_object *oci_rule_without_ioctl(const struct oci_rule *rule);

#endif /* MPU_OCI_SECCOMP_RULE_H */
