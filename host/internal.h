/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of host/ alone.
 */
#ifndef MPU_HOST_INTERNAL_H
#define MPU_HOST_INTERNAL_H

#include <limits.h>
#include <sys/stat.h>

#include "host/host.h"
#include "lib/strv.h"
#include "lib/text.h"

/* cgroup.c */
void cgroup_parse(struct owner *owner, const char *path, bool apart);
void cgroup_parse_file(struct owner *owner, const char *text, bool apart);

/* The logs of this node, sorted. */
struct kubelet {
	struct strv containers;	/* "ID POD_NAMESPACE_CONTAINER" */
	struct strv pods;	/* "UID NAMESPACE_POD" */
};

/* kubelet.c */
void kubelet_read(struct kubelet *kubelet);
void kubelet_free(struct kubelet *kubelet);
void kubelet_find(const struct kubelet *kubelet, struct owner *owner);
void kubelet_find_pod(const struct kubelet *kubelet, struct owner *owner);

struct podman {
	bool is_read;
	struct strv names;	/* "ID NAME", sorted */
};

/* podman.c */
void podman_find(struct podman *podman, struct owner *owner);
void podman_free(struct podman *podman);

/**
 * struct owner_files - what is read once for many containers
 * @is_read:	@kubelet and @docker have been read
 * @docker:	data-root of daemon.json, "" if it has none
 */
struct owner_files {
	bool is_read;
	struct kubelet kubelet;
	struct podman podman;
	char docker[PATH_MAX];
};

/* owner_names.c */
void owner_files_free(struct owner_files *files);
bool owner_find_name(struct owner_files *files, struct owner *owner);

/* @line: where it stands; of one number the first counts. */
struct passwd_user {
	uid_t uid;
	size_t line;
	char name[33];
};

struct passwd_names {
	struct passwd_user *user;	/* by number */
	size_t n;
	struct stat file;		/* /etc/passwd, when it was read */
	unsigned long version;		/* another one after each reading; 0: it was not read */
};

/* passwd.c */
void passwd_refresh(struct passwd_names *names);
void passwd_find_name(const struct passwd_names *names, uid_t uid, char *name, size_t size);
void passwd_free(struct passwd_names *names);

/**
 * struct host_proc - /proc
 * @fd:		the folder, -1: it cannot be read
 * @started_us:	when this machine has started, since 1970; 0: not known
 * @ticks:	in which processes are dated, a second
 * @turn, @renewed: so many processes that are known are read again each time, by turns
 * @held:	processes that a descriptor is open of, @most at most
 */
struct host_proc {
	int fd;
	bool details;
	uint64_t started_us;
	uint64_t ticks;
	size_t turn, renewed, held, most;
};

/**
 * struct host_look - one process as it was when /proc was looked at last
 * @inode, @changed_ns: of its folder, which the kernel makes for each process anew; 0:
 *		it was never looked at
 * @folder:	its name below /proc, written at the first look
 * @pidfd:	says whether it lives, sooner than a look does; -1: not open
 * @lives, @has_ended:	@pidfd has said so
 * @is_due:	it is to be read again
 * @is_other:	it is not the process of the look before
 * @is_new:	it was read by that look, not by one before
 * @cgroups:	of one that is new, for the caller to free; NULL: it is gone
 * @process:	@process.pid is to be set before the first look; all else is read but
 *		@process.user and @process.owner
 */
struct host_look {
	uint64_t inode, changed_ns;
	char folder[12];
	int pidfd;
	bool lives, has_ended, is_due, is_other, is_new;
	char *cgroups;
	struct host_process process;
};

/* proc.c */
void host_proc_open(struct host_proc *proc, bool details);
void host_proc_close(struct host_proc *proc);
void host_proc_read(struct host_proc *proc, struct host_look *const *looks, size_t n);
void host_proc_forget(struct host_proc *proc, struct host_look *look);

/**
 * struct xid_log - what the kernel's log has said so far
 * @fd:		/dev/kmsg, -1: it may not be read
 * @kept:	of @text: the beginning of a line
 * @last:	of each GPU that had one
 */
struct xid_log {
	int fd;
	size_t kept;
	char text[16384];
	u32 n;
	struct xid_last {
		u32 domain, bus, slot;
		u32 xid;
		u64 time;	/* seconds since 1970 */
	} last[RM_GPUS];
};

/* xid.c */
void xid_log_open(struct xid_log *log);
void xid_log_read(struct xid_log *log);
void xid_log_take(const struct xid_log *log, const struct rm_gpu *gpu, struct gpu_state *state);
void xid_log_close(struct xid_log *log);

/* idle.c */
void idle_find(struct recent *idles, struct usage *usage, bool keeps);
void idle_write(const struct usage *usage, const char *folder);

#endif /* MPU_HOST_INTERNAL_H */
