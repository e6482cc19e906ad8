/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way into a container that an OCI runtime starts: the seccomp part of its
 * config.json asks the runtime for the filter of this engine, and for sending
 * its listener to the agent.
 */
#ifndef MPU_OCI_SECCOMP_H
#define MPU_OCI_SECCOMP_H

#include <stdbool.h>
#include <stddef.h>

/** struct oci_want - what is to be added
 * @listener:	absolute path of the agent's socket
 * @flag:	with OCI_FLAG
 */
struct oci_want {
	const char *listener;
	bool flag;
};

/*
 * Without it a signal makes the kernel drop a call that is being carried out,
 * and ask for it again. A runtime that does not know it refuses the container.
 */
#define OCI_FLAG "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"

enum oci_result {
	OCI_ADDED,	/* the text was edited */
	OCI_PRESENT,	/* added earlier: nothing to do */
	OCI_THEIRS,	/* there is another listener, and one is all the kernel
			 * allows: left alone */
	OCI_CLOSED,	/* the profile lets no call through that we look at */
};

/**
 * oci_merge() - add the rule to the text of a configuration
 * @text:	left as it is; @len bytes
 * @edited:	receives the new text for OCI_ADDED, to be freed, else NULL
 * @edited_len:	receives its length
 * @why:	receives a sentence for anything but OCI_ADDED and OCI_PRESENT
 *
 * What is not about ioctl keeps its spelling to the byte. Calls that the
 * profile let through (ALLOW, LOG) and that carry one of the driver's numbers
 * notify; whatever else it decided it still decides.
 *
 * Return: enum oci_result, -EINVAL: @text cannot be merged with, or -ENOMEM.
 */
int oci_merge(const char *text, size_t len, const struct oci_want *want,
	      char **edited, size_t *edited_len, char *why, size_t size);

/** oci_is_ours() - was the rule added to this text, with that listener? */
bool oci_is_ours(const char *text, size_t len, const char *listener);

/**
 * oci_file_is_ours() - the same of a file
 * Return: 1 or 0, or negative errno: it cannot be read.
 */
int oci_file_is_ours(const char *path, const char *listener);

/**
 * oci_edit() - do that to a file, at once or not at all
 *
 * The file keeps mode and owner. A link is replaced by a file; what it points
 * to may be shared and is left alone.
 *
 * Return: as oci_merge(), or negative errno; @why says what went wrong.
 */
int oci_edit(const char *path, const struct oci_want *want, char *why,
	     size_t size);

#endif /* MPU_OCI_SECCOMP_H */
