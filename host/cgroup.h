/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the owner of processes in the path of their control group: runtimes of
 * containers, the kubelet and systemd put their names there.
 */
#ifndef MPU_HOST_CGROUP_H
#define MPU_HOST_CGROUP_H

#include "host/owner.h"

/**
 * cgroup_parse() - understand the path of a control group
 * @owner:	receives kind, id, pod_uid, unit, job, step and uid of the outermost
 *		container or job; without any, of the outermost service, or a plain one
 * @path:	as in /proc/PID/cgroup
 * @apart:	its process has a PID namespace of its own: where no runtime has put
 *		its name, the last part of the path is the name of a container
 */
void cgroup_parse(struct owner *owner, const char *path, bool apart);

/**
 * cgroup_parse_file() - likewise, all of /proc/PID/cgroup
 *
 * There may be one hierarchy of control groups, or several: the one counts that says
 * most. Groups that others than root have made are not looked at, but for containers below
 * "/user.slice/user-UID.slice", which are that user's.
 */
void cgroup_parse_file(struct owner *owner, const char *text, bool apart);

#endif /* MPU_HOST_CGROUP_H */
