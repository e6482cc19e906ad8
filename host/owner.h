/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The owner of a process of this host: its user, its container, its pod. Read from
 * /proc and from the files that container engines and the kubelet leave on the host; no
 * daemon is asked, and nothing is written.
 */
#ifndef MPU_HOST_OWNER_H
#define MPU_HOST_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The kinds of owner, by the name of a control group. */
enum owner_kind {
	OWNER_NONE,		/* a plain process: a login, a shell */
	OWNER_UNIT,		/* a service of systemd */
	OWNER_SLURM,		/* a job of Slurm */
	OWNER_CONTAINER,	/* of a runtime alone: runc, crun */
	OWNER_DOCKER,
	OWNER_CONTAINERD,
	OWNER_CRIO,
	OWNER_PODMAN,
	OWNER_KINDS,
};

/* Names for users: "plain", "unit", "slurm", "container", "docker" ... */
extern const char *const owner_kind_names[OWNER_KINDS];

#define OWNER_DIGITS	64	/* hex digits of a container's id */
#define OWNER_ID	(OWNER_DIGITS + 1)
#define OWNER_NAME	254	/* a name of Kubernetes, and of docker */

/**
 * struct owner - one container, job or service; many processes may have the same one
 *
 * For containers in containers it is the outermost: what is in it has chosen all else.
 *
 * @kind:	OWNER_NONE: all else is "" but @uid
 * @uid:	the user in whose slice it is, or whose job; else -1.
 * @id:		of the container; of a runtime alone, the name that it was given
 * @container:	the container's name, "" if none is known
 * @pod:	the pod's name, "" if it is in none, or none is known
 * @namespace:	of the pod
 * @pod_uid:	of the pod, with dashes
 * @unit:	of systemd: "sshd.service"
 * @job, @step:	of Slurm: "42" and "0", "batch", "extern"
 */
struct owner {
	enum owner_kind kind;
	uid_t uid;
	char id[OWNER_ID];
	char container[OWNER_NAME];
	char pod[OWNER_NAME];
	char namespace[OWNER_NAME];
	char pod_uid[37];
	char unit[OWNER_NAME];
	char job[16];
	char step[16];
};

/**
 * owner_is_users() - is it kept by a user other than root, as a rootless container? Then
 * that user has chosen its kind and its id.
 */
static inline bool owner_is_users(const struct owner *owner)
{
	return owner->uid && owner->uid != (uid_t)-1;
}

/**
 * struct host_process - a process
 * @pid:	as this process sees it: on the host, the global PID
 * @own_pid:	as its own PID namespace numbers it; @pid if that is this one
 * @uid:	the user that it counts for: in a user's slice, or in a job that names one, that
 *		user; else its effective one
 * @user:	the name of @uid in this machine's /etc/passwd; the number, if it has none
 * @started_us:	a detail: since 1970; 0: not known
 * @name:	a detail: its comm
 * @command:	a detail: its command line, cut at the end; its comm, if it has none
 * @owner:	lives as long as this process's entry
 * @is_gone:	it has ended, though the driver still names it (another process may
 *		hold its descriptors): only @pid is known
 */
struct host_process {
	pid_t pid;
	pid_t own_pid;
	uid_t uid;
	char user[33];
	uint64_t started_us;
	char name[16];
	char command[128];
	const struct owner *owner;
	bool is_gone;
};

/* State kept from one reading to the next. */
struct host_reader;

/**
 * host_reader_open() - begin
 * @details:	read them, too: they are a third of the work
 *
 * Return: NULL: no memory.
 */
struct host_reader *host_reader_open(bool details);

/**
 * host_reader_read() - who are the processes with these numbers now?
 * @processes:	receives as many; they are valid until the next host_reader_sweep()
 *
 * Known facts of a process are not read again while it lives; what is not known of
 * its container is looked for again after host_reader_sweep(), less and less often, and
 * after 16 of them at the latest. A process that took the number of another is told apart. A
 * process that another user's is and that /proc hides (hidepid) has its numbers alone.
 *
 * Return: 0 or -ENOMEM.
 */
int host_reader_read(struct host_reader *reader, const pid_t *pids, size_t n,
		     const struct host_process **processes);

/** host_reader_sweep() - forget the processes not asked for since the last one */
void host_reader_sweep(struct host_reader *reader);

void host_reader_close(struct host_reader *reader);

#endif /* MPU_HOST_OWNER_H */
