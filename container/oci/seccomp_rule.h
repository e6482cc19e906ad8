/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One entry of linux.seccomp.syscalls: what it says about ioctl, and how to
 * write it again with another condition on the request.
 */
#ifndef MPU_OCI_SECCOMP_RULE_H
#define MPU_OCI_SECCOMP_RULE_H

#include <stdbool.h>
#include <stdio.h>

#include "container/oci/jsontext.h"
#include "core/env.h"

/** struct match - a condition on the request: its bits in @mask are @value */
struct match {
	u64 mask;
	u64 value;
};

/* The requests that the engine looks at, and everything but them. */
#define OCI_REQUESTS	2
#define OCI_OTHERS	22	/* bits of FILTER_MASK */
extern const struct match oci_requests[OCI_REQUESTS];

/**
 * oci_others() - conditions that hold, one or more, for all other requests
 *
 * None of them holds for one of oci_requests.
 */
void oci_others(struct match others[OCI_OTHERS]);

/**
 * struct rule - an entry, as far as it is about ioctl
 * @mentions:	it is about ioctl
 * @others:	and about other calls
 * @conditional: it has conditions on arguments
 * @odd:	among them are some that oci_put_rule() cannot narrow: two on
 *		one argument (of which a runtime makes two rules), or an
 *		inequality of the request
 * @match:	the condition on the request, mask 0 if there is none
 * @lets:	its action lets the call through
 * @error:	errnoRet, which tells two ERRNO rules apart
 */
struct rule {
	struct jsontext entry;
	struct jsontext names;
	struct jsontext action;
	struct jsontext args;
	bool mentions;
	bool others;
	bool conditional;
	bool odd;
	struct match match;
	bool lets;
	u64 error;
};

/* Does the action let a call through, or notify someone? */
bool oci_lets(struct jsontext action);
bool oci_notifies(struct jsontext action);

/**
 * oci_error_number() - errnoRet or defaultErrnoRet, EPERM if there is none
 * Return: NULL, or what is wrong.
 */
const char *oci_error_number(struct jsontext object, const char *name,
			     u64 *number);

/**
 * oci_read_rule() - take an entry apart
 *
 * Conditions are looked at in rules that mention ioctl only.
 *
 * Return: NULL, or what is wrong with it.
 */
const char *oci_read_rule(struct jsontext entry, struct rule *rule);

/** oci_meets() - can both conditions hold for one request? */
bool oci_meets(const struct match *a, const struct match *b);

/**
 * oci_put_rule() - write an entry on ioctl alone
 * @like:	that has its other conditions and its action, or NULL
 * @match:	that holds for the request, too
 * @notify:	the action is to notify
 */
void oci_put_rule(FILE *out, const struct rule *like,
		  const struct match *match, bool notify);

/** oci_put_others() - write an entry again, without ioctl */
void oci_put_others(FILE *out, const struct rule *rule);

#endif /* MPU_OCI_SECCOMP_RULE_H */
