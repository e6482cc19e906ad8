/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of container/rootfs alone.
 */
#ifndef MPU_CONTAINER_ROOTFS_INTERNAL_H
#define MPU_CONTAINER_ROOTFS_INTERNAL_H

#include <linux/bpf.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "container/rootfs/rootfs.h"

/* A process of the container, held so that its number cannot become another's. */
struct container_ns {
	int pidfd;		/* -1: it is this one, and there is no namespace to enter */
	int proc;		/* folder in /proc */
	uid_t uid;		/* owner of that folder: root of its user namespace */
	gid_t gid;
	int mounts;		/* descriptor of its mount namespace */
	int home, folder;	/* ours, and our working folder, to come back to */
	int fds;		/* /proc/self/fd of the host */
};

#define CONTAINER_NS_CLOSED \
	{ .pidfd = -1, .proc = -1, .mounts = -1, .home = -1, .folder = -1, .fds = -1 }

/* container_ns.c */
int container_ns_open(struct container_ns *target, pid_t pid, char why[WHY_SIZE]);
int container_ns_enter(const struct container_ns *target, char why[WHY_SIZE]);
int container_ns_leave(const struct container_ns *target, char why[WHY_SIZE]);
void container_ns_close(struct container_ns *target);

/* Attributes of what nobody is to run, as mount_setattr(2) has them. */
#define TREE_NO_PROGRAMS (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

/* A mount in no tree, or one that detached_mount_attach() has attached. */
struct detached_mount {
	int fd;			/* stays with it when it is attached */
	mode_t mode;		/* type and mode of what it shows */
	dev_t device;		/* number of what it shows, if that is a node */
	uint64_t late;		/* attributes to be given: the kernel has no mount_setattr */
};

/* Files in memory, a filesystem of their own. */
struct scratch {
	int context;		/* descriptor of fsopen(2) */
	int mount;		/* root folder */
};

/* detached_mount.c */
int detached_mount_find(const struct driver_root *driver, const char *path, int flags);
int detached_mount_open(struct detached_mount *tree, const struct driver_root *driver,
			const char *path, char why[WHY_SIZE]);
int detached_mount_restrict(struct detached_mount *tree, uint64_t attributes, bool allow_old,
			    char why[WHY_SIZE]);
uint64_t detached_mount_attributes(const struct strv *options);
int detached_mount_attach(struct detached_mount *tree, int place, int fds);
void detached_mount_detach(const struct detached_mount *tree, int fds);
void detached_mount_close(struct detached_mount *tree);
int scratch_make(struct scratch *scratch, char why[WHY_SIZE]);
int scratch_write(const struct scratch *scratch, const char *path, const char *data, size_t size);
int scratch_folder(const struct scratch *scratch, const char *path);
int scratch_seal(struct scratch *scratch, char why[WHY_SIZE]);
int scratch_take(const struct scratch *scratch, const char *path, struct detached_mount *tree);
void scratch_close(struct scratch *scratch);

/* A file, folder or link that was made. */
struct made {
	int parent;
	char *name;
	mode_t mode;		/* type alone */
	size_t size;		/* bytes of a file */
};

/**
 * struct mount_targets - a root, and what was made in it
 * @root:	O_PATH
 * @writable:	the same folder, or a mount of it that only we have, where the root is
 *		mounted read-only: crun does that before it calls hooks
 * @uid, @gid:	root of the container is to own what is made, also in a user namespace; the
 *		kernel makes no files on a filesystem that does not know the owner (EOVERFLOW)
 */
struct mount_targets {
	int root, writable;
	uid_t uid;
	gid_t gid;
	struct made *made;
	size_t n;
};

/* mount_target.c */
int mount_targets_open(struct mount_targets *places, const char *root);
int mount_target_open(struct mount_targets *places, const char *path, mode_t mode,
		      char why[WHY_SIZE]);
int mount_target_file(struct mount_targets *places, const char *path, const char *text,
		      char why[WHY_SIZE]);
int mount_target_own(struct mount_targets *places, const char *path, const void *bytes,
		     size_t size);
int mount_target_link(struct mount_targets *places, const char *path, const char *target,
		      char why[WHY_SIZE]);
void mount_targets_undo(struct mount_targets *places);
void mount_targets_close(struct mount_targets *places);

/* A file or folder of the host's that stays in the folder. */
struct kept {
	char *path;		/* path in it: "gpus/0000:3b:00.0/information" */
	struct detached_mount tree;
	int place;		/* place that @tree is mounted on */
};

/**
 * struct procfs - /proc/driver/nvidia as a container gets it. The driver's own also shows all
 * GPUs, and files that change the driver, guarded by their mode alone: registry, unbindLock
 * @scratch:	params, version and registry, and a place for each that is kept; sealed
 * @whole:	@scratch's root, to be attached
 */
struct procfs {
	struct scratch scratch;
	struct detached_mount whole;
	struct kept *kept;
	size_t n;
};

/* procfs.c */
int procfs_make(struct procfs *procfs, const struct edit *edit,
		const struct driver_root *driver, bool allow_old, char why[WHY_SIZE]);
int procfs_attach(struct procfs *procfs, int place, int fds);
void procfs_close(struct procfs *procfs);

/* Character devices that may be read and written, each once. */
struct device_rules {
	struct device_rule {
		uint32_t major, minor;
	} *rule;
	size_t n;
};

/* cgroup.c. @config: linux.resources.devices of config.json, NULL: not known */
void device_rules_add(struct device_rules *rules, uint32_t major, uint32_t minor);
int cgroup_allow(int proc, const struct device_rules *rules, struct json_object *config,
		 char why[WHY_SIZE]);

/* cgroup_bpf.c */
int cgroup_bpf_allow(int folder, const struct device_rules *rules,
		     struct json_object *config, char why[WHY_SIZE]);

/* More instructions than the kernel took before 5.2, and than rules of all GPUs take. */
#define PROGRAM_MAX	65536

/* A program of a device cgroup (BPF_PROG_TYPE_CGROUP_DEVICE): yes or no to a use of a node. */
struct program {
	struct bpf_insn *insn;
	size_t n;
};

/* cgroup_program.c */
bool program_is_sane(const struct program *program);
int program_prepend(struct program *program, const struct device_rules *rules);
int program_generate(struct program *program, struct json_object *config, char why[WHY_SIZE]);
void program_free(struct program *program);

#endif /* MPU_CONTAINER_ROOTFS_INTERNAL_H */
