/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Engine notify: a process that makes the calls of containers. mpu agent is its daemon,
 * mpu run the same for one command.
 */
#ifndef MPU_NOTIFY_NOTIFY_H
#define MPU_NOTIFY_NOTIFY_H

#include <linux/ioctl.h>
#include <stdbool.h>

#include "core/nvrm.h"
#include "lib/why.h"

struct json_object;

/* linux.seccomp.listenerPath of containers that are to be supervised. */
#define AGENT_SOCKET	"/run/mpu/agent.sock"

/* Per cent of one CPU that the calls of a container may take, unless told otherwise. */
#define BUDGET_PERCENT	50

/**
 * struct monitor_options - how calls are to be handled
 * @pass_unknown: a control of the table with a size that it does not have goes
 *		to the driver; else it is refused
 */
struct monitor_options {
	unsigned int cpu_percent;	/* share of one CPU for the calls of each container */
	bool pass_unknown;
};

/**
 * agent_run() - be the agent; returns on SIGTERM and SIGINT
 * @socket:	where it listens, if no manager hands it a socket
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int agent_run(const char *socket, const struct monitor_options *options, char why[WHY_SIZE]);

/**
 * agent_connect() - connect to the agent's socket, within some seconds
 *
 * Only so it shows whether there is an agent: the socket's file outlives it.
 *
 * Return: a socket, or negative errno; -EACCES: this user may not, -EAGAIN: so
 * many wait there already that it cannot be taken for one that works.
 */
int agent_connect(const char *path);

/**
 * launcher_run() - run a command in a PID and mount namespace of its own, for a user
 * other than root also in a user namespace, until it ends
 * @status:	receives what became of it, as of waitpid()
 *
 * Signals of this process go to the command. They are left blocked.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int launcher_run(char **words, const struct monitor_options *options,
		 int *status, char why[WHY_SIZE]);

/*
 * The bits of a request that the filter looks at, and their value in RM_CONTROL and XFER.
 * The driver goes by number and size, whatever the type and direction bits (nv.c,
 * nvidia_ioctl()); the number alone is also a terminal's, TCGETS2.
 */
#define FILTER_MASK	(_IOC_NRMASK | _IOC_SIZEMASK << _IOC_SIZESHIFT)
#define FILTER_VALUE(nr, type) \
			((nr) | (unsigned int)sizeof(type) << _IOC_SIZESHIFT)
#define FILTER_CONTROL	FILTER_VALUE(NV_ESC_RM_CONTROL, struct nv_control)
#define FILTER_XFER	FILTER_VALUE(NV_ESC_XFER, struct nv_xfer)

/**
 * filter_install() - put the calling thread and what it starts under the filter
 *
 * Needs CAP_SYS_ADMIN in the thread's user namespace, or no_new_privs, which
 * is left to the caller to set.
 *
 * Return: the listener, close-on-exec, or negative errno. -EBUSY: the thread
 * is already under a filter that has a listener; the kernel allows one.
 */
int filter_install(void);

/**
 * filter_can_wait_killable() - does the kernel know the flag WAIT_KILLABLE_RECV (5.19)?
 *
 * With it a signal does not interrupt a call that is being carried out.
 */
bool filter_can_wait_killable(void);

/* Keeps a signal from making the kernel drop a call that is being carried out, and ask again. */
#define PROFILE_FLAG "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"

/* Additions to a container's configuration. */
struct supervision {
	const char *listener;	/* absolute path of the agent's socket */
	bool flag;		/* add PROFILE_FLAG: a runtime that does not know it refuses it */
};

/**
 * enum profile_result - what became of a configuration
 * @PROFILE_PRESENT: it needs nothing: it was edited earlier, or is a pod's sandbox
 * @PROFILE_FOREIGN: left alone: it has another listener, and one is all the kernel allows
 * @PROFILE_CLOSED:	left alone: its profile lets no call through that the filter notifies of
 */
enum profile_result { PROFILE_ADDED, PROFILE_PRESENT, PROFILE_FOREIGN, PROFILE_CLOSED };

/**
 * profile_add() - have a container supervised
 * @config:	edited for PROFILE_ADDED; for what is negative it may be half edited
 * @why:	receives a sentence for anything but PROFILE_ADDED and PROFILE_PRESENT
 *
 * Calls that the profile let through (ALLOW, LOG) and that carry one of the
 * driver's requests notify; whatever else it decided it still decides.
 *
 * Return: enum profile_result, or -EINVAL: the profile cannot be merged with.
 */
int profile_add(struct json_object *config, const struct supervision *want, char why[WHY_SIZE]);

/** profile_has() - is the container supervised, by that listener? */
bool profile_has(struct json_object *config, const char *listener);

#endif /* MPU_NOTIFY_NOTIFY_H */
