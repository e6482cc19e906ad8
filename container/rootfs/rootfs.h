/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Carries out the list of edits inside of a container that exists already, as
 * `nvidia-container-cli configure` does it before the container's own program starts.
 *
 * Nothing of the image is trusted. Every mount's source is opened on the host before
 * the container is entered, and is mounted onto descriptors that openat2(2) has found
 * below the root: no link of the image leads anywhere else, and to swap folders
 * meanwhile changes nothing. Nothing of the image is run or loaded.
 */
#ifndef MPU_CONTAINER_ROOTFS_ROOTFS_H
#define MPU_CONTAINER_ROOTFS_ROOTFS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/plan/plan.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

/* Each has the capabilities of that phase of nvidia-container-cli, and no others. */
enum rootfs_phase {
	PHASE_INIT,		/* find the driver */
	PHASE_KMODS,		/* the same, and make it ready: modules and nodes */
	PHASE_CONTAINER,	/* look at the container */
	PHASE_INFO,		/* choose devices */
	PHASE_MOUNT,		/* change the container */
};

/**
 * rootfs_harden() - to be called first by a program that calls the rest: no descriptors but
 * 0, 1 and 2, no variables that a loader obeys, nobody may trace it or read its memory, and no
 * capability that no phase needs. Return: 0, or negative errno and a sentence in @why
 */
int rootfs_harden(char why[WHY_SIZE]);

/** rootfs_phase() - begin a phase. Return: as rootfs_harden() */
int rootfs_phase(enum rootfs_phase phase, char why[WHY_SIZE]);

/**
 * struct rootfs_options - which container, and what to leave out
 * @pid:	a process in it; 0: this one's own namespaces
 * @root:	its root folder as seen in its mount namespace, absolute and not "/"
 * @driver:	where the driver's files are; NULL: in this machine's own tree
 * @no_cgroups:	leave the device cgroup alone, not the files of EDIT_CGROUP
 * @no_devbind:	mount no nodes: they are there already
 * @allow_old_kernel: go on without mount_setattr(2), Linux 5.12: what is mounted
 *		gets its attributes a moment later
 * @device_rules: linux.resources.devices of config.json, from which the cgroup's
 *		program is made again where the one in force cannot be read; NULL
 * @log:	is called with @context and a line for each change once it is made; NULL
 */
struct rootfs_options {
	pid_t pid;
	const char *root;
	const struct driver_root *driver;
	bool no_cgroups;
	bool no_devbind;
	bool allow_old_kernel;
	struct json_object *device_rules;
	void (*log)(const void *context, const char *line);
	const void *context;
};

/**
 * rootfs_configure() - carry out those of kind NODE, MOUNT, LINK, TEXT, MASK, PROC and CGROUP,
 * all or none; the others are not for a container that exists
 * @warnings:	receives sentences: which optional edits were left out, and why
 *
 * Return: 0, or negative errno and a sentence in @why, which begins with
 * nvidia-container-cli's class of it: "mount error: ...".
 */
int rootfs_configure(const struct edits *edits,
		     const struct rootfs_options *options,
		     struct strv *warnings, char why[WHY_SIZE]);

/**
 * cgroup_write() - write a line into @file ("dmem.max") of a container's cgroup, which is of
 * v2; the cgroups above it are made to give it that controller
 * @proc:	folder in /proc of a process of it
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cgroup_write(int proc, const char *file, const char *line, char why[WHY_SIZE]);

/**
 * procfs_params() - the file "params" as a container is to see it: programs of the driver must
 * not make or change nodes there. Return: the caller's to free; NULL: there is no change
 */
char *procfs_params(const char *params);

#endif /* MPU_CONTAINER_ROOTFS_ROOTFS_H */
