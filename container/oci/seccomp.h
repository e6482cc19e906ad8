/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seccomp part of a configuration: asks the runtime for the filter of
 * engine notify, and for sending its listener to the agent.
 */
#ifndef MPU_OCI_SECCOMP_H
#define MPU_OCI_SECCOMP_H

#include <stdbool.h>

#include "lib/json_file.h"

/**
 * struct oci_supervision - what is to be added
 * @listener:	absolute path of the agent's socket
 * @flag:	with OCI_FLAG
 */
struct oci_supervision {
	const char *listener;
	bool flag;
};

/*
 * Flag without which a signal makes the kernel drop a call that is being carried out,
 * and ask for it again. A runtime that does not know it refuses the container.
 */
#define OCI_FLAG "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"

/**
 * enum oci_result - what became of a configuration
 * @OCI_ADDED:	it was edited
 * @OCI_PRESENT: it needs nothing: it was edited earlier, or is a pod's sandbox
 * @OCI_FOREIGN: it has another listener, and one is all the kernel allows: left
 *		alone
 * @OCI_CLOSED:	its profile lets no call through that the filter notifies of:
 *		left alone
 */
enum oci_result { OCI_ADDED, OCI_PRESENT, OCI_FOREIGN, OCI_CLOSED };

/**
 * oci_seccomp_add() - have a container supervised
 * @config:	edited for OCI_ADDED; for what is negative it may be half edited
 * @why:	receives a sentence for anything but OCI_ADDED and OCI_PRESENT
 *
 * Calls that the profile let through (ALLOW, LOG) and that carry one of the
 * driver's requests notify; whatever else it decided it still decides.
 *
 * Return: enum oci_result, or -EINVAL: the profile cannot be merged with.
 */
int oci_seccomp_add(struct json_object *config,
		    const struct oci_supervision *want, char why[WHY_SIZE]);

/** oci_seccomp_has() - is the container supervised, by that listener? */
bool oci_seccomp_has(struct json_object *config, const char *listener);

#endif /* MPU_OCI_SECCOMP_H */
