/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the path of a control group says of the processes in it: runtimes of
 * containers, the kubelet and systemd put their names there.
 */
#ifndef MPU_HOST_CGROUP_H
#define MPU_HOST_CGROUP_H

#include "host/owner.h"

/* Containers in containers that are told apart; those within stand for the rest. */
#define CGROUP_DEPTH	4

/**
 * struct cgroup - a control group
 * @owner:	kind, id, pod_uid and unit of the containers that it is in, the
 *		innermost first; without any, of the service that it is in, or a
 *		plain one
 * @n:		of @owner, 1 at least
 * @uid:	the user whose slice it is in, as of rootless containers; else -1
 */
struct cgroup {
	struct owner owner[CGROUP_DEPTH];
	size_t n;
	uid_t uid;
};

/**
 * cgroup_parse() - understand the path of a control group
 * @path:	as in /proc/PID/cgroup
 * @apart:	its process has a PID namespace of its own: where no runtime has put
 *		its name, the last part of the path is the name of a container
 */
void cgroup_parse(struct cgroup *cgroup, const char *path, bool apart);

/**
 * cgroup_parse_file() - likewise, all of /proc/PID/cgroup
 *
 * There may be one hierarchy of control groups, or several: the one counts that says
 * most.
 */
void cgroup_parse_file(struct cgroup *cgroup, const char *text, bool apart);

#endif /* MPU_HOST_CGROUP_H */
